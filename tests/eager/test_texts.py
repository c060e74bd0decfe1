"""Tensors of strings: what they hold can be looked at, copied, pickled and given back; computing with it is refused."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops


@pytest.fixture(params=["U", "S"])
def texts(request):
    return np.array([["abc", "d", ""], ["ef", "g", "h"]], request.param)


def test_what_it_tells_of_its_array(texts):
    tensor = Tensor(texts)
    assert (tensor.shape, tensor.ndim, tensor.size, len(tensor)) == ((2, 3), 2, 6, 2)
    assert tensor.dtype is ms.string
    assert (tensor.itemsize, tensor.nbytes, tensor.strides) == (texts.itemsize, texts.nbytes, texts.strides)
    assert tensor.tolist() == texts.tolist()
    assert tensor.item(3) == tensor.item((1, 0)) == texts[1, 0]
    assert str(tensor) == str(texts)


def test_the_array_comes_back_whole_and_apart(texts):
    tensor, before = Tensor(texts), texts.copy()
    texts[0, 0] = "x"
    tensor.asnumpy()[0, 1] = "y"
    assert tensor.asnumpy().dtype == before.dtype
    assert (tensor.asnumpy() == before).all()
    assert (np.array(tensor) == before).all()


@pytest.mark.parametrize("again", [
    Tensor, copy.copy, copy.deepcopy, lambda t: t.copy(), lambda t: Tensor.from_numpy(t.numpy()),
    lambda t: pickle.loads(pickle.dumps(t)), lambda t: Tensor(t, ms.string, (2, 3)),
])
def test_copies(texts, again):
    other = again(Tensor(texts))
    assert isinstance(other, Tensor)
    assert other.dtype is ms.string
    assert (other.asnumpy() == texts).all()


def test_parts(texts):
    tensor = Tensor(texts)
    assert tensor[1].tolist() == texts[1].tolist()
    assert tensor[-1, 0].item() == texts[-1, 0]
    assert [row.tolist() for row in tensor] == texts.tolist()


def test_how_it_is_shown():
    assert repr(Tensor(np.array(["abc", "d"]))) == "Tensor(shape=[2], dtype=String, value= ['abc', 'd'])"
    assert repr(Tensor(np.array(b"abc"))) == "Tensor(shape=[], dtype=String, value= b'abc')"


@pytest.mark.parametrize("act", [lambda t: t + 1, lambda t: t == t, lambda t: t.astype(ms.float32), ops.abs,
                                 lambda t: t.reshape(3, 2), Parameter, ms.jit(lambda t: t * 2),
                                 lambda t: Tensor(t.asnumpy(), ms.float32)])  # fmt: skip
def test_no_numbers(texts, act):
    with pytest.raises(TypeError, match="string"):
        act(Tensor(texts))


def test_a_shape_that_does_not_fit(texts):
    with pytest.raises(ValueError, match=r"\(3, 2\).*\(2, 3\)"):
        Tensor(texts, shape=(3, 2))


def test_lists_and_single_strings_of_python_are_refused():
    for value in ("abc", ["a", "b"], b"abc"):
        with pytest.raises(TypeError, match="input_data"):
            Tensor(value)
