"""Dimensions that are declared to differ, or do: one program serves all sizes, as in PyNative mode."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, mutable, nn, ops

SIZES = (4, 6, 3, 1, 9, 2)


@pytest.fixture(autouse=True)
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def unknown(*shape, dtype=ms.float32):
    return Tensor(shape=list(shape), dtype=dtype)


def numbers(*shape):
    rng = np.random.default_rng(sum(shape))
    return Tensor(rng.standard_normal(shape).astype(np.float32))


def integers(*shape):
    rng = np.random.default_rng(sum(shape))
    return Tensor(rng.integers(0, 5, shape).astype(np.int32))


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def construct(self, x):
        return self.attention(x, x, x)[0]


class Own(nn.Cell):
    """What users write with shapes."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 3)

    def construct(self, x):
        n, steps = x.shape[0], x.shape[1]
        y = self.dense(x.reshape(n * steps, -1)).reshape(n, steps, 3)
        mask = ops.arange(steps).expand_dims(0).broadcast_to((n, -1)) < n
        y = ops.where(mask.expand_dims(-1), y, ops.zeros_like(y))
        return (y.sum(1) / steps + x.shape[-1], ops.concat((y, ops.ones((n, 1, 3))), 1), x[:, :-1], n * steps)


IDS = unknown(None, None, dtype=ms.int32)
LAYERS = {
    "dense": (lambda: nn.Dense(3, 4), unknown(None, 3), lambda n: numbers(n, 3)),
    "convolution": (
        lambda: nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2, 2)),
        unknown(None, 3, None, None), lambda n: numbers(n, 3, n + 6, 2 * n + 5)),
    "layer norm": (lambda: nn.LayerNorm((5,)), unknown(None, None, 5), lambda n: numbers(n, n + 1, 5)),
    "embedding": (lambda: nn.Embedding(5, 4), IDS, lambda n: integers(n, n + 2)),
    "lstm": (lambda: nn.LSTM(3, 4, batch_first=True), unknown(None, None, 3), lambda n: numbers(n, n + 2, 3)),
    "attention": (Attention, unknown(None, None, 8), lambda n: numbers(n, n + 3, 8)),
    "flatten": (lambda: nn.SequentialCell(nn.Flatten(), nn.Dense(12, 2)), unknown(None, 3, 4),
                lambda n: numbers(n, 3, 4)),
    "own": (Own, unknown(None, None, 4), lambda n: numbers(n, n + 1, 4)),
    "any shape": (nn.ReLU, Tensor(shape=None, dtype=ms.float32), lambda n: numbers(n, 3)),
}


def flat(value):
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in flat(v)]
    return [value.asnumpy() if isinstance(value, Tensor) else value]


def compare(net, args):
    """The cell in graph mode against PyNative mode, its parameters as before."""
    state = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    found = flat(net(*args)) + [p.asnumpy().copy() for p in net.get_parameters()]
    for p in net.get_parameters():
        p.set_data(Tensor(state[p.name]))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    wanted = flat(net(*args)) + [p.asnumpy().copy() for p in net.get_parameters()]
    ms.set_context(mode=ms.GRAPH_MODE)
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


def compiled(net):
    return net.__dict__["_compiled"].compiled


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_compiled_once_for_all_sizes(name):
    make, pattern, example = LAYERS[name]
    net = make()
    net.set_inputs(pattern)
    for n in SIZES:
        compare(net, [example(n)])
    assert compiled(net) == 1


@pytest.mark.parametrize("loss", [nn.CrossEntropyLoss(), nn.NLLLoss(),
                                  nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")])
def test_a_training_step_is_compiled_once_for_all_batches(loss):
    net = nn.SequentialCell(nn.Dense(3, 8), nn.ReLU(), nn.Dropout(p=0.0), nn.Dense(8, 5))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 1e-2))
    step.set_inputs(unknown(None, 3), unknown(None, dtype=ms.int32))
    for n in SIZES:
        compare(step, [numbers(n, 3), integers(n)])
    assert compiled(step) == 1


def test_a_gradient_through_the_layers_is_compiled_once():
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.AvgPool2d(2, 2))

    class Gradient(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, x):
            return ops.grad(lambda x: (self.net(x) ** 2).mean())(x)

    gradient = Gradient()
    gradient.set_inputs(unknown(None, 3, None, 8))
    for n in SIZES:
        compare(gradient, [numbers(n, 3, n + 6, 8)])
    assert compiled(gradient) == 1


def test_a_gradient_taken_outside_flows_through_one_program():
    @jit(input_signature=(unknown(None, 3),))
    def loss(x):
        return (x * x).sum() / x.shape[0]

    ms.set_context(mode=ms.PYNATIVE_MODE)
    for n in SIZES:
        x = numbers(n, 3)
        np.testing.assert_allclose(ms.grad(loss)(x).asnumpy(), 2 * x.asnumpy() / n, rtol=1e-5)
    assert loss.cache.compiled == 1


def test_sizes_that_a_program_looks_at_are_compiled_for_themselves():
    @jit(input_signature=(unknown(None),))
    def halves(x):
        if x.shape[0] % 2 == 0:
            return x[:x.shape[0] // 2]
        return x

    for n in SIZES:
        assert halves(numbers(n)).shape == (n // 2 if n % 2 == 0 else n,)
    assert halves.cache.compiled == 2


def test_sizes_that_must_be_known_are_compiled_one_by_one():
    @jit(input_signature=(unknown(None),))
    def spell(x):
        return "".join([str(i) for i in range(x.shape[0])])

    for _ in range(2):
        for n in (*SIZES, 0, 12):
            assert spell(numbers(n)) == "".join(map(str, range(n)))
    assert spell.cache.compiled == len(SIZES) + 2


def test_dimensions_that_differ_between_calls_become_unknown_with_dynamic():
    @jit(dynamic=1)
    def double(x):
        return x * 2

    for n in SIZES:
        np.testing.assert_array_equal(double(numbers(n, 3)).asnumpy(), 2 * numbers(n, 3).asnumpy())
    assert double.cache.compiled == 2
    double(numbers(4, 5))
    assert double.cache.compiled == 3
    double(numbers(7, 9))
    assert double.cache.compiled == 3


def test_inputs_declared_by_name_and_in_containers():
    class Sum(nn.Cell):
        def construct(self, x, y, both=None):
            return x + y if both is None else x + y + both[0] + both[1]

    net = Sum()
    net.set_inputs(y=unknown(None, 2))
    for n in (2, 3):
        net(numbers(1, 2), numbers(n, 2))
    assert compiled(net) == 1
    net.set_inputs(unknown(None), unknown(None), [unknown(None), unknown(None)])
    for n in (2, 3, 4):
        np.testing.assert_allclose(net(*[numbers(n)] * 2, [numbers(n)] * 2).asnumpy(), 4 * numbers(n).asnumpy())
    assert compiled(net) == 1


@pytest.mark.parametrize(("args", "error", "text"), [
    ([numbers(2, 4)], ValueError, r"argument 1 must be \(None, 3\), but got \(2, 4\)"),
    ([numbers(2, 3, 1)], ValueError, "2 dimensions"),
    ([numbers(2, 3).astype(ms.float64)], TypeError, "dtype of argument 1"),
    ([numbers(2, 3), numbers(2, 3)], ValueError, "number of arguments"),
])
def test_other_inputs_than_declared_are_refused(args, error, text):
    net = nn.Dense(3, 4)
    net.set_inputs(unknown(None, 3))
    with pytest.raises(error, match=text):
        net(*args)


def test_impossible_declarations_are_refused():
    net = nn.Dense(3, 4)
    with pytest.raises(ValueError, match="by position or by name"):
        net.set_inputs(unknown(None, 3), x=unknown(None, 3))
    with pytest.raises(ValueError, match="'z'"):
        net.set_inputs(z=unknown(None, 3))
    with pytest.raises(TypeError, match="takes 1 argument"):
        net.set_inputs(unknown(None, 3), unknown(None, 3))
    with pytest.raises(TypeError, match="tuple or a list"):
        mutable({"a": 1}, dynamic_len=True)


def test_a_cell_is_compiled_from_its_patterns_alone():
    net = nn.Dense(3, 4)
    net.set_inputs(unknown(None, 3))
    net.compile(unknown(None, 3))
    for n in SIZES:
        compare(net, [numbers(n, 3)])
    assert compiled(net) == 1


def test_lists_of_unknown_length_are_compiled_for_each_length():
    total = jit(lambda parts: sum(parts))
    for n in (2, 3, 2):
        assert int(total(mutable(list(range(n)), dynamic_len=True))) == n * (n - 1) // 2
    assert total.cache.compiled == 2


def test_a_pattern_has_a_shape_and_no_elements():
    pattern = unknown(None, 3)
    assert pattern.shape == (-1, 3)
    assert pattern.dtype == ms.float32
    assert Tensor(shape=None, dtype=ms.float32).shape == (-2,)
    with pytest.raises(ValueError, match="no elements"):
        pattern.asnumpy()
    with pytest.raises(ValueError, match="no elements"):
        pattern + 1
    with pytest.raises(ValueError, match="dtype"):
        Tensor(shape=[None, 3])


class Loops(nn.Cell):
    """Loops over the rows of a tensor."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def construct(self, x):
        state, out = ops.zeros(4), ops.zeros_like(x)
        for row in x:
            state = ops.tanh(self.dense(row.expand_dims(0)).squeeze(0) + state)
        for i in range(x.shape[0]):
            out[i] = x[i] * 2 + state
        for i in range(1, x.shape[0]):
            state += x[i] - x[i - 1]
            if state.sum() > 3:
                break
        return state, out


def test_loops_over_rows_are_compiled_once_for_all_sizes():
    net = Loops()
    net.set_inputs(unknown(None, 4))
    for n in SIZES:
        compare(net, [numbers(n, 4)])
    assert compiled(net) == 1


def test_gradients_through_loops_over_rows_are_compiled_once():
    net = Loops()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, lambda out, y: (out[0] * y).sum() + out[1].mean()),
                               nn.SGD(net.trainable_params(), 1e-2))
    step.set_inputs(unknown(None, 4), unknown(4))
    for n in SIZES:
        compare(step, [numbers(n, 4), numbers(4)])
    assert compiled(step) == 1


def changed_rows(x):
    y = x * 1
    for row in y:
        row += 1
    for i in range(y.shape[0]):
        part = y[i]
        part[0] = 7
    return y


def counted_rows(x):
    rows, total = [], 0
    for i in range(x.shape[0]):
        rows.append(x[i] * i)
        total = total + i
    return ops.stack(rows), total


@pytest.mark.parametrize("function", [changed_rows, counted_rows])
def test_loops_that_cannot_stay_loops_are_unrolled(function):
    compiled_program = jit(function, input_signature=(unknown(None, 3),))
    for n in SIZES:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        for a, b in zip(flat(compiled_program(numbers(n, 3))), flat(function(numbers(n, 3))), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)
    assert compiled_program.cache.compiled == (len(SIZES) if function is counted_rows else 0)
