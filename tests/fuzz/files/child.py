"""Tries cases one after the other and says how each ended: a line of JSON before a case, and one after it.

Usage: child.py NAME:FIRST:LAST ...       cases of readers by their numbers
       child.py @FOLDER ...               a case that was kept: FOLDER is found/READER/CASE
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from pathlib import Path

SECONDS = 10
MORE_BYTES, TIMES = 200 * 2**20, 4     # memory that a case may take: so much, and so many times its files
HARD_LIMIT = 3 * 2**30                 # address space beside what the process has; it protects the machine


class TooLong(BaseException):
    """No exception that readers catch."""


def _late(*_):
    raise TooLong


def _status(name: str) -> int:
    """A figure of memory of this process in bytes."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))


def main() -> None:
    import cv2
    from readers import table

    cv2.setNumThreads(1)
    logging.getLogger("mindspore").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore")
    readers = table()
    if sys.argv[1:] == ["--list"]:
        print(json.dumps(sorted(readers)))
        return
    signal.signal(signal.SIGALRM, _late)
    for wanted in sys.argv[1:]:
        if wanted.startswith("@"):
            kept = Path(wanted[1:])
            with Folder(readers[kept.parent.name]) as folder:
                folder.judge_kept(kept)
        else:
            name, first, last = wanted.split(":")
            with Folder(readers[name]) as folder:
                for number in range(int(first), int(last)):
                    folder.judge(number)


class Folder:
    """The whole files of a reader, of which one is damaged at a time."""

    def __init__(self, reader):
        self.reader = reader

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix=f"{self.reader.name}-"))
        self.reader.write(self.path)
        self.files = sorted(file for file in self.path.rglob(self.reader.only) if file.is_file())
        for file in self.files:
            file.chmod(0o644)
        self.contents = {file: file.read_bytes() for file in self.files}
        self.others = [content for content in self.contents.values() if len(content) < 2**20]
        self.whole = self.reader.read(self.path)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def judge(self, number):
        from mutators import mutated

        rng = random.Random(f"{self.reader.name}:{number}")
        file = rng.choice(self.files)
        if self.reader.structure is not None and rng.random() < 0.5:
            content = self.reader.structure(rng, self.contents[file])
        else:
            content = mutated(rng, self.contents[file], self.others)
        repaired = self.reader.repaired is not None and rng.random() < 0.4
        if repaired:
            content = self.reader.repaired(content)
        if content != self.contents[file]:
            self._told(f"{self.reader.name}:{number}", {file: content}, repaired)

    def judge_kept(self, kept):
        parts = [file for file in sorted(kept.rglob("*")) if file.is_file()]
        changed = {self.path / file.relative_to(kept): file.read_bytes() for file in parts}
        self._told(f"@{kept}", changed, kept.name.startswith("repaired"))

    def _told(self, case, changed, repaired):
        print(json.dumps({"case": case, "files": {str(f.relative_to(self.path)): c.hex() if len(c) < 10**6 else ""
                                                  for f, c in changed.items()}}), flush=True)
        for file, content in changed.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        try:
            wrong, outcome = self._outcome(sum(map(len, changed.values())), repaired)
        finally:
            for file in changed:
                if file in self.contents:
                    file.write_bytes(self.contents[file])
                else:
                    file.unlink()
        print(json.dumps({"case": case, "wrong": wrong, "outcome": outcome}), flush=True)

    def _outcome(self, size, repaired):
        """What is wrong ('' if nothing is), and how the reader ended."""
        with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
            file.write("5")                                     # the peak of memory begins again
        before = _status("VmRSS")
        resource.setrlimit(resource.RLIMIT_AS, (_status("VmSize") + HARD_LIMIT, -1))
        signal.alarm(SECONDS)
        try:
            found = self.reader.read(self.path)
        except TooLong:
            return f"It takes more than {SECONDS} s.", "hang"
        except self.reader.errors as error:
            wrong, outcome = self._wrong_error(error), f"{type(error).__name__}: {error}"
        except BaseException as error:  # whatever comes beside the documented class is the finding
            return f"{type(error).__name__} is not documented: {error}", "error"
        else:
            wrong, outcome = self._wrong_content(found, repaired), "content"
        finally:
            signal.alarm(0)
            resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        taken = _status("VmHWM") - before
        if taken > TIMES * size + MORE_BYTES:
            wrong = wrong or f"It takes {taken / 2**20:.0f} MB for {size} bytes."
        return wrong, outcome[:500]

    def _wrong_error(self, error):
        text = str(error)
        if len(text) < 20 or len(text) > 5000:
            return f"The error says too little or too much: {text[:300]!r}"
        if self.reader.names_the_file and str(self.path) not in text:
            return f"The error names no file: {text[:300]!r}"
        return ""

    def _wrong_content(self, found, repaired):
        if self.reader.same is None or repaired or self.reader.same(found, self.whole):
            return ""
        return "Other content is given, although there is a checksum."


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.update(GLOG_v="4")       # what is told of damage may be a line for each case
    main()
