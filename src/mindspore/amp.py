"""Mixed precision: networks that compute in 16 bits, and scaling that keeps their gradients alive."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from mindspore import nn, ops
from mindspore.core import check, context
from mindspore.core.dtype import DType, bfloat16, float16, float32, int32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import tree
from mindspore.nn.wrap.loss import to_float32
from mindspore.operators import training
from mindspore.train.loss_scale import (
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
)

_LEVELS = ("O0", "O1", "O2", "O3", "auto")
_WHITE_CELLS = ("Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell "
                "RNNCell GRUCell")
_WHITE_PRIMITIVES = ("Conv2D Conv3D Conv2DTranspose Conv3DTranspose Conv2DBackpropInput MatMul "
                     "BatchMatMul PReLU ReLU Ger")
_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm"

# What `build_train_network` and `Model` choose by level: float type, norms in float32, scaling.
_CHOICES = {
    "O0": (float32, False, None),
    "O1": (float32, False, None),
    "O2": (float16, True, DynamicLossScaleManager),
    "O3": (float16, False, None),
    "auto": (float32, False, None),
}


def get_white_list() -> list[type]:
    """The cells and primitives that level O1 computes in 16 bits."""
    found = [getattr(nn, name) for name in _WHITE_CELLS.split()]
    return found + [p for name in _WHITE_PRIMITIVES.split() if (p := getattr(ops, name, None))]


def get_black_list() -> list[type]:
    """The cells that level O2 computes in float32."""
    return [getattr(nn, name) for name in _BLACK_CELLS.split()]


class _OutputTo(nn.Cell):
    """A cell with its floating-point outputs cast to a type."""

    def __init__(self, backbone: nn.Cell, dtype: DType):
        super().__init__(auto_prefix=False)
        self._backbone, self._dtype = backbone, dtype
        if isinstance(backbone, nn.Cell):
            self.set_train(backbone.training)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return _cast(self._backbone(*args, **kwargs), self._dtype)


class _LowPrimitive(nn.Cell):
    """A primitive that takes 16-bit inputs and gives float32."""

    def __init__(self, primitive: Any, dtype: DType):
        super().__init__(auto_prefix=False)
        self.primitive, self._dtype = primitive, dtype

    def construct(self, *args: Any) -> Any:
        return _cast(self.primitive(*_cast(args, self._dtype)), float32)


def _cast(value: Any, dtype: DType) -> Any:
    others = {float16, bfloat16, float32} - {dtype}
    return tree.mapped(value, lambda v: is_tensor(v) and v.dtype in others, lambda v: v.astype(dtype))


def auto_mixed_precision(network: nn.Cell, amp_level: str = "O0", dtype: DType = float16) -> nn.Cell:
    """The network in mixed precision; its float outputs are float32.

    The parameters stay in float32 and are cast where they are used.

    Args:
        network: The network; its cells are changed.
        amp_level: "O0": nothing.  "O1": the cells and primitives of `get_white_list` in 16 bits.
            "O2": all but the cells of `get_black_list`.  "O3": all.  "auto": convolutions (on a GPU
            all cells of the white list) in 16 bits, norms in float32, the rest as its inputs are.
        dtype: float16 or bfloat16.

    Raises:
        TypeError: If `network` is no Cell.
        ValueError: If the level or the type is another.
    """
    if not isinstance(network, nn.Cell):
        raise TypeError(f"For amp_level '{amp_level}', the network type should be Cell, but got "
                        f"'{type(network).__name__}'.")
    if amp_level not in _LEVELS:
        raise ValueError(f"The amp level {amp_level} is not supported; it must be one of "
                         f"{list(_LEVELS)}.")
    _check_dtype(dtype)
    if amp_level == "O0":
        return network
    if amp_level == "auto":
        return _choose(network, dtype)
    if amp_level == "O1":
        return _whiten(network, tuple(get_white_list()), dtype)
    return _OutputTo(_lower(network, tuple(get_black_list()) if amp_level == "O2" else (), dtype),
                     float32)


def custom_mixed_precision(network: nn.Cell, *, white_list: list[type] | None = None,
                           black_list: list[type] | None = None,
                           dtype: DType = float16) -> nn.Cell:
    """The network with either the classes of a list in 16 bits, or all but those of a list.

    Args:
        network: The network; its cells are changed.
        white_list: Cells and primitives in 16 bits.
        black_list: Cells in float32.
        dtype: float16 or bfloat16.

    Raises:
        TypeError: If a list is no list of classes.
        ValueError: If both lists are given, or none.
    """
    check.instance("custom_mixed_precision", "network", network, nn.Cell)
    if (white_list is None) == (black_list is None):
        raise ValueError("For 'custom_mixed_precision', one of 'white_list' and 'black_list' must be "
                         "given, and not both.")
    _check_dtype(dtype)
    classes = white_list if black_list is None else black_list
    if not isinstance(classes, list):
        raise check.fail(TypeError, "custom_mixed_precision", "white_list or black_list", "a list",
                         classes)
    for each in classes:
        if not isinstance(each, type):
            raise check.fail(TypeError, "custom_mixed_precision", "white_list or black_list",
                             "a list of classes", each)
    if black_list is None:
        return _whiten(network, tuple(classes), dtype)
    return _OutputTo(_lower(network, tuple(classes), dtype), float32)


def _check_dtype(dtype: Any) -> None:
    if dtype not in (float16, bfloat16):
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got "
                         f"{dtype}.")


def _whiten(network: nn.Cell, classes: tuple[type, ...], dtype: DType) -> nn.Cell:
    """The network with the cells and primitives of these classes in 16 bits, float32 between them."""
    if isinstance(network, classes):
        return _OutputTo(network.to_float(dtype), float32)
    for name, cell in list(network.name_cells().items()):
        if not isinstance(cell, _OutputTo):
            changed = _whiten(cell, classes, dtype)
            if changed is not cell:
                network.insert_child_to_cell(name, changed)
    for name, value in list(vars(network).items()):
        if not isinstance(value, nn.Cell) and isinstance(value, classes):
            setattr(network, name, _LowPrimitive(value, dtype))
    return network


def _lower(network: nn.Cell, kept: tuple[type, ...], dtype: DType) -> nn.Cell:
    """The network in 16 bits, except for cells of the classes `kept`, whose outputs are cast back."""
    network.to_float(dtype)
    if isinstance(network, kept):
        network.to_float(float32)
        return network
    for owner, name, cell in list(_below(network)):
        if isinstance(cell, kept):
            cell.to_float(float32)
            if not isinstance(owner, _OutputTo):
                owner.insert_child_to_cell(name, _OutputTo(cell, dtype))
        elif isinstance(cell, _OutputTo):
            cell.add_flags(fp16=False, bf16=False, fp32=False)
    return network


def _choose(network: nn.Cell, dtype: DType) -> nn.Cell:
    """The network with the cells in 16 bits that gain most by it, and its norms in float32."""
    low = tuple([c for c in get_white_list() if issubclass(c, nn.Cell) and (
        "Conv" in c.__name__ or context.get_context("device_target") != "CPU")])
    for _, cell in network.cells_and_names():
        if isinstance(cell, low):
            cell.to_float(dtype)
        elif isinstance(cell, tuple(get_black_list())):
            cell.to_float(float32)
    return network


def _below(network: nn.Cell) -> Iterator[tuple[nn.Cell, str, nn.Cell]]:
    for name, cell in list(network.name_cells().items()):
        yield network, name, cell
        yield from _below(cell)


class _WithFloat32Loss(nn.Cell):
    """A loss that is computed in float32 from a network in 16 bits."""

    def __init__(self, backbone: nn.Cell, loss_fn: nn.Cell):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(to_float32(self._backbone(data)), to_float32(label))


def build_train_network(network: nn.Cell, optimizer: Any, loss_fn: Any = None, level: str = "O0",
                        boost_level: str = "O0", **kwargs: Any) -> nn.Cell:
    """The cell of a training step in mixed precision.

    Args:
        network: The network.
        optimizer: The optimizer.
        loss_fn: The loss; None if the network's output is the loss.
        level: As in `auto_mixed_precision`; "O2" scales the loss dynamically.
        boost_level: Only "O0" is taken.
        cast_model_type: float16, bfloat16 or float32, in place of the level's.
        keep_batchnorm_fp32: Whether norms stay in float32, in place of the level's choice.
        loss_scale_manager: None or a LossScaleManager, in place of the level's.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the level or the name of an argument is unknown.
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
    return _step(network, optimizer, manager)


def _in_precision(network: nn.Cell, level: str, dtype: DType, keep_norms: bool) -> nn.Cell:
    if level in ("O1", "auto") and dtype is float32:
        return auto_mixed_precision(network, level)
    if dtype is float32:
        return network
    return _lower(network, tuple(get_black_list()) if keep_norms else (), dtype)


def _step(network: nn.Cell, optimizer: Any, manager: Any) -> nn.Cell:
    if manager is None:
        return nn.TrainOneStepCell(network, optimizer, 1.0).set_train()
    update = manager.get_update_cell()
    if update is not None:
        return nn.TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=update).set_train()
    return nn.TrainOneStepCell(network, optimizer, manager.get_loss_scale()).set_train()


def _check_build(network: Any, optimizer: Any, loss_fn: Any, level: str, boost_level: str,
                 options: dict[str, Any]) -> None:
    name = "build_train_network"
    if not isinstance(network, nn.Cell):
        raise TypeError(f"For amp_level '{level}', the network type should be Cell.")
    check.instance(name, "optimizer", optimizer, nn.Optimizer)
    if loss_fn is not None:
        check.instance(name, "loss_fn", loss_fn, nn.Cell)
    check.option(name, "level", check.instance(name, "level", level, str), _LEVELS)
    check_boost(name, boost_level)
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


def check_boost(owner: Any, boost_level: str) -> None:
    """Raise unless the boost level is the one without boosts."""
    check.option(owner, "boost_level", boost_level, ("O0", "O1", "O2"))
    if boost_level != "O0":
        raise ValueError(f"For '{check.name_of(owner)}', the 'boost_level' {boost_level!r} is not "
                         "available: leave it at 'O0'.")


# ---------------------------------------------------------------------- scaling by hand

def all_finite(inputs: Sequence[Any]) -> Tensor:
    """Whether all elements of all tensors, also in nested tuples, are finite: a bool tensor.

    Raises:
        TypeError: If `inputs` is no tuple or list of tensors.
        ValueError: If it is empty.
    """
    check.instance("all_finite", "inputs", inputs, (tuple, list))
    tensors = _flat(inputs)
    if not tensors:
        raise ValueError("For 'all_finite', the 'inputs' must hold a tensor, but got none.")
    return training.all_finite(*tensors)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _flat(v)]
    if not is_tensor(value):
        raise check.fail(TypeError, "all_finite", "inputs", "a tuple or list of tensors", value)
    return [value]


def _times(value: Any, factor: Any) -> Any:
    """All tensors of a nest times a factor, in their own dtypes."""
    return tree.mapped(value, lambda v: tree.children(v) is None, lambda v: v * factor.astype(v.dtype))


class LossScaler(ABC):
    """The interface of what scales a loss and takes the scale off the gradients."""

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """The tensors times the scale."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """The tensors divided by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Bring the scale forward after a step whose gradients were finite or not."""


class _ByScale(LossScaler):
    """What both scalers do with their `scale_value`."""

    scale_value: Parameter

    def scale(self, inputs: Any) -> Any:
        """The tensors times the scale."""
        return _times(inputs, self.scale_value * 1.0)

    def unscale(self, inputs: Any) -> Any:
        """The tensors divided by the scale."""
        return _times(inputs, 1.0 / self.scale_value)


class StaticLossScaler(_ByScale):
    """A scale that stays.

    Args:
        scale_value: The scale, at least 1.
    """

    def __init__(self, scale_value: float):
        check.number(self, "scale_value", scale_value, 1)
        self.scale_value = Parameter(Tensor(float(scale_value), float32), name="scale_value")

    def adjust(self, grads_finite: Any) -> bool:
        """False: the scale does not change."""
        return False


class DynamicLossScaler(_ByScale):
    """A scale that is divided after an overflow and multiplied after a window without one.

    Args:
        scale_value: The first scale, at least 1.
        scale_factor: The factor, an int.
        scale_window: Steps without overflow in a row after which the scale grows.
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int):
        check.number(self, "scale_value", scale_value, 1)
        self.scale_factor = check.positive_int(self, "scale_factor", scale_factor)
        self.scale_window = check.positive_int(self, "scale_window", scale_window)
        self.scale_value = Parameter(Tensor(float(scale_value), float32), name="scale_value")
        self.counter = Parameter(Tensor(0, int32), name="counter")

    def adjust(self, grads_finite: Any) -> bool:
        """Bring scale and counter forward."""
        finite = grads_finite if is_tensor(grads_finite) else Tensor(bool(grads_finite))
        scale, counter = self.scale_value * 1.0, self.counter + 1
        full = counter >= self.scale_window
        less = ops.maximum(scale / float(self.scale_factor), 1.0)
        more = ops.select(full, scale * float(self.scale_factor), scale)
        counter = ops.select(ops.logical_and(finite, ops.logical_not(full)), counter, counter * 0)
        assign(self.scale_value, ops.select(finite, more, less))
        assign(self.counter, counter)
        return True


__all__ = [
    "DynamicLossScaleManager", "DynamicLossScaler", "FixedLossScaleManager", "LossScaleManager",
    "LossScaler", "StaticLossScaler", "all_finite", "auto_mixed_precision", "build_train_network",
    "custom_mixed_precision", "get_black_list", "get_white_list",
]
