from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.mindrecord import FileReader, FileWriter, set_enc_key, set_enc_mode

pytestmark = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="processes begin otherwise here"
)


def writer_of(path, shards, **options):
    writer = FileWriter(str(path), shards, **options)
    writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}})
    writer.add_index(["a"])
    return writer


def numbers(path):
    with FileReader(path) as reader:
        return [row["a"] for row in reader.get_next()]


def rows(*values):
    return [{"a": value, "b": bytes(value)} for value in values]


def test_processes_take_turns_and_write_sets_of_their_own(tmp_path):
    writer = writer_of(tmp_path / "a", 2)
    for part in (rows(0, 1, 2), rows(3, 4), rows(5, 6)):
        writer.write_raw_data(part, parallel_writer=True)
    assert not (tmp_path / "a0").exists()
    writer.check_all_worker_status()
    writer.commit()
    assert [numbers(str(tmp_path / f"a{i}")) for i in range(2)] == [[0, 1, 2, 5, 6], [3, 4]]
    assert numbers([str(tmp_path / "a0"), str(tmp_path / "a1")]) == [0, 1, 2, 5, 6, 3, 4]


def test_a_process_without_rows_writes_an_empty_file(tmp_path):
    writer = writer_of(tmp_path / "a", 3)
    writer.write_raw_data(rows(1), True)
    writer.commit()
    assert [numbers(str(tmp_path / f"a{i}")) for i in range(3)] == [[1], [], []]


def test_an_error_of_a_process_is_raised_and_nothing_is_left(tmp_path):
    writer = writer_of(tmp_path / "a", 2)
    writer.write_raw_data(rows(1), True)
    writer.write_raw_data([{"a": "x", "b": b""}], True)
    with pytest.raises(MRMWriteDatasetError, match="'a' must be"):
        writer.commit()
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_cannot_be_sent_is_raised_as_another_one(tmp_path):
    class Local(Exception):
        pass

    def refuse(*_):
        raise Local("no such key")

    set_enc_key("0123456789012345")
    set_enc_mode(refuse)
    try:
        writer = writer_of(tmp_path / "a", 1)
        writer.write_raw_data(rows(1), True)
        with pytest.raises(RuntimeError, match="Local: no such key"):
            writer.commit()
    finally:
        set_enc_mode()
        set_enc_key(None)


def test_a_killed_process_is_an_error(tmp_path):
    writer = writer_of(tmp_path / "a", 2)
    writer.write_raw_data(rows(1), True)
    victim = writer._workers._processes[1]
    os.kill(victim.pid, signal.SIGKILL)
    victim.join()
    with pytest.raises(RuntimeError, match="exit code -9"):
        writer.check_all_worker_status()
    with pytest.raises(RuntimeError, match="exit code -9"):
        writer.commit()
    assert not any(file.name in ("a0", "a1") for file in tmp_path.iterdir())


def test_a_dropped_writer_ends_its_processes(tmp_path):
    writer = writer_of(tmp_path / "a", 2)
    writer.write_raw_data(rows(1), True)
    processes = writer._workers._processes
    del writer
    assert not any(process.is_alive() for process in processes)
    assert list(tmp_path.iterdir()) == []


def test_the_mode_of_writing_does_not_change(tmp_path):
    writer = writer_of(tmp_path / "a", 2)
    writer.write_raw_data(rows(1))
    with pytest.raises(RuntimeError, match="parallel_writer"):
        writer.write_raw_data(rows(2), True)
    with pytest.raises(TypeError):
        writer.write_raw_data(rows(2), 1)
