"""The stubs that a wheel gets for editors."""

from __future__ import annotations

import ast
import importlib

from mindspore._names.hook import Table
from mindspore._names.stubs import stubs


def table(demo: str) -> Table:
    """The table of the small package, as the hook holds it."""
    spec = importlib.util.find_spec(f"{demo}.common")
    return spec.loader.table


def test_every_served_path_without_a_file_has_a_stub(demo):
    assert set(stubs(table(demo))) == {
        "__init__.pyi",
        "common/__init__.pyi",
        "common/dtype.pyi",
        "common/seed.pyi",
        "train/__init__.pyi",
        "train/callback.pyi",
        "train/old.pyi",
        "train/broken.pyi",
        "draw.pyi",
        "plain/below.pyi",
        "holder/system.pyi",
        "holder/kind.pyi",
        "nn/layer/__init__.pyi",
        "nn/layer/basic.pyi",
    }


def test_stubs_name_the_homes(demo):
    made = stubs(table(demo))
    assert made["common/dtype.pyi"] == f"from {demo}.dtype import *\n"
    assert made["common/seed.pyi"] == f"from {demo}.seeds import set_seed as set_seed\n"
    assert f"from {demo}.nn import Dense as Layer\n" in made["__init__.pyi"]
    assert f"from {demo} import train as train\n" in made["__init__.pyi"]
    assert f"from {demo} import draw as draw\n" not in made["__init__.pyi"]      # a name of the row, not the module
    assert "later" not in "".join(made.values())


def test_stubs_are_python(demo):
    for text in stubs(table(demo)).values():
        ast.parse(text)
