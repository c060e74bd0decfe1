"""The benchmark networks of the reference material train in both modes."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nightly import at_night

CASES = ["lenet-b32", "mlp-b64", "gpt-mini-b8t128", "lstm-b32t64", "unet-64-b4", at_night("resnet18-cifar-b64")]
# Its third loss moves by 1e-2 when its input moves by 3e-7 (ReLU6 behind normalisation): later losses in float32
# compare nothing but rounding, so those of both modes are compared in float64.
SENSITIVE = "mobilenetv2-cifar-b64"
PROGRAM = """
import pathlib, runpy, sys, tempfile
folder, mode, case, steps, dtype = sys.argv[1:]
sys.path.insert(0, folder)
import protocol
found = {}
protocol.serve = found.update
sys.argv = ["models", mode]
text = pathlib.Path(folder, "models_mindspore.py").read_text()
for old, new in (("net = model()", "net = model(); [p.set_dtype(TYPE) for p in net.get_parameters()]"),
                 ("inputs, target = x(), y()", "inputs, target = x().astype(TYPE), y()")):
    if dtype:
        assert text.count(old) == 1
        text = text.replace(old, new.replace("TYPE", "ms." + dtype))
with tempfile.TemporaryDirectory() as own:
    models = pathlib.Path(own, "models.py")       # compiled functions are read from their file
    models.write_text(text)
    runpy.run_path(str(models))
    step = found[case]()
    print(*[step() for _ in range(int(steps))])
"""


def losses(reference: str, mode: str, case: str, steps: int, dtype: str = "") -> list[float]:
    """The losses of the first steps, computed in a process of its own, by weights of this type."""
    out = subprocess.run([sys.executable, "-c", PROGRAM, str(Path(reference) / "bench"), mode, case,
                          str(steps), dtype], check=True, capture_output=True, text=True, env=os.environ)
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
def test_a_network_that_enlarges_rounding_trains_alike_in_both_modes(reference):
    graph, eager = losses(reference, "graph", SENSITIVE, 2), losses(reference, "pynative", SENSITIVE, 2)
    assert graph[0] == pytest.approx(eager[0], rel=1e-5)
    assert max(graph[1], eager[1]) < graph[0]


@pytest.mark.nets
@pytest.mark.slow
@pytest.mark.parametrize("steps", [at_night(3)])
def test_without_rounding_its_losses_are_those_of_the_other_mode(reference, steps):
    graph, eager = [losses(reference, mode, SENSITIVE, steps, "float64") for mode in ("graph", "pynative")]
    assert graph == pytest.approx(eager, rel=1e-9)
    assert graph[-1] < graph[0]


@pytest.mark.nets
@pytest.mark.slow
def test_resnet50_trains(reference):
    first, second = losses(reference, "graph", "resnet50-224-b8", 2)
    assert second < first
