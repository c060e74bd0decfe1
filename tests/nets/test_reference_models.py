"""The benchmark networks of the reference material train in both modes."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nightly import at_night

CASES = ["lenet-b32", "mlp-b64", "gpt-mini-b8t128", "lstm-b32t64", "unet-64-b4", at_night("resnet18-cifar-b64"),
         "mobilenetv2-cifar-b64"]
PROGRAM = """
import sys, runpy
folder, mode, case, steps = sys.argv[1:]
sys.path.insert(0, folder)
import protocol
found = {}
protocol.serve = found.update
sys.argv = ["models", mode]
runpy.run_path(folder + "/models_mindspore.py")
step = found[case]()
print(*[step() for _ in range(int(steps))])
"""


def losses(reference: str, mode: str, case: str, steps: int) -> list[float]:
    """The losses of the first steps, computed in a process of its own."""
    out = subprocess.run([sys.executable, "-c", PROGRAM, str(Path(reference) / "bench"), mode, case,
                          str(steps)], check=True, capture_output=True, text=True, env=os.environ)
    return [float(v) for v in out.stdout.split()]


@pytest.mark.nets
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_benchmark_network_trains_alike_in_both_modes(reference, case):
    graph, eager = losses(reference, "graph", case, 3), losses(reference, "pynative", case, 3)
    assert graph == pytest.approx(eager, rel=1e-4)
    assert graph[-1] < graph[0]


@pytest.mark.nets
@pytest.mark.slow
def test_resnet50_trains(reference):
    first, second = losses(reference, "graph", "resnet50-224-b8", 2)
    assert second < first
