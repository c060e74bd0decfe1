"""What a new part of the compiler needs is one new file: a pass."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, ops
from mindspore.compiler import passes
from mindspore.compiler.jit import jit
from mindspore.ir import Node
from mindspore.operators.arithmetic import add, mul


def double_as_sum(graph, target):
    """x * 2 => x + x"""
    for node in graph.nodes:
        if node.op is mul and type(node.inputs[0]) is Node and node.inputs[1] == 2:
            node.become(add, (node.inputs[0],) * 2, {})
    return graph


@pytest.fixture
def with_toy_pass(monkeypatch):
    monkeypatch.setattr(passes, "PASSES", [passes.Pass("double_as_sum", double_as_sum), *passes.PASSES])


@pytest.mark.usefixtures("with_toy_pass")
def test_a_pass_of_ones_own_takes_part():
    seen = []
    found = jit(lambda x: ops.exp(x * 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(add, "code", None)
        patch.setattr(add, "inplace", None)
        patch.setattr(add, "kernel", lambda x, y: seen.append(1) or x + y)
        got = found(Tensor([1.0, 2.0])).asnumpy()
    np.testing.assert_allclose(got, np.exp([2.0, 4.0]), rtol=1e-6)
    assert seen == [1]
