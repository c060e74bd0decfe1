from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.fixture
def food(picture, note, tmp_path):
    for name, number, value in [("b", 3, 10), ("a", 1, 20), ("a", 0, 30)]:
        picture(f"images/{name}/{number}.jpg", value)
    note("meta/train.txt", "b/3\na/1\n")
    note("meta/test.txt", "a/0\n")
    return str(tmp_path)


def test_a_source_has_the_public_signature():
    assert str(inspect.signature(ds.Food101Dataset)) == (
        "(dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, "
        "decode=False, sampler=None, num_shards=None, shard_id=None, cache=None)"
    )
    assert "decode" not in inspect.signature(ds.MnistDataset).parameters


def test_arguments_are_checked_when_a_source_is_made(food):
    with pytest.raises(TypeError, match="For 'Food101Dataset', missing a required argument"):
        ds.Food101Dataset()
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'task'"):
        ds.Food101Dataset(food, task="x")
    with pytest.raises(ValueError, match="'usage' must be one of"):
        ds.Food101Dataset(food, "valid")
    with pytest.raises(TypeError, match="'usage' must be of type 'str'"):
        ds.Food101Dataset(food, 3)
    with pytest.raises(TypeError, match="'decode' must be of type 'bool'"):
        ds.Food101Dataset(food, decode=1)
    with pytest.raises(ValueError, match="'dataset_dir' must be a folder"):
        ds.Food101Dataset(food + "/none")
    with pytest.raises(TypeError, match="'dataset_dir'"):
        ds.Food101Dataset(3)


def test_combinations_that_contradict_each_other_are_refused(food):
    for error in (RuntimeError, ValueError):
        with pytest.raises(error, match="must not both be given"):
            ds.Food101Dataset(food, shuffle=True, sampler=ds.SequentialSampler())
        with pytest.raises(error, match="must be given together"):
            ds.Food101Dataset(food, num_shards=2)


def test_rows_are_bytes_of_files_unless_they_are_decoded(food, read, tmp_path):
    rows = read(ds.Food101Dataset(food, shuffle=False))
    assert rows[0]["image"].tobytes() == (tmp_path / "images/b/3.jpg").read_bytes()
    (first, *_) = read(ds.Food101Dataset(food, shuffle=False, decode=True))
    assert first["image"].shape == (4, 6, 3)
    assert np.abs(first["image"].astype(int) - 10).max() < 3  # JPEG keeps values about


def test_sources_are_sampled_sharded_and_split(food, values):
    assert values(ds.Food101Dataset(food, shuffle=False), "label") == ["b", "a", "a"]
    assert values(ds.Food101Dataset(food, sampler=ds.SubsetSampler([2, 0])), "label") == ["a", "b"]
    assert ds.Food101Dataset(food, num_shards=2, shard_id=1).get_dataset_size() == 2
    first, second = ds.Food101Dataset(food, shuffle=False).split([2, 1], randomize=False)
    assert values(first, "label") + values(second, "label") == ["b", "a", "a"]


def test_missing_and_broken_files_are_named(food, tmp_path, read):
    data = ds.Food101Dataset(food, "train", shuffle=False, decode=True)
    (tmp_path / "images/a/1.jpg").write_bytes(b"no image")
    with pytest.raises(RuntimeError, match=r"1\.jpg' must be an image"):
        read(data)
    (tmp_path / "images/a/1.jpg").unlink()
    with pytest.raises(RuntimeError, match=r"1\.jpg' cannot be read: No such file"):
        read(data)
    (tmp_path / "meta/train.txt").write_text("")
    with pytest.raises(RuntimeError, match="no rows are found"):
        ds.Food101Dataset(food, "train").get_dataset_size()
    (tmp_path / "meta/train.txt").unlink()
    with pytest.raises(RuntimeError, match=r"train\.txt' cannot be read"):
        ds.Food101Dataset(food, "train").get_dataset_size()


def test_columns_of_metadata_are_given_only_under_another_name(picture, note, tmp_path, read):
    picture("7.jpg")
    annotations = note(
        "a.json",
        '{"images": [{"id": 1, "file_name": "7.jpg"}], "annotations": [{"image_id": 1, "caption": "c"}]}',
    )

    def data():
        return ds.CocoDataset(str(tmp_path), annotations, "Captioning", extra_metadata=True)

    assert data().get_col_names() == ["image", "captions", "_meta-filename"]
    assert list(read(data())[0]) == ["image", "captions"]
    assert len(next(data().create_tuple_iterator(output_numpy=True))) == 2
    (row,) = read(data().rename("_meta-filename", "name"))
    assert row["name"] == "7"


def test_files_can_be_decrypted(picture, tmp_path, read):
    def decrypt(path):
        return bytes(255 - byte for byte in Path(path).read_bytes())

    path = picture("c/1.png", 5)
    Path(path).write_bytes(decrypt(path))
    (row,) = read(ds.ImageFolderDataset(str(tmp_path), decode=True, decrypt=decrypt))
    assert (row["image"] == 5).all()
    with pytest.raises(TypeError, match="'decrypt' must be callable"):
        ds.ImageFolderDataset(str(tmp_path), decrypt=3)


def test_a_sampler_of_classes_reads_some_rows_of_each(picture, tmp_path, values):
    for name in "ab":
        for number in range(3):
            picture(f"{name}/{number}.png")
    data = ds.ImageFolderDataset(str(tmp_path), sampler=ds.PKSampler(2))
    assert values(data, "label") == [0, 0, 1, 1]


def test_a_source_is_written_down_as_json_and_made_again(food, values):
    data = ds.Food101Dataset(food, "train", shuffle=False)
    again = ds.deserialize(ds.serialize(data.repeat(2)))
    assert values(again, "label") == ["b", "a"] * 2
