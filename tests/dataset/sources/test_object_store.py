"""Files of the store are those of fsspec's file system in memory."""

from __future__ import annotations

import gc
import os
import tempfile
import threading

import pytest

import mindspore.dataset as ds
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources import object_store
from mindspore.mindrecord import FileWriter

fsspec = pytest.importorskip("fsspec", reason="needs the extra 'obs'")
REST = "https://store", "key", "secret", "s3://bucket/sync"


@pytest.fixture
def files(tmp_path):
    """Two files of four and three rows in the store."""
    store, paths = fsspec.filesystem("memory"), []
    for number, count in enumerate((4, 3)):
        path = str(tmp_path / f"part{number}")
        writer = FileWriter(path)
        writer.add_schema({"id": {"type": "int32"}, "b": {"type": "bytes"}})
        writer.write_raw_data([{"id": 10 * number + i, "b": bytes(i)} for i in range(count)])
        writer.commit()
        for end in ("", ".db"):
            with open(path + end, "rb") as file:
                store.pipe(f"/bucket/part{number}{end}", file.read())
        paths.append(f"memory://bucket/part{number}")
    yield paths
    store.rm("/bucket", recursive=True)


def test_rows_come_in_the_order_of_the_list(files, rows):
    data = ds.OBSMindDataset(files[::-1], *REST, columns_list=["id"], shuffle=False)
    assert [row[0] for row in rows(data)] == [10, 11, 12, 0, 1, 2, 3]


def test_rows_are_shuffled_unless_told_otherwise(files, rows):
    found = [row[0] for row in rows(ds.OBSMindDataset(files, *REST, columns_list=["id"]))]
    assert sorted(found) == [0, 1, 2, 3, 10, 11, 12]
    assert found != sorted(found)


@pytest.mark.parametrize(
    ("equal", "wanted"),
    [(True, [[0, 2, 10, 12], [1, 3, 11, 0]]), (False, [[0, 2, 10, 12], [1, 3, 11]])],
)
def test_shards_may_be_equally_long(equal, wanted, files, rows):
    options = {"columns_list": ["id"], "shuffle": False, "num_shards": 2, "shard_equal_rows": equal}
    parts = [ds.OBSMindDataset(files, *REST, shard_id=i, **options) for i in range(2)]
    assert [[row[0] for row in rows(part)] for part in parts] == wanted
    assert [part.get_dataset_size() for part in parts] == [len(part) for part in wanted]


def test_nothing_is_fetched_before_it_is_read_and_nothing_is_left(
    files, rows, monkeypatch, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("copies")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    data = ds.OBSMindDataset(files, *REST, shuffle=False)
    assert os.listdir(folder) == []
    assert len(rows(data)) == 7
    assert len(os.listdir(folder)) == 1
    del data
    gc.collect()
    assert os.listdir(folder) == []


def test_a_file_that_is_not_there_is_an_error_of_reading(files):
    data = ds.OBSMindDataset(["memory://bucket/nothing"], *REST)
    with pytest.raises(PipelineError, match="cannot be fetched"):
        data.get_dataset_size()


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (("s3://b/x", *REST), {}, TypeError),
        (([], *REST), {}, ValueError),
        (([1], *REST), {}, TypeError),
        ((["s3://b/x"], "store", *REST[1:]), {}, ValueError),
        ((["s3://b/x"], 1, *REST[1:]), {}, TypeError),
        ((["s3://b/x"], REST[0], 1, *REST[2:]), {}, TypeError),
        ((["s3://b/x"], *REST[:3], 1), {}, TypeError),
        ((["s3://b/x"], *REST), {"columns_list": "a"}, TypeError),
        ((["s3://b/x"], *REST), {"shuffle": 1}, TypeError),
        ((["s3://b/x"], *REST), {"num_shards": 2}, ValueError),
        ((["s3://b/x"], *REST), {"shard_equal_rows": 1}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(arguments, options, error):
    # observed: MindSpore 2.10, CPU
    with pytest.raises(error):
        ds.OBSMindDataset(*arguments, **options)


def test_processes_wait_for_each_other(files, monkeypatch):
    monkeypatch.setattr(object_store, "LOOK", 0.01)
    data = ds.OBSMindDataset(files, *REST[:3], "memory://bucket/sync")
    came = []

    def come(rank):
        ds.sync_wait_for_dataset(rank, 2, 0, data)
        came.append(rank)

    first = threading.Thread(target=come, args=(0,))
    first.start()
    first.join(0.1)
    assert came == []
    come(1)
    first.join(10)
    assert sorted(came) == [0, 1]
    ds.sync_wait_for_dataset(0, 1, 1, data)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((2, 2, 0), ValueError),
        ((0, 0, 0), ValueError),
        ((0, 1, -1), ValueError),
        (("a", 1, 0), TypeError),
    ],
)
def test_wrong_ranks_are_refused(files, arguments, error):
    with pytest.raises(error, match="sync_wait_for_dataset"):
        ds.sync_wait_for_dataset(*arguments, ds.OBSMindDataset(files, *REST))


def test_only_a_dataset_of_a_store_can_be_waited_for():
    with pytest.raises(TypeError, match="obs_runtime"):
        ds.sync_wait_for_dataset(0, 1, 0, None)
