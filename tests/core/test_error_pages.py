"""The pages about errors: the first program raises the error, the second one runs."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from mindspore.core import errors
from mindspore.dataset.errors import PipelineError

PAGES = Path(__file__).resolve().parents[2] / "docs" / "errors"
CLASSES = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)] + [PipelineError]


def run(code, folder, name):
    """Run a program from a file, since graph mode reads sources."""
    file = folder / f"{name}.py"
    file.write_text(code)
    spec = importlib.util.spec_from_file_location(name, file)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


@pytest.mark.parametrize("error", CLASSES, ids=lambda c: c.__name__)
def test_a_page_shows_a_wrong_and_a_right_program(error, tmp_path):
    wrong, right = re.findall(r"```python\n(.*?)```", (PAGES / f"{error.__name__}.md").read_text(), re.DOTALL)
    with pytest.raises(error) as caught:
        run(wrong, tmp_path, f"wrong_{error.__name__}")
    assert type(caught.value) is error
    run(right, tmp_path, f"right_{error.__name__}")


def test_the_list_of_pages_names_every_class_with_its_bases():
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \| ([\w, ]+) \|", (PAGES / "README.md").read_text(), re.M)
    assert {name: bases for name, _, bases in listed} == {
        c.__name__: ", ".join([b.__name__ for b in c.__bases__]) for c in CLASSES
    }
    assert {name for name, _, _ in listed} == {file.stem for file in PAGES.glob("*.md")} - {"README"}
