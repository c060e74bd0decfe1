"""The example of CONTRIBUTING.md, run as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import numpy as np, mindspore as ms, new_operator
from mindspore import Tensor, ops
x = np.array([-1.0, 0.0, 2.0], np.float32)
for out in (ops.Bump(2.0)(Tensor(x)), ops.bump(Tensor(x), 2.0), ops.operations.Bump(width=2.0)(Tensor(x))):
    np.testing.assert_allclose(out.asnumpy(), np.exp(-(x / 2) ** 2), rtol=1e-6)
slope = ms.grad(ops.bump)(Tensor(x))
np.testing.assert_allclose(slope.asnumpy(), -2 * x * np.exp(-x ** 2), rtol=1e-6)
"""


@pytest.fixture
def environment(tmp_path):
    """Variables of a process that can import the example as `new_operator`."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "new_operator.py").write_text(code)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return {**os.environ, "PYTHONPATH": path}


def run(arguments, environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_one_file_makes_a_class_a_function_and_a_derivative(environment):
    finished = run(["-c", PROGRAM], environment)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
def test_the_tests_of_every_operator_find_the_new_one(environment):
    pytest_run = ["-m", "pytest", "-p", "new_operator", "-p", "no:xdist", "-q", "-k", "Bump"]
    finished = run([*pytest_run, "tests/operators/test_registry.py"], environment)
    assert finished.returncode == 0, finished.stdout
    passed = int(re.search(r"(\d+) passed", finished.stdout).group(1))
    assert passed >= 10, finished.stdout
