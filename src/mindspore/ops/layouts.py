"""Functions that say how tensors and functions lie over processes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.eager.tensor import is_tensor
from mindspore.parallel.layout import Layout, check_strategy

from .lying import all_lying, lying
from .primitive import composed


def reshard(tensor: Any, layout: Any) -> Any:
    """The tensor, lying over the processes as a layout says, in programs that are split; elsewhere unchanged.

    Args:
        tensor: A tensor.
        layout: A Layout that was called with the names of axes.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The layout has not as many dimensions as the tensor, or does not fit the processes.

    Examples:
        >>> grid = mindspore.Layout((2, 2), ("dp", "mp"))
        >>> mindspore.reshard(ops.ones((4, 2)), grid("dp", "mp")).shape
        (4, 2)
    """
    if not is_tensor(tensor):
        raise TypeError(f"For 'reshard', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
    if not isinstance(layout, Layout):
        raise TypeError(f"For 'reshard', the 'layout' must be a Layout, but got {type(layout).__name__}.")
    return lying("reshard", tensor, layout)


def _single(name: str, layout: Any) -> Layout:
    """The layout of the only tensor: a Layout, or a tuple of one."""
    found = layout[0] if isinstance(layout, tuple) and len(layout) == 1 else layout
    if not isinstance(found, Layout):
        raise TypeError(f"For 'Reshard', the '{name}' must be a Layout or a tuple of one, but got {layout!r}.")
    return found


@composed("Reshard(in_layout, out_layout, in_strategy)(tensor)")
def _resharded(tensor: Any, *, in_layout: Any, out_layout: Any, in_strategy: Any) -> Any:
    """The tensor, lying over the processes as one layout says and then as another, in programs that are split.

    Args:
        in_layout: A Layout that was called with the names of axes, or a tuple of one: how the tensor lies before.
        out_layout: The same: how it lies afterwards.
        in_strategy: A tuple with one tuple: into how many parts `in_layout` cuts each dimension.

    Inputs:
        tensor: A tensor.

    Outputs:
        The tensor, with equal elements.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A layout has not as many dimensions as the tensor, or `in_strategy` are other parts.

    Examples:
        >>> grid = mindspore.Layout((2, 2), ("dp", "mp"))
        >>> by_rows, by_columns = grid("dp", "None"), grid("None", "mp")
        >>> ops.Reshard((by_rows,), (by_columns,), ((2, 1),))(ops.ones((4, 2))).shape
        (4, 2)
    """
    if not is_tensor(tensor):
        raise TypeError(f"For 'Reshard', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
    before, after = _single("in_layout", in_layout), _single("out_layout", out_layout)
    if not isinstance(in_strategy, tuple):
        raise TypeError(f"For 'Reshard', the 'in_strategy' must be a tuple, but got {type(in_strategy).__name__}.")
    if in_strategy != (before.parts(),):
        raise ValueError(f"For 'Reshard', the 'in_strategy' must hold the parts of the 'in_layout', "
                         f"{(before.parts(),)}, but got {in_strategy}.")
    return lying("Reshard", lying("Reshard", tensor, before), after)


def shard(fn: Callable[..., Any], in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None) -> Any:
    """A function or cell whose inputs, results and parameters lie as strategies say, in programs that are split.

    Args:
        fn: The function or cell; what stands between its inputs and results is cut as the search finds best.
        in_strategy: For every tensor among the inputs a tuple with the number of parts of each dimension, a Layout, or
            None for any.
        out_strategy: The same for the results; None for any.
        parameter_plan: The same for parameters of a cell, by name.

    Returns:
        The function to call in place of `fn`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A strategy does not fit a tensor, or a name is no parameter of the cell.

    Examples:
        >>> halves = mindspore.shard(lambda x: x * 2, ((2, 1),))
        >>> halves(ops.ones((4, 3))).shape
        (4, 3)
    """
    if not callable(fn):
        raise TypeError(f"For 'shard', the 'fn' must be a function or a Cell, but got {type(fn).__name__}.")
    for name, value in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
        if not (isinstance(value, tuple) or (value is None and name == "out_strategy")):
            raise TypeError(f"For 'shard', the '{name}' must be a tuple with a strategy for each tensor, but got "
                            f"{value!r}.")
        for one in value or ():
            if one is not None:
                check_strategy("shard", name, value, one)
    plan_parameters(fn, parameter_plan)

    def sharded(*args: Any, **kwargs: Any) -> Any:
        out = fn(*all_lying("in_strategy", args, in_strategy), **kwargs)
        return out if out_strategy is None else all_lying("out_strategy", out, out_strategy)
    return sharded


def plan_parameters(cell: Any, plan: Any) -> None:
    """Let parameters of a cell lie as a plan says, from the first program on that assigns them."""
    if plan is None:
        return
    if not isinstance(plan, dict):
        raise TypeError(f"For 'shard', the 'parameter_plan' must be a dict, but got {type(plan).__name__}.")
    held = {p.name: p for p in cell.get_parameters()} if hasattr(cell, "get_parameters") else {}
    for said, strategy in plan.items():
        name = said.removeprefix("self.")              # as programs of 2.10 write them
        if name not in held:
            raise ValueError(f"For 'shard', the 'parameter_plan' names '{said}', but the parameters are "
                             f"{sorted(held)}.")
        check_strategy("shard", "parameter_plan", plan, strategy)
        held[name].planned = strategy
