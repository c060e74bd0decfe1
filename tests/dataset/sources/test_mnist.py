from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.fixture
def idx(tmp_path):
    """Write images of one value each, and labels, under the beginning of their names."""

    def write(part, pixels, labels, kind="-labels-idx1-ubyte"):
        header = np.array([0x803, len(pixels), 28, 28], ">u4").tobytes()
        content = b"".join(bytes([pixel]) * 784 for pixel in pixels)
        (tmp_path / f"{part}-images-idx3-ubyte").write_bytes(header + content)
        labels = np.array(labels)
        code, dtype = (0x800, "u1") if "idx1" in kind else (0xC00, ">i4")
        head = np.array([code + labels.ndim, *labels.shape], ">u4").tobytes()
        (tmp_path / f"{part}{kind}").write_bytes(head + labels.astype(dtype).tobytes())
        return str(tmp_path)

    return write


@pytest.mark.parametrize("kind", [ds.MnistDataset, ds.KMnistDataset, ds.FashionMnistDataset])
def test_the_parts_come_in_the_order_of_their_file_names(idx, values, kind):
    idx("train", [1, 2], [5, 6])
    folder = idx("t10k", [3], [7])
    data = kind(folder, shuffle=False)
    assert values(data, "label") == [7, 5, 6]
    assert values(data, "image") == [3, 1, 2]
    assert values(kind(folder, "test"), "label") == [7]


def test_emnist_has_several_sets(idx, values):
    idx("emnist-letters-train", [1, 2], [5, 6])
    folder = idx("emnist-letters-test", [3], [7])
    assert values(ds.EMnistDataset(folder, "letters", shuffle=False), "label") == [7, 5, 6]
    assert ds.EMnistDataset(folder, "letters", "train").get_dataset_size() == 2
    with pytest.raises(RuntimeError, match="emnist-digits-test-images"):
        ds.EMnistDataset(folder, "digits").get_dataset_size()
    with pytest.raises(ValueError, match="'name' must be one of"):
        ds.EMnistDataset(folder, "runes")


def test_qmnist_labels_are_classes_or_all_that_is_known(idx, values, read):
    table = [[3, *range(7)], [4, *range(7)]]
    idx("qmnist-test", [1, 1], table, "-labels-idx2-int")
    idx("xnist", [2, 2], table, "-labels-idx2-int")
    folder = idx("qmnist-train", [3, 3], table, "-labels-idx2-int")
    data = ds.QMnistDataset(folder, shuffle=False)
    assert values(data, "image") == [3, 3, 1, 1, 2, 2]
    assert values(ds.QMnistDataset(folder, "nist", shuffle=False), "label") == [3, 4]
    (row, _) = read(ds.QMnistDataset(folder, "train", False, shuffle=False))
    assert row["label"].dtype == np.uint32
    assert row["label"].tolist() == table[0]
    with pytest.raises(RuntimeError, match="60,000"):
        ds.QMnistDataset(folder, "test10k").get_dataset_size()


def test_the_large_test_set_is_divided(idx):
    table = np.zeros((60_000, 8), int)
    folder = idx("qmnist-test", [0] * 60_000, table, "-labels-idx2-int")
    assert ds.QMnistDataset(folder, "test10k").get_dataset_size() == 10_000
    assert ds.QMnistDataset(folder, "test50k").get_dataset_size() == 50_000


def test_numbers_of_images_and_labels_must_agree(idx):
    idx("train", [1, 2], [5])
    with pytest.raises(RuntimeError, match="as many labels as images, but have 1 and 2"):
        ds.MnistDataset(idx("t10k", [1], [1])).get_dataset_size()


def test_labels_of_another_kind_are_refused(idx):
    folder = idx("train", [1], [[5]], "-labels-idx1-ubyte")
    with pytest.raises(RuntimeError, match="IDX file with 1 axes"):
        ds.MnistDataset(folder).get_dataset_size()
