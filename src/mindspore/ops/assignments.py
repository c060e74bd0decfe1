"""Operators that order, assign, print and record."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bool_
from mindspore.core.errors import kind, show
from mindspore.eager.memory import overwrite
from mindspore.eager.parameter import Parameter, not_a_parameter
from mindspore.eager.parameter import assign as set_parameter
from mindspore.eager.tensor import Tensor, is_tensor, wrap
from mindspore.ir import tree
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.effects import assert_true, print_text
from mindspore.operators.summary import print_values, record_summary
from mindspore.operators.torch_private import alias
from mindspore.operators.traced import text_of

from .arguments import only
from .float_status import note
from .primitive import composed

_KINDS = "buifc"        # of dtypes, each holds the ones before


@composed("Depend()(value, expr)")
def depend(value: Any, expr: Any) -> Any:
    """`value`, after `expr` has been computed.

    Programs run in their written order here, also as graphs: printing, random numbers and assignments of
    parameters need no `depend`.

    Args:
        value: What is returned, a tensor or anything else.
        expr: What is to come before it.

    Examples:
        >>> ops.depend(Tensor([1, 2]), Tensor(3)).tolist()
        [1, 2]
    """
    note(expr)
    return value


def _parameter(owner: str, variable: Any, value: Any) -> Any:
    if not isinstance(variable, (Parameter, Tensor)):
        raise not_a_parameter(owner, "variable", variable)
    if is_tensor(value) and value.shape != variable.shape:
        raise ValueError(f"For '{owner}', the 'value' must have the shape of the 'variable', but got "
                         f"{value.shape} and {variable.shape}.")
    return variable


def _assigned(variable: Any, value: Any) -> Any:
    if isinstance(variable, Parameter):
        return set_parameter(variable, value)
    if runtime.building:
        raise TypeError("While a graph is compiled only a Parameter can be assigned to, but got a "
                        "Tensor.")
    overwrite(variable, structure.cast(value, dtype=variable.dtype))
    return variable


@composed("Assign()(variable, value)")
def assign(variable: Any, value: Any) -> Any:
    """Let a parameter hold `value`.

    What a parameter holds is a leaf for gradients, whatever gave it: the gradient for the parameter is that for the
    elements that it holds where they are used, and none leads to `value`.

    Args:
        variable: A Parameter; outside of compiled graphs a tensor, too.
        value: A tensor of its shape, or a number; it is cast to its dtype.

    Returns:
        A tensor, what `variable` holds until it is assigned again.

    Raises:
        ValueError: If the shapes differ.
        TypeError: If `variable` cannot be assigned to, or holds integers and `value` fractions, or real numbers and
            `value` complex ones.

    Examples:
        >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        >>> ops.assign(weight, Tensor([3.0, 4.0])).tolist()
        [3.0, 4.0]
    """
    value = value if is_tensor(value) else Tensor(value)
    _loses_kind("Assign", _parameter("Assign", variable, value), value)
    _assigned(variable, value)
    if runtime.building:
        return structure.identity(runtime.building.lift(variable))
    if value.dtype is not variable.dtype:
        value = structure.cast(value, dtype=variable.dtype)
    return wrap(alias(value._data), variable._var)      # not the memory of the variable, which may be assigned again


@composed("AssignAdd()(variable, value)")
def assign_add(variable: Any, value: Any) -> Any:
    """Add `value` to a parameter; returns the sum, whose gradient is that of a sum.

    Args:
        variable: A Parameter; outside of compiled graphs a tensor, too.
        value: A tensor of its shape, or a number.

    Returns:
        The sum, a tensor.

    Raises:
        ValueError: If the shapes differ.
        TypeError: If the dtype of `value` is wider than that of `variable`.

    Examples:
        >>> count = Parameter(Tensor([1.0, 2.0]), name="count")
        >>> ops.assign_add(count, Tensor([10.0, 10.0])).tolist()
        [11.0, 12.0]
        >>> count.tolist()
        [11.0, 12.0]
    """
    _wider("AssignAdd", _parameter("AssignAdd", variable, value), value)
    return _changed_by(variable, variable + value)


@composed("AssignSub()(variable, value)")
def assign_sub(variable: Any, value: Any) -> Any:
    """Subtract `value` from a parameter; returns the difference, whose gradient is that of a difference.

    Args:
        variable: A Parameter; outside of compiled graphs a tensor, too.
        value: A tensor of its shape, or a number.

    Returns:
        The difference, a tensor.

    Raises:
        ValueError: If the shapes differ.
        TypeError: If the dtype of `value` is wider than that of `variable`.

    Examples:
        >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        >>> ops.assign_sub(weight, Tensor([0.5, 0.5])).tolist()
        [0.5, 1.5]
    """
    _wider("AssignSub", _parameter("AssignSub", variable, value), value)
    return _changed_by(variable, variable - value)


def _loses_kind(owner: str, variable: Any, value: Any) -> None:
    """TypeError if fractions or imaginary parts would be cut off."""
    if is_tensor(value) and _KINDS.index(value.dtype.kind) > max(_KINDS.index(variable.dtype.kind), 2):
        raise _unlike(owner, variable, value)


def _unlike(owner: str, variable: Any, value: Any) -> TypeError:
    return TypeError(f"For '{owner}', a value of type {value.dtype} cannot be converted to the type "
                     f"{variable.dtype} of the parameter; cast it.")


def _changed_by(variable: Any, new: Any) -> Any:
    if new.dtype is not variable.dtype:          # float16 and bfloat16
        new = structure.cast(new, dtype=variable.dtype)
    _assigned(variable, structure.copied(new) if runtime.depth else new)
    return new


def _wider(owner: str, variable: Any, value: Any) -> None:
    """TypeError if the sum would not have the variable's type."""
    if not is_tensor(value):
        return
    mine, other = variable.dtype, value.dtype
    if _KINDS.index(other.kind) > _KINDS.index(mine.kind) or (
            other.kind == mine.kind and other.itemsize > mine.itemsize):
        raise _unlike(owner, variable, value)


@composed("Print()(*args)")
def print_(*args: Any) -> None:
    """Print the values, each on a line of its own; returns None.

    Tensors show their type and their elements.  In a graph they are printed when it runs, in the written order.

    Args:
        args: Tensors, numbers, texts, or containers of them.

    Examples:
        >>> ops.print_("loss", 0.5)
        loss
        0.5
    """
    for x in args:
        if not runtime.building or is_tensor(x) or (
                tree.children(x) is None and not hasattr(x, "shows_tensors")):
            print_values(x)
        else:
            _print_with_tensors(x)


def _has_elements(value: Any) -> bool:
    """Whether it is a tensor from outside of a graph that shows its elements: a parameter shows its name."""
    return type(value) is Tensor


def _print_with_tensors(value: Any) -> None:
    """Print, when the graph runs, a text or container that shows tensors."""
    building: Any = runtime.building
    nodes = map(building.lift, tree.leaves(value, _has_elements))
    parts = text_of(lambda: str(tree.rebuild(value, _has_elements, iter(nodes))))
    print_text(*[p[0] for p in parts if not isinstance(p, str)], sep="", template=tuple(
        [p if isinstance(p, str) else (p[2],) if p[2] else p[1] or None for p in parts]))


@composed("Assert(summarize=3)(condition, input_data)")
def _assert(condition: Any, input_data: Any, *, summarize: int = 3) -> None:
    """Unless the condition holds, print the first `summarize` elements of the tensors and raise RuntimeError."""
    check.integer("Assert", "summarize", summarize)
    if is_tensor(condition):
        if condition.dtype is not bool_:
            raise TypeError(f"For 'Assert', the type of 'condition' must be bool, but got {condition.dtype}.")
        if condition.size != 1:
            raise ValueError(f"For 'Assert', the 'condition' must have one element, but got {show(condition)}.")
    elif not isinstance(condition, bool):
        raise TypeError(f"For 'Assert', the 'condition' must be a tensor or a bool, but got {kind(condition)}.")
    for x in check.instance("Assert", "input_data", input_data, (list, tuple)):
        if not is_tensor(x):
            raise TypeError(f"For 'Assert', the elements of 'input_data' must be tensors, but got {kind(x)}.")
    test = structure.reshape(condition, shape=()) if is_tensor(condition) else Tensor(condition)
    assert_true(test, *input_data, summarize=summarize)


def _record(kind: str, tag: Any, value: Any) -> None:
    if not isinstance(tag, str) or not tag:
        raise TypeError(f"For '{kind.capitalize()}Summary', the name must be a non-empty str, but got "
                        f"{tag!r}.")
    record_summary(only(f"{kind.capitalize()}Summary", value), kind=kind, tag=tag)


@composed("ScalarSummary()(name, value)")
def _scalar_summary(name: str, value: Any) -> None:
    """Record a tensor with one element under a name."""
    if is_tensor(value) and value.size != 1:
        raise ValueError(f"For 'ScalarSummary', the value must have one element, but got "
                         f"{show(value)}.")
    _record("scalar", name, value)


@composed("ImageSummary()(name, value)")
def _image_summary(name: str, value: Any) -> None:
    """Record a batch of images (N, C, H, W) under a name."""
    if is_tensor(value) and value.ndim != 4:
        raise ValueError(f"For 'ImageSummary', the value must have 4 dimensions (N, C, H, W), but got "
                         f"{show(value)}.")
    _record("image", name, value)


@composed("TensorSummary()(name, value)")
def _tensor_summary(name: str, value: Any) -> None:
    """Record a tensor under a name."""
    _record("tensor", name, value)


@composed("HistogramSummary()(name, value)")
def _histogram_summary(name: str, value: Any) -> None:
    """Record the distribution of a tensor's elements under a name."""
    _record("histogram", name, value)


__all__ = [
    "assign", "assign_add", "assign_sub", "depend", "print_",
]
