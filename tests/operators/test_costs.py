"""The cost rule of every operator that has one, against the operations that torch counts."""
from __future__ import annotations

import pytest
import torch
from layout_samples import MORE
from operator_samples import avals, drawn
from torch.utils.flop_counter import FlopCounterMode

from mindspore.operators.registry import REGISTRY

OPERATORS = [op for op in REGISTRY.values() if op.cost_rule]
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in OPERATORS
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])]


def product(x, y):
    """`x @ y` without vectors, whose products torch does not count."""
    return torch.matmul(x[None] if x.dim() == 1 else x, y[:, None] if y.dim() == 1 else y)


def convolution(dout, x, w, padding):
    """As many operations as its reverse has, a part of which torch does not count."""
    return torch.nn.functional.conv2d(x, w, padding=padding)


SAME = {"BatchedMatmul": product, "WindowsInputGrad": convolution}


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_the_cost_rule_counts_what_torch_counts(op, sample):
    inputs, attrs = drawn(sample)
    with FlopCounterMode(display=False) as counter:
        SAME.get(op.name, op.kernel)(*inputs, **attrs)
    assert op.cost_rule(*avals(inputs), **attrs) == counter.get_total_flops()


def test_every_cost_rule_has_a_sample_with_which_it_is_tried():
    assert {op.name for op in OPERATORS} == {p.values[0].name for p in SAMPLES}
