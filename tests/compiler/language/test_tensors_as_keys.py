"""Tensors as keys of dicts and sets: found by identity, as in Python, also where a call gives one tensor twice."""
from __future__ import annotations

import pytest

import mindspore as ms


@pytest.mark.parametrize("keyed", [
    lambda x, y: x * len({x, y}),
    lambda x, y: x * len(frozenset((x, y))),
    lambda x, y: x * len({x: 1, y: 2}),
    lambda x, y: x * len(dict([(x, 1), (y, 2)])),
    lambda x, y: x * (2 if x in {y} else 3),
    lambda x, y: x * {y: 5}.get(x, 7),
], ids=["set", "frozenset", "dict", "dict_of_pairs", "in_set", "get"])
def test_one_tensor_given_twice_is_one_key(keyed):
    one, other = ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 2.0])
    compiled = ms.jit(keyed)
    for args in ((one, one), (one, other), (one, one)):
        assert compiled(*args).asnumpy().tolist() == keyed(*args).asnumpy().tolist()
