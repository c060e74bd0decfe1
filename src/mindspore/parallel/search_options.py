"""What programs ask of the search for a plan: `set_algo_parameters`."""
from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from mindspore.core import check, log
from mindspore.ir import Node

from .choices import Choice
from .placement import Mesh, local_shape

DEFAULTS = {"fully_use_devices": False, "elementwise_op_strategy_follow": False, "enable_algo_approxi": False,
            "algo_approxi_epsilon": 0.1, "tensor_slice_align_enable": False, "tensor_slice_align_size": 16}
EXACT = ("elementwise_op_strategy_follow", "enable_algo_approxi", "algo_approxi_epsilon")      # make a search shorter
PRODUCTS = ("MatMul", "BatchedMatmul", "BatchMatMul", "Dense")

options: dict[str, Any] = dict(DEFAULTS)


def set_algo_parameters(**kwargs: Any) -> None:
    """Say what plans the search of `auto_parallel` and `semi_auto_parallel` may find.

    Args:
        fully_use_devices: Whether operators that can be cut leave no device without a part. Default: False.
        tensor_slice_align_enable: Whether the last dimensions of pieces of products of matrices are multiples of
            `tensor_slice_align_size`. Default: False.
        tensor_slice_align_size: 1 to 1024. Default: 16.
        elementwise_op_strategy_follow, enable_algo_approxi, algo_approxi_epsilon: What made searches shorter; this one
            is exact and needs none of them.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A name is unknown, or a number out of its range.

    Examples:
        >>> mindspore.parallel.set_algo_parameters(fully_use_devices=True)
        >>> mindspore.parallel.get_algo_parameters("fully_use_devices")
        True
        >>> mindspore.parallel.reset_algo_parameters()
    """
    name = "set_algo_parameters"
    for key, value in kwargs.items():
        _known(name, key)
        if type(DEFAULTS[key]) is bool:
            check.boolean(name, key, value)
        elif key == "tensor_slice_align_size":
            if not 1 <= check.integer(name, key, value, 1) <= 1024:
                raise ValueError(f"For '{name}', the '{key}' must be in [1, 1024], but got {value}.")
        elif not isinstance(value, float):
            raise TypeError(f"For '{name}', the '{key}' must be float, but got {type(value).__name__}.")
        elif not 0 < value <= 1:
            raise ValueError(f"For '{name}', the '{key}' must be in (0, 1], but got {value}.")
    for key in EXACT:
        if kwargs.get(key, DEFAULTS[key]) != DEFAULTS[key]:
            log.info("For '%s', the '%s' has no effect: the search is exact.", name, key)
    options.update(kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """The value of one name of `set_algo_parameters`.

    Raises:
        ValueError: The name is unknown.

    Examples:
        >>> mindspore.parallel.get_algo_parameters("tensor_slice_align_size")
        16
    """
    _known("get_algo_parameters", attr_key)
    return options[attr_key]


def reset_algo_parameters() -> None:
    """Put all names of `set_algo_parameters` back to their defaults.

    Examples:
        >>> mindspore.parallel.reset_algo_parameters()
    """
    options.update(DEFAULTS)


def _known(function: str, key: str) -> None:
    if key not in DEFAULTS:
        close = difflib.get_close_matches(str(key), DEFAULTS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"For '{function}', the name {key!r} is not recognized.{hint}")


def limiting() -> bool:
    """Whether the options leave choices out."""
    return options["fully_use_devices"] or options["tensor_slice_align_enable"]


def allowed(node: Node, every: Sequence[Choice], mesh: Mesh) -> list[Choice]:
    """The choices of a node that the options leave; all of them if none would be left."""
    found = list(every)
    if options["fully_use_devices"]:
        busy = max([sum([bool(cut) for cut in c.labels]) for c in found])
        found = [c for c in found if sum([bool(cut) for cut in c.labels]) == busy]
    if options["tensor_slice_align_enable"] and node.op.name in PRODUCTS:
        found = [c for c in found if _aligned(node, c, mesh)] or found
    return found


def _aligned(node: Node, choice: Choice, mesh: Mesh) -> bool:
    size = options["tensor_slice_align_size"]
    return all([local_shape(x.aval.shape, p, mesh, d)[-1] % size == 0 for x, p in zip(
        node.inputs, choice.inputs, strict=True) if p is not None and x.aval.shape for d in range(mesh.size)])
