"""Rows of a cache that several processes share."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import cache_session, vision

PROGRAM = """
import sys
import mindspore.dataset as ds
from mindspore.dataset import vision
ds.config.set_seed(1)
cache = ds.DatasetCache({session}, size={size})
data = ds.ImageFolderDataset({folder!r}, shuffle=True, num_shards=2, shard_id={shard})
data = data.map([vision.Decode(), vision.Resize(4)], "image", cache=cache)
rows = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
print(len(rows), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def session():
    """A number that nothing else has; nothing of it is left afterwards."""
    number = 4_000_000_000 + os.getpid()
    yield number
    gc.collect()  # of an error's traceback
    assert left(number) == []


def left(number):
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else os.path.dirname(os.getcwd())
    folder = f"{shared}/anyspore-cache-{os.getuid()}"
    return [name for name in os.listdir(folder) if str(number) in name]


@pytest.fixture
def pictures(tmp_path):
    (tmp_path / "pictures" / "a").mkdir(parents=True)
    for i in range(6):
        path = tmp_path / "pictures" / "a" / f"{i}.png"
        vision.write_png(str(path), np.full((4, 4, 3), i, np.uint8))
    return tmp_path / "pictures"


def pipeline(folder, cache, **options):
    data = ds.ImageFolderDataset(str(folder), **options)
    return data.map([vision.Decode(), vision.Resize(4)], "image", cache=cache)


def contents(data):
    rows = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    return sorted(int(row["image"][0, 0, 0]) for row in rows)


def started(folder, session, shard=0, size=0):
    code = PROGRAM.format(folder=str(folder), session=session, shard=shard, size=size)
    program = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout.readline() == "3\n"
    return program


def ended(program):
    program.communicate(timeout=20)
    assert program.returncode == 0


def test_processes_share_the_rows_of_equal_steps(pictures, session):
    others = [started(pictures, session, shard) for shard in (0, 1)]
    for path in (pictures / "a").iterdir():
        path.write_bytes(b"gone")
    cache = ds.DatasetCache(session)
    assert contents(pipeline(pictures, cache, shuffle=False)) == list(range(6))
    assert cache.get_stat().num_mem_cached == 6
    for program in others:
        ended(program)
    assert contents(pipeline(pictures, cache)) == list(range(6))


def test_rows_go_with_the_last_process(pictures, session):
    ended(started(pictures, session))
    assert left(session) == []
    for path in (pictures / "a").iterdir():
        path.write_bytes(b"gone")
    with pytest.raises(RuntimeError, match="Decode"):
        contents(pipeline(pictures, ds.DatasetCache(session)))


def test_what_a_killed_process_left_goes_when_the_next_session_begins(pictures, session):
    program = started(pictures, session)
    program.kill()
    program.communicate()
    assert left(session) != []
    data = ds.NumpySlicesDataset(np.arange(3), shuffle=False).map(
        vision.Rescale(2.0, 0.0), cache=ds.DatasetCache(session + 1)
    )
    assert [float(x) for (x,) in data.create_tuple_iterator(num_epochs=1)] == [0.0, 2.0, 4.0]
    assert left(session) == []


def test_the_size_holds_for_all_processes_together(tmp_path, session):
    images = np.arange(64, dtype=np.uint8)[:, None, None] * np.ones((1, 256, 1024), np.uint8)
    folder = tmp_path / "large" / "a"
    folder.mkdir(parents=True)
    for i, image in enumerate(images):
        vision.write_png(str(folder / f"{i:02}.png"), image)
    caches = [ds.DatasetCache(session, size=8, spilling=spilling) for spilling in (False, True)]
    for cache in caches:
        data = ds.ImageFolderDataset(str(tmp_path / "large"), shuffle=False)
        data = data.map(vision.Decode(), "image", cache=cache)
        for _ in range(2):
            found = [int(row[0][-1, -1, -1]) for row in data.create_tuple_iterator(None, 1, True)]
            assert found == list(range(64))
    first, second = (cache.get_stat() for cache in caches)
    assert 0 < first.num_mem_cached <= 10  # 0.75 MB each
    assert first.num_disk_cached == 0
    assert second.num_mem_cached == first.num_mem_cached
    assert second.num_disk_cached == 64 - second.num_mem_cached


def test_other_steps_have_rows_of_their_own(pictures, session):
    one, other = ds.DatasetCache(session), ds.DatasetCache(session)
    assert contents(pipeline(pictures, one)) == list(range(6))
    data = ds.ImageFolderDataset(str(pictures), shuffle=False)
    data = data.map([vision.Decode(), vision.Invert()], "image", cache=other)
    assert contents(data) == list(range(250, 256))


class Doubled(vision.Rescale):
    """A transform of a program's own, which another program may have otherwise."""


@pytest.mark.parametrize("function", [lambda x: x, Doubled(2.0, 0.0)])
def test_what_only_this_process_knows_is_not_shared(function, session):
    data = ds.NumpySlicesDataset(np.arange(3))
    assert cache_session.identity(data.map(function)) is None
    large = ds.NumpySlicesDataset(np.zeros(20_000))
    assert cache_session.identity(large.map(vision.Rescale(2.0, 0.0))) is None


def test_files_that_changed_make_another_step(tmp_path, session):
    digits = ds.NumpySlicesDataset(np.arange(3)).map(vision.Rescale(2.0, 0.0))
    more = ds.NumpySlicesDataset(np.arange(4)).map(vision.Rescale(2.0, 0.0))
    again = ds.NumpySlicesDataset(np.arange(3), shuffle=False).map(vision.Rescale(2.0, 0.0))
    assert cache_session.identity(digits) == cache_session.identity(again)
    assert cache_session.identity(digits) != cache_session.identity(more)
    (tmp_path / "a").mkdir()
    vision.write_png(str(tmp_path / "a" / "0.png"), np.zeros((4, 4, 3), np.uint8))
    before = cache_session.identity(pipeline(tmp_path, None))
    os.utime(tmp_path, (1, 1))
    assert cache_session.identity(pipeline(tmp_path, None)) != before


def test_a_full_disk_leaves_rows_to_the_process(pictures, session, monkeypatch):
    def full(file, begin, length):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    cache = ds.DatasetCache(session)
    data = pipeline(pictures, cache)
    assert contents(data) == list(range(6))
    for path in (pictures / "a").iterdir():
        path.write_bytes(b"gone")
    assert contents(data) == list(range(6))


@pytest.fixture
def small_disk():
    """Files may have 4 KiB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_rows_are_made_anew_where_no_disk_takes_them(small_disk):
    cache = ds.DatasetCache(3, size=1, spilling=True)
    images = np.arange(8, dtype=np.uint8)[:, None] * np.ones((1, 2**18), np.uint8)
    data = ds.NumpySlicesDataset({"x": images}, shuffle=False).map(lambda x: x + 1, "x", cache=cache)
    for _ in range(2):
        found = [x[[0, -1]].tolist() for (x,) in data.create_tuple_iterator(None, 1, True)]
        assert found == [[i + 1, i + 1] for i in range(8)]
    assert cache.get_stat().num_disk_cached == 0


def test_an_index_for_which_there_is_no_room_leaves_rows_to_the_process(session, tmp_path, small_disk):
    (tmp_path / "a").mkdir()
    vision.write_png(str(tmp_path / "a" / "0.png"), np.zeros((4, 4, 3), np.uint8))
    for i in range(1, 600):                                 # eight bytes for each do not fit
        os.link(tmp_path / "a" / "0.png", tmp_path / "a" / f"{i}.png")
    assert contents(pipeline(tmp_path, ds.DatasetCache(session))) == [0] * 600


def test_a_folder_that_others_may_enter_is_refused(tmp_path):
    (tmp_path / f"anyspore-cache-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(RuntimeError, match="only this user"):
        cache_session._own(tmp_path)
