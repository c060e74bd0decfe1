"""Functions called with the names that all their arguments had in earlier releases give what they give by place."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, float32, ops
from mindspore._names.arguments import _TOGETHER, RENAMED

A = Tensor(np.array([[0.3, 0.9], [0.2, 0.4]], np.float32))
B = Tensor(np.array([[0.7, 0.1], [0.6, 0.8]], np.float32))
C = Tensor(np.array([[0.5, 0.2], [0.1, 0.9]], np.float32))
K, J = Tensor([[5, 3], [2, 6]]), Tensor([[1, 1], [0, 1]])
V, W = Tensor([0.3, 0.9]), Tensor([0.7, 0.1, 0.4])
ROW = Tensor(np.arange(12, dtype=np.float32).reshape(1, 2, 6))
IMAGE = Tensor(np.random.default_rng(0).standard_normal((1, 2, 4, 6)).astype(np.float32))
VOLUME = Tensor(np.random.default_rng(0).standard_normal((1, 2, 4, 4, 4)).astype(np.float32))
THETA = Tensor(np.array([[[1, 0, 0.5], [0, 2, 0]]], np.float32))

# what the arguments of earlier names are, in their order, and those besides; others: matrices, or integers for bits
GIVEN = {
    "adaptive_avg_pool1d": ((ROW,), {"output_size": 3}), "adaptive_avg_pool2d": ((IMAGE,), {"output_size": 2}),
    "adaptive_avg_pool3d": ((VOLUME,), {"output_size": 2}), "adaptive_max_pool1d": ((ROW,), {"output_size": 3}),
    "adaptive_max_pool2d": ((IMAGE,), {"output_size": 2}), "adaptive_max_pool3d": ((VOLUME,), {"output_size": 2}),
    "addcdiv": ((A, B, C), {"value": 2}), "addcmul": ((A, B, C), {"value": 2}),
    "addmv": ((V,), {"mat": A, "vec": V}), "affine_grid": (((1, 1, 2, 3),), {"theta": THETA}),
    "avg_pool2d": ((IMAGE,), {"kernel_size": 2}),
    "baddbmm": ((IMAGE[0, :, :, :4],), {"batch1": IMAGE[0, :, :, :4], "batch2": IMAGE[0, :, :, 1:5]}),
    "bernoulli": ((A,), {"p": 1.0}), "bitwise_and": ((K, J), {}), "bitwise_or": ((K, J), {}),
    "bitwise_xor": ((K, J), {}), "broadcast_to": ((A,), {"shape": (3, 2, 2)}),
    "binary_cross_entropy_with_logits": ((A, B), {"weight": C, "pos_weight": C}), "clip": ((A,), {"min": 0.25}),
    "combinations": ((V,), {}), "concat": (((A, B),), {}),
    "conv2d": ((IMAGE, 2), {"weight": IMAGE[0, :, None, :2, :2]}), "cross_entropy": ((A,), {"target": B}),
    "cummax": ((A,), {"axis": 1}), "cummin": ((A,), {"axis": 1}), "dropout": ((A,), {"p": 0.0}),
    "dropout2d": ((IMAGE,), {"p": 0.0}), "dropout3d": ((VOLUME,), {"p": 0.0}), "dstack": (((A, B),), {}),
    "eye": ((float32,), {"n": 2, "m": 3}), "gather_elements": ((A,), {"dim": 1, "index": J}), "ger": ((V, W), {}),
    "grid_sample": ((IMAGE,), {"grid": Tensor(np.full((1, 2, 3, 2), 0.3, np.float32))}),
    "index_fill": ((1,), {"x": A, "index": Tensor([0]), "value": 7.0}),
    "interpolate": ((IMAGE,), {"size": (2, 3)}), "kron": ((V, W), {}), "lerp": ((A,), {"end": B, "weight": 0.25}),
    "linspace": ((7,), {"start": 1, "steps": 4}), "logical_and": ((J == 1, A > 0.25), {}),
    "logical_not": ((J == 1,), {}), "logical_or": ((J == 1, A > 0.5), {}),
    "masked_select": ((A,), {"mask": J == 1}), "multinomial": ((Tensor([0.0, 1.0]),), {"num_samples": 3}),
    "ones": ((float32,), {"shape": (2,)}), "outer": ((V, W), {}), "pad": (((1, 2),), {"input_x": A}),
    "pdist": ((A,), {}), "prelu": ((A - 0.5,), {"weight": V}), "range": ((9, 2), {"start": 1}), "norm": ((A,), {}),
    "renorm": ((A, 1), {"p": 1, "maxnorm": 0.5}), "reshape": ((ROW, (3, 4)), {}),
    "rot90": ((A,), {"k": 1, "dims": (0, 1)}), "select": ((J == 1, A, B), {}), "stack": (((A, B),), {}),
    "tile": ((A, (2, 3)), {}), "transpose": ((A, (1, 0)), {}), "unique_consecutive": ((K, True, 0), {}),
    "where": ((A, B), {"condition": J == 1}), "logsumexp": ((A, 1, True), {}), "amax": ((A, True), {"axis": 1}),
    "amin": ((A, True), {"axis": 1}), "max": ((A, True), {"axis": 1}), "min": ((A, True), {"axis": 1}),
    "median": ((A, True), {"axis": 1}), "std": ((A, True), {"axis": 1}),
}
EARLIER: dict[str, tuple[list[str], list[str]]] = {}
for olds, news, functions in _TOGETHER:
    for function in functions.split():
        before, now = EARLIER.setdefault(function, ([], []))
        before.extend(olds.split())
        now.extend(news.split())


def arrays(value):
    return [v.asnumpy() for v in value] if isinstance(value, (tuple, list)) else [value.asnumpy()]


@pytest.mark.parametrize("name", EARLIER)
def test_all_arguments_under_their_earlier_names(name):
    before, now = EARLIER[name]
    given, others = GIVEN.get(name, ((A, B, C)[:len(before)], {}))
    assert len(given) == len(before)
    function = getattr(ops, name)
    old = function(**dict(zip(before, given, strict=True)), **others)
    for got, wanted in zip(arrays(old), arrays(function(**dict(zip(now, given, strict=True)), **others)), strict=True):
        np.testing.assert_array_equal(got, wanted)
    with pytest.raises(TypeError):
        function(**{before[0]: given[0], now[0]: given[0]}, **others)


def test_two_arguments_keep_their_order():
    assert ops.sub(x=Tensor(5), y=Tensor(3)).asnumpy() == 2
    assert ops.pow(y=Tensor(3.0), x=Tensor(2.0)).asnumpy() == 8
    assert all(("sub", name) in RENAMED for name in "xy")
