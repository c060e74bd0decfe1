"""Generated source with the user's lines beside it, for debuggers, tracebacks and people."""
from __future__ import annotations

import linecache
import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mindspore.ir import Loc


class Listing(Sequence[str]):
    """The lines of a source with the user's line beside each; made when they are read."""

    def __init__(self, lines: list[str], locs: list[Loc | None]):
        self.lines, self.locs = lines, locs

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, at: Any) -> Any:
        lines: Any = self.shown
        return lines[at]

    @cached_property
    def shown(self) -> list[str]:
        """The lines, ended by newlines."""
        shown: list[str] = []
        last: Loc | None = None
        for line, loc in zip(self.lines, self.locs, strict=True):
            if loc is not None and (last is None or loc.line != last.line or loc.file != last.file):
                last = loc
                place = f"{os.path.basename(loc.file)}:{loc.line} in {loc.function}"
                line = f"{line:<56}  # {place}: {linecache.getline(loc.file, loc.line).strip()}"
            shown.append(line + "\n")
        return shown
