"""Arguments under the names of earlier releases: each means what the present argument means at its place."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn, ops
from mindspore._names.arguments import _TOGETHER, RENAMED
from mindspore.core import dtype
from mindspore.nn import LossBase, MSELoss
from mindspore.nn.loss import loss

IMAGES = Tensor(np.random.default_rng(0).standard_normal((2, 3, 6, 8)).astype(np.float32))
X = Tensor(np.array([[3, -1, 7], [2, 9, 7]], np.float32))
COLUMN, ROWS = Tensor([[1.0], [-2.0], [4.0]]), Tensor([[5, 5], [5, 5], [1, 2]])
FLOW = Tensor(np.random.default_rng(1).uniform(-1, 1, (2, 4, 5, 2)).astype(np.float32))


def arrays(value):
    return [v.asnumpy() for v in value] if isinstance(value, tuple) else [value.asnumpy()]


def pooled(name):
    return lambda **names: getattr(ops, name)(**names, strides=2)(IMAGES)


# a function of the argument under any name; the value; the present name
CASES = {
    ("AvgPool", "ksize"): (pooled("AvgPool"), 3, "kernel_size"),
    ("AvgPool", "padding"): (lambda **n: ops.AvgPool(3, 2, **n)(IMAGES), "same", "pad_mode"),
    ("Cummax", "dim"): (lambda **n: ops.Cummax(**n)(X), 1, "axis"),
    ("MaxPool", "ksize"): (pooled("MaxPool"), 3, "kernel_size"),
    ("MaxPool", "padding"): (lambda **n: ops.MaxPool(3, 2, **n)(IMAGES), "same", "pad_mode"),
    ("MaxPoolWithArgmax", "ksize"): (pooled("MaxPoolWithArgmax"), 3, "kernel_size"),
    ("MaxPoolWithArgmax", "padding"): (lambda **n: ops.MaxPoolWithArgmax(3, 2, **n)(IMAGES), "same", "pad_mode"),
    ("Roll", "axis"): (lambda **n: ops.Roll(shifts=1, **n)(X), 1, "dims"),
    ("Roll", "shift"): (lambda **n: ops.Roll(dims=1, **n)(X), 2, "shifts"),
    ("UniqueConsecutive", "axis"): (lambda **n: ops.UniqueConsecutive(**n)(ROWS), 0, "dim"),
    ("UniqueConsecutive", "return_idx"): (lambda **n: ops.UniqueConsecutive(dim=0, **n)(ROWS), True, "return_inverse"),
    ("argmax", "axis"): (lambda **n: ops.argmax(X, **n), 0, "dim"),
    ("argmax", "keepdims"): (lambda **n: ops.argmax(X, 0, **n), True, "keepdim"),
    ("avg_pool2d", "strides"): (lambda **n: ops.avg_pool2d(IMAGES, 2, **n), 3, "stride"),
    ("clip_by_value", "max"): (lambda **n: ops.clip_by_value(X, **n), 2, "clip_value_max"),
    ("clip_by_value", "min"): (lambda **n: ops.clip_by_value(X, **n), 2, "clip_value_min"),
    ("dot", "x1"): (lambda **n: ops.dot(other=COLUMN, **n), X, "input"),
    ("dot", "x2"): (lambda **n: ops.dot(input=X, **n), COLUMN, "other"),
    ("grid_sample", "interpolation_mode"): (lambda **n: ops.grid_sample(IMAGES, FLOW, **n), "nearest", "mode"),
    ("linspace", "num"): (lambda **n: ops.linspace(1, 7, **n), 4, "steps"),
    ("multinomial", "num_sample"): (
        lambda **n: ops.multinomial(Tensor([0.0, 1.0, 0.0]), replacement=True, **n), 6, "num_samples"),
    ("norm", "axis"): (lambda **n: ops.norm(X, **n), 1, "dim"),
    ("norm", "keep_dims"): (lambda **n: ops.norm(X, dim=1, **n), True, "keepdim"),
    ("norm", "p"): (lambda **n: ops.norm(X, dim=1, **n), 1, "ord"),
    ("Tensor.remainder", "divisor"): (lambda **n: X.remainder(**n), 3, "other"),
    ("split", "input_x"): (lambda **n: ops.split(split_size_or_sections=1, **n), X, "tensor"),
}


@pytest.mark.parametrize("row", CASES, ids="-".join)
def test_an_earlier_name_means_the_present_argument(row):
    call, value, present = CASES[row]
    for got, wanted in zip(arrays(call(**{row[1]: value})), arrays(call(**{present: value})), strict=True):
        np.testing.assert_array_equal(got, wanted)
    with pytest.raises(TypeError):
        call(**{row[1]: value, present: value})


def test_every_earlier_name_has_a_case():
    together = {(name, old) for olds, _, names in _TOGETHER for name in names.split() for old in olds.split()}
    assert CASES.keys() == RENAMED.keys() - together            # the others: test_earlier_arguments.py


def test_earlier_names_of_classes_and_types():
    from mindspore import dataset

    assert loss._Loss is LossBase is nn.LossBase
    assert not issubclass(LossBase, MSELoss)
    assert {dataset.AudioBaseDataset, dataset.TextBaseDataset, dataset.VisionBaseDataset} == {dataset.Dataset}
    assert dtype.tensor is dtype.tensor_type
    assert dtype.tensor is not dtype.string


def test_functions_under_the_names_of_1x():
    from mindspore import common
    from mindspore.common import tensor
    from mindspore.nn import layer
    from mindspore.ops import functional

    assert ops.neg_tensor(X).asnumpy().tolist() == (-X).asnumpy().tolist()
    assert functional.pack((X, X)).shape == (2, 2, 3)
    assert functional.reduce_prod(X, 1).asnumpy().tolist() == [-21, 126]
    assert sorted(ops.random_shuffle(Tensor([3, 1, 2])).asnumpy().tolist()) == [1, 2, 3]
    sparse = tensor.COOTensor(Tensor([[0, 1]]), Tensor([5.0]), (2, 2))
    assert functional.sparse_tensor_get_values(sparse).asnumpy().tolist() == [5]
    assert ops.sparse_add(sparse, sparse, Tensor(0.0)).values.asnumpy().tolist() == [10]
    assert common.ms_class is common.jit_class
    assert functional.issubclass_(dtype.float32, dtype.number)
    assert layer.ActQuant is nn.ActQuant


@pytest.mark.parametrize("form", [ops.same_type_shape, ops.SameTypeShape()])
def test_tensors_of_one_type_and_shape(form):
    assert form(X, X + 1) is X
    with pytest.raises(TypeError, match="one dtype"):
        form(X, X.astype(dtype.int32))
    with pytest.raises(ValueError, match="one shape"):
        form(X, X[0])
