"""Names under paths of the original's files that have another name here."""
from __future__ import annotations

import importlib

import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.ops.composite import multitype_ops


@pytest.mark.parametrize(("path", "name", "same"), [
    ("common.dtype", "_dtype_to_nptype", ms.dtype_to_nptype), ("common.dtype", "float", ms.float32),
    ("common.dtype", "bool", ms.bool_), ("nn.layer.basic", "UnfoldExt", ms.mint.nn.Unfold),
    ("nn.layer.basic", "Fold", ms.mint.nn.Fold), ("nn.layer.activation", "SoftmaxExt", ms.mint.nn.Softmax),
    ("ops.function.comm_func", "all_gather", ms.mint.distributed.all_gather),
    ("ops.function.comm_func", "all_reduce", ms.mint.distributed.all_reduce),
    ("ops.functional_overload", "conv1d", ms.mint.nn.functional.conv1d), ("ops.operations", "Custom", ms.ops.Custom),
    ("nn.wrap", "TimeDistributed", ms.nn.TimeDistributed), ("common.tensor", "swap_tensors", ms.swap_tensors),
    ("ops.function", "std_ext", ms.mint.std), ("ops.functional", "float_power_ext", ms.mint.float_power),
    ("nn.loss.loss", "L1LossExt", ms.mint.nn.L1Loss), ("nn.loss", "L1LossExt", ms.mint.nn.L1Loss),
    ("nn.probability.infer.variational.svi", "SVI", importlib.import_module("mindspore.nn.probability.infer").SVI),
    ("nn.probability.distribution.logistic", "Logistic", ms.nn.probability.distribution.Logistic),
    ("scipy.optimize.linear_sum_assignment", "minimize", ms.scipy.optimize.minimize),
    ("boost.base", "ParameterProcess", ms.boost.ParameterProcess),
])
def test_it_is_the_object_of_another_path(path, name, same):
    assert getattr(importlib.import_module(f"mindspore.{path}"), name) is same


def test_processors_are_counted_under_their_own_path():
    from mindspore.device_context import cpu
    assert cpu.is_available()
    assert cpu.device_count() >= 1


def test_signs_of_python_as_functions():
    assert multitype_ops.in_(2, (1, 2))
    assert multitype_ops.not_in_(3, [1, 2])
    assert multitype_ops.pow_(Tensor([2.0]), 3).tolist() == [8]
    assert (multitype_ops.left_shift(1, 3), multitype_ops.right_shift(8, 2), multitype_ops.uadd(5)) == (8, 2, 5)
