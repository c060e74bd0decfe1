from __future__ import annotations

import json

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.fixture
def voc(picture, note, tmp_path):
    """Write the annotation of an image and a list of that image only; gives the folder."""

    def write(name, *objects):
        picture(f"JPEGImages/{name}.jpg"), picture(f"SegmentationClass/{name}.png", 7)
        nodes = "".join(f"<object>{node}</object>" for node in objects)
        note(f"Annotations/{name}.xml", f"<annotation>{nodes}</annotation>")
        (
            note(f"ImageSets/Main/{name}.txt", f"{name}\n"),
            note(f"ImageSets/Segmentation/{name}.txt", name),
        )
        return str(tmp_path)

    return write


def node(name, left, top, right, bottom, rest=""):
    corners = f"<xmin>{left}</xmin><ymin>{top}</ymin><xmax>{right}</xmax><ymax>{bottom}</ymax>"
    return f"<name>{name}</name>{rest}<bndbox>{corners}</bndbox>"


def test_objects_have_boxes_classes_and_flags(voc, read):
    flags = "<difficult>1</difficult><truncated>1</truncated>"
    folder = voc("x", node("dog", 1, 2, 4, 7), node("ant", 2, 2, 3, 3, flags))
    data = ds.VOCDataset(folder, "Detection", "x")
    (row,) = read(data)
    assert row["bbox"].tolist() == [[1, 2, 3, 5], [2, 2, 1, 1]]
    assert (row["bbox"].dtype, row["label"].dtype) == (np.float32, np.uint32)
    assert row["label"].tolist() == [[1], [0]]
    assert row["difficult"].tolist() == row["truncate"].tolist() == [[0], [1]]
    assert data.get_class_indexing() == {"ant": 0, "dog": 1}
    (row,) = read(ds.VOCDataset(folder, "Detection", "x", {"dog": 9}))
    assert row["label"].tolist() == [[9]]


def test_segmentation_has_an_image_as_target(voc, read):
    folder = voc("x", node("dog", 1, 2, 4, 7))
    data = ds.VOCDataset(folder, usage="x", decode=True)
    (row,) = read(data)
    assert (row["target"] == 7).all()
    with pytest.raises(NotImplementedError, match="'Detection'"):
        data.get_class_indexing()
    with pytest.raises(ValueError, match="'class_indexing'"):
        ds.VOCDataset(folder, "Segmentation", "x", {"dog": 0})
    with pytest.raises(ValueError, match=r"nothing\.txt"):
        ds.VOCDataset(folder, "Segmentation", "nothing")


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([], "must have an 'object'"),
        (["<name>a</name>"], "must have a 'bndbox'"),
        ([node("a", 3, 1, 3, 9)], "in order"),
        ([node("a", 0, 1, 3, 9)], "greater than 0"),
        ([node("a", "x", 1, 3, 9)], "cannot be read"),
        (["<name>"], "must be XML"),
        ([node("", 1, 1, 3, 9)], "no rows"),
    ],
)
def test_damaged_annotations_are_refused(voc, objects, message):
    with pytest.raises(RuntimeError, match=message):
        ds.VOCDataset(voc("x", *objects), "Detection", "x").get_dataset_size()


IMAGES = [
    {"id": 4, "file_name": "4.jpg"},
    {"id": 2, "file_name": "2.jpg"},
    {"id": 1, "file_name": "1.jpg"},
]
CATEGORIES = [{"id": 7, "name": "seven", "isthing": 0}, {"id": 5, "name": "five", "isthing": 1}]
NOTES = [
    {"image_id": 1, "category_id": 5, "bbox": [1, 2, 3, 4.5], "segmentation": [[1.5, 2], [7, 8, 9]],
     "iscrowd": 0, "keypoints": [1, 2, 2], "num_keypoints": 1, "caption": "eins"},
    {"image_id": 4, "category_id": 7, "bbox": [1, 2, 0, 4], "segmentation": {"counts": [1, 2, 3]},
     "iscrowd": 1, "keypoints": [1, 2, 2, 3, 4, 1], "num_keypoints": 2, "caption": "vier"},
    {"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "segmentation": [[4]],
     "iscrowd": 0, "keypoints": [0] * 6, "num_keypoints": 0, "caption": "uno"},
]  # fmt: skip


@pytest.fixture
def coco(picture, note, tmp_path):
    for number in (1, 2, 4):
        picture(f"{number}.jpg")

    def make(task, notes=NOTES, **content):
        whole = {"images": IMAGES, "annotations": notes, "categories": CATEGORIES, **content}
        whole = {name: value for name, value in whole.items() if value is not None}
        return ds.CocoDataset(str(tmp_path), note("a.json", json.dumps(whole)), task, shuffle=False)

    return make


def test_images_come_in_their_order_without_those_that_have_no_annotation(coco, read):
    data = coco("Detection")
    first, second = read(data)
    assert first["bbox"].tolist() == [[1, 2, 0, 4]]
    assert second["bbox"].tolist() == [[1, 2, 3, 4.5], [1, 2, 3, 4]]
    assert second["category_id"].tolist() == [[5], [7]]
    assert first["iscrowd"].tolist() == [[1]]
    assert data.get_class_indexing() == {"seven": [7], "five": [5]}


def test_rows_of_different_lengths_end_in_minus_one(coco, read):
    first, second = read(coco("Stuff"))
    assert first["segmentation"].tolist() == [[1, 2, 3]]
    assert second["segmentation"].tolist() == [[1.5, 2, -1], [7, 8, 9], [4, -1, -1]]
    first, second = read(coco("Keypoint"))
    assert second["keypoints"].tolist() == [[1, 2, 2, -1, -1, -1], [0] * 6]
    assert second["num_keypoints"].tolist() == [[1], [0]]


def test_captions_are_text(coco, values):
    data = coco("Captioning", categories=None)
    assert values(data, "captions") == [[["vier"]], [["eins"], ["uno"]]]
    with pytest.raises(NotImplementedError, match="'Panoptic'"):
        data.get_class_indexing()


def test_segments_of_a_panoptic_annotation_are_rows(coco, read):
    segment = {"category_id": 7, "iscrowd": 1, "bbox": [1, 2, 3, 4], "area": 9}
    data = coco("Panoptic", [{"image_id": 2, "segments_info": [segment]}])
    (row,) = read(data)
    assert row["area"].tolist() == [[9]]
    assert data.get_class_indexing() == {"seven": [7, 0], "five": [5, 1]}


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("Detection", {"images": None}, "'images' is missing"),
        ("Detection", {"categories": None}, "'categories' is missing"),
        ("Detection", {"notes": [{"image_id": 99}]}, "the image 99"),
        ("Detection", {"notes": [{"image_id": 1, "category_id": 5}]}, "'bbox' is missing"),
        ("Detection", {"notes": [{**NOTES[0], "category_id": 6}]}, r"categories \[6\]"),
        ("Detection", {"notes": []}, "no rows"),
        ("Stuff", {"notes": [{"image_id": 1, "segmentation": [[1]]}]}, "'iscrowd' is missing"),
        ("Panoptic", {"categories": [{"id": 1, "name": "a"}]}, "'isthing' is missing"),
    ],
)
def test_annotations_that_do_not_fit_are_refused(coco, task, change, message):
    with pytest.raises(RuntimeError, match=message):
        coco(task, **change).get_dataset_size()


def test_annotations_that_are_no_json_are_refused(note, tmp_path):
    with pytest.raises(RuntimeError, match="must be JSON"):
        ds.CocoDataset(str(tmp_path), note("a.json", "{")).get_dataset_size()
    with pytest.raises(ValueError, match="no PKSampler"):
        ds.CocoDataset(str(tmp_path), note("a.json", "{}"), sampler=ds.PKSampler(1))
