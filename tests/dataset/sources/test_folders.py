from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def test_every_file_of_a_class_folder_is_taken_unless_endings_are_given(
    picture, note, tmp_path, values
):
    picture("a/1.png"), note("a/notes.txt", "n"), picture("b/2.JPG")
    assert values(ds.ImageFolderDataset(str(tmp_path), shuffle=False), "label") == [0, 0, 1]
    only = ds.ImageFolderDataset(str(tmp_path), shuffle=False, extensions=[".png", ".jpg"])
    assert values(only, "label") == [0]
    with pytest.raises(RuntimeError, match=r"image files \(\.bmp\)"):
        ds.ImageFolderDataset(str(tmp_path), extensions=[".bmp"]).get_dataset_size()
    picture("b/deeper/3.png")
    with pytest.raises(RuntimeError, match="deeper' must be an image file, but is a folder"):
        ds.ImageFolderDataset(str(tmp_path)).get_dataset_size()


def test_caltech256_takes_jpg_files(picture, tmp_path, values):
    picture("002.b/1.jpg"), picture("001.a/1.jpg"), picture("001.a/1.png")
    data = ds.Caltech256Dataset(str(tmp_path), shuffle=False)
    assert values(data, "label") == [0, 1]
    assert data.num_classes() == 2


def test_caltech101_gives_classes_and_contours(picture, matlab, tmp_path, read):
    for name, place in (("BACKGROUND_Google", ""), ("Faces", "Faces_2"), ("ant", "ant")):
        picture(f"101_ObjectCategories/{name}/image_0007.jpg")
        if place:
            contour = np.array([[1.5, 2, 3], [4, 5, len(name)]])
            matlab(f"Annotations/{place}/annotation_0007.mat", obj_contour=contour)
    faces, ant = read(ds.Caltech101Dataset(str(tmp_path), "all", shuffle=False))
    assert (faces["category"], ant["category"]) == (0, 1)
    assert faces["category"].dtype == np.int64
    assert ant["annotation"].tolist() == [[1.5, 2, 3], [4, 5, 3]]
    data = ds.Caltech101Dataset(str(tmp_path))
    assert data.get_col_names() == ["image", "category"]
    assert data.get_class_indexing() == {"Faces": 0, "ant": 1}


def test_characters_are_numbered_through_all_alphabets(picture, tmp_path, values):
    for alphabet in "ZA":
        for character in ("character02", "character01"):
            picture(f"images_background/{alphabet}/{character}/0.png")
    picture("images_evaluation/B/character01/0.png")
    data = ds.OmniglotDataset(str(tmp_path), shuffle=False)
    assert values(data, "label") == [0, 1, 2, 3]
    assert list(data.get_class_indexing()) == [f"{a}/character0{i}" for a in "AZ" for i in (1, 2)]
    assert ds.OmniglotDataset(str(tmp_path), False).num_classes() == 1


def test_rendered_sentences_have_three_parts(picture, tmp_path, values):
    for value, part in enumerate(["test", "train", "valid"]):
        (
            picture(f"{part}/negative/1.png", 2 * value),
            picture(f"{part}/positive/1.png", 2 * value + 1),
        )
    data = ds.RenderedSST2Dataset(str(tmp_path), shuffle=False, decode=True)
    assert values(data, "image") == [0, 1, 2, 3, 4, 5]
    assert values(data, "label") == [0, 1] * 3
    assert values(
        ds.RenderedSST2Dataset(str(tmp_path), "val", decode=True, shuffle=False), "image"
    ) == [4, 5]


def test_scenes_are_numbered_in_the_order_of_their_names(picture, tmp_path, values):
    for name in ("classroom_train", "bedroom_train", "bedroom_val"):
        picture(f"{name}/1.png", len(name))
    picture("test/1.png", 9)
    data = ds.LSUNDataset(str(tmp_path), "train", shuffle=False)
    assert values(data, "label") == [0, 1]
    assert data.get_class_indexing() == {"bedroom": 0, "classroom": 1}
    assert values(ds.LSUNDataset(str(tmp_path), shuffle=False), "label") == [0, 0, 1]
    assert values(ds.LSUNDataset(str(tmp_path), "test"), "label") == [0]
    chosen = ds.LSUNDataset(str(tmp_path), "train", ["classroom"], decode=True)
    assert values(chosen, "image") == [len("classroom_train")]
    with pytest.raises(RuntimeError, match="tower_train' must be a folder"):
        ds.LSUNDataset(str(tmp_path), "train", ["tower"]).get_dataset_size()
    with pytest.raises(ValueError, match="'classes' must be one of"):
        ds.LSUNDataset(str(tmp_path), "train", ["cellar"])
    with pytest.raises(TypeError, match="'classes' must be of type 'list'"):
        ds.LSUNDataset(str(tmp_path), "train", "bedroom")
