"""`docs/differences.md`: every row is complete, and the examples do what the page says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import mindspore as ms

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "differences.md").read_text()
BEFORE, _, EXAMPLES = PAGE.partition("## Examples")
TABLES, _, ABSENT = BEFORE.partition("## Names that are not here")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in re.findall(r"^\|.*\|$", TABLES, re.M)]
ROWS = [row for row in ROWS if row[0] != "what" and not row[0].startswith("---")]
PROGRAMS = dict(re.findall(r"^### (.+?)\n\n```python\n(.*?)```", EXAMPLES, re.MULTILINE | re.DOTALL))


@pytest.fixture(autouse=True)
def _context():
    yield
    ms.context.reset_context()


def test_every_row_says_what_where_and_why():
    assert [row for row in ROWS if len(row) != 4 or not all(row)] == []
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names))


def test_every_row_of_absent_names_says_which_why_and_what_to_use():
    rows = [line.strip("|").split(" | ") for line in re.findall(r"^\|.*\|$", ABSENT, re.M)]
    assert len(rows) > 2
    assert [row for row in rows[2:] if len(row) != 3 or not all(cell.strip() for cell in row)] == []


def test_every_example_belongs_to_a_row():
    assert set(PROGRAMS) - {row[0] for row in ROWS} == set()
    assert len(PROGRAMS) == EXAMPLES.count("### ")


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_runs(name, tmp_path):
    file = tmp_path / f"difference_{abs(hash(name))}.py"
    file.write_text(PROGRAMS[name])
    spec = importlib.util.spec_from_file_location(file.stem, file)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
