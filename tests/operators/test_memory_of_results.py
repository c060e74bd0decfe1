"""Results of operators that are not declared views have memory of their own.

Graphs take the memory of values that are not needed any more for others, so one that is the input after all would
be overwritten.
"""
from __future__ import annotations

import numpy as np
import pytest
import torch
from operator_samples import as_tuple, drawn

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.operators.registry import REGISTRY
from mindspore.ops.operations import _inner_ops

OPERATORS = [op for op in REGISTRY.values() if op.samples and not op.view]


def is_float(x):
    return isinstance(x, torch.Tensor) and x.is_floating_point()


def is_index(x):
    return isinstance(x, torch.Tensor) and not x.is_floating_point() and x.dim() > 0 and x.numel() > 0


VARIANTS = {                 # what is sampled, and what kernels may treat apart: other types, one index, no dimension
    "sample": lambda x: x.clone() if isinstance(x, torch.Tensor) else x,
    "bool": lambda x: x.bool() if is_float(x) else x,
    "int": lambda x: x.int() if is_float(x) else x,
    "index": lambda x: x.reshape(-1)[0].clone() if is_index(x) else x,
    "indices": lambda x: x.reshape(-1)[:1].clone() if is_index(x) else x,
    "number": lambda x: x.reshape(-1)[0].clone() if is_float(x) and x.numel() else x,
}


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.name)
def test_no_result_is_an_input_or_another_result(op):
    """Kernels need not take every variant; of recurrent ones torch does not check what it gets."""
    unchecked = op.kernel.__module__.endswith("recurrent")
    for sample in op.samples:
        for name in ("sample",) if unchecked else VARIANTS:
            inputs, attrs = drawn(sample)
            inputs = [VARIANTS[name](x) for x in inputs]
            try:
                outs = as_tuple(op.kernel(*inputs, **attrs))
            except Exception:  # the kernel does not take this variant; it takes the sample itself
                assert name != "sample"
                continue
            memory = [x.untyped_storage().data_ptr() for x in (*inputs, *outs)
                      if isinstance(x, torch.Tensor) and x.numel()]
            found = memory[len([x for x in inputs if isinstance(x, torch.Tensor) and x.numel()]):]
            assert len(set(found)) == len(found), (name, attrs)
            assert set(found).isdisjoint(memory[:len(memory) - len(found)]), (name, attrs)


@pytest.mark.parametrize("form", [
    lambda x: ops.einsum("ij->ji", x), lambda x: ops.einsum("ij", x), lambda x: ops.gather_nd(x, Tensor([0])),
    lambda x: ops.Identity()(x), lambda x: ops.IdentityN()((x,))[0],
    lambda x: _inner_ops.ConvertToDynamic(is_dynamic_rank=True)(x), lambda x: x[:1, :1].trace()])
def test_what_is_computed_of_a_copy_leaves_the_input_alone(form):
    start = np.arange(1.0, 5.0, dtype=np.float32).reshape(2, 2)

    def computed(x):
        return ops.exp(form(x))

    def changed(x):
        form(x).add_(1.0)
        return x
    for call in (lambda f, x: f(x), lambda f, x: ms.jit(f)(x), lambda f, x: ops.vjp(f, x)[0]):
        x = Tensor(start)
        call(computed, x)
        np.testing.assert_array_equal(x.asnumpy(), start)
        np.testing.assert_array_equal(call(changed, x).asnumpy(), start)
