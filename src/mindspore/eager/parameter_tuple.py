"""Tuples of parameters with different names."""
from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from .parameter import Parameter


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of parameters.

    Args:
        iterable: The parameters.

    Raises:
        TypeError: If an element is no Parameter.
        ValueError: If two of them have the same name.

    Examples:
        >>> [p.name for p in mindspore.ParameterTuple(nn.Dense(3, 2).trainable_params())]
        ['weight', 'bias']
    """

    def __new__(cls, iterable: Iterable[object]) -> ParameterTuple:
        items: list[Parameter] = []
        for item in iterable:
            if not isinstance(item, Parameter):
                raise TypeError(f"For 'ParameterTuple', every element must be a Parameter, but got "
                                f"{item!r} with type '{type(item).__name__}'.")
            items.append(item)
        seen: dict[str, Parameter] = {}
        for item in items:
            if seen.setdefault(item.name, item) is not item:
                raise ValueError(f"The parameter name '{item.name}' occurs twice in a "
                                 "'ParameterTuple'; give the parameters different names.")
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Clones of the parameters, named `prefix.name`.

        Args:
            prefix: The prefix.
            init: As for `Parameter.clone`.

        Returns:
            A tuple of the clones.

        Examples:
            >>> moments = mindspore.ParameterTuple(nn.Dense(3, 2).trainable_params()).clone("moments", "zeros")
            >>> [p.name for p in moments]
            ['moments.weight', 'moments.bias']
        """
        clones: list[Parameter] = []
        for item in self:
            twin = item.clone(init)
            twin.name = f"{prefix}.{item.name}"
            clones.append(twin)
        return ParameterTuple(clones)


__all__ = ["ParameterTuple"]


def _is_parameter_generated(param_name: str) -> bool:
    """Whether the name of a parameter is one that it got because the program gave none."""
    return param_name.startswith("Parameter#")


_keys = itertools.count()


def _get_unique_parameter_key() -> int:
    """A number that no call before this one gave."""
    return next(_keys)


__all__ = ["ParameterTuple", "_get_unique_parameter_key", "_is_parameter_generated"]
