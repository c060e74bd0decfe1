"""Level "auto": each operator computes in a type of its own. The types stand in the documentation of MindSpore 2.10,
and were seen there on a CPU."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, amp, bfloat16, float16, float32, float64, int32, mint, nn, ops

DRAW = np.random.default_rng(0)


def some(*shape, dtype=float32):
    return Tensor(DRAW.uniform(0.1, 0.9, shape).astype(np.float32)).astype(dtype)


def of_one(f):
    return lambda d: (f, some(3, 4, dtype=d))


def each(names):
    return {name: of_one(getattr(ops, name)) for name in names.split()}


def filled(cell):
    for p in cell.get_parameters():
        p.set_data(some(*p.shape, dtype=p.dtype))
    return cell


LOW = {
    "matmul": lambda d: (ops.matmul, some(3, 4, dtype=d), some(4, 2, dtype=d)),
    "MatMul": lambda d: (ops.MatMul(), some(3, 4, dtype=d), some(4, 2, dtype=d)),
    "bmm": lambda d: (ops.bmm, some(2, 3, 4, dtype=d), some(2, 4, 2, dtype=d)),
    "mv": lambda d: (ops.mv, some(3, 4, dtype=d), some(4, dtype=d)),
    "dense with bias": lambda d: (ops.dense, some(3, 4, dtype=d), some(2, 4, dtype=d), some(2, dtype=d)),
    "linear of mint": lambda d: (mint.nn.functional.linear, some(3, 4, dtype=d), some(2, 4, dtype=d), some(2, dtype=d)),
    "conv2d": lambda d: (ops.conv2d, some(1, 3, 6, 6, dtype=d), some(2, 3, 3, 3, dtype=d)),
    "Conv2D": lambda d: (ops.Conv2D(2, 3), some(1, 3, 6, 6, dtype=d), some(2, 3, 3, 3, dtype=d)),
    "prelu": lambda d: (ops.prelu, some(2, 3, 4, dtype=d), some(3, dtype=d)),
    "Dense without bias": lambda d: (filled(nn.Dense(4, 2, has_bias=False)), some(3, 4, dtype=d)),
    "Conv2d": lambda d: (filled(nn.Conv2d(3, 2, 3)), some(1, 3, 6, 6, dtype=d)),
    "Conv2dTranspose": lambda d: (filled(nn.Conv2dTranspose(3, 2, 3)), some(1, 3, 6, 6, dtype=d)),
}
FULL = {
    **each("exp log log1p rsqrt reciprocal tan sinh erfinv softplus softmax log_softmax sum prod logsigmoid var"),
    "power": lambda d: (lambda x: x**2, some(3, dtype=d)),
    "number by tensor": lambda d: (lambda x: 2 / x, some(3, dtype=d)),
    "cumsum": lambda d: (lambda x: x.cumsum(0), some(3, dtype=d)),
    "LayerNorm": lambda d: (filled(nn.LayerNorm((4,))), some(3, 4, dtype=d)),
    "BatchNorm2d": lambda d: (filled(nn.BatchNorm2d(3)), some(2, 3, 4, 4, dtype=d)),
    "GroupNorm": lambda d: (filled(nn.GroupNorm(1, 3)), some(2, 3, 4, 4, dtype=d)),
    "smooth_l1_loss": lambda d: (ops.smooth_l1_loss, some(3, dtype=d), some(3, dtype=d)),
    "kl_div": lambda d: (ops.kl_div, some(3, dtype=d), some(3, dtype=d)),
    "cdist": lambda d: (ops.cdist, some(3, 4, dtype=d), some(2, 4, dtype=d)),
    "cross_entropy": lambda d: (lambda x: ops.cross_entropy(x, Tensor([0, 1, 2], int32)), some(3, 4, dtype=d)),
    "Dense": lambda d: (filled(nn.Dense(4, 2)), some(3, 4, dtype=d)),
    "Conv2d with bias": lambda d: (filled(nn.Conv2d(3, 2, 3, has_bias=True)), some(1, 3, 6, 6, dtype=d)),
    "renorm": lambda d: (lambda x: ops.renorm(x, 2, 0, 1.0), some(3, 4, dtype=d)),
    "addcmul": lambda d: (lambda a, b, c: ops.addcmul(a, b, c, 1.0), *[some(3, dtype=d) for _ in "abc"]),
}
SAME = {
    **each("relu sqrt sigmoid tanh gelu mean cos abs std square"),
    "add": lambda d: (ops.add, some(3, dtype=d), some(3, dtype=d)),
    "tensor by number": lambda d: (lambda x: x / 3, some(3, dtype=d)),
    "bias_add": lambda d: (ops.bias_add, some(3, 4, dtype=d), some(4, dtype=d)),
    "concat": lambda d: (lambda a, b: ops.concat([a, b]), some(3, dtype=d), some(3, dtype=d)),
    "ReduceSum": lambda d: (ops.ReduceSum(), some(3, dtype=d)),
    "mse_loss": lambda d: (ops.mse_loss, some(3, dtype=d), some(3, dtype=d)),
    "huber_loss": lambda d: (ops.huber_loss, some(3, dtype=d), some(3, dtype=d)),
    "L2Normalize": lambda d: (ops.L2Normalize(), some(3, 4, dtype=d)),
    "outer": lambda d: (ops.outer, some(3, dtype=d), some(4, dtype=d)),
}
WIDEST = {
    "concat": lambda d: (lambda a, b: ops.concat([a, b]), some(3), some(3, dtype=d)),
    "addn": lambda d: (lambda a, b: ops.addn([a, b]), some(3, dtype=d), some(3)),
    "bias_add": lambda d: (ops.bias_add, some(3, 4, dtype=d), some(4)),
}


class Net(nn.Cell):
    def __init__(self, f):
        super().__init__()
        self.f = f

    def construct(self, *inputs):
        return self.f(*inputs)


def types(make, given, low=float16):
    f, *inputs = make(given)
    return amp.auto_mixed_precision(Net(f), "auto", low)(*inputs).dtype


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("of", "expected"), [(LOW, float16), (FULL, float32), (SAME, None), (WIDEST, float32)],
                         ids=["low", "full", "same", "widest"])
def test_operators_compute_in_the_type_of_their_kind(of, expected):
    found = {(name, given): types(make, given) for name, make in of.items() for given in (float32, float16)}
    assert found == {key: expected or key[1] for key in found}


def test_the_low_type_may_be_bfloat16_and_doubles_are_rounded_too():
    assert types(LOW["matmul"], float32, bfloat16) is bfloat16
    assert types(LOW["matmul"], float16, bfloat16) is bfloat16
    assert types(LOW["matmul"], float64) is float16
    assert types(FULL["exp"], float64) is float32
    assert types(SAME["relu"], float64) is float64


@pytest.mark.usefixtures("both_modes")
def test_a_product_is_that_of_rounded_operands_and_its_bias_is_added_in_full():
    net = filled(nn.Dense(4, 2))
    x = some(3, 4)
    rounded = x.astype(float16).asnumpy().astype(np.float64) @ net.weight.astype(float16).asnumpy().T.astype(np.float64)
    expected = rounded.astype(np.float16).astype(np.float32) + net.bias.asnumpy()
    np.testing.assert_allclose(amp.auto_mixed_precision(net, "auto")(x).asnumpy(), expected, rtol=0, atol=2e-3)
    in_full = x.asnumpy() @ net.weight.asnumpy().T + net.bias.asnumpy()
    assert np.abs(net(x).asnumpy() - in_full).max() > 1e-5


def test_convolutions_of_few_channels_are_no_exception(monkeypatch):
    monkeypatch.setattr("mindspore.operators.im2col_convolution.alone", lambda: True)
    assert types(lambda d: (filled(nn.Conv2d(1, 6, 5)), some(32, 1, 32, 32, dtype=d)), float32) is float16


@pytest.mark.usefixtures("both_modes")
def test_a_function_is_wrapped_and_stays_as_it_was():
    def product(x, *, y):
        """Product of both."""
        return ops.matmul(x, y)

    mixed = amp.auto_mixed_precision(product, "auto")
    x, y = some(2, 3), some(3, 2)
    assert (mixed(x, y=y).dtype, product(x, y=y).dtype) == (float16, float32)
    assert (mixed.__name__, mixed.__doc__) == ("product", "Product of both.")
    assert ms.jit(lambda a, b: (mixed(a, y=b), ops.matmul(a, b)))(x, y)[0].dtype is float16
    assert ms.jit(lambda a, b: (mixed(a, y=b), ops.matmul(a, b)))(x, y)[1].dtype is float32


@pytest.mark.usefixtures("both_modes")
def test_the_choice_holds_for_the_cell_and_those_below_it_only():
    class Two(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = amp.auto_mixed_precision(Net(nn.Dense(3, 3, has_bias=False)), "auto"), nn.Dense(3, 3)

        def construct(self, x):
            return self.a(x), self.b(x)

    x = some(2, 3)
    assert [y.dtype for y in Two()(x)] == [float16, float32]


@pytest.mark.usefixtures("both_modes")
def test_a_float_type_of_its_own_comes_first():
    inner = Net(nn.Softmax()).to_float(float16)
    assert amp.auto_mixed_precision(Net(inner), "auto")(some(2, 3)).dtype is float16
    assert amp.auto_mixed_precision(Net(nn.Softmax()), "auto")(some(2, 3, dtype=float16)).dtype is float32
    dense = nn.Dense(3, 2, has_bias=False).to_float(float32)
    assert amp.auto_mixed_precision(Net(dense), "auto")(some(2, 3)).dtype is float32


@pytest.mark.usefixtures("both_modes")
def test_a_compiled_program_follows_the_choice():
    @ms.jit
    def product(x):
        return ops.matmul(x, x)

    x, net = some(2, 2), nn.Dense(2, 2, has_bias=False)
    mixed = amp.auto_mixed_precision(lambda x: product(x), "auto")
    assert [product(x).dtype, mixed(x).dtype, product(x).dtype] == [float32, float16, float32]
    other = copy.deepcopy(net)
    found = [net(x).dtype, amp.auto_mixed_precision(net, "auto")(x).dtype, other(x).dtype]
    assert found == [float32, float16, float32]
    assert amp.auto_mixed_precision(net, "auto", bfloat16)(x).dtype is bfloat16


@pytest.mark.usefixtures("both_modes")
def test_gradients_have_the_types_of_what_they_belong_to():
    net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 1, has_bias=False)), "auto")
    x = some(2, 3)
    loss, (dx, dw) = ms.value_and_grad(lambda x: net(x).sum(), 0, net.trainable_params())(x)
    assert (loss.dtype, dx.dtype, {g.dtype for g in dw}) == (float16, float32, {float32})
    plain = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 1, has_bias=False))
    ms.load_param_into_net(plain, {p.name: p for p in net.get_parameters()})
    expected = ms.grad(lambda x: plain(x).sum())(x)
    np.testing.assert_allclose(dx.asnumpy(), expected.asnumpy(), rtol=0, atol=3e-3)


@pytest.mark.parametrize(("kind", "call"), [
    (TypeError, lambda: amp.auto_mixed_precision(lambda x: x, "O1")),
    (TypeError, lambda: amp.auto_mixed_precision(ops.ReLU(), "auto")),
    (TypeError, lambda: amp.auto_mixed_precision(3, "auto")),
    (ValueError, lambda: amp.auto_mixed_precision(nn.ReLU(), 3)),
    (ValueError, lambda: amp.auto_mixed_precision(nn.ReLU(), "O0", float32)),
    (TypeError, lambda: amp.custom_mixed_precision(nn.ReLU(), white_list=[int])),
    (TypeError, lambda: amp.custom_mixed_precision(nn.ReLU(), black_list=[ops.ReLU])),
    (TypeError, lambda: amp.custom_mixed_precision(nn.ReLU(), black_list=[3])),
])
def test_other_arguments_are_refused(kind, call):
    with pytest.raises(kind):
        call()
