"""The cost rule of every operator that has one, against the operations that torch counts."""
from __future__ import annotations

import pytest
import torch
from layout_samples import MORE
from operator_samples import avals, drawn
from torch.utils.flop_counter import FlopCounterMode

from mindspore.core.dtype import float32
from mindspore.ir import Aval
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


def attended(q, k, v, *mask, scale):
    """The products of attention, since torch does not count those of its blocked kernel on a CPU."""
    return torch.matmul(torch.matmul(q, k.mT), v)


def attended_back(dout, q, k, v, mask, y, weights, scale):
    """The products of its reverse from the weights."""
    weights = weights.to(dout.dtype)
    dweights = torch.matmul(dout, v.mT)
    return torch.matmul(weights.mT, dout), torch.matmul(dweights, k), torch.matmul(dweights.mT, q)


SAME = {"BatchedMatmul": product, "WindowsInputGrad": convolution, "Attention": attended,
        "AttentionGrad": attended_back}


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_the_cost_rule_counts_what_torch_counts(op, sample):
    inputs, attrs = drawn(sample)
    with FlopCounterMode(display=False) as counter:
        SAME.get(op.name, op.kernel)(*inputs, **attrs)
    assert op.cost_rule(*avals(inputs), **attrs) == counter.get_total_flops()


def test_every_cost_rule_has_a_sample_with_which_it_is_tried():
    assert {op.name for op in OPERATORS} == {p.values[0].name for p in SAMPLES}


def test_the_reverse_of_blocked_attention_computes_its_weights_again():
    rule, q, long = REGISTRY["AttentionGrad"].cost_rule, Aval((2, 3, 5, 7), float32), Aval((2, 3, 300, 7), float32)
    v = Aval((2, 3, 300, 11), float32)
    assert rule(q, q, long, v, scale=1.0) == 2 * (2 * 3) * 5 * 300 * (3 * 7 + 2 * 11)
