"""Starts the processes of a program as copies of one that has loaded the package: python forked.py SIZE FOLDER PROGRAM

Each is a process of its own with its own number and files for what it writes; only the loading is done once.
"""
from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

import torch.distributed  # noqa: F401  # what every process would load

from mindspore import Tensor, nn, ops, train  # noqa: F401  # loaded at the first use otherwise


def child(rank: int, folder: Path) -> None:
    """Become the process of a number."""
    os.environ["RANK_ID"] = str(rank)
    for stream, name in ((1, "out"), (2, "err")):
        file = os.open(folder / f"{name}{rank}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, stream)
        os.close(file)


def main(size: int, folder: Path, program: str) -> int:
    """Run the program in so many processes; the status of the first one that failed."""
    children: list[int] = []
    for rank in range(size):
        pid = os.fork()
        if not pid:
            child(rank, folder)
            sys.argv[:] = [program]
            runpy.run_path(program, run_name="__main__")
            return 0
        children.append(pid)
    found = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
    (folder / "codes").write_text(" ".join(map(str, found)))
    return next(filter(None, found), 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
