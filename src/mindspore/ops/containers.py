"""Functions of tuples, lists, dictionaries and shapes."""
from __future__ import annotations

from typing import Any

from mindspore.operators.rules import axes_of


def tuple_div(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    """The quotients of two tuples of ints, element by element.

    Args:
        x, y: Tuples of ints of one length; the elements of `x` are multiples of those of `y`.

    Returns:
        A tuple of ints.

    Raises:
        ValueError: If there is a remainder, or the lengths differ.

    Examples:
        >>> ops.tuple_div((6, 8), (2, 4))
        (3, 2)
    """
    if any(a % b for a, b in zip(x, y, strict=True)):
        raise ValueError(f"For 'tuple_div', the elements of {x} must be multiples of those of {y}.")
    return tuple([a // b for a, b in zip(x, y, strict=True)])


def tuple_setitem(x: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """A tuple with another element at an index.

    Args:
        x: A tuple.
        index: The place, an int.
        value: The new element.

    Returns:
        A tuple.

    Raises:
        IndexError: If there is no such place.

    Examples:
        >>> ops.tuple_setitem((1, 2, 3), 1, 9)
        (1, 9, 3)
    """
    parts = list(x)
    parts[index] = value
    return tuple(parts)


def list_setitem(x: list[Any], index: int, value: Any) -> list[Any]:
    """A list with another element at an index.

    Args:
        x: A list, which stays unchanged.
        index: The place, an int.
        value: The new element.

    Returns:
        A list.

    Raises:
        IndexError: If there is no such place.

    Examples:
        >>> ops.list_setitem([1, 2, 3], 1, 9)
        [1, 9, 3]
    """
    return list(tuple_setitem(tuple(x), index, value))


def dict_setitem(x: dict[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A dictionary with another value at a key.

    Args:
        x: A dictionary, which stays unchanged.
        key: The key, new or not.
        value: Its value.

    Returns:
        A dictionary.

    Examples:
        >>> ops.dict_setitem({"a": 1}, "b", 2)
        {'a': 1, 'b': 2}
    """
    return {**x, key: value}


def make_list(*elements: Any) -> list[Any]:
    """The elements as a list.

    Args:
        elements: Any values.

    Returns:
        A list.

    Examples:
        >>> ops.make_list(1, "a")
        [1, 'a']
    """
    return list(elements)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    """The keys with their values.

    Args:
        keys: The keys, a tuple or list.
        values: As many values.

    Returns:
        A dictionary.

    Raises:
        ValueError: If the lengths differ.

    Examples:
        >>> ops.make_dict(("a", "b"), (1, 2))
        {'a': 1, 'b': 2}
    """
    return dict(zip(keys, values, strict=True))


def make_range(*bounds: int) -> tuple[int, ...]:
    """The numbers that `range` goes through, as a tuple.

    Args:
        bounds: Stop; start and stop; or start, stop and step.

    Returns:
        A tuple of ints.

    Examples:
        >>> ops.make_range(1, 7, 2)
        (1, 3, 5)
    """
    return tuple(range(*bounds))


def make_slice(start: Any, stop: Any, step: Any) -> slice:
    """A slice.

    Args:
        start, stop, step: Ints or None.

    Returns:
        A slice.

    Examples:
        >>> ops.make_slice(0, 4, None)
        slice(0, 4, None)
    """
    return slice(start, stop, step)


def reduced_shape(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """A shape with extent 1 at the dimensions `axis`.

    Args:
        shape: A tuple of ints.
        axis: An int or a tuple of ints; () for all dimensions.

    Returns:
        A tuple of ints.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.reduced_shape((2, 3, 4), 1)
        (2, 1, 4)
    """
    axes = axes_of(axis, len(shape), "reduced_shape")
    return tuple([1 if i in axes else e for i, e in enumerate(shape)])


def tail(*args: Any) -> Any:
    """A tuple or list without its first element.

    Args:
        args: One tuple or list.

    Returns:
        What follows its first element, of its type.

    Examples:
        >>> ops.tail((1, 2, 3))
        (2, 3)
    """
    (x,) = args
    return x[1:]


__all__ = [
    "dict_setitem", "list_setitem", "make_dict", "make_list", "make_range", "make_slice", "reduced_shape",
    "tail", "tuple_div", "tuple_setitem",
]
