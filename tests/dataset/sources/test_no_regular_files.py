"""A pipe, a device or a folder in the place of a file of a data folder is told at once, not waited for."""
from __future__ import annotations

import os

import pytest
from scipy import io

import mindspore as ms
from mindspore import dataset as ds
from mindspore import load_checkpoint
from mindspore.core.errors import ModelError
from mindspore.dataset import text
from mindspore.dataset.errors import PipelineError
from mindspore.formats.events import read_events
from mindspore.formats.files import regular, view
from mindspore.formats.strategy import read_groups

PLACES = {"pipe": os.mkfifo, "device": lambda path: os.symlink("/dev/zero", path), "folder": os.mkdir}


def celeba(folder):
    (folder / "list_attr_celeba.txt").write_text("1\nbald young\na.jpg 1 -1\n")
    (folder / "a.jpg").write_bytes(b"picture")
    return lambda: ds.CelebADataset(str(folder), shuffle=False)


def caltech(folder):
    for name in ("101_ObjectCategories/a", "Annotations/a"):
        (folder / name).mkdir(parents=True)
    (folder / "101_ObjectCategories/a/image_0001.jpg").write_bytes(b"picture")
    io.savemat(folder / "Annotations/a/annotation_0001.mat", {"obj_contour": [[1.0, 2.0]]})
    return lambda: ds.Caltech101Dataset(str(folder), "annotation", shuffle=False)


def classes(folder):
    (folder / "a").mkdir()
    (folder / "a" / "1.png").write_bytes(b"picture")
    return lambda: ds.ImageFolderDataset(str(folder), shuffle=False)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("written", "name"), [
    (celeba, "list_attr_celeba.txt"), (celeba, "a.jpg"), (caltech, "Annotations/a/annotation_0001.mat"),
    (classes, "a/1.png")])
def test_what_is_no_file_is_told(written, name, place, tmp_path):
    made = written(tmp_path)
    assert len(list(made().create_tuple_iterator(num_epochs=1))) == 1
    (tmp_path / name).unlink()
    PLACES[place](tmp_path / name)
    with pytest.raises((PipelineError, ValueError)):
        list(made().create_tuple_iterator(num_epochs=1))


@pytest.mark.parametrize("read", [
    lambda path: list(read_events(path)), read_groups, text.GloVe.from_file, text.FastText.from_file,
    text.Vocab.from_file, load_checkpoint])
@pytest.mark.parametrize("place", PLACES)
def test_readers_of_one_file_wait_for_none(read, place, tmp_path):
    path = tmp_path / "glove.6B.txt"
    PLACES[place](path)
    with pytest.raises((OSError, ValueError, RuntimeError)):
        read(str(path))


def test_a_model_waits_for_no_weights(tmp_path):
    path = str(tmp_path / "a.mindir")
    ms.export(ms.nn.Dense(2, 1), ms.Tensor([[1.0, 2.0]]), file_name=path, file_format="MINDIR")
    message = ms.load_mindir(path)
    for tensor in message.graph.parameter:
        tensor.ClearField("raw_data")
        tensor.external_data.location = "data_0"
    ms.save_mindir(message, path)
    os.mkfifo(tmp_path / "data_0")
    with pytest.raises(ModelError, match="no regular file"):
        ms.load(path)


def test_the_opener_names_the_path(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"no regular file.*pipe"):
        view(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"content")
    with open(tmp_path / "file", "rb", opener=regular) as file:
        assert file.read() == b"content"
    assert bytes(view(tmp_path / "file")) == b"content"
