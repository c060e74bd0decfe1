"""The parameters of an optimizer, and what each of them is trained with."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mindspore.eager.parameter import Parameter
from mindspore.eager.parameter_tuple import ParameterTuple

KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


@dataclass
class Item:
    """One parameter with its own settings; None means that its group has none."""

    param: Parameter
    group: int
    lr: Any
    weight_decay: Any
    centralize: bool


@dataclass
class Groups:
    """All parameters in the order of the gradients."""

    items: list[Item]
    given: bool = False            # whether the parameters came as groups
    own_lr: bool = False           # whether a group has a learning rate of its own
    ordered: bool = False          # whether `order_params` gives the order

    @property
    def parameters(self) -> ParameterTuple:
        return ParameterTuple([item.param for item in self.items])

    def each(self, field: str, default: Any, make: Callable[[Any, int], Any]) -> Iterator[Any]:
        """What every parameter uses for a setting: made once per group, or the common default."""
        made: dict[int, Any] = {}
        for item in self.items:
            value = getattr(item, field)
            if value is None:
                yield default()
            else:
                if item.group not in made:
                    made[item.group] = make(value, item.group)
                yield made[item.group]


def read(parameters: Any) -> Groups:
    """The parameters of the argument `parameters`: parameters, or dictionaries that group them.

    Raises:
        TypeError: If an element is neither, or both kinds are mixed.
        KeyError: If a group has no 'params' or an unknown key.
        ValueError: If there is no parameter, or `order_params` names others.
        RuntimeError: If a parameter stands in two groups.
    """
    if parameters is None:
        raise ValueError("For 'Optimizer', the argument 'parameters' can not be None.")
    if not isinstance(parameters, Iterable):
        raise TypeError("For 'Optimizer', the argument 'parameters' must be Iterable, but got "
                        f"{parameters!r} with type '{type(parameters).__name__}'.")
    listed = list(parameters)
    if not listed:
        raise ValueError("For 'Optimizer', the argument 'parameters' must not be empty.")
    if all(isinstance(p, Parameter) for p in listed):
        _distinct_names(listed)
        return Groups([Item(p, 0, None, None, False) for p in listed])
    if all(isinstance(p, dict) for p in listed):
        return _read_groups(listed)
    raise TypeError("For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' "
                    "or all of them 'dict'.")


def _read_groups(listed: list[dict[str, Any]]) -> Groups:
    found = Groups([], given=True)
    order = None
    for i, group in enumerate(listed):
        unknown = [key for key in group if key not in KEYS]
        if unknown:
            raise KeyError(f"For 'Optimizer', the keys of a group must be in {list(KEYS)}, but got "
                           f"{unknown}.")
        if "order_params" in group:
            order = _order(group)
        else:
            found.items += _members(group, i)
            found.own_lr |= "lr" in group
    seen: set[int] = set()
    for item in found.items:
        if id(item.param) in seen:
            raise RuntimeError(f"For 'Optimizer', the parameter '{item.param.name}' stands in two "
                               "groups; a parameter must be given once.")
        seen.add(id(item.param))
    _distinct_names([item.param for item in found.items])
    if order is not None:
        found.items, found.ordered = _ordered(found.items, order), True
    return found


def _members(group: dict[str, Any], i: int) -> list[Item]:
    if "params" not in group:
        raise KeyError("For 'Optimizer', a group must have the key 'params'.")
    members = list(group["params"])
    if not members:
        raise ValueError("For 'Optimizer', the 'params' of a group must not be empty.")
    for p in members:
        if not isinstance(p, Parameter):
            raise TypeError("For 'Optimizer', the 'params' of a group must be Parameters, but got "
                            f"{p!r} with type '{type(p).__name__}'.")
    centralize = group.get("grad_centralization", False)
    if not isinstance(centralize, bool):
        raise TypeError("For 'Optimizer', the 'grad_centralization' of a group must be a bool, but "
                        f"got {centralize!r} with type '{type(centralize).__name__}'.")
    return [Item(p, i, group.get("lr"), group.get("weight_decay"), centralize) for p in members]


def _order(group: dict[str, Any]) -> list[Parameter]:
    if len(group) > 1:
        raise ValueError("For 'Optimizer', the group with 'order_params' must have no other key, "
                         f"but got {list(group)}.")
    if not isinstance(group["order_params"], Iterable):
        raise TypeError("For 'Optimizer', the 'order_params' must be Iterable, but got "
                        f"{group['order_params']!r}.")
    return list(group["order_params"])


def _ordered(items: list[Item], order: list[Parameter]) -> list[Item]:
    if len(order) != len(items):
        raise ValueError("For 'Optimizer', 'order_params' must name every parameter of the groups "
                         f"once, but got {len(order)} names for {len(items)} parameters.")
    by_id = {id(item.param): item for item in items}
    for p in order:
        if id(p) not in by_id:
            raise ValueError(f"For 'Optimizer', the parameter {p!r} of 'order_params' stands in no "
                             "group.")
    return [by_id[id(p)] for p in order]


def _distinct_names(parameters: list[Parameter]) -> None:
    seen: set[str] = set()
    for p in parameters:
        if p.name in seen:
            raise ValueError(f"For 'Optimizer', the parameter name '{p.name}' occurs twice; give the "
                             "parameters different names.")
        seen.add(p.name)
