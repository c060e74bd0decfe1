"""`x.max(1)` and `x.min(1)`: a pair as in 2.10, which means its values where programs of 1.x take it for a tensor."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, nn, ops

ARRAY = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], np.float32)
MOST, PLACES = ARRAY.max(1), ARRAY.argmax(1)


class Max(nn.Cell):
    """A cell of a program that takes the maximum by place."""

    def construct(self, x):
        return x.max(1).expand_dims(-1) - x


def written(x):
    """The maxima in the place of a column."""
    x = x * 1
    x[:, 0] = x.max(1)
    return x


USES = {
    "written": (written, np.column_stack([MOST, ARRAY[:, 1:]])),
    "loss": (lambda x: nn.MSELoss()(x.max(1), x.min(1)), ((MOST - ARRAY.min(1)) ** 2).mean()),
    "add": (lambda x: x.max(1) + 1.0, MOST + 1),
    "radd": (lambda x: 1.0 + x.max(1), MOST + 1),
    "tensor before": (lambda x: x.sum(1) * x.max(1), ARRAY.sum(1) * MOST),
    "tensor behind": (lambda x: x.max(1) / x.sum(1), MOST / ARRAY.sum(1)),
    "repeated": (lambda x: x.max(1) * 2, MOST * 2),
    "two pairs": (lambda x: x.max(1) - x.min(1), MOST - ARRAY.min(1)),
    "sum of pairs": (lambda x: x.max(1) + x.min(1), MOST + ARRAY.min(1)),
    "sign": (lambda x: -x.max(1), -MOST),
    "absolute": (lambda x: abs(x.min(1)), ARRAY.min(1)),
    "power": (lambda x: x.max(1) ** 2, MOST ** 2),
    "less": (lambda x: x.max(1) < 5.5, MOST < 5.5),
    "less than a tensor": (lambda x: x.max(1) < x.sum(1) - 3, ARRAY.sum(1) - 3 > MOST),
    "greater, behind": (lambda x: x.sum(1) > x.max(1), ARRAY.sum(1) > MOST),
    "equal": (lambda x: x == x.max(1).reshape(-1, 1), MOST[:, None] == ARRAY),
    "equal to a tensor": (lambda x: x[:, 1] == x.max(1), ARRAY[:, 1] == MOST),
    "equal, before": (lambda x: x.max(1) == x[:, 1], ARRAY[:, 1] == MOST),
    "unequal": (lambda x: x.max(1) != x[:, 1], ARRAY[:, 1] != MOST),
    "expand_dims": (lambda x: x.max(-1).expand_dims(-1), MOST[:, None]),
    "astype": (lambda x: x.max(1).astype(ms.int32), MOST.astype(np.int32)),
    "sum": (lambda x: x.max(1).sum(), MOST.sum()),
    "shape": (lambda x: ops.zeros(x.max(1).shape, ms.float32), np.zeros(2, np.float32)),
    "new axis": (lambda x: x.max(1)[:, None], MOST[:, None]),
    "mask": (lambda x: x.max(1)[..., None] + 0, MOST[:, None]),
    "function": (lambda x: ops.exp(x.max(1)), np.exp(MOST)),
    "function that asks": (lambda x: ops.relu(x.max(1)), MOST),
    "composition": (lambda x: ops.amax(x.max(1)), MOST.max()),
    "primitive": (lambda x: ops.ReduceSum()(x.max(1), 0), MOST.sum()),
    "primitive of two": (lambda x: ops.Add()(x.max(1), x.min(1)), MOST + ARRAY.min(1)),
    "shape function": (lambda x: ops.expand_dims(x.max(1), 0), MOST[None]),
    "select": (lambda x: ops.where(x.max(1) > 5.5, x.max(1), x.min(1)), np.array([1, 6], np.float32)),
    "of NumPy's names": (lambda x: mnp.exp(x.max(1)), np.exp(MOST)),
    "cell": (lambda x: nn.ReLU()(x.max(1)), MOST),
    "cell of a program": (lambda x: Max()(x), MOST[:, None] - ARRAY),
    "kept": (lambda x: x / x.max(1, True), ARRAY / MOST[:, None]),
    "first": (lambda x: x.max(1)[0], MOST),
    "second": (lambda x: x.max(1)[1], PLACES),
    "last": (lambda x: x.max(1)[-1], PLACES),
    "names": (lambda x: x.max(1).values + x.max(1).indices, MOST + PLACES),
    "length": (lambda x: x.sum() * len(x.max(1)), ARRAY.sum() * 2),
    "a tuple": (lambda x: x.sum() if isinstance(x.max(1), tuple) else x, ARRAY.sum()),
    "chosen": (lambda x: (x.max(1) if x.sum() > 0 else x.min(1)) * 2, MOST * 2),
}


def unpacked(x):
    values, indices = x.max(1)
    return values * 2, indices


def in_a_branch(x):
    found = x.max(1)
    if x[0, 0] < 0:
        found = x.min(1)
    return found - 1.0, found[1]


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize("name", USES)
def test_uses(name, mode):
    run, expected = USES[name]
    found = (ms.jit(run) if mode == "graph" else run)(Tensor(ARRAY))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    assert found.asnumpy().dtype.kind == np.asarray(expected).dtype.kind


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize("run", [unpacked, in_a_branch])
def test_both_parts(run, mode):
    values, indices = (ms.jit(run) if mode == "graph" else run)(Tensor(ARRAY))
    np.testing.assert_array_equal(values.asnumpy(), MOST * 2 if run is unpacked else MOST - 1)
    np.testing.assert_array_equal(indices.asnumpy(), PLACES)


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize("run", [
    lambda x: (x.max(1) * 2).sum(), lambda x: ops.reduce_sum(x.max(1)) * 2, lambda x: x.max(1)[0].sum() * 2,
    lambda x: (x.sum() * 0 + x.max(1) + x.max(1)).sum(), lambda x: x.max(1).expand_dims(0).sum() * 2])
def test_gradients_go_to_the_largest(run, mode):
    grad = ms.grad(ms.jit(run) if mode == "graph" else run)(Tensor(ARRAY))
    np.testing.assert_array_equal(grad.asnumpy(), [[0, 2, 0], [0, 0, 2]])


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_what_a_compiled_function_gives_is_the_same_pair(mode):
    run = (lambda f: ms.jit(f) if mode == "graph" else f)(lambda x: x.min(1))
    pair = run(Tensor(ARRAY))
    assert isinstance(pair, tuple)
    assert len(pair) == 2
    np.testing.assert_array_equal(pair.asnumpy(), ARRAY.min(1))
    np.testing.assert_array_equal((pair + 1).asnumpy(), ARRAY.min(1) + 1)
    again = (ms.jit(lambda p: p * 2) if mode == "graph" else lambda p: p * 2)(pair)
    np.testing.assert_array_equal(again.asnumpy(), ARRAY.min(1) * 2)


def test_with_other_tuples_it_is_a_tuple():
    pair = Tensor(ARRAY).max(1)
    more = (1,)
    assert len(pair + more) == 3
    assert len(more + pair) == 3
    assert (pair == ()) is False
    assert (pair == tuple(pair)) is True
    assert repr(pair) == repr(tuple(pair))
    assert [*pair][1] is pair[1]
    with pytest.raises(AttributeError, match="no_such"):
        _ = pair.no_such
    assert float(Tensor([1.0, 4.0]).max(0)) == 4.0
    assert not hasattr(pair, "aval")
