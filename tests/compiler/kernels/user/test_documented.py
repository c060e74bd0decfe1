"""The documented kernel and the example program run, and show what they say."""
from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from mindspore.compiler.kernels import available

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


def run(path):
    spec = importlib.util.spec_from_file_location(path.stem + "_of_this_test", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_kernel_of_the_page_prints_what_stands_beside_it(tmp_path, capsys):
    text = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "kernels.md").read_text(), re.S)[1]
    (tmp_path / "page.py").write_text(text)
    run(tmp_path / "page.py")
    said = re.findall(r"# (\[.*\])$", text, re.M)
    assert len(said) == 2
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [line.split() for line in said]


def test_the_example_learns():
    assert run(ROOT / "examples" / "kernels.py").main(steps=60) > 0.9
