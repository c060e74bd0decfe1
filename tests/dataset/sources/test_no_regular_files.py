"""A pipe, a device or a folder in the place of a file of a data folder is told at once, not waited for."""
from __future__ import annotations

import os

import pytest
from scipy import io

import mindspore as ms
from mindspore import dataset as ds
from mindspore import load_checkpoint
from mindspore.core.errors import ModelError
from mindspore.core.launched import launch
from mindspore.core.plain_files import regular
from mindspore.dataset import text
from mindspore.dataset.errors import PipelineError
from mindspore.distributed import meeting
from mindspore.formats.events import read_events
from mindspore.formats.files import view
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.strategy import read_groups
from mindspore.mindrecord import ImageNetToMR, MnistToMR
from mindspore.nn.optimizers import states
from mindspore.parallel import machines
from mindspore.parallel.auto_parallel import AutoParallel
from mindspore.profiler import DynamicProfilerMonitor, recorded
from mindspore.train import OnRequestExit

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


def configured(path):
    ms.set_ps_context(config_file_path=path)
    try:
        meeting.folder()
    finally:
        ms.reset_ps_context()


def learnt(path):
    text.SentencePieceVocab.from_file([path], 20, 0.99, text.SentencePieceModel.UNIGRAM, {})


READERS = {
    "events": lambda path: list(read_events(path)), "groups": read_groups, "glove": text.GloVe.from_file,
    "fast text": text.FastText.from_file, "vocab": text.Vocab.from_file, "checkpoint": load_checkpoint,
    "pieces": learnt, "machine": machines.read, "state of a server": lambda path: states.read(path, {}),
    "recorded": lambda path: recorded.loaded(path), "servers": configured, "schema": ds.Schema,
    "rank table": lambda path: launch({"RANK_SIZE": "2", "RANK_ID": "0", "RANK_TABLE_FILE": path}),
    "order of operators": lambda path: AutoParallel(ms.nn.ReLU()).transformer_opt(path)}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("place", PLACES)
def test_readers_of_one_file_wait_for_none(read, place, tmp_path):
    path = tmp_path / "glove.6B.txt"
    PLACES[place](path)
    with pytest.raises((OSError, ValueError, RuntimeError)):
        read(str(path))


NESTED = ["machine", "recorded", "servers", "rank table", "schema"]


@pytest.mark.parametrize("read", [READERS[name] for name in NESTED], ids=NESTED)
def test_settings_that_are_nested_without_end_or_huge_are_told(read, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[" * 200_000)
    with pytest.raises((ValueError, RuntimeError), match="nested too deeply"):
        read(str(path))
    os.truncate(path, 2**40)
    with pytest.raises((ValueError, RuntimeError), match=str(2**40)):
        read(str(path))


@pytest.mark.parametrize("place", PLACES)
def test_a_training_continues_beside_such_a_file(place, tmp_path):
    path = tmp_path / "profiler_config.json"
    PLACES[place](path)
    assert not OnRequestExit(save_ckpt=False, save_mindir=False, config_file=str(path))._asked()
    DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out")).step()


@pytest.mark.parametrize("place", PLACES)
def test_converters_wait_for_none(place, tmp_path):
    (tmp_path / "map").write_text("a 1\n")
    (tmp_path / "a").mkdir()
    for name in ("a/x.jpg", "train-images-idx3-ubyte.gz"):
        PLACES[place](tmp_path / name)
    with pytest.raises(MindRecordFileError, match=r"x\.jpg.*regular"):
        ImageNetToMR(str(tmp_path / "map"), str(tmp_path), str(tmp_path / "out")).transform()
    with pytest.raises(MindRecordFileError, match=r"images.*regular"):
        MnistToMR(str(tmp_path), str(tmp_path / "out")).transform()


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
