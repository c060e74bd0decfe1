"""Attention by weights (short sequences) and by blocks (long ones) against its formula."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.operators.attention import attention


def formula(q, k, v, mask=None, scale=0.5):
    scores = q @ k.transpose(-1, -2) * scale
    return torch.softmax(scores if mask is None else scores + mask, -1) @ v


def causal(queries, keys):
    return np.triu(np.full((queries, keys), -1e9, np.float32), 1)


LENGTHS = [(5, 7), (4, 300)]           # kept weights, and torch's blocked kernel


@pytest.mark.parametrize("lengths", LENGTHS)
def test_values_and_gradients_follow_the_formula(agrees_with_torch, draw, lengths):
    a, b = lengths
    agrees_with_torch(lambda *x: attention(*x, scale=0.5)[0], formula, draw(2, 3, a, 8), draw(2, 3, b, 8),
                      draw(2, 3, b, 8))


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("lead", [(), (2, 1), (2, 3)])
def test_the_mask_has_a_gradient_of_its_own_shape(agrees_with_torch, draw, lengths, lead):
    a, b = lengths
    agrees_with_torch(lambda *x: attention(*x, scale=0.5)[0], formula, draw(2, 3, a, 8), draw(2, 3, b, 8),
                      draw(2, 3, b, 8), draw(*lead, a, b))


@pytest.mark.parametrize("lengths", LENGTHS)
def test_a_causal_mask_hides_later_keys(draw, lengths):
    a, b = lengths
    q, k, v = Tensor(draw(1, 1, a, 4)), draw(1, 1, b, 4), draw(1, 1, b, 4)
    y = attention(q, Tensor(k), Tensor(v), Tensor(causal(a, b)), scale=1.0)[0].asnumpy()
    v[:, :, 1:] = 9
    z = attention(q, Tensor(k), Tensor(v), Tensor(causal(a, b)), scale=1.0)[0].asnumpy()
    np.testing.assert_array_equal(y[:, :, 0], z[:, :, 0])
    assert np.abs(y[:, :, 1:] - z[:, :, 1:]).max() > 0.1


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_second_derivative_agrees_with_torch(draw, lengths):
    a, b = lengths
    qs, ks, vs = draw(1, 2, a, 4), draw(1, 2, b, 4), draw(1, 2, b, 4)

    def ours(q):
        d = mindspore.grad(lambda x: (attention(x, Tensor(ks), Tensor(vs), scale=0.5)[0] ** 2).sum())(q)
        return (d * d).sum()
    q = torch.tensor(qs, requires_grad=True)
    d, = torch.autograd.grad((formula(q, torch.tensor(ks), torch.tensor(vs)) ** 2).sum(), q, create_graph=True)
    wanted, = torch.autograd.grad((d * d).sum(), q)
    np.testing.assert_allclose(mindspore.grad(ours)(Tensor(qs)).asnumpy(), wanted.numpy(), rtol=1e-3, atol=1e-5)


def test_shapes_that_do_not_fit_are_named(draw):
    with pytest.raises(ValueError, match="equal sizes and keys for every value"):
        attention(Tensor(draw(1, 2, 3, 4)), Tensor(draw(1, 2, 3, 5)), Tensor(draw(1, 2, 3, 4)), scale=1.0)


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BNSD", "BSND"])
def test_every_layout_gives_the_same_values(draw, layout):
    q, k, v = draw(2, 3, 5, 4), draw(2, 3, 6, 4), draw(2, 3, 6, 4)

    def to(x):
        b, n, s, d = x.shape
        return {"BNSD": x, "BSND": x.transpose(0, 2, 1, 3), "BSH": x.transpose(0, 2, 1, 3).reshape(b, s, n * d),
                "SBH": x.transpose(2, 0, 1, 3).reshape(s, b, n * d)}[layout]
    hidden = np.triu(np.ones((5, 6), bool), 1)
    y = ops.flash_attention_score(*[Tensor(np.ascontiguousarray(to(x))) for x in (q, k, v)], 3,
                                  attn_mask=Tensor(hidden), scalar_value=0.5, input_layout=layout)
    mask = torch.tensor(np.where(hidden, -1e30, 0).astype(np.float32))
    wanted = formula(*[torch.tensor(x) for x in (q, k, v)], mask).numpy()
    np.testing.assert_allclose(y.asnumpy(), to(wanted), rtol=1e-4, atol=1e-5)


def test_keys_may_have_fewer_heads_than_queries(draw):
    q, k = draw(1, 4, 5, 8), draw(1, 2, 5, 8)
    y = ops.flash_attention_score(Tensor(q), Tensor(k), Tensor(k), 4, input_layout="BNSD", scalar_value=0.5)
    wide = torch.tensor(np.repeat(k, 2, 1))
    np.testing.assert_allclose(y.asnumpy(), formula(torch.tensor(q), wide, wide).numpy(), rtol=1e-4, atol=1e-5)


def test_options_that_are_not_available_are_refused(draw):
    x = Tensor(draw(1, 4, 8))
    with pytest.raises(ValueError, match="'sparse_mode' must be 0"):
        ops.flash_attention_score(x, x, x, 2, sparse_mode=2)
