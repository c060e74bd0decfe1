"""Where nodes come from: the cells and functions that computed them, the phase, and notes of all kinds.

An origin never changes, and equal ones are one object: nodes that are born in one call share it, and a
node that is made from another gets that one's (`Node.like`).

    Origin(scope=("Net", "encoder", "fc1"), phase="reverse", notes={"stage": 1})
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

FORWARD, REVERSE, OPTIMIZER = "forward", "reverse", "optimizer"
RECORD = "record"        # a note: the number, in its sweep over the tape, of the record that a node belongs to
_NONE: Mapping[str, Any] = MappingProxyType({})


class Origin:
    """Where a node comes from.

    Attributes:
        scope: The path of cells and functions, outermost first: a class or function, then names of attributes.
        phase: `forward`, `reverse` (derivatives) or `optimizer`.
        notes: What else is known: strategy, stage, device, recompute, name, ...
    """

    __slots__ = ("_derived", "notes", "phase", "scope")

    def __init__(self, scope: tuple[str, ...] = (), phase: str = FORWARD, notes: Mapping[str, Any] = _NONE):
        self.scope, self.phase, self.notes = scope, phase, notes
        self._derived: dict[Any, Origin] = {}

    def inside(self, *names: str) -> Origin:
        """The same, that much further inside."""
        return self._find(names, (*self.scope, *names), self.phase, self.notes)

    def at(self, scope: tuple[str, ...]) -> Origin:
        """The same at another place of the program."""
        return self if scope == self.scope else self._find(("at", scope), scope, self.phase, self.notes)

    def during(self, phase: str) -> Origin:
        """The same in another phase."""
        return self if phase == self.phase else self._find(("during", phase, ""), self.scope, phase, self.notes)

    def noting(self, **notes: Any) -> Origin:
        """The same with further notes, which replace earlier ones of the same names."""
        if all([self.notes.get(name, self) == value for name, value in notes.items()]):
            return self
        return Origin(self.scope, self.phase, MappingProxyType({**self.notes, **notes}))

    def _find(self, key: Any, scope: tuple[str, ...], phase: str, notes: Mapping[str, Any]) -> Origin:
        found = self._derived.get(key)
        return found or self._derived.setdefault(key, Origin(scope, phase, notes))

    def __str__(self) -> str:
        shown = ".".join(self.scope)
        if self.phase != FORWARD:
            shown = f"{shown} ({self.phase})".strip()
        notes = ", ".join([f"{k}={v}" for k, v in self.notes.items()])
        return f"{shown} [{notes}]".strip() if notes else shown


NOWHERE = Origin()             # of what no program computes: nodes of tests, parsed texts


__all__ = ["FORWARD", "NOWHERE", "OPTIMIZER", "RECORD", "REVERSE", "Origin"]
