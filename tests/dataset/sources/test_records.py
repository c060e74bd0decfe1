from __future__ import annotations

import cv2
import numpy as np
import pytest

import mindspore.dataset as ds


def test_stl10_is_stored_column_by_column(tmp_path, values, read):
    images = np.random.default_rng(0).integers(0, 256, (2, 96, 96, 3), np.uint8)
    (tmp_path / "train_X.bin").write_bytes(images.transpose(0, 3, 2, 1).tobytes())
    (tmp_path / "train_y.bin").write_bytes(bytes([1, 10]))
    (tmp_path / "unlabeled_X.bin").write_bytes(images[:1].tobytes())
    rows = read(ds.STL10Dataset(str(tmp_path), "train", shuffle=False))
    assert (rows[1]["image"] == images[1]).all()
    assert rows[1]["label"].dtype == np.int32
    assert values(ds.STL10Dataset(str(tmp_path), "train+unlabeled", shuffle=False), "label") == [
        0,
        9,
        -1,
    ]
    with pytest.raises(RuntimeError, match=r"test_X\.bin' cannot be read"):
        ds.STL10Dataset(str(tmp_path)).get_dataset_size()
    (tmp_path / "train_y.bin").write_bytes(bytes([1]))
    with pytest.raises(RuntimeError, match="27,648 bytes for each of the 1 labels"):
        ds.STL10Dataset(str(tmp_path), "train").get_dataset_size()


def test_the_digit_zero_of_svhn_is_stored_as_ten(matlab, tmp_path, values, read):
    images = np.random.default_rng(0).integers(0, 256, (32, 32, 3, 2), np.uint8)
    matlab("train_32x32.mat", X=images, y=np.array([[10], [3]], np.uint8))
    matlab("test_32x32.mat", X=images, y=np.array([[1], [9]], np.uint8))
    data = ds.SVHNDataset(str(tmp_path), "train", shuffle=False)
    assert values(data, "label") == [0, 3]
    assert (read(data)[1]["image"] == images[..., 1]).all()
    with pytest.raises(RuntimeError, match=r"extra_32x32\.mat' cannot be read"):
        ds.SVHNDataset(str(tmp_path)).get_dataset_size()
    (tmp_path / "extra_32x32.mat").write_bytes(b"nothing of that kind")
    with pytest.raises(RuntimeError, match="must be a MATLAB file"):
        ds.SVHNDataset(str(tmp_path), "extra").get_dataset_size()


def test_semeion_lines_are_pixels_and_flags(note, tmp_path, read):
    pixels = "1.0000 " * 10 + "0.0000 " * 246
    note("semeion.data", pixels + "0 0 0 1 0 0 0 0 0 0 \n" + pixels + "0 0 0 0 0 0 0 0 0 1 \n")
    first, second = read(ds.SemeionDataset(str(tmp_path), shuffle=False))
    assert first["image"].shape == (16, 16)
    assert first["image"].sum() == 10
    assert (first["label"], second["label"]) == (3, 9)
    note("semeion.data", pixels)
    with pytest.raises(RuntimeError, match="256 pixels and 10 flags"):
        ds.SemeionDataset(str(tmp_path)).get_dataset_size()


def test_patches_are_cut_from_their_sheets(note, tmp_path, values):
    sheet = np.kron(np.arange(256).reshape(16, 16), np.ones((64, 64))).astype(np.uint8)
    note("liberty/info.txt", "".join(f"{i // 3} 0\n" for i in range(300)))
    cv2.imwrite(str(tmp_path / "liberty/patches0000.bmp"), sheet)
    cv2.imwrite(str(tmp_path / "liberty/patches0001.bmp"), 255 - sheet)
    note("liberty/m50_100000_100000_0.txt", "0 0 0 1 0 0 0\n2 0 0 3 1 0 0\n299 99 0 17 5 0 0\n")
    data = ds.PhotoTourDataset(str(tmp_path), "liberty", shuffle=False)
    assert data.output_shapes() == [[64, 64, 1]]
    assert values(data, "image") == [*range(256), *range(255, 211, -1)]
    pairs = ds.PhotoTourDataset(str(tmp_path), "liberty", "test", shuffle=False)
    assert values(pairs, "image1") == [0, 2, 255 - 43]
    assert values(pairs, "image2") == [1, 3, 17]
    assert values(pairs, "matches") == [1, 0, 0]
    note("liberty/info.txt", "0 0\n" * 600)
    with pytest.raises(RuntimeError, match="must have 600 patches"):
        ds.PhotoTourDataset(str(tmp_path), "liberty").get_dataset_size()
