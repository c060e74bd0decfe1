"""Recurrent layers against torch's, with lengths, in both directions, differentiated twice."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.operators import recurrent


def cells(draw, gates):
    x, h, c = draw(5, 2, 3), draw(2, 4), draw(2, 4)
    return [x, draw(gates * 4, 3), draw(gates * 4, 4), draw(gates * 4), draw(gates * 4), h, c]


def reference(x, w_ih, w_hh, b_ih, b_hh, h, c, reverse=False):
    if reverse:
        x = x.flip(0)
    y, hn, cn = torch._VF.lstm(x, (h[None], c[None]), [w_ih, w_hh, b_ih, b_hh], True, 1, 0.0, True, False, False)
    return (y.flip(0) if reverse else y), hn[0], cn[0]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("i", [0, 1, 2])
def test_one_layer_agrees_with_torch_in_both_directions(agrees_with_torch, draw, reverse, i):
    agrees_with_torch(lambda *a: recurrent.lstm_layer(*a, reverse=reverse)[i],
                      lambda *a: reference(*a, reverse=reverse)[i], *cells(draw, 4))


def test_a_layer_takes_views_of_larger_tensors(agrees_with_torch, draw):
    x, w_ih, *rest = cells(draw, 4)
    agrees_with_torch(
        lambda u, w, *r: recurrent.lstm_layer(u.swapaxes(0, 1), w.swapaxes(0, 1), *r)[0].swapaxes(0, 2),
        lambda u, w, *r: reference(u.transpose(0, 1), w.transpose(0, 1), *r)[0].transpose(0, 2),
        np.ascontiguousarray(x.swapaxes(0, 1)), np.ascontiguousarray(w_ih.T), *rest)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_second_derivative_of_a_layer_agrees_with_torch(draw, reverse):
    values = cells(draw, 4)
    rest = [Tensor(v) for v in values[1:]]

    def ours(x):
        d = mindspore.grad(lambda u: (recurrent.lstm_layer(u, *rest, reverse=reverse)[0] ** 2).sum())(x)
        return (d * d).sum()
    x, *others = [torch.tensor(v, dtype=torch.float64, requires_grad=i == 0) for i, v in enumerate(values)]
    d, = torch.autograd.grad((reference(x, *others, reverse)[0] ** 2).sum(), x, create_graph=True)
    wanted, = torch.autograd.grad((d * d).sum(), x)
    np.testing.assert_allclose(mindspore.grad(ours)(Tensor(values[0])).asnumpy(), wanted.numpy(), rtol=1e-3,
                               atol=1e-5)


@pytest.mark.parametrize(("kernel", "gates", "module"), [
    (recurrent.gru, 3, torch.nn.GRU), (recurrent.rnn, 1, torch.nn.RNN)])
def test_stacks_in_two_directions_agree_with_torch(kernel, gates, module, draw):
    net = module(3, 4, 2, bidirectional=True)
    x, h = torch.tensor(draw(5, 2, 3), requires_grad=True), torch.tensor(draw(4, 2, 4))
    y, hn = net(x, h)
    weights = [Tensor(w.detach().numpy()) for w in net.parameters()]
    attrs = {"layers": 2, "bidirectional": True}
    mine = kernel(Tensor(x.detach().numpy()), Tensor(h.numpy()), None, *weights, **attrs)
    np.testing.assert_allclose(mine[0].asnumpy(), y.detach().numpy(), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(mine[1].asnumpy(), hn.detach().numpy(), rtol=1e-4, atol=1e-6)
    d = mindspore.grad(lambda u: kernel(u, Tensor(h.numpy()), None, *weights, **attrs)[0].sum())(
        Tensor(x.detach().numpy()))
    np.testing.assert_allclose(d.asnumpy(), torch.autograd.grad(y.sum(), x)[0].numpy(), rtol=1e-4, atol=1e-6)


def test_sequences_end_at_their_lengths(draw):
    weights = [Tensor(a) for a in cells(draw, 4)[1:5]]
    x, zero = draw(5, 2, 3), Tensor(np.zeros((1, 2, 4), np.float32))
    lengths = np.array([3, 5], np.int64)
    y, h, c = recurrent.lstm(Tensor(x), zero, zero, Tensor(lengths), *weights)
    assert np.abs(y.asnumpy()[3:, 0]).max() == 0
    short = recurrent.lstm(Tensor(x[:3]), zero, zero, None, *weights)
    np.testing.assert_allclose(h.asnumpy()[:, 0], short[1].asnumpy()[:, 0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(c.asnumpy()[:, 0], short[2].asnumpy()[:, 0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(y.asnumpy()[4, 1], h.asnumpy()[0, 1], rtol=1e-6)


def test_weights_that_do_not_fit_are_named(draw):
    x, w_ih, *rest, h, c = [Tensor(v) for v in cells(draw, 4)]
    with pytest.raises(ValueError, match="weights \\(4 H, I\\)"):
        recurrent.lstm_layer(x, w_ih[:, :2], *rest, h, c)
    with pytest.raises(ValueError, match="states \\(2, 4\\)"):
        recurrent.lstm_layer(x, w_ih, *rest, h, c[:1])


def test_the_dynamic_cell_orders_its_gates_input_new_forget_output(draw):
    x, w_ih, w_hh, b_ih, b_hh, h, c = cells(draw, 4)
    i, f, g, o = [np.s_[4 * k:4 * k + 4] for k in range(4)]
    order = np.r_[i, g, f, o]
    w = np.concatenate([w_ih[order].T, w_hh[order].T])
    found = ops.DynamicRNN()(Tensor(x), Tensor(w), Tensor((b_ih + b_hh)[order]), None, Tensor(h[None]),
                             Tensor(c[None]))
    wanted = reference(*[torch.tensor(v) for v in (x, w_ih, w_hh, b_ih, b_hh, h, c)])
    np.testing.assert_allclose(found[0].asnumpy(), wanted[0].numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[2].asnumpy()[-1], wanted[2].numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[1].asnumpy(), found[6].asnumpy() * found[7].asnumpy(), rtol=1e-4)


@pytest.mark.parametrize("forget_bias", [0.0, 1.5])
@pytest.mark.parametrize("clip", [-1.0, 0.3])
def test_the_dynamic_cell_adds_to_the_forget_gate_and_limits_the_cell_on_both_sides(draw, forget_bias, clip):
    x, w, b, h, c = draw(5, 2, 3), draw(7, 16), draw(16), draw(2, 4), draw(2, 4)
    found = ops.DynamicRNN(cell_clip=clip, forget_bias=forget_bias)(
        Tensor(x), Tensor(w), Tensor(b), None, Tensor(h[None]), Tensor(c[None]))

    def sigmoid(v):
        return 1 / (1 + np.exp(-v))
    for t in range(5):
        i, j, f, o = np.split(np.concatenate([x[t], h], 1) @ w + b, 4, 1)
        c = sigmoid(f + forget_bias) * c + sigmoid(i) * np.tanh(j)
        c = np.clip(c, -clip, clip) if clip > 0 else c
        h = sigmoid(o) * np.tanh(c)
        np.testing.assert_allclose(found[1].asnumpy()[t], h, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found[2].asnumpy()[t], c, rtol=1e-4, atol=1e-5)
    if clip > 0:
        assert found[2].asnumpy().min() == np.float32(-clip)


@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_the_dynamic_gru_agrees_with_torch(draw, order):
    net = torch.nn.GRU(3, 4)
    x, h = draw(5, 2, 3), draw(2, 4)
    rows = np.r_[0:4, 4:8, 8:12] if order == "rzh" else np.r_[4:8, 0:4, 8:12]
    w_ih, w_hh, b_ih, b_hh = [p.detach().numpy()[rows] for p in net.parameters()]
    found = ops.DynamicGRUV2(gate_order=order)(*[Tensor(np.ascontiguousarray(v)) for v in (
        x, w_ih.T, w_hh.T, b_ih, b_hh)], None, Tensor(h))
    wanted = net(torch.tensor(x), torch.tensor(h[None]))[0].detach().numpy()
    np.testing.assert_allclose(found[0].asnumpy(), wanted, rtol=1e-4, atol=1e-5)


def test_options_without_another_value_are_refused(draw):
    with pytest.raises(ValueError, match=r"'direction' must be one of \['UNIDIRECTIONAL'\]"):
        ops.DynamicRNN(direction="BIDIRECTIONAL")(*[Tensor(draw(*s)) for s in ((3, 2, 4), (9, 20), (20,))])


@pytest.mark.parametrize("reset_after", [False, True])
def test_the_reset_gate_of_a_gru_acts_before_or_after_the_product(draw, reset_after):
    x, w_ih, w_hh, b_ih, b_hh, h = [v.astype(np.float64) for v in (
        draw(3, 2, 4), draw(4, 15), draw(5, 15), draw(15), draw(15), draw(2, 5))]
    found = ops.DynamicGRUV2(reset_after=reset_after)(*[Tensor(v) for v in (x, w_ih, w_hh, b_ih, b_hh)], None,
                                                      Tensor(h))[0].asnumpy()
    for step in range(3):
        r, z = [1 / (1 + np.exp(-(x[step] @ w_ih[:, k] + b_ih[k] + h @ w_hh[:, k] + b_hh[k])))
                for k in (slice(5), slice(5, 10))]
        k = slice(10, 15)
        own = r * (h @ w_hh[:, k] + b_hh[k]) if reset_after else (r * h) @ w_hh[:, k] + b_hh[k]
        h = (1 - z) * np.tanh(x[step] @ w_ih[:, k] + b_ih[k] + own) + z * h
        np.testing.assert_allclose(found[step], h, 1e-6)
