"""Nodes that say what a parameter holds stay while derivatives are taken, and are gone from what runs."""
from __future__ import annotations

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.compiler.passes.leaves import drop_leaves

X = "x0: f32[2], x1: f32[2]"


def test_the_value_takes_the_place(assert_rewrites):
    assert_rewrites(drop_leaves, f"{X} -> %0 = Neg(x1): f32[2]; %1 = Assigned(%0, x0): f32[2]; "
                    "%2 = Assigned(x0, %1): f32[2]; %3 = Add(%1, %2): f32[2]; %3",
                    f"{X} -> %0 = Neg(x1): f32[2]; %1 = Add(%0, x0): f32[2]; %1")


def test_in_branches_and_loops():
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    @ms.jit
    def run(x):
        while x.sum() < 9.0:
            ops.assign(w, w * 2.0)
            if w.sum() > 5.0:
                ops.assign(w, w + 1.0)
            x = x + w
        return x
    assert run(Tensor([0.0, 0.0])).tolist() == [10.0, 16.0]
    assert w.tolist() == [7.0, 11.0]
    (program,) = ms.graph.explain(run).programs
    assert "Assigned" not in program.graph
