"""Programs that are killed: before a call to the file system, or after some time."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
import warnings

# What a writer does to files and folders, as Python tells it to hooks; the folder that is watched is in the arguments.
CALLS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "os.listdir",
         "os.scandir", "sqlite3.connect")  # fmt: skip


def at_call(act, folder, number):
    """Run `act` in a process that is killed before its call `number` on files of `folder`; False if it makes fewer."""
    return _killed(lambda: _hook(str(folder), number), act)


def after(act, seconds):
    """Run `act` in a process that is killed after that time; False if it ends before."""
    return _killed(lambda: None, act, seconds)


def _hook(folder, number):
    seen, me = 0, os.getpid()

    def look(event, arguments):
        nonlocal seen
        if event in CALLS and os.getpid() == me and any(folder in os.fsdecode(a) for a in arguments if _is_path(a)):
            seen += 1
            if seen > number:
                os.kill(me, signal.SIGKILL)

    sys.addaudithook(look)


def _is_path(value):
    return isinstance(value, (str, bytes, os.PathLike))


def _killed(prepare, act, seconds=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads, which this process has not
        reading, writing = os.pipe()
        child = os.fork()
    if child == 0:
        code = 1
        try:
            prepare()
            os.write(writing, b"!")
            act()
            code = 0
        except BaseException:  # the code tells it; nothing of the test may run twice
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    os.read(reading, 1)  # it begins now
    os.close(reading)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the writer failed"
    return os.WIFSIGNALED(status)
