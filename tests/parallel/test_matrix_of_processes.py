"""Ten steps in real processes: modes, schedules, meshes and networks, against one process."""
from __future__ import annotations

import functools
import os
from pathlib import Path

import numpy as np
import processes
import pytest
import together
from nightly import at_night

import mindspore as ms
from mindspore.parallel import machines
from mindspore.parallel.costs import Machine

DATA, AUTO, SEMI = "data_parallel", "auto_parallel", "semi_auto_parallel"
FEW = {                                         # by number of processes; one start for all of a number
    2: [("lenet", DATA, {}), ("routed", AUTO, {}), ("lstm", AUTO, {"parallel": True, "level": "level3"}),
        ("tied", SEMI, {"stages": 2, "micros": 4})],
    3: [("residual", AUTO, {"parallel": True}), ("lenet", SEMI, {"stages": 3, "micros": 4})],
    4: [("experts", AUTO, {}), ("transformer", SEMI, {"stages": 2, "micros": 2, "parallel": True}),
        ("lenet", SEMI, {"stages": 2, "segments": 2, "micros": 4, "schedule": "zero_bubble_v"})],
    8: [("axes", SEMI, {}), ("transformer", SEMI, {"stages": 2, "micros": 4})]}
PIPES = [("mlp", 2, 1), ("lenet", 2, 1), ("lenet", 3, 1), ("lenet", 4, 1), ("lenet", 2, 2), ("transformer", 2, 1),
         ("transformer", 3, 1), ("tied", 2, 1), ("routed", 2, 1), ("lstm", 2, 1), ("residual", 2, 1), ("norm", 2, 1)]
PROGRAM = """
import sys
sys.path.insert(0, SUPPORT)
import together
init()
ms.set_context(mode=ms.GRAPH_MODE)
for k, (name, mode, more) in enumerate(CASES):
    answer(str(k), together.trained(name, mode, **more))
release()
"""


@functools.cache
def of_one(name, micros):
    """Losses and weights of one process."""
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    found = together.trained(name, micros=micros)
    ms.set_context(mode=before)
    return found


def check(size, cases, folder, seconds=200):
    """Every process has the losses and the weights of one."""
    machine = folder / "machine.json"
    machines.write(Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7), machine)     # it pays to cut nearly all
    head = f"SUPPORT, CASES = {str(Path(together.__file__).parent)!r}, {cases!r}\n"
    answers = processes.run(size, head + PROGRAM, folder, seconds, MS_MACHINE_FILE=str(machine))
    for k, (name, mode, more) in enumerate(cases):
        losses, weights = of_one(name, more.get("micros", 0))
        found = [a[str(k)] for a in answers]
        parts = [np.mean([f[0] for f in found], 0)] if mode == DATA else [f[0] for f in found]
        for one in parts:
            np.testing.assert_allclose(one, losses, rtol=1e-5, atol=1e-6, err_msg=f"losses of {name}, {mode}, {more}")
        for _, one in found:
            assert one.keys() == weights.keys()
            for key, value in weights.items():
                np.testing.assert_allclose(one[key], value, rtol=1e-5, atol=1e-5,
                                           err_msg=f"{key} of {name}, {mode}, {more}")


@pytest.mark.slow
@pytest.mark.dist
@pytest.mark.parametrize("size", [at_night(size) if size > 3 else size for size in FEW])
def test_ten_steps_in_processes_are_those_of_one(size, tmp_path):
    check(size, FEW[size], tmp_path)


def every(size):
    """All cases for a number of processes."""
    batched = [n for n in together.NETS if n != "axes" or size == 8]
    shared = [n for n in batched if together.NETS[n][2] % size == 0 and 8 % size == 0]
    cases = [(n, DATA, {}) for n in shared if n in ("mlp", "lenet", "lstm", "axes")]
    cases += [(n, SEMI if n == "axes" else AUTO, {"parallel": p, "level": level}) for n in batched
              for p, level in ((False, ""), (True, "level1"), (True, "level3"))]
    cases += [(n, SEMI, {"stages": s, "segments": v, "micros": 4, "schedule": k}) for n, s, v in PIPES
              if size % s == 0 for k in ("gpipe", "1f1b", "zero_bubble_v")]
    return cases


@pytest.mark.nightly
@pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY to the minutes it may take")
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 8])
def test_every_network_and_mode_in_processes_is_as_in_one(size, tmp_path):
    check(size, every(size), tmp_path, 60 * float(os.environ["ANYSPORE_NIGHTLY"]))
