"""The bytes that a plan sends by the cost model are those of the calls of torch.distributed."""
from __future__ import annotations

from pathlib import Path

import processes
import pytest
import together
from nightly import at_night

from mindspore.parallel import machines
from mindspore.parallel.costs import Machine

PROGRAM = """
import sys
sys.path.insert(0, SUPPORT)
import torch.distributed as dist
import together
from mindspore.parallel import report
init()
ms.set_context(mode=ms.GRAPH_MODE)
rank, size, sent = get_rank(), get_group_size(), [0]
def counted(name, bytes_):
    plain = getattr(dist, name)
    def call(*args, group=None, **more):
        if dist.get_world_size(group) == size:
            sent[-1] += bytes_(*args)
        return plain(*args, group=group, **more)
    setattr(dist, name, call)
counted("all_reduce", lambda x, *_: 2 * x.nbytes * (size - 1) / size)
for name in ("all_gather_into_tensor", "all_gather_single"):
    hasattr(dist, name) and counted(name, lambda out, x: x.nbytes * (size - 1))
for name in ("reduce_scatter_tensor", "reduce_scatter_single"):
    hasattr(dist, name) and counted(name, lambda out, x, *_: x.nbytes * (size - 1) / size)
counted("all_to_all_single", lambda out, x, take, give: x.nbytes * (1 - give[rank] / sum(give)))
for name, parallel in CASES:
    sent.append(0)
    together.trained(name, "auto_parallel", parallel=parallel, after=lambda k: sent.append(0))
    found = report._last[0][2]
    answer(name + str(parallel), [found.volume, sent[-3], len(found.plan.mesh.shape)])     # of a step
release()
"""
CASES = [("mlp", True), ("lenet", False), ("tied", False), ("transformer", True), ("routed", False)]


@pytest.mark.dist
@pytest.mark.parametrize("size", [2, at_night(3)])
def test_a_step_sends_what_the_model_says(size, tmp_path):
    """Also of pieces that are not equally long."""
    machine = tmp_path / "machine.json"
    machines.write(Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7), machine)     # it pays to cut nearly all
    head = f"SUPPORT, CASES = {str(Path(together.__file__).parent)!r}, {CASES!r}\n"
    first, *_ = processes.run(size, head + PROGRAM, tmp_path, MS_MACHINE_FILE=str(machine))
    for name, (model, sent, _) in first.items():
        assert sent > 0, name
        assert sent == pytest.approx(model, abs=1e-6), name
