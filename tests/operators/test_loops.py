"""The loop form of every operator that has one, computed word by word, equals its kernel."""
from __future__ import annotations

import pytest
import torch
from layout_samples import MORE, normal
from loop_reference import computed, elements
from operator_samples import as_tuple, drawn

from mindspore.core.dtype import float32
from mindspore.operators.loops import Element
from mindspore.operators.registry import REGISTRY
from mindspore.operators.samples import index, positive

STATISTICS = torch.native_layer_norm(normal(4, 3, 6), (3, 6), normal(3, 6), normal(3, 6), 1e-5)[1:]
OWN = {
    "LayerNorm": [((2, 4, 6), (6,), (6,)), ((4, 3, 6), (3, 6), (3, 6), {"epsilon": 1e-3})],
    "LayerNormGrad": [((4, 3, 6), (4, 3, 6), (3, 6), (3, 6), *STATISTICS)],
    "Full": [({"shape": (), "value": 1.5, "dtype": float32},)],
    "MomentumStep": [((), (1,), (3,), (2, 4), (3,), (2, 4), (3,), (2, 4), {"nesterov": nesterov})
                     for nesterov in (False, True)],
    "AdamStep": [((), *[(3,), (2, 4)] * 3, positive(3), positive(2, 4),
                  {"beta1": 0.9, "beta2": 0.99, "eps": 1e-3, "decay": decay}) for decay in (0.0, 0.1)],
    "SparseCrossEntropyGrad": [((), (5, 3), index(3, 5)), ((5,), (5, 3), index(3, 5), {"reduction": "none"}),
                               ((), (5, 3), index(3, 5), {"reduction": "sum"})],
}
LOOPED = [op for op in REGISTRY.values() if op.loop_rule]
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in LOOPED
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ()), *OWN.get(op.name, ())])]


def formed(op, inputs, attrs):
    """The elements of the results, or None."""
    found = op.loop_rule(*elements(inputs), **{**op.attrs, **attrs})
    return None if found is None else found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_a_loop_form_computes_what_the_kernel_does(op, sample):
    inputs, attrs = drawn(sample, torch.float64)
    wanted = as_tuple(op.kernel(*inputs, **attrs))
    found = formed(op, inputs, attrs)
    if found is None:
        pytest.skip("the loop form does not cover this")
    for element, want in zip(found, wanted, strict=True):
        assert type(element) is Element
        result = computed(element, inputs)
        assert (element.shape, element.dtype.torch) == (tuple(want.shape), want.dtype)
        torch.testing.assert_close(result, want, rtol=1e-6, atol=1e-6)


def test_every_loop_form_is_computed_for_a_sample():
    done = {p.values[0].name for p in SAMPLES
            if formed(p.values[0], *drawn(p.values[1], torch.float64)) is not None}
    assert sorted({op.name for op in LOOPED} - done) == []


def test_a_loop_form_that_cannot_take_the_inputs_is_refused():
    with pytest.raises(ValueError, match="loop rule of 'Add' must take 2 values"):
        REGISTRY["Add"].loop(lambda x: x)
