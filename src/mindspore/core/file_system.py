"""The functions that open files of checkpoints: those of Python."""
from __future__ import annotations

from typing import Any

from . import check, log


class FileSystem:
    """How files are made and opened: `fs.create(path, *fs.create_args)`, `fs.open(path, *fs.open_args)`."""

    def __init__(self) -> None:
        self.create: Any = None
        self.create_args: tuple[Any, ...] = ()
        self.open: Any = None
        self.open_args: tuple[Any, ...] = ()
        self.backend = "basic"


def _register_basic_file_system(fs: FileSystem) -> bool:
    """Let a file system use Python's files; True."""
    fs.create, fs.create_args = open, ("ab",)
    fs.open, fs.open_args = open, ("rb",)
    return True


def _register_mindio_file_system(fs: FileSystem) -> bool:
    """False: the file system MindIO is not here, files are Python's."""
    log.info("MindIO is a file system of Ascend servers; files are opened by Python.")
    return False


def mindio_preload(ckpt_file_name: str) -> bool:
    """Whether MindIO, a file system of Ascend servers, has loaded a file ahead: never here.

    Args:
        ckpt_file_name: The file.

    Raises:
        TypeError: If it is no str.

    Examples:
        >>> mindspore.mindio_preload("a.ckpt")
        False
    """
    check.string("mindio_preload", "ckpt_file_name", ckpt_file_name)
    return False


def set_mindio_server_info(data_block_pool_capacity_in_gb: int = 100) -> None:
    """How much memory the server of MindIO may take; there is none here, the number is checked only.

    Args:
        data_block_pool_capacity_in_gb: 1 or more.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is less than 1.
    """
    check.positive_int("set_mindio_server_info", "data_block_pool_capacity_in_gb", data_block_pool_capacity_in_gb)
    log.info("MindIO is a file system of Ascend servers; files are opened by Python.")
