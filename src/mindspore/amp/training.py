"""`build_train_network`: the cell of a training step in mixed precision."""
from __future__ import annotations

from typing import Any

from mindspore import boost, nn
from mindspore.core import check
from mindspore.core.dtype import DType, bfloat16, float16, float32
from mindspore.nn.wrap.loss import to_float32
from mindspore.ops.linearised import invoke

from .managers import DynamicLossScaleManager, LossScaleManager
from .precision import LEVELS, auto_mixed_precision, get_black_list, lower

# What `build_train_network` and `Model` choose by level: float type, norms in float32, scaling.
_CHOICES = {
    "O0": (float32, False, None),
    "O1": (float32, False, None),
    "O2": (float16, True, DynamicLossScaleManager),
    "O3": (float16, False, None),
    "auto": (float32, False, None),
}


class _WithFloat32Loss(nn.Cell):
    """A loss that is computed in float32 from a network in 16 bits."""

    def __init__(self, backbone: nn.Cell, loss_fn: nn.Cell):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return invoke(self._loss_fn, (to_float32(invoke(self._backbone, (data,))), to_float32(label)))


def build_train_network(network: nn.Cell, optimizer: Any, loss_fn: Any = None, level: str = "O0",
                        boost_level: str = "O0", **kwargs: Any) -> nn.Cell:
    """The cell of a training step in mixed precision.

    Args:
        network: The network.
        optimizer: The optimizer.
        loss_fn: The loss; None if the network's output is the loss.
        level: As in `auto_mixed_precision`; "O2" scales the loss dynamically.
        boost_level: "O0", or "O1" or "O2" for the steps of `mindspore.boost`.
        kwargs: `cast_model_type`, `keep_batchnorm_fp32` and `loss_scale_manager`, see above.
        cast_model_type: float16, bfloat16 or float32, in place of the level's.
        keep_batchnorm_fp32: Whether norms stay in float32, in place of the level's choice.
        loss_scale_manager: None or a LossScaleManager, in place of the level's.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the level or the name of an argument is unknown.

    Examples:
        >>> network = nn.Dense(2, 1)
        >>> optimizer = nn.SGD(network.trainable_params(), 0.1)
        >>> step = mindspore.amp.build_train_network(network, optimizer, nn.MSELoss(), "O0")
        >>> step(Tensor([[1.0, 2.0]]), Tensor([[3.0]])).shape
        ()
    """
    _check_build(network, optimizer, loss_fn, level, boost_level, kwargs)
    dtype, keep_norms, scaling = _CHOICES[level]
    dtype = kwargs.get("cast_model_type", dtype)
    keep_norms = kwargs.get("keep_batchnorm_fp32", keep_norms)
    if "loss_scale_manager" in kwargs:
        manager = kwargs["loss_scale_manager"]
    else:
        manager = scaling() if scaling else None
    network = _in_precision(network, level, dtype, keep_norms)
    if loss_fn is not None:
        wrap = nn.WithLossCell if dtype is float32 else _WithFloat32Loss
        network = wrap(network, loss_fn)
    return _step(network, optimizer, manager, _STEPS[boost_level != "O0"])


def _in_precision(network: nn.Cell, level: str, dtype: DType, keep_norms: bool) -> nn.Cell:
    if level in ("O1", "auto") and dtype is float32:
        return auto_mixed_precision(network, level)
    if dtype is float32:
        return network
    return lower(network, tuple(get_black_list()) if keep_norms else (), dtype)


_STEPS = {False: (nn.TrainOneStepCell, nn.TrainOneStepWithLossScaleCell),
          True: (boost.BoostTrainOneStepCell, boost.BoostTrainOneStepWithLossScaleCell)}


def _step(network: nn.Cell, optimizer: Any, manager: Any, kinds: tuple[type[Any], type[Any]]) -> nn.Cell:
    plain, scaled = kinds
    if manager is None:
        return plain(network, optimizer, 1.0).set_train()
    update = manager.get_update_cell()
    if update is not None:
        return scaled(network, optimizer, scale_sense=update).set_train()
    return plain(network, optimizer, manager.get_loss_scale()).set_train()


def _check_build(network: Any, optimizer: Any, loss_fn: Any, level: str, boost_level: str,
                 options: dict[str, Any]) -> None:
    name = "build_train_network"
    if not isinstance(network, nn.Cell):
        raise TypeError(f"For amp_level '{level}', the network type should be Cell.")
    check.instance(name, "optimizer", optimizer, (nn.Optimizer, boost.FreezeOpt))
    if loss_fn is not None:
        check.instance(name, "loss_fn", loss_fn, nn.Cell)
    check.option(name, "level", check.instance(name, "level", level, str), LEVELS)
    check.option(name, "boost_level", boost_level, boost.LEVELS)
    for key, value in options.items():
        if key == "loss_scale_manager":
            if value is not None:
                check.instance(name, key, value, LossScaleManager)
        elif key == "keep_batchnorm_fp32":
            check.boolean(name, key, value)
        elif key != "cast_model_type":
            raise ValueError(f"For '{name}', the arguments are 'cast_model_type', 'keep_batchnorm_fp32' "
                             f"and 'loss_scale_manager', but got '{key}'.")
        elif value not in (float16, float32, bfloat16):
            raise check.fail(TypeError, name, key, "float16, bfloat16 or float32", value)
