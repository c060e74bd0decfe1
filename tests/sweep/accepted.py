"""Why calls come to something else than under the original.

`accepted.csv` has a row for each difference of the calls of `own.py`: the id of the call, the kind of the difference,
and the reason; `accepted_layers.csv` has those of `layers.py`.  `causes.csv` sorts the differences of the large sweep:
a row has patterns for the id of a call, for the kind, for the outcome of the original and for that of this package (as
JSON), and a cause; an empty pattern is any.  Differences that have a cause there were not looked at one by one.
"""
from __future__ import annotations

import csv
import json
import re
from pathlib import Path

ACCEPTED, CAUSES = [Path(__file__).with_name(name) for name in ("accepted.csv", "causes.csv")]
PATTERNS = "call", "kind", "original", "here"


def rows(path):
    """The rows of a table, as dicts."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Accepted:
    """The differences that are accepted, one by one."""

    def __init__(self, path=ACCEPTED):
        self.rows = rows(path)
        self.reasons = {(row["call"], row["kind"]): row["reason"] for row in self.rows}

    def reason(self, key, kind, got, want):
        """Why a difference is accepted, or None."""
        return self.reasons.get((key, kind))


class Causes:
    """Kinds of differences."""

    def __init__(self, path=CAUSES):
        self.rows = rows(path)
        self.patterns = [[re.compile(row[name]) for name in PATTERNS] for row in self.rows]

    def reason(self, key, kind, got, want):
        """The cause of a difference, or None."""
        found = key, kind, json.dumps(want), json.dumps(got)
        return next((row["reason"] for row, patterns in zip(self.rows, self.patterns, strict=True)
                     if all(pattern.search(text) for pattern, text in zip(patterns, found, strict=True))), None)
