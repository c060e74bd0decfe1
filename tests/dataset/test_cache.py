from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import vision


def contents(data, epochs=1):
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [sorted(int(row[0]) for row in iterator) for _ in range(epochs)]


@pytest.mark.parametrize("shuffle", [False, True])
def test_rows_of_a_map_are_made_once(shuffle):
    calls = []
    cache = ds.DatasetCache(1)
    data = ds.NumpySlicesDataset(np.arange(50), shuffle=shuffle)
    data = data.map(lambda x: (calls.append(1), x * x)[1], cache=cache)
    assert contents(data, 3) == [[i * i for i in range(50)]] * 3
    assert len(calls) == 50
    assert cache.get_stat().num_mem_cached == 50
    batched = data.batch(7)
    assert sum(len(x) for (x,) in batched.create_tuple_iterator(num_epochs=1)) == 50
    assert len(calls) == 50


def test_files_of_a_source_are_read_once(tmp_path):
    (tmp_path / "a").mkdir()
    for i in range(6):
        vision.write_png(str(tmp_path / "a" / f"{i}.png"), np.full((4, 4, 3), i, np.uint8))
    cache = ds.DatasetCache(2, size=10)
    data = ds.ImageFolderDataset(str(tmp_path), shuffle=True, decode=True, cache=cache)
    mean = data.map(lambda image: np.int64(image.mean()), "image")
    assert contents(mean) == [list(range(6))]
    for path in (tmp_path / "a").iterdir():
        path.write_bytes(b"gone")
    assert contents(mean, 2) == [list(range(6))] * 2
    assert cache.get_stat().avg_cache_sz >= 48


def test_what_exceeds_the_size_goes_to_disk_or_is_made_anew():
    images = np.arange(40, dtype=np.uint8)[:, None] * np.ones((1, 2**18), np.uint8)
    for spilling in (False, True):
        cache = ds.DatasetCache(3, size=4, spilling=spilling)
        data = ds.NumpySlicesDataset({"x": images}, shuffle=False).map(
            lambda x: x + 1, "x", cache=cache
        )
        for _ in range(2):
            found = [x[[0, -1]].tolist() for (x,) in data.create_tuple_iterator(None, 1, True)]
            assert found == [[i + 1, i + 1] for i in range(40)]
        stat = cache.get_stat()
        assert 0 < stat.num_mem_cached <= 16
        assert stat.num_disk_cached == (40 - stat.num_mem_cached if spilling else 0)


def test_random_transforms_are_not_kept():
    data = ds.NumpySlicesDataset(np.zeros((4, 8, 8, 3), np.uint8))
    with pytest.raises(RuntimeError, match="'RandomCrop' does"):
        data.map(vision.RandomCrop(4), cache=ds.DatasetCache(4))
    with pytest.raises(RuntimeError, match="rows have numbers"):
        data.shuffle(2).map(vision.Resize(4), cache=ds.DatasetCache(4))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"session_id": "a"}, TypeError),
        ({"session_id": 1, "size": -1}, ValueError),
        ({"session_id": 1, "spilling": 3}, TypeError),
        ({"session_id": 1, "hostname": "elsewhere"}, NotImplementedError),
    ],
)
def test_wrong_settings_are_refused(arguments, error):
    with pytest.raises(error, match="DatasetCache"):
        ds.DatasetCache(**arguments)


def test_what_is_no_cache_is_refused():
    with pytest.raises(TypeError, match="cache"):
        ds.NumpySlicesDataset([1]).map(lambda x: x, cache=3)
