"""Paths as real programs write them, from the census in the reference material."""

from __future__ import annotations

import csv
import importlib
from pathlib import Path

import pytest


def resolves(path: str) -> bool:
    """Whether a program reaches something at the path: the longest module, then attributes."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            if not hasattr(found, name):
                break
            found = getattr(found, name)
        else:
            return True
    return False


@pytest.mark.compat
def test_every_path_that_ten_programs_use_resolves(reference):
    with open(Path(reference) / "api" / "usage_paths.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    used = [
        r["path_as_written"]
        for r in rows
        if int(r["program_folders"]) + int(r["zoo_1_3_folders"]) >= 10
    ]
    assert len(used) > 300
    missing = [path for path in used if not resolves(path)]
    assert missing == []
