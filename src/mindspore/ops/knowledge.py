"""What is known of values while a graph is compiled, and choices among values."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.dtype import bool_
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import is_tensor
from mindspore.ir import Node, tree
from mindspore.operators import masking, structure

from .primitive import composed, derived

_NOTHING: Any = object()


@composed("identity()(x)")
def _identity(x: Any) -> Any:
    """`x`, in the memory that it has."""
    return x


def identity(x: Any = _NOTHING) -> Any:
    """`x`; without it, the primitive of that name, as programs of 1.x write: `identity()(x)`.

    Args:
        x: Anything, or nothing.

    Examples:
        >>> ops.identity(3), ops.identity()(3)
        (3, 3)
    """
    made: Any = derived("identity")
    return made() if x is _NOTHING else x


def is_shape_unknown(shape: Any) -> bool:
    """Whether an extent of a shape, or the number of them, is unknown: -1 or -2.

    Args:
        shape: A tuple or list of ints.

    Returns:
        A bool.

    Examples:
        >>> from mindspore.common._utils import is_shape_unknown
        >>> is_shape_unknown((2, -1)), is_shape_unknown([-2]), is_shape_unknown((2, 3))
        (True, True, False)
    """
    return any(n in (-1, -2) for n in shape)


def is_dim_unknown(shape: Any) -> bool:
    """Whether the number of dimensions of a shape is unknown: -2.

    Args:
        shape: A tuple or list of ints.

    Returns:
        A bool.

    Examples:
        >>> from mindspore.common._utils import is_dim_unknown
        >>> is_dim_unknown((2, -1)), is_dim_unknown([-2])
        (False, True)
    """
    return any(n == -2 for n in shape)


def is_sequence_value_unknown(*args: Any) -> bool:
    """Whether an element of a tuple or list depends on the run of a graph.

    Args:
        args: One tuple or list.

    Examples:
        >>> ops.is_sequence_value_unknown((1, 2))
        False
    """
    return any(isinstance(v, Node) or getattr(v, "is_symbolic", False) for v in _only("value", args))


def is_sequence_shape_unknown(*args: Any) -> bool:
    """Whether the length of a tuple or list depends on the run of a graph: never, lengths are known.

    Args:
        args: One tuple or list.

    Examples:
        >>> ops.is_sequence_shape_unknown((1, 2))
        False
    """
    _only("shape", args)
    return False


def is_dynamic_sequence_element_unknown(*args: Any) -> bool:
    """Whether the elements of a sequence whose length is not known are unknown, too: lengths are known.

    Args:
        args: One tuple or list.

    Examples:
        >>> ops.is_dynamic_sequence_element_unknown((1, 2))
        False
    """
    _only("element", args)
    return False


def _only(what: str, args: tuple[Any, ...]) -> Sequence[Any]:
    if len(args) != 1 or not isinstance(args[0], (tuple, list)):
        raise TypeError(f"The {what} of one tuple or list can be asked for, but got {', '.join(map(kind, args))}.")
    return args[0]


def broadcast_gradient_args(*args: Any) -> tuple[tuple[int, ...], ...]:
    """For two shapes that are broadcast together, the axes over which the gradient of each is summed.

    Args:
        args: Two shapes.

    Examples:
        >>> ops.broadcast_gradient_args((2, 3), (1, 3))
        ((), (0,))
    """
    rank = max([len(shape) for shape in args])
    wide = [(1,) * (rank - len(shape)) + tuple(shape) for shape in args]
    whole = [max(pair) for pair in zip(*wide, strict=True)]
    return tuple([tuple([i for i in range(rank) if i < rank - len(own) or (shape[i] == 1 and whole[i] != 1)])
                  for shape, own in zip(wide, args, strict=True)])


def is_tensor_bool_cond(*args: Any) -> bool:
    """Whether a condition is a tensor that has a truth, having one element.

    Args:
        args: The condition.

    Examples:
        >>> ops.is_tensor_bool_cond(Tensor(True))
        True
    """
    (condition,) = args
    return is_tensor(condition) and condition.size == 1


def switch(*args: Any) -> Any:
    """The second argument where the first one is true, else the third.

    A condition that is a tensor chooses among tensors, and tuples or lists of them with equal shapes and types; a
    gradient goes to what was chosen.

    Args:
        args: The condition, a bool or a tensor of one element; two values.

    Raises:
        TypeError: If the values have no common structure, or no condition is given.

    Examples:
        >>> ops.switch(Tensor(False), Tensor(1), Tensor(2)).tolist()
        2
    """
    if len(args) != 3:
        raise TypeError(f"For 'switch', a condition and two values are wanted, but got {len(args)} arguments.")
    condition, first, second = args
    if not is_tensor(condition):
        return first if condition else second
    if condition.size != 1:
        raise ValueError(f"For 'switch', the condition must have one element, but got {show(condition)}.")
    if not isinstance(condition, Node):
        return first if bool(condition) else second
    return _chosen("switch", [structure.reshape(structure.cast(condition, dtype=bool_), shape=())], [second, first])


def switch_layer(*args: Any) -> Any:
    """The cell or function at an index of a tuple; an index that a graph computes chooses among their results.

    Args:
        args: The index, an int or a tensor of one element, which may count from the end; the tuple.

    Raises:
        IndexError: If the index is out of range.
        TypeError: If an argument is missing.

    Examples:
        >>> ops.switch_layer(Tensor(1), (ops.abs, ops.neg))(Tensor([3.0])).tolist()
        [-3.0]
    """
    if len(args) != 2:
        raise TypeError(f"For 'switch_layer', an index and a tuple are wanted, but got {len(args)} arguments.")
    index, layers = args
    if not isinstance(index, Node):
        return layers[int(index)]
    place = structure.reshape(index, shape=())

    def run(*inputs: Any, **options: Any) -> Any:
        tests = [(place == i).logical_or(place == i - len(layers)) for i in range(1, len(layers))]
        return _chosen("switch_layer", tests, [layer(*inputs, **options) for layer in layers])
    return run


def _chosen(owner: str, tests: Sequence[Any], values: Sequence[Any]) -> Any:
    """The first value, or the one behind the last test that holds."""
    found = values[0]
    for test, value in zip(tests, values[1:], strict=True):
        have, other = tree.leaves(found, is_tensor), tree.leaves(value, is_tensor)
        if [(x.shape, x.dtype) for x in have] != [(x.shape, x.dtype) for x in other]:
            raise TypeError(f"For '{owner}', the values must have the same shapes and types, but got "
                            f"{', '.join(map(show, have))} and {', '.join(map(show, other))}.")
        found = tree.rebuild(found, is_tensor, iter([masking.select(test, b, a)
                                                     for a, b in zip(have, other, strict=True)]))
    return found


__all__ = ["broadcast_gradient_args", "identity", "is_dynamic_sequence_element_unknown", "is_sequence_shape_unknown",
           "is_sequence_value_unknown", "is_tensor_bool_cond", "switch", "switch_layer"]
