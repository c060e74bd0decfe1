"""Mistakes that people make: both modes say the same, and graph mode shows the line."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Net(nn.Cell):
    """What the programs below use of a network."""

    def __init__(self, program):
        super().__init__()
        self.program = program
        self.dense, self.conv = nn.Dense(4, 2), nn.Conv2d(3, 6, 3)
        self.embedding, self.norm = nn.Embedding(5, 4), nn.BatchNorm1d(4)
        self.parts = {"a": nn.ReLU()}

    def construct(self, x):
        return self.program(self, x)


def set_element_of_shape(net, x):
    x.shape[0] = 3


def set_element_of_text(net, x):
    text = "abc"
    text[0] = "x"


def delete_element_of_tuple(net, x):
    pair = (1, 2)
    del pair[0]


def tensor_as_manager(net, x):
    with x:
        return x


def loop_over_scalar(net, x):
    for row in x.sum():
        x = x + row
    return x


def deleted_name(net, x):
    y = x * 2
    del y
    return y  # noqa: F821  # meant


def one_way_only(net, x):
    if net.training:
        y = x
    return y


def wrong_clause(net, x):
    try:
        return net.dense(x)
    except TypeError:
        return x


def own_error(net, x):
    raise ValueError(f"wanted (1, 2), but got {x.shape}")


MISTAKES = [
    (lambda net, x: net.dense(x), ValueError, "last axes of 'input' and 'weight' must agree"),
    (lambda net, x: net.conv(x), ValueError, "must have 4 dimensions"),
    (lambda net, x: net.embedding(x), TypeError, "must be a Tensor of integers"),
    (lambda net, x: net.norm(x), ValueError, "must have 4 channels"),
    (lambda net, x: net.dense(None), TypeError, "both operands must be tensors"),
    (lambda net, x: net.reluu(x), AttributeError, "'Net' object has no attribute 'reluu'"),
    (lambda net, x: net.dense.weights, AttributeError, "'Dense' object has no attribute 'weights'"),
    (lambda net, x: net.parts["b"](x), KeyError, "b"),
    (lambda net, x: net.parts["a"](x, x), TypeError, r"ReLU.construct\(\) takes 2 positional arguments but 3"),
    (lambda net, x: x.summ(), AttributeError, "'Tensor' object has no attribute 'summ'"),
    (lambda net, x: ops.sofmax(x), AttributeError, "'mindspore.ops' has no attribute 'sofmax'"),
    (lambda net, x: unknown_name(x), NameError, "name 'unknown_name' is not defined"),  # noqa: F821  # meant
    (lambda net, x: ops.relu(x, foo=1), TypeError, "unexpected keyword argument 'foo'"),
    (lambda net, x: ops.matmul(x, x), ValueError, "last axis of 'x' must equal the second last axis of 'y'"),
    (lambda net, x: ops.concat((x, x[0])), ValueError, "Concat"),
    (lambda net, x: x + x[:, :2], ValueError, "cannot be broadcast"),
    (lambda net, x: x + None, TypeError, "'Tensor' and 'NoneType'"),
    (lambda net, x: x << 2, TypeError, "'Tensor' and 'int'"),
    (lambda net, x: x(), TypeError, "'Tensor' object is not callable"),
    (lambda net, x: x[5], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    (lambda net, x: x[0, 0, 0], IndexError, "Too many indices"),
    (lambda net, x: x.reshape(4, 2), ValueError, "6 elements of shape"),
    (lambda net, x: x.sum(axis=5), ValueError, "must be in"),
    (lambda net, x: x.astype("flot32"), TypeError, "must be one of"),
    (lambda net, x: x if x > 0 else -x, ValueError, "more than one element is ambiguous"),
    (lambda net, x: x and x, ValueError, "more than one element is ambiguous"),
    (lambda net, x: not x, ValueError, "more than one element is ambiguous"),
    (lambda net, x: 1 < x < 3, ValueError, "more than one element is ambiguous"),
    (lambda net, x: range(x), ValueError, "more than one element is ambiguous"),
    (lambda net, x: [1, 2].index(9), ValueError, "9 is not in list"),
    (lambda net, x: len(x.sum()), TypeError, "0-D tensor"),
    (lambda net, x: x.ndim[0], TypeError, "'int' object is not subscriptable"),
    (lambda net, x: Tensor("abc"), TypeError, "must be a number, list, tuple"),
    (set_element_of_shape, TypeError, "'tuple' object does not support item assignment"),
    (set_element_of_text, TypeError, "'str' object does not support item assignment"),
    (delete_element_of_tuple, TypeError, "'tuple' object doesn't support item deletion"),
    (tensor_as_manager, TypeError, "'Tensor' object does not support the context manager protocol"),
    (loop_over_scalar, TypeError, "iteration over a 0-d tensor"),
    (deleted_name, UnboundLocalError, "'y'"),
    (one_way_only, UnboundLocalError, "'y'"),
    (wrong_clause, ValueError, "last axes"),
    (own_error, ValueError, r"wanted \(1, 2\), but got \(2, 3\)"),
]


@pytest.fixture
def both_modes():
    yield
    ms.set_context(mode=1)


@pytest.mark.parametrize(("mistake", "error", "message"), MISTAKES)
@pytest.mark.usefixtures("both_modes")
def test_both_modes_say_the_same(mistake, error, message):
    found = []
    for mode in (1, 0):
        ms.set_context(mode=mode)
        with pytest.raises(error, match=message) as caught:
            Net(mistake)(Tensor(X))
        found.append(caught.value)
    plain, compiled = found
    assert type(plain) is type(compiled)
    assert str(plain) == str(compiled)
    line = compiled.__notes__[0]
    assert f"test_mistakes.py:{mistake.__code__.co_firstlineno}" in line or mistake.__name__ in line
    frames = []
    traceback = compiled.__traceback__
    while traceback:
        frames.append(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
    assert not any("mindspore/compiler" in f for f in frames)
    assert frames[-1].endswith("test_mistakes.py")
