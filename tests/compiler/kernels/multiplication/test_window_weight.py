"""The generated cotangents of weights of windows of three by three, against torch in double precision."""
import pytest
import torch

import mindspore
from mindspore import Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import WindowWeight
from mindspore.compiler.passes import windows
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SHAPES = [(1, 1, 1, 3, 3), (1, 16, 32, 4, 4), (2, 5, 7, 6, 5), (2, 20, 33, 7, 9), (3, 33, 17, 5, 8), (2, 40, 70, 16, 3),
          (1, 34, 101, 5, 6)]


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def aval(x):
    return Aval(tuple(x.shape), float32)


def exact(x, dout, padding):
    """The cotangent of the weight, in double precision."""
    top, bottom, left, right = padding
    padded = torch.nn.functional.pad(x.double(), (left, right, top, bottom))
    return torch.nn.grad.conv2d_weight(padded, (dout.shape[1], x.shape[1], 3, 3), dout.double())


def case(shape, padding):
    n, c, o, h, w = shape
    x, dout = drawn(n, c, h, w), drawn(n, o, h + sum(padding[:2]) - 2, w + sum(padding[2:]) - 2)
    wanted = exact(x, dout, padding)
    return x, dout, wanted, WindowWeight(aval(x), aval(dout), (aval(wanted),), (padding[0], padding[2]))


@pytest.mark.parametrize("chunk", [1, 5, 1000])
@pytest.mark.parametrize("padding", [(0, 0, 0, 0), (1, 1, 1, 1), (2, 0, 1, 2)])
def test_it_is_that_of_double_precision_whatever_the_threads_and_the_chunks(padding, chunk):
    before = torch.get_num_threads()
    for shape in SHAPES:
        x, dout, wanted, made = case(shape, padding)
        made.shared, made.chunk = True, min(chunk, made.tiles)
        found = []
        for threads in (1, 3, 20):
            torch.set_num_threads(threads)
            found += made(dout, x)
        torch.set_num_threads(before)
        torch.testing.assert_close(found[0].double(), wanted, rtol=1e-5, atol=1e-4)
        assert torch.equal(found[0], found[1])
        assert torch.equal(found[0], found[2])


def test_elements_may_lie_anywhere_and_a_bias_has_its_cotangent():
    x, dout, wanted, made = case((2, 20, 33, 7, 9), (1, 1, 1, 1))
    last = [t.contiguous(memory_format=torch.channels_last) for t in (dout, x)]
    apart = [torch.stack((t, t), -1)[..., 0] for t in (dout, x)]
    assert torch.equal(made(*last)[0], made(dout, x)[0])
    assert torch.equal(made(*apart)[0], made(dout, x)[0])
    both = WindowWeight(aval(x), aval(dout), (aval(wanted), Aval((33,), float32)), (1, 1))(dout, x)
    assert torch.equal(both[0], made(dout, x)[0])
    torch.testing.assert_close(both[1].double(), dout.double().sum((0, 2, 3)), rtol=0, atol=1e-5)


def test_it_rounds_no_more_than_three_times_as_much_as_the_plain_sum():
    x, dout, wanted, made = case((4, 64, 64, 16, 16), (1, 1, 1, 1))
    plain = torch.nn.grad.conv2d_weight(x, (64, 64, 3, 3), dout, padding=1)
    assert (made(dout, x)[0] - wanted).square().mean() <= 9 * (plain - wanted).square().mean()


def test_whole_numbers_are_exact_and_what_is_not_finite_stays_so():
    x, dout = (drawn(1, 8, 6, 6) * 4).round(), (drawn(1, 8, 6, 6) * 4).round()
    made = WindowWeight(aval(x), aval(dout), (Aval((8, 8, 3, 3), float32),), (1, 1))
    assert torch.equal(made(dout, x)[0].double(), exact(x, dout, (1, 1, 1, 1)))
    x[0, 3, 2, 4] = float("inf")
    assert not made(dout, x)[0][:, 3].isfinite().any()
    assert made(dout, x)[0][:, [0, 1, 2, 4, 5, 6, 7]].isfinite().all()


@pytest.fixture
def made(monkeypatch, choosing):
    found, whole = [], windows.WindowWeight
    choosing(window_least=1, window_weight_least=1, window_tiles=1)
    monkeypatch.setattr(windows, "WindowWeight", lambda *args: found.append(args[2:]) or whole(*args))
    return found


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("padding", "expected"), [(1, (1, 1)), ((0, 1, 2, 0), (0, 2))])
def test_a_training_step_uses_it(made, padding, expected, bias):
    net = nn.Conv2d(32, 48, 3, pad_mode="pad", padding=padding, has_bias=bias)
    x = drawn(2, 32, 7, 6)

    def total(x):
        return (net(x) ** 2).sum()
    _, grads = mindspore.jit(mindspore.value_and_grad(total, None, net.trainable_params()))(Tensor(x.numpy()))
    ends = padding if isinstance(padding, tuple) else (padding,) * 4
    given = [torch.tensor(p.asnumpy(), dtype=torch.float64, requires_grad=True) for p in net.trainable_params()]
    padded = torch.nn.functional.pad(x.double(), (*ends[2:], *ends[:2]))
    (torch.nn.functional.conv2d(padded, *given) ** 2).sum().backward()
    for mine, theirs in zip(grads, given, strict=True):
        torch.testing.assert_close(torch.tensor(mine.asnumpy()).double(), theirs.grad, rtol=1e-3, atol=1e-3)
    assert [(len(outs), where) for outs, where in made] == [(1 + bias, expected)]


@pytest.mark.parametrize("how", [{"stride": 2}, {"dilation": 2}, {"groups": 2}, {"kernel": (3, 2)}, {"channels": 31}])
def test_other_convolutions_are_left_to_the_vendor(made, how):
    groups, channels, kernel = how.pop("groups", 1), how.pop("channels", 32), how.pop("kernel", (3, 3))
    x, w = drawn(1, channels * groups, 8, 8), drawn(32 * groups, channels, *kernel)

    def total(w):
        return (ops.conv2d(Tensor(x.numpy()), w, groups=groups, **how) ** 2).sum()
    found = mindspore.jit(mindspore.grad(total))(Tensor(w.numpy())).asnumpy()
    w = w.double().requires_grad_()
    (torch.nn.functional.conv2d(x.double(), w, groups=groups, **how) ** 2).sum().backward()
    torch.testing.assert_close(torch.tensor(found).double(), w.grad, rtol=1e-3, atol=1e-2)
    assert not made
