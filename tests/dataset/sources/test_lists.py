from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

import mindspore.dataset as ds


def test_places_have_two_sizes_and_three_lists(picture, note, tmp_path, values):
    picture("data_256_standard/a/x.png", 1), picture("data_large_challenge/a/x.png", 2)
    picture("val_256/v.png", 3)
    note("places365_train_standard.txt", "/a/x.png 5\n")
    note("places365_train_challenge.txt", "/a/x.png 6\n")
    note("places365_val.txt", "v.png 7\n")
    folder = str(tmp_path)
    for arguments, image, label in [
        ((), 1, 5),
        (("train-challenge", False), 2, 6),
        (("val",), 3, 7),
    ]:
        data = ds.Places365Dataset(folder, *arguments, decode=True)
        assert (values(data, "image"), values(data, "label")) == ([image], [label])
    note("places365_val.txt", "v.png\n")
    with pytest.raises(RuntimeError, match="a path and the number of a class"):
        ds.Places365Dataset(folder, "val").get_dataset_size()


def test_folders_of_sun_are_numbered_by_their_list(picture, note, tmp_path, values):
    picture("a/x/sun_1.jpg"), picture("b/y/z/sun_1.jpg"), picture("b/y/z/other.jpg")
    note("ClassName.txt", "/b/y/z\n/a/x\n")
    data = ds.SUN397Dataset(str(tmp_path), shuffle=False)
    assert values(data, "label") == [1, 0]
    assert data.get_class_indexing() == {"b/y/z": 0, "a/x": 1}


@pytest.fixture
def faces(picture, note, tmp_path):
    for value, name in enumerate(["Ann_0001", "Ann_0002", "Bo_0001"]):
        picture(f"lfw_funneled/{name.split('_')[0]}/{name}.png", value)
        (tmp_path / f"lfw_funneled/{name.split('_')[0]}/{name}.png").rename(
            tmp_path / f"lfw_funneled/{name.split('_')[0]}/{name}.jpg"
        )
    note("lfw-names.txt", "Ann\t2\nBo\t1\n")
    note("peopleDevTrain.txt", "1\nBo\t1\n"), note("peopleDevTest.txt", "1\nAnn\t2\n")
    note("people.txt", "2\n1\nAnn\t2\n1\nBo\t1\n")
    note("pairsDevTrain.txt", "1\nAnn\t1\t2\nAnn\t2\tBo\t1\n"), note("pairsDevTest.txt", "0\n")
    return str(tmp_path)


def test_people_are_listed_with_their_number_of_images(faces, values):
    data = ds.LFWDataset(faces, shuffle=False, decode=True)
    assert values(data, "image") == [2, 0, 1]
    assert values(data, "label") == [1, 0, 0]
    assert values(ds.LFWDataset(faces, "people", "10fold", shuffle=False), "label") == [0, 0, 1]


def test_pairs_are_of_one_person_or_of_two(faces, values):
    data = ds.LFWDataset(faces, "pairs", "train", shuffle=False, decode=True)
    assert values(data, "image1") == [0, 1]
    assert values(data, "image2") == [1, 2]
    assert values(data, "label") == [1, 0]


def test_captioned_photographs_that_are_missing_are_left_out(picture, note, tmp_path, values):
    note(
        "SBU_captioned_photo_dataset_urls.txt",
        "".join(f"http://static.flickr.com/1/{i}.jpg\n" for i in range(3)),
    )
    note("SBU_captioned_photo_dataset_captions.txt", " one\ntwo\nthree\n")
    picture("sbu_images/m_1_0.jpg"), picture("sbu_images/m_1_2.jpg")
    assert values(ds.SBUDataset(str(tmp_path), shuffle=False), "caption") == [" one", "three"]
    note("SBU_captioned_photo_dataset_captions.txt", "one\n\nthree\n")
    with pytest.raises(RuntimeError, match="empty lines"):
        ds.SBUDataset(str(tmp_path)).get_dataset_size()


def test_captions_of_a_photograph_are_one_row(picture, note, tmp_path, values):
    picture("p/1.jpg"), picture("p/2.jpg")
    listing = note("l.token", "2.jpg#0\tb\\*\n2.jpg#1\tc\n1.jpg#0\ta\n")
    data = ds.FlickrDataset(str(tmp_path / "p"), listing, shuffle=False)
    assert values(data, "annotation") == [["b\\*", "c"], ["a"]]
    note("l.token", "3.jpg#0\tb\n")
    with pytest.raises(RuntimeError, match=r"3\.jpg' does not exist"):
        ds.FlickrDataset(str(tmp_path / "p"), listing).get_dataset_size()
    note("l.token", "1.jpg b\n")
    with pytest.raises(RuntimeError, match="name#number"):
        ds.FlickrDataset(str(tmp_path / "p"), listing).get_dataset_size()


def test_attributes_are_zero_and_one(picture, note, tmp_path, values):
    for name in ("1.jpg", "2.png", "3.jpg"):
        picture(name)
    note("list_attr_celeba.txt", "3\nBald  Young\n1.jpg -1  1\n2.png  1  1\n3.jpg -1 -1\n")
    note("list_eval_partition.txt", "1.jpg 0\n2.png 1\n3.jpg 2\n")
    folder = str(tmp_path)
    assert values(ds.CelebADataset(folder, shuffle=False), "attr") == [[0, 1], [1, 1], [0, 0]]
    assert values(ds.CelebADataset(folder, usage="test"), "attr") == [[0, 0]]
    assert values(ds.CelebADataset(folder, extensions=[".png"]), "attr") == [[1, 1]]
    note("list_attr_celeba.txt", "x\nBald\n1.jpg 1\n")
    with pytest.raises(RuntimeError, match="number of images, but is"):
        ds.CelebADataset(folder).get_dataset_size()


@pytest.fixture
def manifest(picture, note):
    paths = [picture(f"{i}.png", i) for i in range(3)]

    def write(*entries):
        lines = []
        for number, usage, names in entries:
            labels = [{"type": "modelarts/image_classification", "name": name} for name in names]
            lines.append(
                json.dumps({"source": paths[number], "usage": usage, "annotation": labels})
            )
        return note("m.manifest", "\n".join(lines))

    return write


def test_labels_of_a_manifest_are_numbered_by_name(manifest, values):
    path = manifest(
        (0, "TRAIN", ["z", "a"]), (1, "train", ["b"]), (2, "eval", ["q"]), (2, "train", [])
    )
    data = ds.ManifestDataset(path, shuffle=False, decode=True)
    assert values(data, "label") == [[2, 0], 1]
    assert values(data, "image") == [0, 1]
    assert data.get_class_indexing() == {"a": 0, "b": 1, "z": 2}
    assert values(ds.ManifestDataset(path, "eval"), "label") == [0]
    chosen = ds.ManifestDataset(path, class_indexing={"z": -4, "b": 3}, shuffle=False)
    assert values(chosen, "label") == [-4, 3]


def test_a_row_counts_for_each_of_its_labels(manifest, values):
    path = manifest((0, "train", ["z"]), (1, "train", ["b", "a"]))
    data = ds.ManifestDataset(path, decode=True, sampler=ds.PKSampler(1))
    assert values(data, "image") == [1, 1, 0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1 of the manifest must be a JSON object"),
        ('{"usage": "train", "annotation": []}', "must have 'source'"),
        ('{"source": "x", "annotation": []}', "must have 'usage'"),
        ('{"source": "x", "usage": "train", "annotation": [{}]}', "must have a 'name'"),
        ('{"source": "x.jpg", "usage": "train", "annotation": [{"name": "a"}]}', "does not exist"),
        ('{"source": 3, "usage": "train", "annotation": [{"name": "a"}]}', "'source' must be text in line 1"),
        ('{"source": "x", "usage": 3, "annotation": [{"name": "a"}]}', "'usage' must be text in line 1"),
        ('{"source": "x", "usage": "train", "annotation": [{"name": [1]}]}', "'name' must be text in line 1"),
        ("[" * 100_000, "line 1 of the manifest must be a JSON object: it is nested too deeply"),
        ('{"source": "../x.jpg", "usage": "train", "annotation": [{"name": "a"}]}', "outside of it"),
    ],
)
def test_damaged_manifests_are_refused(note, line, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match=message):
        ds.ManifestDataset(note("m.manifest", line)).get_dataset_size()


def test_files_in_a_manifest_that_are_no_images_are_left_out(note, manifest, tmp_path):
    path = manifest((0, "train", ["a"]), (1, "train", ["a"]))
    (tmp_path / "0.png").write_text("text")
    assert ds.ManifestDataset(path).get_dataset_size() == 1
    (tmp_path / "0.png").write_text("")
    with pytest.raises(RuntimeError, match="but is empty"):
        ds.ManifestDataset(path).get_dataset_size()
    with pytest.raises(RuntimeError, match="'usage' must be one of"):
        ds.ManifestDataset(path, "valid")


def test_flowers_are_listed_by_number(picture, matlab, tmp_path, values):
    for number in range(1, 5):
        (
            picture(f"jpg/image_0000{number}.jpg", 10 * number),
            picture(f"segmim/segmim_0000{number}.jpg", 5),
        )
    matlab("imagelabels.mat", labels=np.array([[9, 8, 7, 6]]))
    matlab("setid.mat", trnid=np.array([[3]]), valid=np.array([[1]]), tstid=np.array([[4, 2]]))
    folder = str(tmp_path)
    assert values(ds.Flowers102Dataset(folder, shuffle=False), "label") == [6, 5, 7, 8]
    data = ds.Flowers102Dataset(folder, "Segmentation", "test", shuffle=False, decode=True)
    assert values(data, "label") == [5, 7]
    assert data.get_col_names() == ["image", "segmentation", "label"]
    names = data.get_class_indexing()
    assert (len(names), names["pink primrose"], names["blackberry lily"]) == (102, 0, 101)


def test_boundaries_are_a_plane_for_each_class(picture, note, matlab, tmp_path, read):
    picture("img/1.jpg", shape=(2, 3, 3))
    planes = np.empty((20, 1), object)
    for i in range(20):
        planes[i, 0] = sparse.csc_matrix(np.full((2, 3), i % 2))
    classes = np.arange(6, dtype=np.uint8).reshape(2, 3)
    truth = np.zeros((1, 1), [("Boundaries", "O"), ("Segmentation", "O")])
    truth[0, 0] = (planes, classes)
    matlab("cls/1.mat", GTcls=truth)
    for name in ("train", "train_noval", "val"):
        note(f"{name}.txt", "1\n" if name != "val" else "")
    (row,) = read(ds.SBDataset(str(tmp_path)))
    assert row["task"].shape == (20, 2, 3)
    assert row["task"][:, 0, 0].tolist() == [0, 1] * 10
    (row,) = read(ds.SBDataset(str(tmp_path), "Segmentation", "train_noval", decode=True))
    assert (row["task"] == classes).all()
    assert row["image"].shape == (2, 3, 3)
