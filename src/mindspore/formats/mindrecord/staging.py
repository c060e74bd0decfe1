"""Files of a set change together: every state in between is the old set or the new one.

They are written in a folder `.<set>.anyspore-part` beside them. When all are complete the folder is renamed to
`.<set>.anyspore-done`: from then on the set is what lies there, and readers look there first (`where`). Then
they are moved to their names, indexes last. A writer that is killed before the renaming leaves the old set and a part
that the next writer removes; killed after it, it leaves the new set, which the next writer moves.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterable, Sequence

from mindspore.formats import files
from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.formats.mindrecord.index import index_path

DONE = ".anyspore-done"
INDEX = index_path("")
_DIGITS = 3  # most that a set of several files adds to its name
_PATIENCE, _MOMENT = 10.0, 0.5  # seconds to wait for a writer that moves its files, and for one that ends
_LOOK = 0.01  # seconds between looks
_LOOKS = 3  # at one of two places, as a file that is being moved may be at neither when it is looked for

Identity = tuple[int, int, int, int] | None


def _sets(name: str) -> list[str]:
    """Names of the sets to which a data file of this name can belong, the longest first."""
    digits = len(name) - len(name.rstrip("0123456789"))
    return [name[: len(name) - n] for n in range(min(digits, _DIGITS) + 1)]


def where(path: str, end: str = "") -> str:
    """Where the content of a data file lies, or of its index for the `end` INDEX: at its path, or not moved yet."""
    folder, name = os.path.split(path)
    for stem in _sets(name):
        waiting = os.path.join(folder, f".{stem}{DONE}", name + end)
        if os.path.isfile(waiting):
            return waiting
    return path + end


def exists(path: str, end: str = "") -> bool:
    """Whether there is a data file, or an index."""
    return any(os.path.isfile(where(path, end)) for _ in range(_LOOKS))


def is_moving(paths: Iterable[str]) -> bool:
    """Whether the set of one of these data files is complete but not moved to its place: files vanish from others."""
    split = {os.path.split(path) for path in paths}
    return any(os.path.isdir(os.path.join(f, f".{stem}{DONE}")) for f, name in split for stem in _sets(name))


def waiting(folder: str) -> list[str]:
    """Paths that the files in a folder will have which are complete and not moved yet."""
    found = []
    with contextlib.suppress(OSError):  # such as no folder, which the caller tells; or they have just been moved
        for done in _finished(folder):
            found += [os.path.join(folder, name) for name in os.listdir(done)]
    return found


def _finished(folder: str) -> list[str]:
    """The folders of complete sets whose files are not all moved yet."""
    names = os.listdir(folder or ".")
    return [os.path.join(folder, name) for name in names if name.startswith(".") and name.endswith(DONE)]


def identity(path: str, end: str = "") -> Identity:
    """What tells the content of a data file, or of its index, from others of that name; None if there is none."""
    for _ in range(_LOOKS):
        with contextlib.suppress(OSError):
            found = os.stat(where(path, end))
            return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return None


def identities(paths: Iterable[str]) -> list[Identity]:
    """Those of data files and their indexes."""
    return [identity(path, end) for path in paths for end in ("", INDEX)]


class Staging:
    """A folder in which the files of a set are written, for one writer.

    Args:
        paths: The data files to be, in one folder.

    Raises:
        MRMWriteDatasetError: Another writer writes one of them, or the folder cannot be made.
    """

    def __init__(self, paths: Sequence[str]):
        folder, names = os.path.dirname(paths[0]), [os.path.basename(path) for path in paths]
        stem = os.path.join(folder, f".{_common(names)}")
        self._part, self._done, self._owner = stem + files.PART, stem + DONE, os.getpid()
        try:
            files.remove_leftovers(folder or ".")
            ours = {f".{stem}{DONE}" for name in names for stem in _sets(name)}
            for done in _finished(folder):
                if os.path.basename(done) in ours or not files.is_held(done):
                    settle(done)
            self._lock = self._claimed()
        except OSError as error:
            raise MRMWriteDatasetError(f"The file '{paths[0]}' cannot be created: {error.strerror}.") from error
        for path, name in zip(paths, names, strict=True):
            rivals = [os.path.join(folder, f".{stem}{files.PART}") for stem in _sets(name)]
            if any(r != self._part and os.path.exists(os.path.join(r, name)) and files.is_held(r) for r in rivals):
                self.abort()
                raise _busy(path)

    def _claimed(self) -> int:
        """The new folder, open and locked. Processes of a writer that was killed just now may hold it for a moment."""
        end = time.monotonic() + _MOMENT
        while True:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._part)
            with contextlib.suppress(FileNotFoundError):  # another writer has just completed it
                number = _open(self._part)
                if _hold(number, self._part):
                    break
                os.close(number)
                if files.is_held(self._part) and time.monotonic() > end:
                    raise _busy(self._part)
                time.sleep(_LOOK)
        for name in os.listdir(self._part):  # of a writer that was killed just now
            os.unlink(os.path.join(self._part, name))
        return number

    def place(self, path: str) -> str:
        """Where to write a data file; its index goes beside it."""
        return os.path.join(self._part, os.path.basename(path))

    def complete(self) -> None:
        """Make what was written the set.

        Raises:
            MRMWriteDatasetError: The files cannot get their names.
        """
        try:
            while self._part:
                settle(self._done)
                try:
                    os.rename(self._part, self._done)
                    self._part = ""
                except OSError as error:
                    if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                        raise
            _move(self._done)
        except OSError as error:
            raise MRMWriteDatasetError(f"The files cannot get their names: {error}.") from error
        finally:
            self.abort()

    def abort(self) -> None:
        """Remove what was written, unless it is complete."""
        if self._lock < 0 or self._owner != os.getpid():
            return
        if self._part:
            shutil.rmtree(self._part, ignore_errors=True)
        os.close(self._lock)
        self._lock = -1


def settle(done: str) -> None:
    """Move the files of a complete set to their names, where the writer was killed that should.

    Raises:
        MRMWriteDatasetError: Another writer is moving them and does not end.
        OSError: They cannot be moved.
    """
    end = time.monotonic() + _PATIENCE
    while os.path.isdir(done):
        with contextlib.suppress(FileNotFoundError):
            number = _open(done)
            try:
                if _hold(number, done):
                    _move(done)
            finally:
                os.close(number)
        if time.monotonic() > end:
            raise _busy(done)
        time.sleep(_LOOK if os.path.isdir(done) else 0)


def _move(done: str) -> None:
    """Indexes of before go first and indexes come last: to programs that know no DONE, no mixture looks whole."""
    folder, names = os.path.dirname(done), set(os.listdir(done))
    indexes = {name for name in names if name.endswith(INDEX) and name.removesuffix(INDEX) in names}
    for name in indexes:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
    for name in (*sorted(names - indexes), *sorted(indexes)):
        os.replace(os.path.join(done, name), os.path.join(folder, name))
    os.rmdir(done)


def _open(folder: str) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _hold(number: int, path: str) -> bool:
    """As `files.hold`; on a disk without locks every writer has them."""
    try:
        return files.hold(number, path)
    except OSError:
        return True


def _common(names: Sequence[str]) -> str:
    """Name of the set of these data files."""
    shared = set.intersection(*(set(_sets(name)) for name in names)) if len(names) > 1 else set(names)
    if not shared:
        raise MRMWriteDatasetError(f"The files of a set must differ in their numbers only, but are {list(names)}.")
    return max(shared, key=len)


def _busy(path: str) -> MRMWriteDatasetError:
    return MRMWriteDatasetError(
        f"The file '{path}' is being written by another writer, of this process or another one. Wait until it has "
        "ended, or write to another file."
    )
