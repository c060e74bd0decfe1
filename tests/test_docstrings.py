"""The examples in docstrings are programs: they run, and show what stands below them."""
from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[1] / "src"
PARSER = doctest.DocTestParser()
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
NAMES = """
import numpy as np
import mindspore
from mindspore import Parameter, Tensor, dataset, mint, nn, ops, train
from mindspore.dataset import transforms, vision
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


def derived():
    """A test for each method that is made from another one, with its docstring."""
    from mindspore.ops import inplace

    for name, method in inplace.METHODS.items():
        if ">>>" in (method.__doc__ or "") and method.__name__ == name:
            yield pytest.param(method.__doc__, name, id=f"Tensor.{name}")


@pytest.mark.parametrize(("doc", "name"), [*examples(), *derived()])
def test_examples_show_what_stands_below_them(doc, name):
    names: dict[str, object] = {}
    exec(NAMES, names)
    run = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    run.run(PARSER.get_doctest(doc, names, name, name, 0), out=report.append)
    assert run.summarize(verbose=False).failed == 0, "".join(report)
