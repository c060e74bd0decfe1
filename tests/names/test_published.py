"""Names that published packages import from files below the documented ones; numbers observed: MindSpore 2.10."""
from __future__ import annotations

import importlib
import logging

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, nn, ops
from mindspore._c_expression import MSContext
from mindspore._c_expression.typing import BFloat, Float
from mindspore._names.published import PUBLISHED
from mindspore.common.api import _function_forbid_reuse
from mindspore.common.parameter import _get_unique_parameter_key
from mindspore.core.absent import AbsentError
from mindspore.log import _get_logger, _LogActionOnce
from mindspore.nn.wrap.loss_scale import _grad_overflow
from mindspore.ops.function import nn_func
from mindspore.parallel._utils import _device_number_check
from mindspore.train.summary.summary_record import _get_summary_tensor_data


def test_every_name_can_be_imported():
    for path, sources in PUBLISHED.items():
        module = importlib.import_module(path.replace("mindspore.core.", "mindspore."))
        for source in sources:
            for name in source.partition(":")[2].split():
                public = name.partition("=")[0]
                assert public == "*" or hasattr(module, public), f"{path}.{public}"


def test_what_cannot_be_here_says_what_to_use():
    from mindspore.ops.operations._rl_inner_ops import CudnnGRU, PriorityReplayBufferCreate
    from mindspore.ops.operations._tensor_array import TensorArray

    with pytest.raises(AbsentError, match=r"use 'nn\.GRU'"):
        CudnnGRU(1, 2, 1, True, False, 0.0)
    with pytest.raises(AbsentError, match="tensor_scatter_update"):
        PriorityReplayBufferCreate()
    with pytest.raises(AbsentError, match=r"use 'nn\.TensorArray'"):
        TensorArray(ms.float32, (1,))


def test_functions_of_mint_by_the_shorter_path():
    assert mint.functional is mint.nn.functional
    assert mint.Tensor is Tensor
    assert "dtype" in ms.common.__all__


@pytest.mark.usefixtures("both_modes")
def test_the_tensors_of_the_last_run_are_given_once():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.note = ops.TensorSummary()

        def construct(self, x):
            y = x * 2
            self.note("layer", y)
            return y

    net = Net()
    net(Tensor([1.0]))
    net(Tensor([3.0]))
    assert {name: value.tolist() for name, value in _get_summary_tensor_data().items()} == {"layer[:Tensor]": [6.0]}
    assert _get_summary_tensor_data() == {}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("values", "expected"), [([1.0, np.inf], 1.0), ([np.nan, 0.0], 1.0), ([1.0, 2.0], 0.0)])
def test_a_gradient_that_overflowed(values, expected):
    assert _grad_overflow(Tensor(values, ms.float32)).tolist() == [expected]


def test_projections_of_queries_keys_and_values():
    q, k = np.random.rand(4, 2, 3).astype(np.float32), np.random.rand(5, 2, 3).astype(np.float32)
    w, b = np.random.rand(9, 3).astype(np.float32), np.random.rand(9).astype(np.float32)
    expected = [x @ w[3 * i:3 * i + 3].T + b[3 * i:3 * i + 3] for i, x in enumerate((q, k, k))]
    args = [Tensor(x) for x in (q, k, k, w, b)]
    for got, want in zip(nn_func._in_projection_packed(*args, True, False), expected, strict=True):
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-5)
    alone = nn_func._in_projection_packed(args[0], args[0], args[0], args[3], None, True, True)
    np.testing.assert_allclose(alone[2].asnumpy(), q @ w[6:].T, rtol=1e-5)
    assert nn_func._inner_pad(Tensor([[1, 2]]), (1, 0)).tolist() == [[0, 1, 2]]
    assert nn_func._inner_dropout(Tensor([1.0, 2.0]), 0.5, False).tolist() == [1.0, 2.0]
    assert set(nn_func._inner_dropout(Tensor(np.ones(64, np.float32)), 0.5, True).tolist()) == {0.0, 2.0}


def test_extents_of_attention_are_checked():
    assert (nn_func._check_qkv_shape(3, 3, 3), nn_func._check_qkv_shape(2, 2, 2)) == (True, False)
    nn_func._check_kpm_shape(3, 2)
    nn_func._check_attn_mask_shape(3, (4, 2, 3), (5, 2, 3), 3, (6, 4, 5), 3)
    nn_func._check_attn_mask_shape(2, (4, 3), (5, 3), 2, (4, 5), 3)
    for wrong in (lambda: nn_func._check_qkv_shape(3, 2, 3), lambda: nn_func._check_kpm_shape(3, 3),
                  lambda: nn_func._check_attn_mask_shape(3, (4, 2, 3), (5, 2, 3), 3, (2, 4, 5), 3)):
        with pytest.raises(ValueError, match="For attention"):
            wrong()


def test_extents_of_resampled_images():
    x = ops.zeros((2, 3, 4, 5))
    assert nn_func._interploate_ext_make_tuple(x, 3) == (3, 3)
    assert nn_func._interploate_ext_make_tuple(x, [3, 4]) == [3, 4]
    assert nn_func._interpolate_ext_scale_factor_convert_size(x, (2.5, 1.5)) == (10, 7)


def test_kinds_of_floating_point_types():
    assert [isinstance(t, Float) for t in (ms.float16, ms.float64, ms.bfloat16, ms.int32)] == [True, True, False, False]
    assert isinstance(ms.bfloat16, BFloat)
    assert not isinstance(ms.float32, BFloat)
    assert isinstance(ms.common.dtype.tuple_, ms.common.dtype.Tuple)


def test_numbers_of_keys_and_devices():
    first = _get_unique_parameter_key()
    assert _get_unique_parameter_key() == first + 1
    _device_number_check("stand_alone", 1)
    _device_number_check("data_parallel", 4)
    with pytest.raises(ValueError, match="must be 1, but got 2"):
        _device_number_check("stand_alone", 2)
    assert MSContext.get_instance().get_ascend_soc_version() == ""
    assert ms.context._get_mode() == ms.get_context("mode")


def test_functions_warn_once_for_a_key():
    said = []

    class Logger:
        def warning(self, message):
            said.append(message)

    logger = Logger()

    def warned(key, **options):
        @_LogActionOnce(logger, key, **options)
        def function(message):
            logger.warning(message)
            return message
        return function

    first, second = warned("published"), warned("published")
    assert [first("a"), first("b"), second("c"), warned("other", no_warning=True)("d")] == ["a", "b", "c", "d"]
    logger.warning("e")
    assert said == ["a", "e"]
    assert isinstance(_get_logger(), logging.Logger)
    assert _function_forbid_reuse(len) is len


def test_transforms_of_images_by_the_path_of_their_file():
    from mindspore.dataset import vision

    assert vision.transforms.Resize is vision.Resize


def test_extents_of_three_axes():
    check = ms._checkparam._check_3d_int_or_tuple
    assert check("stride", 3, "Conv3d") == (3, 3, 3)
    assert check("stride", (1, 2, 3), "Conv3d", ret_five=True) == (1, 1, 1, 2, 3)
    assert check("stride", (2, 1, 1, 2, 3), "Conv3d", allow_five=True) == (1, 2, 3)
    assert check("stride", 0, "Conv3d", greater_zero=False) == (0, 0, 0)
    for value, options, message in (
            ((1, 2), {}, "three positive integer"), (0, {}, "three positive integer"),
            ((1, 1, 1, 2, 3), {}, "three positive integer"), (2, {"third_one": True}, "depth of parameter 'stride'"),
            (2, {"ret_five": True, "pad_value": 0}, "three positive integer"),
            ((1, 1, 1, 2, 3), {"allow_five": True, "three_input": True}, "three positive integer")):
        with pytest.raises(ValueError, match=message):
            check("stride", value, "Conv3d", **options)
    with pytest.raises(TypeError, match="must be an int or a tuple"):
        check("stride", 2.5, "Conv3d")


@pytest.mark.usefixtures("both_modes")
def test_a_part_of_each_input():
    from mindspore.nn.wrap.cell_wrapper import _MicroBatch

    x, y = _MicroBatch(2)(1, Tensor([[0, 1], [2, 3], [4, 5], [6, 7]]), Tensor([0, 1, 2, 3]))
    assert (x.tolist(), y.tolist()) == ([[4, 5], [6, 7]], [2, 3])
    with pytest.raises(ValueError, match="must be a multiple of 2"):
        _MicroBatch(2)(0, Tensor([1, 2, 3]))


def test_models_that_build_their_own_step_see_their_options():
    class Own(ms.Model):
        def _build_train_network(self):
            seen.append((self._loss_scale_manager_set, self._loss_scale_manager, self._keep_bn_fp32))
            self._check_kwargs({"keep_batchnorm_fp32": False})
            return super()._build_train_network()

    seen: list[tuple] = []
    net, manager = nn.Dense(1, 1), ms.FixedLossScaleManager(2.0)
    Own(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    Own(net, nn.MSELoss(), nn.SGD(net.trainable_params()), loss_scale_manager=manager, keep_batchnorm_fp32=True)
    assert seen == [(False, None, None), (True, manager, True)]
    with pytest.raises(ValueError, match="further arguments"):
        Own(net)._check_kwargs({"other": 1})
