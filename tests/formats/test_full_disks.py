"""Where a disk takes no more, every writer says which file it was, and the content of before is left."""

from __future__ import annotations

import os
import pickle
import resource
import shutil
import signal
import warnings

import pytest
from written_files import WRITERS, SavedBeside

TELLING = [kind for kind in WRITERS if kind is not SavedBeside]        # which tells it in the log


def _files(folder):
    return {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def _limited(act, size):
    """The class and the text of the error of `act`, in a process whose files may have so many bytes; None if none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads, which this process has not
        reading, writing = os.pipe()
        child = os.fork()
    if child == 0:
        told = None
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            act()
        except BaseException as error:  # the parent looks at it
            told = type(error).__name__, isinstance(error, Exception), str(error)
        finally:
            os.write(writing, pickle.dumps(told))
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        told = pickle.load(stream)
    os.waitpid(child, 0)
    return told


@pytest.mark.parametrize("kind", TELLING, ids=lambda kind: kind.__name__.lower())
def test_a_full_disk_is_told_and_nothing_is_lost(kind, tmp_path):
    before, whole, folder = [tmp_path / name for name in ("before", "whole", "full")]
    before.mkdir()
    kind(before).old()
    names = sorted(path.relative_to(before) for path in before.rglob("*"))
    shutil.copytree(before, whole)
    kind(whole).new()
    largest = max(size for path, size in _files(whole).items() if not path.name.endswith(".db"))
    shutil.copytree(before, folder)
    case = kind(folder)
    old = case.content() if names else ()
    told = _limited(case.new, largest // 2)
    assert told is not None, "the writer told nothing"
    assert told[1], told
    assert str(folder) in told[2], told
    assert case.content() == old
    assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == names
    case.new()                                              # there is room again
    assert case.content() != old


@pytest.mark.parametrize("kind", WRITERS, ids=lambda kind: kind.__name__.lower())
def test_what_is_written_over_a_link_is_what_is_read(kind, tmp_path):
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    case = kind(folder)
    case.old()
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "source" not in path.parts)
    if not files:
        case.new()                                          # the first content: there is nothing to be linked
        files, old = [case.path], None
    else:
        old = case.content()
    path = case.path if getattr(case, "path", folder) in files else files[0]
    path.rename(other)
    path.symlink_to(other)
    case.new()
    assert case.content() != old
    case.new()
    assert not [left.name for left in folder.rglob("*") if "anyspore" in left.name]
