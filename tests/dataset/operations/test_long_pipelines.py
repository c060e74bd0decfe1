"""Pipelines of more rows than a block of any source or operation has are what the same words do to lists."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds

COUNTS = (1, 63, 64, 65, 255, 257, 600)          # around the lengths of blocks
STEPS = {                                        # a step, and what it does to a list of numbers
    "take 70": (lambda d: d.take(70), lambda v: v[:70]),
    "skip 70": (lambda d: d.skip(70), lambda v: v[70:]),
    "repeat": (lambda d: d.repeat(3), lambda v: v * 3),
    "map": (lambda d: d.map(lambda x: x + 1), lambda v: [n + 1 for n in v]),
    "filter": (lambda d: d.filter(lambda x: x % 3 == 1), lambda v: [n for n in v if n % 3 == 1]),
    "concat": (lambda d: d + d, lambda v: v + v),
    "project": (lambda d: d.project("x"), lambda v: v),
    "batches": (lambda d: d.batch(7).flat_map(lambda x: ds.NumpySlicesDataset(x, ["x"], shuffle=False)), lambda v: v),
    "full batches": (lambda d: d.batch(100, drop_remainder=True).map(lambda x: x.sum()),
                     lambda v: [sum(v[i : i + 100]) for i in range(0, len(v) - 99, 100)]),
    "sums": (lambda d: d.batch(3, per_batch_map=lambda x, info: (np.array(sum(x) + info.get_batch_num()),)),
             lambda v: [sum(v[i : i + 3]) + i // 3 for i in range(0, len(v), 3)]),
    "padded": (lambda d: d.padded_batch(50).map(lambda x: len(x)),
               lambda v: [len(v[i : i + 50]) for i in range(0, len(v), 50)]),
    "zip": (lambda d: d.zip(d.skip(2).rename("x", "y")).map(lambda x, y: y - x, ["x", "y"], ["x"]),
            lambda v: [b - a for a, b in zip(v, v[2:], strict=False)]),
    "sorted": (lambda d: d.shuffle(40).batch(1000).map(np.sort), lambda v: [sorted(v)] if v else []),
}


@pytest.fixture(params=["arrays", "generator", "random access", "text"])
def source(request, tmp_path):
    """A source of so many numbers."""
    def text(count):
        path = tmp_path / f"{count}.txt"
        path.write_text("".join([f"{n}\n" for n in range(count)]))
        return ds.TextFileDataset(str(path), shuffle=False).map(lambda t: np.array(int(str(t))), "text", ["x"])

    return {
        "arrays": lambda count: ds.NumpySlicesDataset(np.arange(count), ["x"], shuffle=False),
        "generator": lambda count: ds.GeneratorDataset(lambda: ((n,) for n in range(count)), ["x"]),
        "random access": lambda count: ds.GeneratorDataset([(n,) for n in range(count)], ["x"], shuffle=False),
        "text": text,
    }[request.param]


def read(data):
    return [row.tolist() for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_what_it_does_to_a_list(source, step):
    build, wanted = STEPS[step]
    for count in COUNTS:
        data, numbers = build(source(count)), wanted(list(range(count)))
        assert read(data) == numbers, count
        assert data.get_dataset_size() == len(numbers), count


@pytest.mark.parametrize("first", [name for name in STEPS if name != "sorted"])
def test_two_steps_are_what_they_do_to_a_list(first):
    for second in STEPS:
        build, wanted = STEPS[second]
        data = STEPS[first][0](ds.NumpySlicesDataset(np.arange(300), ["x"], shuffle=False))
        assert read(build(data)) == wanted(STEPS[first][1](list(range(300)))), second


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 130, 999])
def test_a_number_of_samples_ends_files_and_arrays_alike(tmp_path, count):
    (tmp_path / "a.txt").write_text("x\n" * 100)
    (tmp_path / "b.txt").write_text("y\n\n" * 50)
    text = ds.TextFileDataset(str(tmp_path / "*.txt"), num_samples=count, shuffle=False)
    assert len(read(text)) == text.get_dataset_size() == min(count or 150, 150)
    arrays = ds.NumpySlicesDataset(np.arange(150), num_samples=count)
    assert len(read(arrays)) == arrays.get_dataset_size() == min(count or 150, 150)


@pytest.mark.parametrize("shards", [2, 3])
def test_shares_of_shuffled_files_fit_together_without_a_seed(tmp_path, monkeypatch, shards):
    for name in "abcde":
        (tmp_path / f"{name}.txt").write_text("".join([f"{name}{n}\n" for n in range(ord(name) % 4 + 1)]))
    total = 2 + 3 + 4 + 1 + 2
    for level in (ds.Shuffle.GLOBAL, ds.Shuffle.FILES):
        monkeypatch.setattr(ds.config, "effective_seed", lambda: None)
        parts = [read(ds.TextFileDataset(str(tmp_path / "*.txt"), shuffle=level, num_shards=shards, shard_id=i))
                 for i in range(shards)]
        assert {len(part) for part in parts} == {-(-total // shards)}
        assert len({row for part in parts for row in part}) == total


def test_passes_of_repeated_rows_are_all_mixed_anew():
    data = ds.NumpySlicesDataset(np.arange(20), ["x"]).shuffle(5).map(lambda x: x).repeat(2)
    rows = [read_on.tolist() for read_on, in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    passes = [[int(x) for (x,) in iterator] for _ in range(3)]
    halves = [tuple(p[i : i + 20]) for p in passes for i in (0, 20)]
    assert passes[0] == rows
    assert len(set(halves)) == 6
    assert {tuple(sorted(half)) for half in halves} == {tuple(range(20))}


def test_parts_of_joined_rows_are_mixed_apart():
    one = ds.NumpySlicesDataset(np.arange(30), ["x"])
    found = read(one + one)
    assert found[:30] != found[30:]
    assert sorted(found[:30]) == sorted(found[30:]) == list(range(30))


def test_no_rows_repeated_without_end_are_no_rows():
    assert read(ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).skip(5).repeat().take(3)) == []


@pytest.mark.parametrize("place", [3, 255, 256, 500])
def test_an_error_names_the_row_counted_from_the_first(place):
    def fails(x):
        if x == place:
            raise ValueError("it is the one")
        return x

    with pytest.raises(RuntimeError, match=rf"row {place}\b"):
        read(ds.NumpySlicesDataset(np.arange(600), ["x"], shuffle=False).map(fails))


@pytest.mark.parametrize("whole", [True, False])
def test_rows_that_fail_are_left_out_in_every_block(whole, monkeypatch):
    monkeypatch.setitem(ds.config._settings.values, "error_samples_mode", ds.config.ErrorSamplesMode.SKIP)

    def fails(x):
        assert x % 10 != 3
        return x

    data = ds.NumpySlicesDataset(np.arange(600), ["x"], shuffle=False).map(fails)
    kept = [n for n in range(600) if n % 10 != 3]
    if whole:
        assert read(data.map(ds.transforms.TypeCast("int32")).batch(7)) == [kept[i : i + 7] for i in range(0, 540, 7)]
    assert read(data) == kept


@pytest.mark.parametrize("size", [16, 1000])
def test_a_buffer_takes_rows_that_change_their_type_or_shape_after_many(size):
    data = ds.NumpySlicesDataset(np.arange(600), ["x"], shuffle=False)
    data = data.map(lambda x: x if x < 256 else x + 0.5 if x < 512 else np.array([x]))     # by blocks
    assert sorted([row if type(row) is list else [row] for row in read(data.shuffle(size))]) == [
        [n + 0.5 if 256 <= n < 512 else n] for n in range(600)]
