"""Paths of files of models."""
from __future__ import annotations

import os
import re
from typing import Any

from mindspore.core.errors import show
from mindspore.core.plain_files import placed

_PLAIN_NAME = re.compile(r"[0-9a-zA-Z@_\-.:/\\]+")


def checked_path(owner: str, file_name: Any) -> str:
    """The absolute path of a file to write.

    Raises:
        TypeError: If it is no text.
        ValueError: If it is a folder, or has characters that names of models may not have.
    """
    if not isinstance(file_name, str):
        raise TypeError(f"For '{owner}', the 'file_name' must be a string, but got {show(file_name)}.")
    if file_name.endswith(("/", "\\")):
        raise ValueError(f"For '{owner}', the 'file_name' must be a file, but got the folder '{file_name}'.")
    if not _PLAIN_NAME.fullmatch(file_name):
        raise ValueError(f"For '{owner}', the 'file_name' must match '{_PLAIN_NAME.pattern}', but got '{file_name}'.")
    return placed(file_name)


def prepared_path(path: str, suffix: str) -> str:
    """The path with its suffix; its folder is made if there is none."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    return path if path.endswith(suffix) else path + suffix
