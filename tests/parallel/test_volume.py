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


MOVES = """
import itertools
import torch
import torch.distributed as dist
from mindspore import context
from mindspore.ir import Aval
from mindspore.operators import pieces as moves
from mindspore.parallel.costs import sent_by
from mindspore.parallel.placement import REPLICATE, Mesh, Partial, Shard, Step, pieces
init()
rank, size, sent = get_rank(), get_group_size(), [0]
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
def counted(name, bytes_):
    plain = getattr(dist, name)
    def call(*args, group=None, **more):
        sent[0] += bytes_(*args)
        return plain(*args, group=group, **more)
    setattr(dist, name, call)
counted("all_reduce", lambda x, *_: 2 * x.nbytes * (size - 1) / size)
for name in ("all_gather_into_tensor", "all_gather_single"):
    hasattr(dist, name) and counted(name, lambda out, x: x.nbytes * (size - 1))
for name in ("reduce_scatter_tensor", "reduce_scatter_single"):
    hasattr(dist, name) and counted(name, lambda out, x, *_: x.nbytes * (size - 1) / size)
counted("all_to_all_single", lambda out, x, take, give: x.nbytes * (1 - give[rank] / sum(give)))
mesh, group, wrong = Mesh((size,)), "hccl_world_group", []
def check(name, dtype, got, wanted, step, state, shape):
    if got.dtype != wanted.dtype or not torch.equal(got, wanted) or not got.is_contiguous():
        wrong.append([name, str(dtype), "values"])
    model = sent_by(step, Aval(shape, dtype), (state,), mesh)
    if rank == 0 and abs(model - sent[0]) > 1e-6:
        wrong.append([name, str(dtype), model, sent[0]])
    sent[0] = 0
for dtype, shape in itertools.product((ms.float32, ms.bfloat16, ms.int32), ((6, 9, 4), (5, 7, 4))):
    every = [torch.arange(np.prod(shape)).reshape(shape).to(dtype.torch) % 31 + r for r in range(size)]
    x, total = every[rank], sum([e.to(torch.float64) for e in every]).to(dtype.torch)
    check("reduce", dtype, moves.reduce_parts.kernel(x, kind="sum", group=group, size=size), total,
          Step("reduce", 0, Partial(), REPLICATE), Partial(), shape)
    for dim in range(3):
        n = tuple(pieces(shape[dim], size))
        cut = every[0].split(list(n), dim)
        own = cut[rank].contiguous()
        check(f"gather {dim}", dtype, moves.gather_pieces.kernel(own, dim=dim, counts=n, group=group), every[0],
              Step("gather", 0, Shard(dim), REPLICATE), Shard(dim), shape)
        check(f"scatter {dim}", dtype, moves.scatter_parts.kernel(x, dim=dim, counts=n, place=rank, group=group),
              total.split(list(n), dim)[rank].contiguous(), Step("scatter", 0, Partial(), Shard(dim)), Partial(), shape)
        for other in [d for d in range(3) if d != dim]:
            m = tuple(pieces(shape[other], size))
            got = moves.swap_pieces.kernel(own, split=other, cuts=m, dim=dim, counts=n, place=rank,
                                           group=group)
            check(f"swap {dim} {other}", dtype, got, every[0].split(list(m), other)[rank].contiguous(),
                  Step("swap", 0, Shard(dim), Shard(other)), Shard(dim), shape)
answer("wrong", wrong)
release()
"""


@pytest.mark.dist
@pytest.mark.parametrize("size", [at_night(2), 3])
def test_movements_of_every_type_send_what_the_model_says(size, tmp_path):
    """Sums of 16-bit floats travel as float32, those of integers as a whole."""
    assert processes.run(size, MOVES, tmp_path) == [{"wrong": []}] * size
