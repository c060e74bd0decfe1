"""The MindIR rule of every operator that has one: primitives that compute what the kernel computes."""
from __future__ import annotations

import pytest
import torch
from layout_samples import MORE
from operator_samples import as_tuple, avals, drawn

from mindspore.operators.exported import Exported
from mindspore.operators.registry import REGISTRY

OPERATORS = [op for op in REGISTRY.values() if op.mindir_rule]
SAMPLES = [pytest.param(op, i, sample, id=f"{op.name}-{i}") for op in OPERATORS
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])]
NOT_IN_MINDIR = {("Attention", 3), ("Dense", 3), ("SparseCrossEntropy", 3), ("SparseCrossEntropyGrad", 2)}


def named(graph, inputs):
    return [graph.value(a) if isinstance(x, torch.Tensor) else x for x, a in zip(inputs, avals(inputs), strict=True)]


@pytest.mark.parametrize(("op", "at", "sample"), SAMPLES)
def test_the_mindir_rule_computes_what_the_kernel_computes(op, at, sample):
    inputs, attrs = drawn(sample)
    graph = Exported()
    names = named(graph, inputs)
    if (op.name, at) in NOT_IN_MINDIR:
        with pytest.raises(NotImplementedError, match="MindIR has no"):
            graph.apply(op, names, attrs, "MindIR")
        return
    outs = as_tuple(graph.apply(op, names, attrs, "MindIR"))
    values = dict(zip(names, inputs, strict=True)) | {k: torch.from_numpy(v) for k, v in graph.constants.items()}
    for node in graph.nodes:
        assert REGISTRY[node.kind].primitive, node.kind
        found = REGISTRY[node.kind].kernel(*[values[n] for n in node.inputs], **node.attributes)
        values |= dict(zip(node.outputs, as_tuple(found), strict=True))
    for name, wanted in zip(outs, as_tuple(op.kernel(*inputs, **attrs)), strict=True):
        torch.testing.assert_close(values[name], wanted)
        assert tuple(wanted.shape) == graph.avals[name].shape


def test_a_primitive_is_a_node_by_itself():
    graph = Exported()
    x = graph.value(avals([torch.ones(2, 3)])[0])
    assert graph.avals[graph.apply(REGISTRY["Softmax"], [x], {"axis": 0}, "MindIR")].shape == (2, 3)
    assert [(n.kind, n.inputs, n.attributes) for n in graph.nodes] == [("Softmax", (x,), {"axis": 0})]


def test_an_operator_that_is_neither_says_so():
    with pytest.raises(NotImplementedError, match="'SampleWindows' has no form in MindIR"):
        Exported().apply(REGISTRY["SampleWindows"], (), {}, "MindIR")
