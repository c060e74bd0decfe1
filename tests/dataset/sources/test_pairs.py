from __future__ import annotations

import json

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.fixture
def streets(picture, note, tmp_path):
    for value, usage in enumerate(["train", "test", "val"]):
        for city in ("bern", "aachen"):
            name = f"{usage}/{city}/{city}_1"
            picture(f"leftImg8bit/{name}_leftImg8bit.png", value)
            picture(f"gtFine/{name}_gtFine_color.png", 10 + value)
            note(f"gtFine/{name}_gtFine_polygons.json", '{"b": [1, 2],\n "a": "ä"}')
    return str(tmp_path)


def test_photographs_have_their_truth_beside_them(streets, values, read):
    data = ds.CityscapesDataset(streets, "all", "fine", "color", shuffle=False, decode=True)
    assert values(data, "image") == [0, 0, 1, 1, 2, 2]
    assert [row["task"][0, 0, 0] for row in read(data)] == [10, 10, 11, 11, 12, 12]
    text = read(ds.CityscapesDataset(streets, "train", "fine", "polygon"))[0]["task"]
    assert json.loads(str(text)) == {"a": "ä", "b": [1, 2]}
    with pytest.raises(RuntimeError, match=r"gtFine_instanceIds\.png' does not exist"):
        ds.CityscapesDataset(streets).get_dataset_size()
    with pytest.raises(ValueError, match="'usage' must be one of"):
        ds.CityscapesDataset(streets, "test", "coarse")
    with pytest.raises(RuntimeError, match="train_extra' must be a folder"):
        ds.CityscapesDataset(streets, "train_extra", "coarse").get_dataset_size()


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((), "DIV2K_train_LR_bicubic/X2/1x2.png"),
        (("valid", "unknown", 3), "DIV2K_valid_LR_unknown/X3/1x3.png"),
        (("train", "bicubic", 8), "DIV2K_train_LR_x8/1x8.png"),
        (("train", "difficult", 4), "DIV2K_train_LR_difficult/1x4d.png"),
    ],
)
def test_small_images_are_found_by_how_they_were_made(picture, tmp_path, values, arguments, path):
    picture("DIV2K_train_HR/1.png", 1), picture("DIV2K_valid_HR/1.png", 1), picture(path, 2)
    data = ds.DIV2KDataset(str(tmp_path), *arguments, decode=True)
    assert (values(data, "hr_image"), values(data, "lr_image")) == ([1], [2])


def test_scales_that_were_not_published_are_refused(tmp_path):
    for arguments in (("train", "mild", 2), ("train", "unknown", 8), ("train", "bicubic", 5)):
        with pytest.raises(ValueError, match="'scale' must be"):
            ds.DIV2KDataset(str(tmp_path), *arguments)


def test_objects_of_a_street_are_rows(picture, note, tmp_path, read):
    (
        picture("data_object_image_2/training/image_2/0.png"),
        picture("data_object_image_2/testing/image_2/0.png"),
    )
    folder = "data_object_label_2/training/label_2"
    note(
        f"{folder}/0.txt",
        "Van 0.5 2 -1.5 1 2 3 4 5 6 7 8 9 10 11\nCar -1 -1 -10 1 2 3 4 5 6 7 8 9 10 -10\n",
    )
    (row,) = read(ds.KITTIDataset(str(tmp_path)))
    assert row["label"].tolist() == [[1], [0]]
    assert row["occluded"].tolist() == [[2], [2**32 - 1]]
    assert row["truncated"].tolist() == [[0.5], [-1]]
    assert row["bbox"].tolist() == [[1, 2, 3, 4]] * 2
    assert row["dimensions"].tolist() == [[5, 6, 7]] * 2
    assert row["location"].tolist() == [[8, 9, 10]] * 2
    assert row["rotation_y"].tolist() == [[11], [-10]]
    assert {row[name].dtype for name in row} == {np.dtype(t) for t in ("u1", "u4", "f4")}
    assert ds.KITTIDataset(str(tmp_path), "test").get_col_names() == ["image"]
    note(f"{folder}/0.txt", "Van 0.5\n")
    with pytest.raises(RuntimeError, match="15 fields"):
        ds.KITTIDataset(str(tmp_path)).get_dataset_size()


def test_an_image_without_faces_has_one_line_of_zeros(picture, note, tmp_path, read):
    for name in "ab":
        picture(f"WIDER_train/images/0--P/{name}.jpg")
    listing = "wider_face_split/wider_face_train_bbx_gt.txt"
    note(
        listing,
        "0--P/a.jpg\n0\n" + "0 " * 10 + "\n0--P/b.jpg\n2\n1 2 3 4 5 6 7 8 9 10 \n" + "1 " * 10,
    )
    first, second = read(ds.WIDERFaceDataset(str(tmp_path), "train", shuffle=False))
    assert first["bbox"].tolist() == [[0, 0, 0, 0]]
    assert second["bbox"].tolist() == [[1, 2, 3, 4], [1, 1, 1, 1]]
    names = ["blur", "expression", "illumination", "occlusion", "pose", "invalid"]
    assert [second[name].tolist() for name in names] == [[i, 1] for i in range(5, 11)]
    note(listing, "0--P/a.jpg\n2\n1 2 3\n")
    with pytest.raises(RuntimeError, match="from line 1 on"):
        ds.WIDERFaceDataset(str(tmp_path), "train").get_dataset_size()
