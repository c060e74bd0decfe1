"""Public names: where each one lives, and the import hook that finds them."""

from __future__ import annotations

import os
import sys

from mindspore._names.generations import EARLIER
from mindspore._names.hook import Rows, install
from mindspore._names.original import warn_if_installed
from mindspore._names.paths import PATHS
from mindspore._names.published import PUBLISHED
from mindspore._names.remaining import REMAINING


def rows() -> Rows:
    """The public paths, with the names of earlier generations added to the views they belong to."""
    merged: Rows = dict(PATHS)
    for path, sources in (*EARLIER.items(), *REMAINING.items(), *PUBLISHED.items()):
        row = merged.get(path, [])
        merged[path] = [*(row if isinstance(row, list) else [f"{row}:*"]), *sources]
    return merged


def serve(root: str) -> None:
    """Answer for every public name below the root package."""
    module = sys.modules[root]
    warn_if_installed(sys.path)
    install(module, os.path.dirname(str(module.__file__)), rows())
