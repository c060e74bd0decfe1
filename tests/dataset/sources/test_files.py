from __future__ import annotations

import os

import cv2
import numpy as np
import pytest

import mindspore.dataset as ds


def write_idx(path, array):
    header = np.array([0x800 + array.ndim, *array.shape], ">u4").tobytes()
    path.write_bytes(header + array.astype(np.uint8).tobytes())


@pytest.fixture
def mnist(tmp_path):
    images = np.arange(5 * 784).reshape(5, 28, 28) % 251
    write_idx(tmp_path / "train-images-idx3-ubyte", images)
    write_idx(tmp_path / "train-labels-idx1-ubyte", np.array([3, 1, 4, 1, 5]))
    write_idx(tmp_path / "t10k-images-idx3-ubyte", images[:2])
    write_idx(tmp_path / "t10k-labels-idx1-ubyte", np.array([9, 2]))
    return tmp_path


def test_mnist_gives_images_with_a_channel_and_labels(mnist):
    data = ds.MnistDataset(str(mnist), "train", shuffle=False)
    found = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert data.output_shapes() == [[28, 28, 1], []]
    assert data.output_types() == [np.uint8, np.uint32]
    assert [int(row["label"]) for row in found] == [3, 1, 4, 1, 5]
    assert (found[1]["image"][..., 0] == np.arange(784, 2 * 784).reshape(28, 28) % 251).all()


@pytest.mark.parametrize(("usage", "count"), [("train", 5), ("test", 2), ("all", 7), (None, 7)])
def test_mnist_has_parts(mnist, usage, count):
    assert ds.MnistDataset(str(mnist), usage).get_dataset_size() == count


def test_a_missing_folder_is_noticed_at_once():
    with pytest.raises(ValueError, match="'dataset_dir' must be a folder that exists"):
        ds.MnistDataset("nowhere")
    with pytest.raises(ValueError, match="'dataset_dir' must be a folder that exists"):
        ds.ImageFolderDataset("nowhere")


def test_a_folder_without_the_files_says_which_it_wants(tmp_path):
    with pytest.raises(RuntimeError, match="train-images-idx3-ubyte"):
        ds.MnistDataset(str(tmp_path), "train").get_dataset_size()
    with pytest.raises(RuntimeError, match=r"data_batch_1\.bin"):
        ds.Cifar10Dataset(str(tmp_path), "train").get_dataset_size()
    with pytest.raises(RuntimeError, match="a folder for each class"):
        ds.ImageFolderDataset(str(tmp_path)).get_dataset_size()


def test_damaged_files_are_named(mnist):
    path = mnist / "train-images-idx3-ubyte"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(
        RuntimeError, match=r"train-images-idx3-ubyte' must have 3920 bytes .* has 3919"
    ):
        ds.MnistDataset(str(mnist), "train").get_dataset_size()
    path.write_bytes(b"\x1f\x8b compressed")
    with pytest.raises(RuntimeError, match="must be unpacked"):
        ds.MnistDataset(str(mnist), "train").get_dataset_size()


def test_cifar_turns_planes_into_channels(tmp_path):
    planes = np.random.default_rng(0).integers(0, 256, (4, 3, 32, 32), np.uint8)
    labels = np.array([[1], [2], [3], [4]], np.uint8)
    (tmp_path / "data_batch_1.bin").write_bytes(
        np.hstack([labels, planes.reshape(4, -1)]).tobytes()
    )
    found = list(
        ds.Cifar10Dataset(str(tmp_path), "train", shuffle=False).create_dict_iterator(1, True)
    )
    assert [int(row["label"]) for row in found] == [1, 2, 3, 4]
    assert (found[2]["image"] == planes[2].transpose(1, 2, 0)).all()
    (tmp_path / "test_batch.bin").write_bytes(b"short")
    with pytest.raises(RuntimeError, match="records of 3073 bytes"):
        ds.Cifar10Dataset(str(tmp_path), "test").get_dataset_size()


def test_cifar100_has_two_labels(tmp_path):
    record = np.concatenate([[7, 42], np.zeros(3072)]).astype(np.uint8)
    (tmp_path / "train.bin").write_bytes(record.tobytes())
    row = next(ds.Cifar100Dataset(str(tmp_path), "train").create_dict_iterator(output_numpy=True))
    assert (int(row["coarse_label"]), int(row["fine_label"])) == (7, 42)


@pytest.fixture
def folders(tmp_path):
    for number, name in enumerate(["cat", "dog"]):
        (tmp_path / name).mkdir()
        for i in range(2):
            cv2.imwrite(
                str(tmp_path / name / f"{i}.png"), np.full((4, 6, 3), 100 * number + i, np.uint8)
            )
        (tmp_path / name / "notes.txt").write_text("no image")
    return tmp_path


def test_folders_are_classes_in_the_order_of_their_names(folders):
    data = ds.ImageFolderDataset(str(folders), shuffle=False, decode=True, extensions=[".png"])
    found = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert [int(row["label"]) for row in found] == [0, 0, 1, 1]
    assert [int(row["image"][0, 0, 0]) for row in found] == [0, 1, 100, 101]
    assert found[0]["image"].shape == (4, 6, 3)
    assert data.num_classes() == 2
    assert data.get_class_indexing() == {"cat": 0, "dog": 1}


def test_classes_can_be_chosen_and_numbered(folders):
    data = ds.ImageFolderDataset(str(folders), extensions=[".png"], class_indexing={"dog": 5})
    assert [
        int(label) for _, label in data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    ] == [5, 5]
    with pytest.raises(RuntimeError, match=r"\['bird'\]"):
        ds.ImageFolderDataset(str(folders), class_indexing={"bird": 0}).get_dataset_size()


def test_files_that_are_no_images_are_named(folders):
    (folders / "cat" / "1.png").write_bytes(b"not a picture")
    data = ds.ImageFolderDataset(str(folders), shuffle=False, decode=True, extensions=[".png"])
    with pytest.raises(RuntimeError, match=r"1\.png' must be an image"):
        list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_photographs_of_the_reference_material_decode(reference):
    folder = os.path.join(reference, "data", "dataset", "testPK", "data")
    data = ds.ImageFolderDataset(folder, decode=True, num_samples=6, num_parallel_workers=2)
    for image, label in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        assert image.dtype == np.uint8
        assert image.shape[2] == 3
        assert 0 <= int(label) < 4


def test_rows_of_each_file_may_be_shuffled_on_their_own(tmp_path, rows):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{name}{i:02}\n" for i in range(20)))
    data = ds.TextFileDataset(str(tmp_path / "*.txt"), shuffle=ds.Shuffle.INFILE)
    found = [row[0] for row in rows(data)]
    for name, part in (("a", found[::2]), ("b", found[1::2])):  # the files come in turns
        assert sorted(part) == [f"{name}{i:02}" for i in range(20)]
        assert part != sorted(part)
    assert found == [row[0] for row in rows(data)]
    with pytest.raises(ValueError, match="shuffle"):
        ds.TextFileDataset(str(tmp_path / "*.txt"), shuffle=ds.Shuffle.PARTIAL)


@pytest.mark.parametrize("options", [{}, {"num_shards": 2, "shard_id": 0}])
def test_files_without_any_row_are_refused_when_rows_are_read(tmp_path, rows, options):
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "some.txt").write_text("1\n")
    data = ds.TextFileDataset(str(tmp_path / "empty.txt"), **options)
    assert data.get_dataset_size() == 0
    with pytest.raises(RuntimeError, match=r"a row at least.*empty\.txt"):
        rows(data)
    assert rows(ds.TextFileDataset(str(tmp_path / "*.txt"))) == [("1",)]
    (tmp_path / "head.csv").write_text("a,b\n")
    with pytest.raises(RuntimeError, match="a row at least"):
        rows(ds.CSVDataset(str(tmp_path / "head.csv")))
