"""Attention that a program wrote out becomes one operator."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, ops
from mindspore.compiler.passes import fuse_attention, simplify

QKV = "x0: f32[2,3,4,5], x1: f32[2,3,6,5], x2: f32[2,3,6,7]"
SCORES = "f32[2,3,4,6]"
TURNED = "%0 = Transpose(x1, perm=(0, 1, 3, 2)): f32[2,3,5,6]; "
PRODUCT = TURNED + f"%1 = BatchedMatmul(x0, %0): {SCORES}; "


def rewritten(graph):
    """Without what the pass leaves unused."""
    return simplify(fuse_attention(graph))


def attention(scale, mask="None"):
    return (f"%0 = Attention(x0, x1, x2, {mask}, scale={scale}): (f32[2,3,4,7], {SCORES}); "
            "%1 = item(%0, i=0): f32[2,3,4,7]; %1")  # fmt: skip


@pytest.mark.parametrize(
    ("body", "scale"),
    [
        (PRODUCT + f"%2 = Softmax(%1, axis=-1): {SCORES}; %3 = BatchedMatmul(%2, x2): f32[2,3,4,7]; %3", 1.0),
        (PRODUCT + f"%2 = Mul(%1, 0.5): {SCORES}; %3 = Softmax(%2, axis=3): {SCORES}; "
         "%4 = BatchedMatmul(%3, x2): f32[2,3,4,7]; %4", 0.5),
        (PRODUCT + f"%2 = Div(%1, 4): {SCORES}; %3 = Softmax(%2, axis=-1): {SCORES}; "
         "%4 = BatchedMatmul(%3, x2): f32[2,3,4,7]; %4", 0.25),
        (f"%0 = BatchMatMul(x0, x1, transpose_b=True): {SCORES}; %1 = Softmax(%0, axis=-1): {SCORES}; "
         "%2 = BatchMatMul(%1, x2): f32[2,3,4,7]; %2", 1.0),
    ],
)  # fmt: skip
def test_the_spellings_of_attention_are_one_operator(assert_rewrites, body, scale):
    assert_rewrites(rewritten, f"{QKV} -> {body}", f"{QKV} -> {attention(scale)}")


@pytest.mark.parametrize("sum_", ["Add(%2, x3)", "Add(x3, %2)"])
def test_a_mask_is_added_behind_the_scale(assert_rewrites, sum_):
    given = f"{QKV}, x3: f32[4,6]"
    body = (PRODUCT + f"%2 = Mul(%1, 0.5): {SCORES}; %3 = {sum_}: {SCORES}; "
            f"%4 = Softmax(%3, axis=-1): {SCORES}; %5 = BatchedMatmul(%4, x2): f32[2,3,4,7]; %5")  # fmt: skip
    assert_rewrites(rewritten, f"{given} -> {body}", f"{given} -> {attention(0.5, 'x3')}")


@pytest.mark.parametrize(
    "body",
    [
        PRODUCT + f"%2 = Softmax(%1, axis=2): {SCORES}; %3 = BatchedMatmul(%2, x2): f32[2,3,4,7]; %3",
        PRODUCT + f"%2 = Softmax(%1, axis=-1): {SCORES}; %3 = BatchedMatmul(%2, x2): f32[2,3,4,7]; "
        f"%4 = ReduceSum(%2): f32[]; %5 = Mul(%3, %4): f32[2,3,4,7]; %5",
        PRODUCT + f"%2 = ReduceSum(%1): f32[]; %3 = Div(%1, %2): {SCORES}; %4 = Softmax(%3, axis=-1): {SCORES}; "
        "%5 = BatchedMatmul(%4, x2): f32[2,3,4,7]; %5",
    ],
)
def test_what_only_looks_like_it_stays(assert_rewrites, body):
    assert_rewrites(rewritten, f"{QKV} -> {body}", f"{QKV} -> {body}")


@pytest.mark.parametrize("flags", ["transpose_a=True, transpose_b=True", "transpose_a=True, transpose_b=False"])
def test_turned_queries_stay_as_they_are(assert_rewrites, flags):
    square = "x0: f32[2,3,4,4], x1: f32[2,3,4,4], x2: f32[2,3,4,4]"
    body = (f"%0 = BatchMatMul(x0, x1, {flags}): f32[2,3,4,4]; %1 = Softmax(%0, axis=-1): f32[2,3,4,4]; "
            "%2 = BatchMatMul(%1, x2): f32[2,3,4,4]; %2")
    assert_rewrites(rewritten, f"{square} -> {body}", f"{square} -> {body}")


@pytest.mark.parametrize("scaled", ["scores * 0.0", "scores * 0.5", "scores / 4.0"])
def test_a_factor_of_zero_makes_all_places_equal(scaled):
    rng = np.random.default_rng(2)
    q, k, v = [Tensor(rng.standard_normal((1, 2, n, 3)).astype(np.float32)) for n in (4, 5, 5)]
    names = {"ops": ops}
    exec(f"def run(q, k, v):\n    scores = ops.matmul(q, k.swapaxes(2, 3))\n"
         f"    return ops.matmul(ops.softmax({scaled}, -1), v)", names)
    factor = {"scores * 0.0": 0.0, "scores * 0.5": 0.5, "scores / 4.0": 0.25}[scaled]
    scores = q.asnumpy() @ k.asnumpy().swapaxes(2, 3) * factor
    shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    found = mindspore.jit(names["run"])(q, k, v)
    np.testing.assert_allclose(found.asnumpy(), shares @ v.asnumpy(), 1e-4, 1e-5)
