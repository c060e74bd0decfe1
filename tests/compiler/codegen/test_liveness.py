"""Buffers that may be overwritten: not those that an operator with an effect was given, which may keep them."""
from __future__ import annotations

import pytest

from mindspore import Tensor, ops
from mindspore.compiler.codegen.liveness import Lives
from mindspore.compiler.program import Program


@pytest.mark.parametrize("shown", [False, True])
def test_what_is_given_to_an_effect_is_not_overwritten(shown):
    def net(x):
        y = ops.exp(x)
        view = y.reshape(2, 1)
        if shown:
            print(view)
        return ops.sin(y)

    graph = Program("net", net, (Tensor([1.0, 2.0]),), {}).graph
    at, last = next((i, n) for i, n in enumerate(graph.nodes) if n.op.name == "Sin")
    assert Lives(graph.nodes, graph.outs, {}).is_free(last.inputs[0], last, at) is not shown
