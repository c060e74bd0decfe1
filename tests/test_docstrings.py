"""The examples in docstrings are programs: they run, and show what stands below them."""
from __future__ import annotations

import ast
import doctest
import inspect
import tempfile
from pathlib import Path

import pytest
from tests import documented

SOURCES = Path(__file__).resolve().parents[1] / "src"
PARSER = doctest.DocTestParser()
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
NAMES = """
import tempfile
from pathlib import Path

import numpy as np
import mindspore
from mindspore import Parameter, Tensor, dataset, mint, nn, ops, train
from mindspore import numpy as mnp
from mindspore.dataset import audio, text, transforms, vision
"""


def examples():
    """A test for each docstring with examples."""
    for file in sorted(SOURCES.rglob("*.py")):
        text = file.read_text()
        if ">>>" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            doc = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
            if doc and ">>>" in doc:
                name = f"{file.relative_to(SOURCES).as_posix()}:{getattr(node, 'name', 'module')}"
                yield pytest.param(doc, name, id=name)


def shown(doc):
    """The examples of a docstring, with what they show."""
    return tuple([(each.source, each.want) for each in PARSER.get_examples(inspect.cleandoc(doc))])


def derived(written):
    """A test for each docstring of a public name that is made, and stands nowhere as it is."""
    known = {shown(test.values[0]) for test in written}
    for family in documented.FAMILIES:
        for name, value in documented.public(family):
            doc = inspect.cleandoc(value.__doc__ or "")
            if ">>>" in doc and shown(doc) not in known:
                known.add(shown(doc))
                yield pytest.param(doc, name, id=f"{family}.{name}")


WRITTEN = list(examples())


@pytest.mark.parametrize(("doc", "name"), [*WRITTEN, *derived(WRITTEN)])
def test_examples_show_what_stands_below_them(doc, name, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    check(doc, name)


def check(doc, name):
    """Run the examples of a text."""
    names: dict[str, object] = {}
    exec(NAMES, names)
    run = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    run.run(PARSER.get_doctest(doc, names, name, name, 0), out=report.append)
    assert run.summarize(verbose=False).failed == 0, "".join(report)
