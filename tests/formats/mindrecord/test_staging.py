"""A set changes in one step for whoever reads it, whatever the time at which its writer stops."""

from __future__ import annotations

import os
import threading

import killed
import numpy as np
import pytest
from mindrecord_files import small_writer

from mindspore.dataset import MindDataset
from mindspore.formats import files
from mindspore.formats.mindrecord import staging
from mindspore.formats.mindrecord.errors import (
    MindRecordFileError,
    MRMOpenForAppendError,
    MRMWriteDatasetError,
)
from mindspore.formats.mindrecord.staging import DONE, Staging
from mindspore.mindrecord import FileReader, FileWriter

SCHEMA = {"n": {"type": "int32"}}


def write(path, *numbers, shards=1):
    writer = small_writer(path, SCHEMA, shards, overwrite=True)
    writer.write_raw_data([{"n": n} for n in numbers])
    writer.commit()
    return str(path)


def read(path):
    with FileReader(path) as reader:
        return sorted(row["n"] for row in reader.get_next())


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def stopped(monkeypatch):
    """`stopped(act, n)`: runs a writer that stops after it has moved `n` files to their names, without a lock."""

    def stop(act, moves):
        real, left = os.replace, [moves]

        def replace(source, target):
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            real(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(staging.os, "replace", replace)
            with pytest.raises(KeyboardInterrupt):
                act()

    return stop


@pytest.mark.parametrize("moves", range(6))
def test_a_set_is_the_new_one_while_its_files_are_moved(moves, stopped, tmp_path):
    path = write(tmp_path / "a", 1, 2, 3, 4, 5, 6, 7, shards=3)
    stopped(lambda: write(path, 8, 9, 10, 11, shards=3), moves)
    assert names(tmp_path)[0] == f".a{DONE}"
    for number in range(3):
        assert read(f"{path}{number}") == [8, 9, 10, 11]
    assert MindDataset(f"{path}*").get_dataset_size() == 4
    assert MindDataset(f"{path}1").get_dataset_size() == 4
    with pytest.raises(MRMWriteDatasetError, match="exists already"):
        small_writer(path, SCHEMA, 3).write_raw_data([{"n": 1}])
    writer = FileWriter.open_for_append(f"{path}2")
    writer.write_raw_data([{"n": 12}])
    writer.commit()
    assert read(f"{path}0") == [8, 9, 10, 11, 12]
    assert names(tmp_path) == ["a0", "a0.db", "a1", "a1.db", "a2", "a2.db"]


def test_a_new_set_is_found_by_a_pattern_while_its_files_are_moved(stopped, tmp_path):
    path = tmp_path / "a"
    stopped(lambda: write(path, 1, 2, 3, shards=3), 1)
    assert not (tmp_path / "a1").exists()
    assert MindDataset(f"{path}*").get_dataset_size() == 3
    assert MindDataset([f"{path}{n}" for n in range(3)]).get_dataset_size() == 3


def test_any_writer_in_the_folder_completes_what_is_complete(stopped, tmp_path):
    stopped(lambda: write(tmp_path / "a", 1, shards=2), 1)
    write(tmp_path / "b", 2)
    assert names(tmp_path) == ["a0", "a0.db", "a1", "a1.db", "b", "b.db"]
    assert read(str(tmp_path / "a1")) == [1]


def test_a_killed_writer_s_part_goes_with_the_next_writer(tmp_path):
    assert killed.at_call(lambda: write(tmp_path / "a", 1, shards=2), tmp_path, 8)
    assert names(tmp_path)[0] == f".a{files.PART}"
    write(tmp_path / "b", 2)
    assert names(tmp_path) == ["b", "b.db"]


@pytest.mark.parametrize("parallel", [False, True])
def test_the_second_of_two_writers_is_told(parallel, tmp_path):
    first, second = (small_writer(tmp_path / "a", SCHEMA, 2, overwrite=True) for _ in range(2))
    first.write_raw_data([{"n": 1}], parallel)
    with pytest.raises(MRMWriteDatasetError, match="another writer"):
        second.write_raw_data([{"n": 2}], parallel)
    with pytest.raises(MRMWriteDatasetError, match="a1' is being written by another writer"):
        small_writer(tmp_path / "a1", SCHEMA, overwrite=True).write_raw_data([{"n": 3}])
    first.commit()
    assert read(str(tmp_path / "a0")) + parallel * read(str(tmp_path / "a1")) == [1]
    small_writer(tmp_path / "a", SCHEMA, 2, overwrite=True).write_raw_data([{"n": 2}])


def test_the_name_of_a_set_may_end_in_a_number(stopped, tmp_path):
    path = write(tmp_path / "run2024", 1, 2, shards=2)
    stopped(lambda: write(path, 3, 4, shards=2), 1)
    assert (tmp_path / f".run2024{DONE}" / "run20241").exists()
    assert read(f"{path}1") == [3, 4]


def test_files_of_a_set_have_one_name(tmp_path):
    with pytest.raises(MRMWriteDatasetError, match="numbers"):
        Staging([str(tmp_path / "a0"), str(tmp_path / "b1")])


def test_a_set_that_was_replaced_is_not_appended_to(tmp_path):
    path = write(tmp_path / "a", 1)
    writer = FileWriter.open_for_append(path)
    write(path, 2)
    with pytest.raises(MRMOpenForAppendError, match="replaced"):
        writer.write_raw_data([{"n": 3}])
    assert read(path) == [2]
    assert names(tmp_path) == ["a", "a.db"]


def test_an_opened_set_keeps_its_rows_when_it_is_replaced(tmp_path):
    path = write(tmp_path / "a", *range(100))
    reader, data = FileReader(path), MindDataset(path, shuffle=False)
    assert data.get_dataset_size() == 100
    write(path, *range(1000, 1003))
    assert [row["n"] for row in reader.get_next()] == list(range(100))
    assert [int(row["n"]) for row in data.create_dict_iterator(1, True)] == list(range(100))


def test_readers_beside_a_writer_find_the_old_set_or_the_new_one(tmp_path):
    sets = [list(range(30)), list(range(100, 190))]
    path = write(tmp_path / "a", *sets[0], shards=3)
    ended, found = threading.Event(), []

    def overwrite():
        for number in range(40):
            write(path, *sets[number % 2], shards=3)
        ended.set()

    thread = threading.Thread(target=overwrite)
    thread.start()
    while not ended.is_set():
        found.append(read(f"{path}1"))
        assert found[-1] in sets
    thread.join()
    assert {len(one) for one in found} == {30, 90}


def test_files_of_two_sets_are_not_read_as_one(tmp_path):
    path = write(tmp_path / "a", *range(8), shards=4)
    write(path, 20, 21, shards=2)
    assert read(f"{path}0") == [20, 21]
    with pytest.raises(MindRecordFileError, match="not written by one writer"):
        read(f"{path}3")


def test_a_worker_does_not_read_another_set(tmp_path):
    import pickle

    from mindspore.formats.mindrecord.records import RecordSet

    path = write(tmp_path / "a", 1, 2)
    stored = pickle.dumps(RecordSet(path).shards[0])
    assert pickle.loads(stored).rows == 2
    write(path, 3, 4)
    with pytest.raises(MindRecordFileError, match="replaced"):
        pickle.loads(stored)


def test_the_missing_folder_is_named(tmp_path):
    for parallel in (False, True):
        writer = small_writer(tmp_path / "no" / "a", SCHEMA, 2)
        with pytest.raises(MRMWriteDatasetError, match="no/a0' cannot be created: No such file or directory"):
            writer.write_raw_data([{"n": 1}], parallel)


def test_bytes_without_any_byte_come_back(tmp_path):
    writer = small_writer(tmp_path / "a", {"b": {"type": "bytes"}, "n": {"type": "int64"}})
    values = [b"", b"\0", b"xy\0", b""]
    writer.write_raw_data([{"b": value, "n": 0} for value in values])
    writer.commit()
    with FileReader(str(tmp_path / "a")) as reader:
        assert [row["b"] for row in reader.get_next()] == values
    assert np.array(values).tolist() != values  # as arrays have them
