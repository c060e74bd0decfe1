"""Files are written completely or not at all; nothing stays of a writer that failed or was killed."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile

import killed
import pytest

from mindspore.formats import files
from mindspore.formats.files import PART, atomic, is_held, scratch


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def store(path, content=b"new", mode=0o600):
    with atomic(path, mode) as file:
        file.write(content)


def usual_access():
    os.umask(mask := os.umask(0))
    return 0o666 & ~mask


@pytest.mark.parametrize(("mode", "wanted"), [(0o640, 0o640), (None, usual_access())])
def test_a_file_has_its_content_and_access_at_the_end(mode, wanted, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with atomic(path, mode) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == wanted
    assert names(tmp_path) == ["a"]


def test_an_error_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "a"
    store(path, b"old")
    with pytest.raises(TypeError), atomic(path) as file:
        file.write("half")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_the_next_writer_in_a_folder_removes_what_killed_ones_left(tmp_path):
    for number in range(4):
        path = tmp_path / f"net-{number}.ckpt"
        assert killed.at_call(lambda p=path: store(p), tmp_path, 2)
    assert len(names(tmp_path)) == 1  # each has removed that of the one before
    (tmp_path / f".part{PART}").mkdir()
    (tmp_path / f".part{PART}" / "a").touch()
    (tmp_path / "mine.tmp").touch()
    store(tmp_path / "other")
    assert names(tmp_path) == ["mine.tmp", "other"]


def test_what_another_writer_is_writing_stays(tmp_path):
    with atomic(tmp_path / "a") as file:
        file.write(b"one")
        (part,) = tmp_path.iterdir()
        assert is_held(part)
        store(tmp_path / "b", b"two")
        store(tmp_path / "a", b"three")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert names(tmp_path) == ["a", "b"]


FULL = """
import errno, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, 2**16))
from mindspore.formats.files import atomic
try:
    with atomic(sys.argv[1]) as file:
        for _ in range(1000):
            file.write(bytes(1000))
except OSError as error:
    print(error.errno == errno.EFBIG, error.filename)
"""


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "net.ckpt"
    done = subprocess.run([sys.executable, "-c", FULL, path], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", str(path)]
    assert names(tmp_path) == []


def test_other_errors_name_the_file_that_is_written(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        store(tmp_path / "no" / "a")
    assert caught.value.filename == str(tmp_path / "no" / "a")
    with pytest.raises(OSError, match="EBUSY") as caught, atomic(tmp_path / "a"):
        raise OSError(errno.EBUSY, "EBUSY", "another file")
    assert caught.value.filename == "another file"


def test_a_long_name_has_a_part_too(tmp_path):
    path = tmp_path / ("ä" * 120)
    store(path)
    assert path.read_bytes() == b"new"


def test_a_folder_is_not_replaced_and_a_pipe_not_waited_for(tmp_path):
    with pytest.raises(IsADirectoryError):
        store(tmp_path)
    os.mkfifo(path := tmp_path / "pipe")
    store(path)
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["pipe"]


def test_folders_for_temporary_files_go_with_their_owner_or_with_the_next_one(tmp_path, monkeypatch):
    class Owner:
        pass

    def work():
        owners = [Owner(), Owner()]
        for owner in owners:
            with open(os.path.join(scratch(owner), "copy"), "wb") as file:
                file.write(b"content")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    work()
    assert names(tmp_path) == []
    assert killed.at_call(work, tmp_path, 8)
    assert names(tmp_path)
    owner = Owner()
    folder = scratch(owner)
    assert names(tmp_path) == [os.path.basename(folder)]
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    work()
    assert os.path.isdir(folder)


def test_pieces_of_a_view_are_copied_from_the_file(tmp_path):
    content = bytes(range(256)) * 64
    (tmp_path / "x").write_bytes(content)
    view = files.view(tmp_path / "x")
    for start, end in ((0, 16384), (1, 5000), (16383, 16384), (7, 7)):
        target = bytearray(end - start)
        files.copy(view[start:end], memoryview(target))
        assert target == content[start:end]
    files.forget(view)
    assert bytes(view[:256]) == content[:256]


def test_a_file_that_became_shorter_is_an_error(tmp_path):
    (tmp_path / "x").write_bytes(bytes(8192))
    view = files.view(tmp_path / "x")
    os.truncate(tmp_path / "x", 100)
    with pytest.raises(OSError, match="became shorter"):
        files.copy(view, memoryview(bytearray(8192)))
