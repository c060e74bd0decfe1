"""Sources on real files, against counts from listing them and values from other libraries."""

from __future__ import annotations

import glob
import json
import os
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from PIL import Image
from scipy import io

import mindspore.dataset as ds


@pytest.fixture
def files(reference):
    """A path below the folder of the data sets."""
    return lambda *parts: os.path.join(reference, "data", "dataset", *parts)


def content(path):
    with open(path, "rb") as stream:
        return stream.read()


def lines(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read().split("\n")[: -1 if content(path).endswith(b"\n") else None]


def images_of(rows, name="image"):
    return [row[name].tobytes() for row in rows]


@pytest.mark.parametrize(
    ("kind", "folder", "options", "pattern"),
    [
        ("ImageFolderDataset", "testPK/data", {}, "*/*"),
        ("Caltech256Dataset", "testPK/data", {}, "*/*.jpg"),
        ("OmniglotDataset", "testOmniglot", {}, "images_background/*/*/*"),
        ("OmniglotDataset", "testOmniglot", {"background": False}, "images_evaluation/*/*/*"),
        ("RenderedSST2Dataset", "testRenderedSST2Data", {"usage": "train"}, "train/*/*.png"),
        ("SUN397Dataset", "testSUN397Data", {}, "*/*/*.jpg"),
        ("Places365Dataset", "testPlaces365Data", {}, "data_256_standard/*/*/*.jpg"),
        (
            "Places365Dataset",
            "testPlaces365Data",
            {"usage": "val", "small": False},
            "val_large/*/*/*.jpg",
        ),
        ("Caltech101Dataset", "testCaltech101Data", {}, "101_ObjectCategories/*/*.jpg"),
        ("Flowers102Dataset", "testFlowers102Dataset", {}, "jpg/*.jpg"),
        ("SBUDataset", "testSBUDataset", {}, "sbu_images/*.jpg"),
        ("KITTIDataset", "testKITTI", {}, "data_object_image_2/training/image_2/*.png"),
        (
            "KITTIDataset",
            "testKITTI",
            {"usage": "test"},
            "data_object_image_2/testing/image_2/*.png",
        ),
        (
            "CityscapesDataset",
            "testCityscapesData/cityscapes",
            {"task": "color"},
            "leftImg8bit/train/*/*.png",
        ),
        ("WIDERFaceDataset", "testWIDERFace", {"usage": "train"}, "WIDER_train/images/*/*.jpg"),
        ("WIDERFaceDataset", "testWIDERFace", {"usage": "test"}, "WIDER_test/images/*/*.jpg"),
        ("CelebADataset", "testCelebAData", {}, "*.[jJ][pP]*"),
    ],
)
def test_every_image_file_is_a_row(files, read, kind, folder, options, pattern):
    data = getattr(ds, kind)(files(folder), shuffle=False, **options)
    paths = sorted(glob.glob(files(folder, pattern)))
    rows = read(data)
    assert len(paths) == len(rows) == data.get_dataset_size()
    assert images_of(rows) == [content(path) for path in paths]


def test_decoded_images_are_those_of_another_library(files, read):
    data = ds.DIV2KDataset(files("testDIV2KData", "div2k"), shuffle=False, decode=True)
    rows, paths = (
        read(data),
        sorted(glob.glob(files("testDIV2KData", "div2k", "DIV2K_train_HR", "*"))),
    )
    for row, path in zip(rows, paths, strict=True):
        with Image.open(path) as picture:
            assert (row["hr_image"] == np.asarray(picture.convert("RGB"))).all()
        small = path.replace("_HR/", "_LR_bicubic/X2/").replace(".png", "x2.png")
        assert (row["lr_image"] == cv2.imread(small)[..., ::-1]).all()


def test_food_is_labelled_by_folder(files, read):
    names = lines(files("testFood101Data", "meta", "test.txt"))
    rows = read(ds.Food101Dataset(files("testFood101Data"), "test", shuffle=False))
    assert [str(row["label"]) for row in rows] == [name.split("/")[0] for name in names]
    assert images_of(rows) == [
        content(files("testFood101Data", "images", f"{n}.jpg")) for n in names
    ]


def test_voc_boxes_are_those_of_the_annotations(files, read):
    folder = files("testVOC2012")
    names = [name.strip() for name in lines(os.path.join(folder, "ImageSets", "Main", "train.txt"))]
    data = ds.VOCDataset(folder, "Detection", "train", shuffle=False)
    rows, classes = read(data), data.get_class_indexing()
    assert classes == {"car": 0, "cat": 1, "chair": 2, "dog": 3, "person": 4, "train": 5}
    for row, name in zip(rows, names, strict=True):
        root = ElementTree.parse(os.path.join(folder, "Annotations", f"{name}.xml"))
        labels = [classes[node.text] for node in root.iterfind("object/name")]
        assert row["label"].ravel().tolist() == labels
        corners = [[float(c.text) for c in box] for box in root.iterfind("object/bndbox")]
        x, y, w, h = row["bbox"].T
        assert np.stack([x, y, x + w, y + h], 1).tolist() == corners
    targets = read(ds.VOCDataset(folder, "Segmentation", "train", shuffle=False))
    assert (
        len(targets)
        == len(lines(os.path.join(folder, "ImageSets", "Segmentation", "train.txt")))
        == 10
    )


@pytest.mark.parametrize(
    ("usage", "message"),
    [
        ("invalidxml", r"invalidxml\.xml' must be XML"),
        ("xmlinvalidbbox", "greater than 0 and in order"),
        ("xmlnoobject", "must have an 'object'"),
        ("xmlnotexist", r"4176\.xml' does not exist"),
    ],
)
def test_damaged_voc_annotations_are_named(files, usage, message):
    with pytest.raises(RuntimeError, match=message):
        ds.VOCDataset(files("testVOC2012"), "Detection", usage).get_dataset_size()


def test_coco_boxes_are_those_of_the_annotations(files, read):
    with open(files("testCOCO", "annotations", "train.json")) as stream:
        whole = json.load(stream)
    data = ds.CocoDataset(
        files("testCOCO", "train"), files("testCOCO", "annotations", "train.json"), shuffle=False
    )
    for row, image in zip(read(data), whole["images"], strict=True):
        notes = [note for note in whole["annotations"] if note["image_id"] == image["id"]]
        assert row["bbox"].tolist() == [note["bbox"] for note in notes]
        assert row["category_id"].ravel().tolist() == [note["category_id"] for note in notes]
        assert row["image"].tobytes() == content(files("testCOCO", "train", image["file_name"]))


@pytest.mark.parametrize(
    ("task", "name", "shapes"),
    [
        ("Stuff", "train", [(2, 10), (2, 11), (1, 12), (1, 13), (1, 14), (2, 7)]),
        ("Keypoint", "key_point", [(1, 51), (1, 51)]),
        ("Panoptic", "panoptic", [(3, 4), (2, 4)]),
        ("Captioning", "captions", [(5, 1), (5, 1)]),
    ],
)
def test_coco_tasks_have_a_row_for_each_annotation(files, read, task, name, shapes):
    data = ds.CocoDataset(
        files("testCOCO", "train"),
        files("testCOCO", "annotations", f"{name}.json"),
        task,
        shuffle=False,
    )
    column = data.get_col_names()[1]
    assert [row[column].shape for row in read(data)] == shapes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("invalid", "must be JSON"),
        ("invalid_category_id", "categories"),
        ("lack_of_images", "'images'"),
    ],
)
def test_damaged_coco_annotations_are_named(files, name, message):
    path = files("testCOCO", "annotations", f"{name}.json")
    with pytest.raises(RuntimeError, match=message):
        ds.CocoDataset(files("testCOCO", "train"), path).get_dataset_size()


def test_a_manifest_has_its_paths_relative_to_the_program(files, values, monkeypatch):
    monkeypatch.chdir(
        files("..", "..", "api")
    )  # any folder beside data: their paths begin with ../data
    data = ds.ManifestDataset(files("testManifestData", "test.manifest"), shuffle=False)
    assert values(data, "label") == [1, 0, 0, [0, 2]]
    assert data.get_class_indexing() == {"cat": 0, "dog": 1, "flower": 2}
    for name, usage, message in [
        ("errorSample1_empty", "eval", "is empty"),
        ("errorSample3_text", "train", "no rows"),
        ("invalidNoSource", "train", "line 2 .* 'source'"),
        ("invalidNoUsage", "train", "line 1 .* 'usage'"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            ds.ManifestDataset(
                files("testManifestData", f"{name}.manifest"), usage
            ).get_dataset_size()


def test_celebrities_have_the_attributes_of_the_list(files, read):
    table = [line.split() for line in lines(files("testCelebAData", "list_attr_celeba.txt"))[2:]]
    rows = read(ds.CelebADataset(files("testCelebAData"), shuffle=False))
    assert [row["attr"].tolist() for row in rows] == [[int(v == "1") for v in t[1:]] for t in table]
    sizes = [
        ds.CelebADataset(files("testCelebAData"), usage=u).get_dataset_size()
        for u in ("train", "valid", "test")
    ]
    assert sizes == [2, 1, 1]


def test_captions_and_boundaries_have_their_numbers(files, read):
    folder = files("testFlickrData", "flickr30k")
    counts = [
        ds.FlickrDataset(f"{folder}/flickr30k-images", f"{folder}/test{i}.token").get_dataset_size()
        for i in (1, 2, 3)
    ]
    assert counts == [2, 3, 1]
    (row, _) = read(
        ds.FlickrDataset(f"{folder}/flickr30k-images", f"{folder}/test1.token", shuffle=False)
    )
    assert row["annotation"].tolist()[:2] == [r"This is \*a banana.", "This is a yellow banana."]


def test_faces_are_people_and_pairs(files, values):
    people = ds.LFWDataset(files("testLFW"), "people", shuffle=False)
    assert values(people, "label") == [1, 0, 0, 1]
    pairs = ds.LFWDataset(files("testLFW"), "pairs", "10fold", "original", shuffle=False)
    assert values(pairs, "label") == [1, 0, 1, 0]


def test_faces_have_the_boxes_of_the_list(files, read):
    listing = lines(files("testWIDERFace", "wider_face_split", "wider_face_val_bbx_gt.txt"))
    tables = [
        [[int(n) for n in line.split()] for line in part] for part in (listing[2:7], listing[9:12])
    ]
    rows = read(ds.WIDERFaceDataset(files("testWIDERFace"), "valid", shuffle=False))
    assert [row["bbox"].tolist() for row in rows] == [[r[:4] for r in table] for table in tables]
    assert [row["invalid"].tolist() for row in rows] == [[r[9] for r in table] for table in tables]


def test_objects_of_kitti_have_the_numbers_of_their_lines(files, read):
    rows = read(ds.KITTIDataset(files("testKITTI"), shuffle=False))
    for number, row in enumerate(rows):
        path = files("testKITTI", "data_object_label_2", "training", "label_2", f"{number:06d}.txt")
        table = np.array([line.split()[1:] for line in lines(path)], np.float32)
        names = ["truncated", "alpha", "bbox", "dimensions", "location", "rotation_y"]
        found = np.concatenate([row[name] for name in names], 1)
        assert (found == np.delete(table, 1, 1)).all()
    assert rows[1]["label"].ravel().tolist() == [0, 1, 1]  # Car, DontCare


def test_digits_have_the_bytes_of_their_files(files, read):
    folder = files("testEMnistDataset")
    rows = read(ds.EMnistDataset(folder, "mnist", "train", shuffle=False))
    body = content(os.path.join(folder, "emnist-mnist-train-images-idx3-ubyte"))[16:]
    assert b"".join(images_of(rows)) == body
    labels = content(os.path.join(folder, "emnist-mnist-train-labels-idx1-ubyte"))[8:]
    assert [int(row["label"]) for row in rows] == list(labels)
    sizes = [
        ds.QMnistDataset(files("testQMnistData"), usage).get_dataset_size()
        for usage in ("train", "nist", "all")
    ]
    assert sizes == [10, 10, 30]


def test_mnist_without_images_says_so(files):
    with pytest.raises(RuntimeError, match="t10k-images-idx3-ubyte"):
        ds.MnistDataset(files("testMnistData"), "test").get_dataset_size()


def test_usps_values_are_those_of_another_reader(files, read):
    datasets = pytest.importorskip("sklearn.datasets", reason="needs the extra 'demo'")
    for usage, name in (("train", "usps"), ("test", "usps.t")):
        values, labels = datasets.load_svmlight_file(files("testUSPSDataset", name))
        rows = read(ds.USPSDataset(files("testUSPSDataset"), usage, shuffle=False))
        assert [int(row["label"]) for row in rows] == (labels - 1).tolist()
        for row, expected in zip(rows, (values.toarray() + 1) / 2 * 255, strict=True):
            assert np.abs(row["image"].ravel() + 0.5 - expected).max() < 0.51  # rounded down


def test_semeion_and_stl_have_the_numbers_of_their_files(files, read):
    table = np.loadtxt(files("testSemeionData", "semeion.data"))
    rows = read(ds.SemeionDataset(files("testSemeionData"), shuffle=False))
    assert [row["image"].ravel().tolist() for row in rows] == table[:, :256].tolist()
    assert [int(row["label"]) for row in rows] == np.nonzero(table[:, 256:])[1].tolist()
    (row,) = read(ds.STL10Dataset(files("testSTL10Data"), "test"))
    planes = np.frombuffer(content(files("testSTL10Data", "test_X.bin")), np.uint8).reshape(
        3, 96, 96
    )
    assert (row["image"].transpose(2, 1, 0) == planes).all()
    assert row["label"] == content(files("testSTL10Data", "test_y.bin"))[0] - 1


def test_matlab_sets_have_the_numbers_of_their_files(files, read, values):
    variables = io.loadmat(files("testSVHNData", "test_32x32.mat"))
    rows = read(ds.SVHNDataset(files("testSVHNData"), "test", shuffle=False))
    assert [int(row["label"]) for row in rows] == variables["y"].ravel().tolist()
    assert all((row["image"] == variables["X"][..., i]).all() for i, row in enumerate(rows))
    assert ds.SVHNDataset(files("testSVHNData")).get_dataset_size() == 12
    data = ds.Flowers102Dataset(
        files("testFlowers102Dataset"), "Segmentation", "valid", shuffle=False
    )
    assert values(data, "label") == [4, 5]
    truth = io.loadmat(files("testSBData", "sbd", "cls", "000005.mat"))["GTcls"]["Segmentation"][0][
        0
    ]
    (row, _) = read(ds.SBDataset(files("testSBData", "sbd"), "Segmentation", "val", shuffle=False))
    assert (row["task"] == truth).all()
    assert ds.SBDataset(files("testSBData", "sbd"), shuffle=False).output_shapes()[1] == [
        20,
        *cv2.imread(files("testSBData", "sbd", "img", "000001.jpg")).shape[:2],
    ]
    contour = io.loadmat(
        files("testCaltech101Data", "Annotations", "banana", "annotation_0002.mat")
    )
    (*_, row) = read(ds.Caltech101Dataset(files("testCaltech101Data"), "all", shuffle=False))
    assert (row["annotation"] == contour["obj_contour"]).all()


@pytest.mark.parametrize(
    "name", ["Sample1_empty", "Sample2_corrupt1mid", "Sample3_text", "Sample4_corruptall"]
)
def test_damaged_photographs_are_named(files, read, name):
    data = ds.ImageFolderDataset(files("testImageNetError", name, "train"), decode=True)
    with pytest.raises(RuntimeError, match="must be an image"):
        read(data)
    with pytest.raises(RuntimeError, match="but is a folder"):
        ds.ImageFolderDataset(files("testImageNetError", name)).get_dataset_size()


def test_formats_of_images_are_decoded(files, read):
    options = {
        "extensions": [".bmp", ".gif", ".tiff", ".webp", ".png"],
        "class_indexing": {"testFormats": 0},
    }
    rows = read(ds.ImageFolderDataset(files(), shuffle=False, decode=True, **options))
    shapes = {row["image"].shape for row in rows}
    assert len(rows) == 6
    assert {shape[2] for shape in shapes} == {3}
