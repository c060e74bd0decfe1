"""The linear part of a function at a point, for many directions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.eager.tensor import is_tensor
from mindspore.ir import tree

from .gradients import pushed_forward


def linearize(fn: Any, inputs: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function at `inputs`, and the function from directions to derivatives along them.

    Args:
        fn: A function or cell of tensors.
        inputs: Its inputs, a tensor or a tuple of them.

    Returns:
        (value, derivative): `derivative(*directions)` takes one direction for each input and has the structure of the
        value.

    Raises:
        TypeError: If `fn` is not callable.
        ValueError: If there is another number of directions than of inputs.

    Examples:
        >>> value, derivative = ops.linearize(lambda x: x * x, (Tensor([2.0]),))
        >>> value.tolist(), derivative(Tensor([1.0])).tolist(), derivative(Tensor([10.0])).tolist()
        ([4.0], [4.0], [40.0])
    """
    check.callable_("linearize", "fn", fn)
    primals = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    value, push = pushed_forward(fn, primals, False)

    def derivative(*directions: Any) -> Any:
        given = directions[0] if len(directions) == 1 and isinstance(directions[0], (tuple, list)) else directions
        if len(given) != len(primals):
            raise ValueError(f"For 'linearize', {len(primals)} inputs need as many directions, but got {len(given)}.")
        return tree.rebuild(value, is_tensor, iter(push(given)))
    return value, derivative


__all__ = ["linearize"]
