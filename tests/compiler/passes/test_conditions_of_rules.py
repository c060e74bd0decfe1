"""Where rules of passes apply and where they do not, at the edges of their conditions."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.compiler.kernels import available
from mindspore.compiler.passes import clusters, fuse_arithmetic, fuse_attention, simplify
from mindspore.compiler.passes.layout import lay_out_state
from mindspore.compiler.passes.patterns import Apply, Either, Rewriting, tensor
from mindspore.operators import arithmetic
from mindspore.operators.convolution import convolution
from mindspore.operators.piecewise import relu
from mindspore.operators.powers import exp

X = "x0: f32[2,3]"
TURNED = "%0 = Transpose(x0, perm=(1, 0)): f32[3,2]; %1 = Reshape(%0, shape=(6,)): f32[6]; "


@pytest.mark.parametrize(("before", "after"), [
    ("%0 = Transpose(x0, perm=(0, -1)): f32[2,3]; %0", "x0"),
    ("%0 = Transpose(x0, perm=(-2, 1)): f32[2,3]; %0", "x0"),
    (TURNED + "%2 = Reshape(%1, shape=(3, 2)): f32[3,2]; %2", "%0 = Transpose(x0, perm=(1, 0)): f32[3,2]; %0"),
    (TURNED + "%2 = Reshape(%1, shape=(2, 3)): f32[2,3]; %2", TURNED + "%2 = Reshape(%1, shape=(2, 3)): f32[2,3]; %2"),
])
def test_shapes_and_orders_of_axes(assert_rewrites, before, after):
    assert_rewrites(simplify, f"{X} -> {before}", f"{X} -> {after}")


@pytest.mark.parametrize("same", [
    "x0: f16[3], x1: f16[3], x2: f16[3] -> %0 = Mul(x1, x2): f16[3]; %1 = Add(x0, %0): f16[3]; %1",
    "x0: f32[3], x1: f32[3], x2: i32[3] -> %0 = Mul(x1, x2): f32[3]; %1 = Add(x0, %0): f32[3]; %1",
    "x0: f32[3], x1: f32[3], x2: f16[3] -> %0 = Mul(x1, x2): f32[3]; %1 = Sub(x0, %0): f32[3]; %1"])
def test_products_of_other_types_stay(assert_rewrites, same):
    assert_rewrites(fuse_arithmetic, same, same)


SCORES = "f32[2,3,4,6]"
QK = "x0: f32[2,3,4,5], x1: f32[2,3,6,5], "


@pytest.mark.parametrize("same", [
    QK + f"x2: f32[2,3,6,6] -> %0 = BatchMatMul(x0, x1, transpose_b=True): {SCORES}; "
    f"%1 = Softmax(%0, axis=-1): {SCORES}; %2 = BatchMatMul(%1, x2, transpose_b=True): f32[2,3,4,6]; %2",
    QK + f"x2: f32[2,3,6,7], x3: f32[] -> %0 = BatchMatMul(x0, x1, transpose_b=True): {SCORES}; "
    f"%1 = Add(%0, x3): {SCORES}; %2 = Softmax(%1, axis=-1): {SCORES}; "
    "%3 = BatchMatMul(%2, x2): f32[2,3,4,7]; %3"])
def test_values_that_are_turned_and_masks_of_one_number_are_no_attention(assert_rewrites, same):
    assert_rewrites(fuse_attention, same, same)


def test_a_rule_with_alternatives_needs_one_of_them(assert_rewrites):
    found = Rewriting(whole=True)

    @found.rule(Apply(arithmetic.neg, Either(Apply(exp, tensor("x"), once=True), Apply(relu, tensor("x"), once=True))))
    def bare(new, x):
        return new(exp, (x,), {}, new.root.aval)
    for inner in ("Exp", "ReLU"):
        assert_rewrites(found, f"{X} -> %0 = {inner}(x0): f32[2,3]; %1 = Neg(%0): f32[2,3]; %1",
                        f"{X} -> %0 = Exp(x0): f32[2,3]; %0")


def test_only_weights_of_images_that_nothing_else_sees_are_laid_out_anew():
    def laid_out(shape, ops=(convolution,), view=False, kind=lambda x: Parameter(x, name="w")):
        p = kind(Tensor(np.arange(np.prod(shape)).reshape(shape).astype(np.float32)))
        before, kept = p.asnumpy().copy(), p[0] if view else None
        lay_out_state(SimpleNamespace(nodes=[SimpleNamespace(op=op) for op in (relu, *ops)]), [p])
        np.testing.assert_array_equal(p.asnumpy(), before)
        assert kept is None or kept._data.untyped_storage().data_ptr() == p._data.untyped_storage().data_ptr()
        return not p._data.is_contiguous()
    assert laid_out((4, 3, 2, 2))
    assert not laid_out((4, 3, 2, 2), view=True)
    assert not laid_out((4, 3, 2, 2), ops=())
    assert not laid_out((4, 3, 2, 2), kind=lambda x: x)
    assert not laid_out((4, 3, 2))
    assert not laid_out((4, 3, 2, 2, 2))


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
@pytest.mark.parametrize(("most", "count"), [(5, 2), (4, 3), (3, 3)])
def test_a_group_has_no_more_operators_than_it_may(monkeypatch, most, count):
    made, whole = [], clusters.generated
    monkeypatch.setattr(clusters, "_MOST", most)
    monkeypatch.setattr(clusters, "generated", lambda elements: made.append(0) or whole(elements))

    @ms.jit(jit_level="O2")
    def run(x):
        for _ in range(9):
            x = ms.ops.tanh(x)
        return x
    x = np.linspace(-1, 1, 7, dtype=np.float32)
    wanted = torch.tensor(x)
    for _ in range(9):
        wanted = torch.tanh(wanted)
    np.testing.assert_allclose(run(Tensor(x)).asnumpy(), wanted, rtol=1e-5)
    assert len(made) == count
