"""Lists name files of their own folder only, unless the program says otherwise."""

from __future__ import annotations

import json
import os

import pytest

import mindspore.dataset as ds

BOX = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox>"


@pytest.fixture
def outside(picture):
    """Names of one file beside the folder `set`: relative to that, and absolute."""
    path = picture("secret.jpg", 7)
    return {"relative": "../secret.jpg", "absolute": path}


@pytest.fixture
def allowed():
    ds.config.set_outside_files(True)
    yield
    ds.config.set_outside_files(False)


def coco(note, name):
    content = {"images": [{"id": 1, "file_name": name}], "annotations": [{"image_id": 1, "caption": "x"}]}
    path = note("set/notes.json", json.dumps(content))
    return ds.CocoDataset(os.path.dirname(path), path, "Captioning")


def voc(note, name):
    listing = note("set/ImageSets/Main/train.txt", f"{'' if os.path.isabs(name) else '../'}{name[:-4]}\n")
    for place in ("set/Annotations/x", "set/secret", "secret"):
        note(f"{place}.xml", f"<a><object><name>x</name>{BOX}</object></a>")
    return ds.VOCDataset(os.path.dirname(listing).removesuffix("/ImageSets/Main"), "Detection")


def manifest(note, name):
    path = note("set/list.manifest", json.dumps({"source": name, "usage": "train", "annotation": [{"name": "a"}]}))
    return ds.ManifestDataset(path)


def flickr(note, name):
    path = note("set/notes.token", f"{name}#0\tcaption\n")
    return ds.FlickrDataset(os.path.dirname(path), path)


@pytest.mark.parametrize("kind", ["relative", "absolute"])
@pytest.mark.parametrize("make", [coco, voc, manifest, flickr])
def test_a_list_cannot_lead_out_of_its_folder(note, read, outside, make, kind, tmp_path, monkeypatch):
    (tmp_path / "set").mkdir()
    monkeypatch.chdir(tmp_path / "set")          # where paths of manifests begin
    with pytest.raises(RuntimeError, match=r"must be in the folder .* is outside of it.*set_outside_files\(True\)"):
        read(make(note, outside[kind]))


@pytest.mark.parametrize("make", [coco, manifest, flickr])
def test_a_program_may_allow_it(note, read, outside, make, allowed):
    assert ds.config.get_outside_files()
    (row,) = read(make(note, outside["absolute"]))
    with open(outside["absolute"], "rb") as file:
        assert row["image"].tobytes() == file.read()


def test_names_with_dots_inside_of_the_folder_are_read(note, read, picture):
    picture("set/a..b/c.jpg", 1)
    picture("set/x/d.jpg", 1)
    assert len(read(coco(note, "x/../a..b/c.jpg"))) == 1


def test_links_in_a_folder_are_followed(note, read, outside, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "link.jpg").symlink_to(outside["absolute"])
    assert len(read(coco(note, "link.jpg"))) == 1


def test_recordings_stay_in_their_folder(note, read, tmp_path):
    note("set/metadata.csv", "../../secret|a|b\n")
    with pytest.raises(RuntimeError, match="outside of it"):
        read(ds.LJSpeechDataset(str(tmp_path / "set")))


@pytest.mark.parametrize("name", ["a\0b.jpg", "x" * 5000])
def test_names_that_no_file_has_are_told(note, read, name):
    with pytest.raises(RuntimeError, match="too long, or has a character"):
        read(coco(note, name))


def test_a_manifest_cannot_name_a_descriptor(note, tmp_path):
    # number 3 or higher: the reader opened it, and closed it for the whole process
    number = os.open(tmp_path, os.O_RDONLY)
    line = json.dumps({"source": number, "usage": "train", "annotation": [{"name": "a"}]})
    with pytest.raises(RuntimeError, match="'source' must be text"):
        ds.ManifestDataset(note("list.manifest", line)).get_dataset_size()
    os.close(number)        # raises if it is closed already
