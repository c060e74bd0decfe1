"""What operators say about themselves holds."""
from __future__ import annotations

import pytest
import torch
from layout_samples import MORE
from operator_samples import as_tuple, drawn

from mindspore.operators.registry import REGISTRY
from mindspore.operators.traits import (
    BITWISE,
    COMPARISON,
    NEGATION,
    STREAMING,
    VIEW,
    WIDEN_UNSIGNED,
)

SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in REGISTRY.values() if not op.effect
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])]


def memory(tensors):
    return {x.untyped_storage().data_ptr() for x in tensors if isinstance(x, torch.Tensor) and x.numel()}


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_only_views_share_memory_with_their_inputs(op, sample):
    inputs, attrs = drawn(sample, torch.float64)
    outs = as_tuple(op.kernel(*inputs, **attrs))
    shared = memory(outs) & memory(inputs)
    if shared:
        assert VIEW in op.traits
        assert shared <= memory(inputs if op.variadic and len(op.inputs) == 1 else inputs[:1])


@pytest.mark.parametrize("op", [op for op in REGISTRY.values() if {COMPARISON, NEGATION} & op.traits],
                         ids=lambda op: op.name)
def test_a_comparison_and_a_negation_give_bools(op):
    x = torch.tensor([0, 1, 2])
    assert op.kernel(*[x] * len(op.inputs)).dtype is torch.bool


@pytest.mark.parametrize("op", [op for op in REGISTRY.values() if BITWISE in op.traits], ids=lambda op: op.name)
def test_a_bitwise_operator_computes_as_python(op):
    python = {"BitwiseAnd": int.__and__, "BitwiseOr": int.__or__, "BitwiseXor": int.__xor__}[op.name]
    for a, b in ((6, 3), (5, 0), (-1, 9)):
        assert op.kernel(torch.tensor(a), torch.tensor(b)).item() == python(a, b)


def test_operators_with_a_cost_rule_do_not_only_stream():
    assert [op.name for op in REGISTRY.values() if op.cost_rule and STREAMING in op.traits] == []


@pytest.mark.parametrize("name", ["Add", "LessEqual", "ReduceMax", "CumSum"])
def test_unsigned_integers_are_widened_where_torch_has_no_kernel(name):
    assert WIDEN_UNSIGNED in REGISTRY[name].traits
