"""Generated convolutions of windows of three by three, against torch in double precision."""
import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import WindowConvolution
from mindspore.compiler.passes import windows
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SHAPES = [(1, 1, 1, 3, 3), (1, 16, 32, 4, 4), (2, 5, 7, 6, 5), (2, 20, 33, 7, 9), (3, 33, 17, 5, 8), (2, 40, 70, 16, 3)]


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def aval(x):
    return Aval(tuple(x.shape), float32)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("padding", [(0, 0, 0, 0), (1, 1, 1, 1), (2, 0, 1, 2)])
def test_a_convolution_and_the_cotangent_of_its_images_are_those_of_double_precision(padding, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    for n, c, o, h, w in SHAPES:
        x, weight, bias = drawn(n, c, h, w), drawn(o, c, 3, 3) / (3 * c**0.5), drawn(o)
        exact = x.double().requires_grad_()
        top, bottom, left, right = padding
        padded = torch.nn.functional.pad(exact, (left, right, top, bottom))
        wanted = torch.nn.functional.conv2d(padded, weight.double(), bias.double())
        made = WindowConvolution(aval(x), aval(weight), aval(wanted), (top, left), False)
        made.shared = True
        for add, more in ((bias, 0), (None, bias.view(-1, 1, 1))):
            (got,) = made(x, weight, *([] if add is None else [add]))
            torch.testing.assert_close((got + more).double(), wanted.detach(), rtol=0, atol=1e-5)
        dout = drawn(*wanted.shape)
        back = WindowConvolution(aval(dout), aval(weight), aval(x), (top, left), True)
        back.shared = True
        (dx,) = torch.autograd.grad(wanted, exact, dout.double())
        torch.testing.assert_close(back(dout, weight)[0].double(), dx, rtol=0, atol=2e-5 * (o / c)**0.5 + 1e-5)
    torch.set_num_threads(before)


def test_it_rounds_no_more_than_three_times_as_much_as_the_plain_sum():
    x, weight = drawn(2, 64, 16, 16), drawn(64, 64, 3, 3)
    wanted = torch.nn.functional.conv2d(x.double(), weight.double(), padding=1)
    (got,) = WindowConvolution(aval(x), aval(weight), aval(wanted), (1, 1), False)(x, weight)
    plain = torch.nn.functional.conv2d(x, weight, padding=1)
    assert (got - wanted).square().mean() <= 9 * (plain - wanted).square().mean()


def test_whole_numbers_are_exact_and_what_is_not_finite_stays_so():
    x, weight = (drawn(1, 8, 6, 6) * 4).round(), (drawn(8, 8, 3, 3) * 4).round()
    wanted = torch.nn.functional.conv2d(x, weight, padding=1)
    made = WindowConvolution(aval(x), aval(weight), aval(wanted), (1, 1), False)
    assert torch.equal(made(x, weight)[0], wanted)
    x[0, 3, 2, 4] = float("inf")
    wanted = torch.nn.functional.conv2d(x, weight, padding=1)
    assert not made(x, weight)[0][~wanted.isfinite()].isfinite().any()


def noted(monkeypatch, choosing):
    made, whole = [], windows.WindowConvolution
    choosing(window_least=1, window_tiles=1)
    monkeypatch.setattr(windows, "WindowConvolution", lambda *args: made.append(args[3:]) or whole(*args))
    return made


@pytest.mark.parametrize(("how", "expected"), [
    ({"padding": 1}, (1, 1)), ({"padding": (0, 1, 2, 0)}, (0, 2)), ({"padding": 0}, (0, 0))])
def test_a_compiled_layer_uses_it_with_the_gradients_of_torch(monkeypatch, choosing, how, expected):
    made = noted(monkeypatch, choosing)
    net = nn.Conv2d(32, 48, 3, pad_mode="pad", has_bias=True, **how)
    x = drawn(2, 32, 7, 6)

    def total(x):
        return (net(x) ** 2).sum()
    _, (dx, (dw, db)) = mindspore.jit(mindspore.value_and_grad(total, 0, net.trainable_params()))(Tensor(x.numpy()))
    ends = how["padding"] if isinstance(how["padding"], tuple) else (how["padding"],) * 4
    t = [torch.tensor(v, dtype=torch.float64, requires_grad=True)
         for v in (x.numpy(), *[p.asnumpy() for p in net.trainable_params()])]
    padded = torch.nn.functional.pad(t[0], (*ends[2:], *ends[:2]))
    (torch.nn.functional.conv2d(padded, t[1], t[2]) ** 2).sum().backward()
    for mine, theirs in zip((dx, dw, db), t, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.grad.numpy(), rtol=1e-3, atol=1e-3)
    assert made == [(expected, False), (expected, True)]


@pytest.mark.parametrize(("shape", "how"), [
    ((33, 32, 3, 3), {"stride": 2}), ((33, 32, 3, 3), {"dilation": 2}), ((32, 16, 3, 3), {"groups": 2}),
    ((33, 32, 3, 2), {}), ((31, 32, 3, 3), {}), ((33, 32, 3, 3), {"padding": 3, "pad_mode": "pad"})])
def test_other_convolutions_are_left_to_the_vendor(monkeypatch, choosing, shape, how):
    made = noted(monkeypatch, choosing)
    x, w = drawn(1, 32, 8, 8), drawn(*shape)
    got = mindspore.jit(lambda x, w: ops.conv2d(x, w, **how))(Tensor(x.numpy()), Tensor(w.numpy()))
    plain = {k: v for k, v in how.items() if k != "pad_mode"}
    torch.testing.assert_close(torch.tensor(got.asnumpy()), torch.nn.functional.conv2d(x, w, **plain), rtol=1e-3,
                               atol=1e-3)
    assert not made
