"""The demo: what it learns, and that both modes learn the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
pytestmark = [pytest.mark.nets, pytest.mark.slow]


@pytest.fixture
def lenet(monkeypatch):
    """The example as a module; the mode of the context is restored."""
    from mindspore.core import context

    monkeypatch.syspath_prepend(str(EXAMPLES))
    import lenet_digits

    before = context.get_context("mode")
    yield lenet_digits
    context.set_context(mode=before)


def test_both_modes_have_the_same_losses(lenet, capsys):
    graph, accuracy = lenet.train("graph", 2, None)
    pynative, same_accuracy = lenet.train("pynative", 2, None)
    assert len(graph) == 88
    np.testing.assert_allclose(graph, pynative, rtol=1e-4)
    assert graph[-1] < graph[0]
    assert accuracy == pytest.approx(same_accuracy, abs=0.01)


def test_the_demo_recognises_digits_of_writers_it_has_not_seen():
    finished = subprocess.run(
        [sys.executable, str(EXAMPLES / "lenet_digits.py")], capture_output=True, text=True, check=True
    )
    (percent,) = re.findall(r"accuracy on held-out digits: ([\d.]+)%", finished.stdout)
    assert float(percent) >= 97.0


def test_two_processes_have_the_losses_of_one_even_where_training_enlarges_differences(tmp_path):
    program = tmp_path / "losses.py"
    program.write_text(f"""
import sys
sys.path.insert(0, {str(EXAMPLES)!r})
import lenet_digits
losses, _ = lenet_digits.train("graph", 3, None)
print("LOSSES", losses)
""")

    def losses(*command):
        out = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True).stdout
        return np.array(eval(out.split("LOSSES ")[1].split("\n")[0]))
    alone = losses(str(program))
    flags = ["--worker_num", "2", "--local_worker_num", "2", "--master_port", "0", "--log_dir", str(tmp_path)]
    together = losses("-m", "mindspore.distributed.msrun", *flags, "--join=True", "--tail_worker_log=0", str(program))
    assert len(alone) == 132
    np.testing.assert_allclose(together, alone, rtol=1e-5)
