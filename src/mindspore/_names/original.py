"""Notices an installation of the original MindSpore beside this one."""

from __future__ import annotations

import os
import warnings

TYPE_CHECKING = False  # what checkers take for true
if TYPE_CHECKING:
    from collections.abc import Iterable

DISTRIBUTIONS = ("mindspore", "mindspore_ascend", "mindspore_gpu", "mindspore_dev")


def installed(folders: Iterable[str]) -> str | None:
    """Name and version of an original distribution in one of the folders.

    Reads folder listings only: `importlib.metadata` would cost more than the rest of the import.
    """
    for folder in folders:
        try:
            entries = os.listdir(folder or ".")
        except OSError:  # an entry of sys.path need not exist
            continue
        for entry in entries:
            name, _, version = entry.removesuffix(".dist-info").partition("-")
            if entry.endswith(".dist-info") and name in DISTRIBUTIONS:
                return f"{name.replace('_', '-')} {version}"
    return None


def warn_if_installed(folders: Iterable[str]) -> None:
    """Say that two distributions provide the package `mindspore`, and what to do about it."""
    found = installed(folders)
    if found:
        name = found.split()[0]
        warnings.warn(
            f"AnySpore and the distribution '{found}' are installed in the same environment. Both "
            f"provide the package 'mindspore', so files of one may hide files of the other. "
            f"Uninstall one of them ('pip uninstall {name}' or 'pip uninstall anyspore') and "
            f"install the other one again, or keep them in separate virtual environments.",
            RuntimeWarning,
            stacklevel=2,
        )
