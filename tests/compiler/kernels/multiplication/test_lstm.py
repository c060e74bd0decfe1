"""Generated layers of long short-term memory, against torch in double precision."""
import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, nn
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import LstmLayer, LstmLayerReverse
from mindspore.compiler.passes import recurrence
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def stepped(x, w_ih, w_hh, b_ih, b_hh, h, c, backwards):
    """The formula, step by step."""
    states = {}
    for t in reversed(range(len(x))) if backwards else range(len(x)):
        i, f, g, o = (x[t] @ w_ih.t() + b_ih + h @ w_hh.t() + b_hh).chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = states[t] = o.sigmoid() * c.tanh()
    return torch.stack([states[t] for t in range(len(x))]), h, c


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("shape", [(1, 1, 1, 8), (5, 9, 7, 40), (4, 33, 20, 112)])
def test_a_layer_and_its_reverse_are_those_of_double_precision(shape, backwards, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    t, n, i, h = shape
    given = [drawn(t, n, i), drawn(4 * h, i) / h**0.5, drawn(4 * h, h) / h**0.5, drawn(4 * h), drawn(4 * h) * 0.1,
             drawn(n, h), drawn(n, h) * 0.5]
    layer = LstmLayer(shape, backwards, (Aval((t, n, h), float32),) * 4)
    layer.shared = True
    *results, kept = layer(*given)
    exact = [v.double().requires_grad_() for v in given]
    wanted = stepped(*exact, backwards)
    for mine, theirs in zip(results, wanted, strict=True):
        torch.testing.assert_close(mine.double(), theirs.detach(), rtol=0, atol=1e-5)
    for have in ((True, True, True), (True, False, False), (False, False, True)):
        douts = [drawn(*r.shape) for r in results]
        back = LstmLayerReverse(shape, backwards, (Aval((n, h), float32),) * 7, have)
        back.shared = True
        got = back(*[d for d, has in zip(douts, have, strict=True) if has], *given[:3], given[6], kept)
        total = sum((w * d).sum() for w, d, has in zip(wanted, douts, have, strict=True) if has)
        for mine, theirs in zip(got, torch.autograd.grad(total, exact, retain_graph=True), strict=True):
            torch.testing.assert_close(mine.double(), theirs, rtol=1e-4, atol=1e-4)
    torch.set_num_threads(before)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_compiled_network_uses_them_with_the_gradients_of_eager_mode_and_torch(monkeypatch, choosing, bidirectional):
    choosing(lstm_least=1)
    made, whole = [], recurrence.LstmLayerReverse
    monkeypatch.setattr(recurrence, "LstmLayerReverse", lambda *args: made.append(args) or whole(*args))
    net = nn.LSTM(6, 16, 2, bidirectional=bidirectional)
    x = drawn(5, 3, 6)
    peer = torch.nn.LSTM(6, 16, 2, bidirectional=bidirectional)
    peer.load_state_dict({p.name: torch.tensor(p.asnumpy()) for p in net.get_parameters()})

    def total(x):
        y, (h, c) = net(x)
        return (y ** 2).sum() + (h * 3).sum() + c.sum()
    found = mindspore.jit(mindspore.value_and_grad(total, 0, net.trainable_params()))(Tensor(x.numpy()))
    x.requires_grad_()
    y, (h, c) = peer(x)
    loss = (y ** 2).sum() + (h * 3).sum() + c.sum()
    loss.backward()
    value, (dx, weights) = found
    np.testing.assert_allclose(float(value), loss.item(), rtol=1e-5)
    np.testing.assert_allclose(dx.asnumpy(), x.grad, rtol=1e-4, atol=1e-5)
    named = dict(peer.named_parameters())
    for p, g in zip(net.trainable_params(), weights, strict=True):
        np.testing.assert_allclose(g.asnumpy(), named[p.name].grad, rtol=1e-4, atol=1e-4)
    assert len(made) == (4 if bidirectional else 2)


def test_what_is_kept_for_a_reverse_elsewhere_stays_the_vendors(choosing):
    """A derivative of the second order takes the kept values in another operator."""
    choosing(lstm_least=1)
    net = nn.LSTM(3, 8)
    x = Tensor(drawn(2, 2, 3).numpy())

    def total(x):
        return (net(x)[0] ** 2).sum()
    second = mindspore.grad(lambda x: (mindspore.grad(total)(x) ** 2).sum())
    np.testing.assert_allclose(mindspore.jit(second)(x).asnumpy(), second(x).asnumpy(), rtol=1e-3, atol=1e-4)
