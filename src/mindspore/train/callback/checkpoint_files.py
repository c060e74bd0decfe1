"""The files of checkpoints in a folder, and what is told of the network in training, as programs ask for them."""
from __future__ import annotations

import os
import re
import time
import weakref
from pathlib import Path

from mindspore.core import check, log
from mindspore.nn import Cell

from .checkpoint import free_prefix

_cur_dir = os.getcwd()
_current: list[weakref.ref[Cell]] = []


def set_cur_net(net: Cell) -> None:
    """Note which network is being trained, as loops of 1.x do; its parameters are current at every moment here.

    Args:
        net: The network.

    Raises:
        TypeError: If it is no cell.
    """
    _current[:] = [weakref.ref(check.instance("set_cur_net", "net", net, Cell))]


def current_net() -> Cell | None:
    """The network that was noted last, as long as it lives.

    Examples:
        >>> from mindspore.train.callback._callback import set_cur_net
        >>> from mindspore.train.callback.checkpoint_files import current_net
        >>> net = nn.ReLU()
        >>> set_cur_net(net)
        >>> current_net() is net
        True
    """
    return _current[-1]() if _current else None


def _make_directory(path: str, arg_name: str = "path") -> str:
    """The full name of a folder, which is made if it is missing.

    Args:
        path: The folder.
        arg_name: What messages call it.

    Raises:
        TypeError: If it is no str.
        ValueError: If it is blank.
        OSError: If it cannot be made.
    """
    check.string("_make_directory", arg_name, path)
    if not path.strip():
        raise ValueError(f"The {arg_name} is invalid, it should be non-blank.")
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return os.path.realpath(folder)


def _check_file_name_prefix(file_name_prefix: str) -> bool:
    """Whether checkpoints may begin with a text: one word of letters, digits, '.', '-' and '_'."""
    return isinstance(file_name_prefix, str) and re.fullmatch(r"[0-9a-zA-Z_.-]+", file_name_prefix) is not None


def _chg_ckpt_file_name_if_same_exist(directory: str, prefix: str, exception: bool = False) -> str:
    """The prefix, or the first `prefix_n` that no checkpoint in the folder has.

    Args:
        directory: The folder.
        prefix: How files begin.
        exception: Whether the file is one of a training that broke off, which keeps its prefix.
    """
    return prefix if exception else free_prefix(Path(directory), prefix)


class CheckpointManager:
    """The list of the checkpoints in a folder, and which of them stay.

    Args:
        format: "ckpt" or "safetensors".

    Raises:
        ValueError: If it is neither.
    """

    def __init__(self, format: str = "ckpt"):
        self._format = check.option(self, "format", format, ("ckpt", "safetensors"))
        self._files: list[str] = []

    @property
    def ckpoint_filelist(self) -> list[str]:
        """The files, the oldest first."""
        return self._files

    @property
    def ckpoint_num(self) -> int:
        """The number of files."""
        return len(self._files)

    def update_ckpoint_filelist(self, directory: str, prefix: str) -> None:
        """List the checkpoints of a prefix in a folder.

        Args:
            directory: The folder.
            prefix: How they begin.
        """
        named = re.compile(rf"{re.escape(prefix)}-\d+_\d+\.{self._format}")
        found = [path for path in Path(directory).iterdir() if named.fullmatch(path.name)]
        self._files = [str(path) for path in sorted(found, key=lambda path: path.stat().st_mtime)]

    def remove_ckpoint_file(self, file_name: str) -> None:
        """Delete a file and take it from the list; one that cannot be deleted is told in the log.

        Args:
            file_name: The file.
        """
        try:
            os.remove(file_name)
            self._files.remove(file_name)
        except (OSError, ValueError) as error:
            log.warning("The checkpoint '%s' is not removed: %s", file_name, error)

    def remove_oldest_ckpoint_file(self) -> None:
        """Delete the oldest file."""
        self.remove_ckpoint_file(self._files[0])

    def keep_one_ckpoint_per_minutes(self, minutes: float, cur_time: float) -> None:
        """Delete all files but the first of the last minutes.

        Args:
            minutes: How many.
            cur_time: The time now, in seconds.
        """
        recent = [f for f in self._files if (cur_time or time.time()) - os.path.getmtime(f) < minutes * 60]
        for file_name in recent[1:]:
            self.remove_ckpoint_file(file_name)


__all__ = ["CheckpointManager", "_check_file_name_prefix", "_chg_ckpt_file_name_if_same_exist", "_cur_dir",
           "_make_directory", "current_net", "set_cur_net"]
