"""Networks that compute in 16 bits: by level, or by lists of cells and primitives."""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from mindspore import nn, ops
from mindspore.core import check
from mindspore.core.dtype import DType, bfloat16, float16, float32
from mindspore.eager import mixed
from mindspore.eager.automatic import Automatic
from mindspore.eager.tensor import is_tensor
from mindspore.ir import tree
from mindspore.ops.linearised import invoke

LEVELS = ("O0", "O1", "O2", "O3", "auto")
_WHITE_CELLS = ("Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell "
                "RNNCell GRUCell")
_WHITE_PRIMITIVES = ("Conv2D Conv3D Conv2DTranspose Conv3DTranspose Conv2DBackpropInput MatMul "
                     "BatchMatMul PReLU ReLU Ger")
_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm"


def get_white_list() -> list[type]:
    """The cells and primitives that level O1 computes in 16 bits.

    Examples:
        >>> nn.Conv2d in mindspore.amp.get_white_list()
        True
    """
    found = [getattr(nn, name) for name in _WHITE_CELLS.split()]
    return found + [p for name in _WHITE_PRIMITIVES.split() if (p := getattr(ops, name, None))]


def get_black_list() -> list[type]:
    """The cells that level O2 computes in float32.

    Examples:
        >>> nn.BatchNorm2d in mindspore.amp.get_black_list()
        True
    """
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


def auto_mixed_precision(network: Any, amp_level: str = "O0", dtype: DType = float16) -> Any:
    """The network in mixed precision; its float outputs are float32, but for "auto".

    The parameters stay in float32 and are cast where they are used.

    Args:
        network: The network; its cells are changed. For "auto" it may be a function.
        amp_level: "O0": nothing.  "O1": the cells and primitives of `get_white_list` in 16 bits.
            "O2": all but the cells of `get_black_list`.  "O3": all.  "auto": operator by operator: products of
            matrices, convolutions and PReLU in 16 bits; exponentials, logarithms, powers, softmax, normalisations, sums
            and losses in float32; what joins or adds tensors of several types (`Concat`, `BiasAdd`) in the widest of
            them; others as their inputs are. Cells with a float type of their own (`to_float`) keep it.
        dtype: float16 or bfloat16.

    Returns:
        The network, in a cell that casts its outputs for the levels "O1" to "O3"; a function like the given one.

    Raises:
        TypeError: If `network` is no Cell, and for "auto" no function either.
        ValueError: If the level or the type is another.

    Examples:
        >>> net = mindspore.amp.auto_mixed_precision(nn.Dense(3, 2), "O3")
        >>> net(ops.ones((1, 3))).dtype, net.trainable_params()[0].dtype
        (mindspore.float32, mindspore.float32)
        >>> mindspore.amp.auto_mixed_precision(ops.matmul, "auto")(ops.ones((1, 3)), ops.ones((3, 2))).dtype
        mindspore.float16
    """
    if not (isinstance(amp_level, str) and amp_level in LEVELS):
        raise ValueError(f"The amp level {amp_level} is not supported; it must be one of "
                         f"{list(LEVELS)}.")
    _check_dtype(dtype)
    if amp_level == "auto" and isinstance(network, FunctionType):
        return _automatic(network, dtype)
    if not isinstance(network, nn.Cell):
        raise TypeError(f"For amp_level '{amp_level}', the network type should be Cell"
                        f"{' or function' if amp_level == 'auto' else ''}, but got '{type(network).__name__}'.")
    if amp_level == "O0":
        return network
    if amp_level == "auto":
        return _chosen(network, dtype)
    if amp_level == "O1":
        return _whiten(network, tuple(get_white_list()), dtype)
    return _OutputTo(lower(network, tuple(get_black_list()) if amp_level == "O2" else (), dtype),
                     float32)


def _chosen(network: nn.Cell, low: DType) -> nn.Cell:
    """The network, which chooses types by operators unless `to_float` gave it one."""
    own = network.__dict__
    if own["_cast"] is None or isinstance(own["_cast"], Automatic):
        own["_cast"] = Automatic(low)
        network._refresh()
        network._changed()
    return network


def _automatic(function: Callable[..., Any], dtype: DType) -> Callable[..., Any]:
    """The function, in which each operator computes in a type of its own."""
    @functools.wraps(function)
    def mixed_precision(*args: Any, **kwargs: Any) -> Any:
        return mixed.run(Automatic(dtype), {}, lambda: invoke(function, args, kwargs))
    return mixed_precision


def custom_mixed_precision(network: nn.Cell, *, white_list: list[type] | None = None,
                           black_list: list[type] | None = None,
                           dtype: DType = float16) -> nn.Cell:
    """The network with either the classes of a list in 16 bits, or all but those of a list.

    Args:
        network: The network; its cells are changed.
        white_list: Cells and primitives in 16 bits; cells with a float type of their own (`to_float`) keep it.
        black_list: Cells in float32.
        dtype: float16 or bfloat16.

    Returns:
        The network, whose float outputs are float32.

    Raises:
        TypeError: If `network` is no Cell, or a list is no list of classes.
        ValueError: If both lists are given, or none, or the type is another.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(3, 4), nn.LayerNorm((4,)))
        >>> net = mindspore.amp.custom_mixed_precision(net, white_list=[nn.Dense])
        >>> net(ops.ones((1, 3))).dtype
        mindspore.float32
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
    wanted = (nn.Cell,) if white_list is None else (nn.Cell, ops.Primitive)
    for each in classes:
        if not isinstance(each, type) or not issubclass(each, wanted):
            raise check.fail(TypeError, "custom_mixed_precision", "white_list" if black_list is None else "black_list",
                             f"a list of classes of {' or '.join([kind.__name__ for kind in wanted])}", each)
    if black_list is None:
        return _whiten(network, tuple(classes), dtype)
    return _OutputTo(lower(network, tuple(classes), dtype), float32)


def _check_dtype(dtype: Any) -> None:
    if dtype not in (float16, bfloat16):
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got "
                         f"{dtype}.")


def _whiten(network: nn.Cell, classes: tuple[type, ...], dtype: DType) -> nn.Cell:
    """The network with the cells and primitives of these classes in 16 bits, float32 between them."""
    if isinstance(network, classes):
        return network if network.__dict__["_cast"] else _OutputTo(network.to_float(dtype), float32)
    for name, cell in list(network.name_cells().items()):
        if not isinstance(cell, _OutputTo):
            changed = _whiten(cell, classes, dtype)
            if changed is not cell:
                network.insert_child_to_cell(name, changed)
    for name, value in list(vars(network).items()):
        if not isinstance(value, nn.Cell) and isinstance(value, classes):
            setattr(network, name, _LowPrimitive(value, dtype))
    return network


def lower(network: nn.Cell, kept: tuple[type, ...], dtype: DType) -> nn.Cell:
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


def _below(network: nn.Cell) -> Iterator[tuple[nn.Cell, str, nn.Cell]]:
    for name, cell in list(network.name_cells().items()):
        yield network, name, cell
        yield from _below(cell)
