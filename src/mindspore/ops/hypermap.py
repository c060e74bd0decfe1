"""Functions over nested containers: `HyperMap`, `Map`, `MultitypeFuncGraph`, `partial`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import is_tensor

from .linearised import invoke

_SEQUENCES = (tuple, list)


class MultitypeFuncGraph:
    """A function with one implementation per combination of argument types.

    The first implementation that was registered for the types of the arguments is called. If there is only one, it
    is called with whatever it is given.

    Args:
        name: The name in messages.
        read_value: Whether parameters are passed by value, as the original asks; here they
            behave as tensors in both cases.

    Raises:
        ValueError: At the call, if there are several implementations and none takes the types of the arguments, or none
            at all.

    Examples:
        >>> scale = ops.MultitypeFuncGraph("scale")
        >>> @scale.register("Tensor")
        ... def _of_tensor(x):
        ...     return x * 2
        >>> @scale.register("Number")
        ... def _of_number(x):
        ...     return -x
        >>> scale(Tensor([1.0])).tolist(), scale(3)
        ([2.0], -3)
    """

    def __init__(self, name: str, read_value: bool = False):
        self.name, self.read_value = name, read_value
        self.entries: list[tuple[tuple[str, ...], Callable[..., Any]]] = []
        self.default: Any = None
        self.doc_url = ""

    def register(self, *type_names: Any) -> Callable[..., Any]:
        """Register the decorated function for arguments of these types, such as "Tensor", "Number"."""
        signature = tuple([_type_name(t) for t in type_names])

        def add(fn: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((signature, fn))
            return fn
        return add

    def set_doc_url(self, doc_url: str) -> None:
        """Set the page that the message about missing types names."""
        self.doc_url = doc_url

    def __call__(self, *args: Any) -> Any:
        for signature, fn in self.entries:
            if len(self.entries) == 1 or (len(signature) == len(args) and all(map(_fits, args, signature))):
                return invoke(fn, args)
        shown = ", ".join(_kinds(a)[0] for a in args)
        known = "; ".join(f"({', '.join(s)})" for s, _ in self.entries)
        page = f" See {self.doc_url}." if self.doc_url else ""
        raise ValueError(f"For 'MultitypeFuncGraph' '{self.name}', no implementation takes ({shown}); registered are "
                         f"{known or 'none'}.{page}")


def _type_name(t: Any) -> str:
    return t if isinstance(t, str) else getattr(t, "shown", None) or str(t)


def _kinds(value: Any) -> tuple[str, ...]:
    """The names under which a value may be registered, the most precise first."""
    if isinstance(value, Parameter):
        return "Parameter", "Ref", "Tensor", "ref[tensor]"
    if is_tensor(value):
        return ("Tensor",)
    table = {bool: ("Bool", "Number", "Int"), int: ("Int64", "Int", "Number", "Int32"),
             float: ("Float32", "Float", "Number", "Float64"), str: ("String",),
             tuple: ("Tuple",), list: ("List",), dict: ("Dictionary", "Dict"), type(None): ("None", "NoneType")}
    if isinstance(value, _SEQUENCES):
        return table[tuple if isinstance(value, tuple) else list]
    found = table.get(type(value))
    if found:
        return found
    if hasattr(value, "shown"):
        return "Type", "TypeType"
    return ("Function", "Func") if callable(value) else (type(value).__name__,)


def _fits(value: Any, name: str) -> bool:
    return name in ("Any", "Object") or name in _kinds(value)


class HyperMap:
    """Applies a function to the corresponding elements of nested tuples, lists and dicts.

    Args:
        ops: The function; if None it is the first argument of the call.
        reverse: Whether elements are visited from the last to the first.

    Examples:
        >>> ops.HyperMap(lambda a, b: a + b)((1, [2, 3]), (10, [20, 30]))
        (11, [22, 33])
    """

    def __init__(self, ops: Any = None, reverse: bool = False):
        if ops is not None and not callable(ops):
            raise TypeError(f"For '{type(self).__name__}', the 'ops' must be callable, but got {ops!r}.")
        self.ops, self.reverse = ops, reverse

    def __call__(self, *args: Any) -> Any:
        fn, *trees = args if self.ops is None else (self.ops, *args)
        return self.over(fn, trees)

    def over(self, fn: Any, trees: list[Any]) -> Any:
        """The function over trees of the same structure."""
        first = trees[0]
        if isinstance(first, dict):
            return {k: self.over(fn, [t[k] for t in trees]) for k in self.order(list(first))}
        if not isinstance(first, _SEQUENCES):
            return invoke(fn, trees)
        if any(not isinstance(t, _SEQUENCES) or len(t) != len(first) for t in trees):
            raise ValueError(f"For '{type(self).__name__}', the arguments must have equal lengths, but "
                             f"got {[len(t) if isinstance(t, _SEQUENCES) else type(t) for t in trees]}.")
        found = [self.each(fn, [t[i] for t in trees]) for i in self.order(list(range(len(first))))]
        if self.reverse:
            found.reverse()
        return found if isinstance(first, list) else tuple(found)

    def each(self, fn: Any, items: list[Any]) -> Any:
        """The function on one element, looking into it."""
        return self.over(fn, items)

    def order(self, keys: list[Any]) -> list[Any]:
        """The order of the visits."""
        return keys[::-1] if self.reverse else keys


class Map(HyperMap):
    """Applies a function to the elements of tuples and lists, without looking into the elements.

    Args:
        ops: The function; None if the first argument of the call is to be it.
        reverse: Whether the last elements come first.

    Inputs:
        args: Tuples or lists of one length, one for each argument of the function.

    Examples:
        >>> ops.Map(lambda x, y: x + y)((1, (2,)), (3, (4,)))
        (4, (2, 4))
    """

    def each(self, fn: Any, items: list[Any]) -> Any:
        return invoke(fn, items)


class Partial:
    """Binds the first arguments of a function.

    Inputs:
        fn: The function.
        args, kwargs: Its first arguments, and arguments by name.

    Examples:
        >>> ops.Partial()(ops.sub, Tensor(5))(Tensor(3)).tolist()
        2
    """

    def __call__(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        return partial(fn, *args, **kwargs)


def partial(*args: Any, **kwargs: Any) -> Callable[..., Any]:
    """The function `args[0]` with its first arguments bound to the others, and with `kwargs`.

    As `functools.partial`; in a compiled function the call is compiled.

    Args:
        args: The function, and its first arguments.
        kwargs: Arguments by name.

    Returns:
        A function of the other arguments.

    Raises:
        TypeError: If the first argument is not callable.

    Examples:
        >>> ops.partial(ops.add, Tensor(1.0))(Tensor(2.0))
        Tensor(shape=[], dtype=Float32, value= 3)
    """
    fn, *bound = args
    if not callable(fn):
        raise TypeError(f"For 'partial', the first argument must be callable, but got {fn!r}.")

    def call(*more: Any, **options: Any) -> Any:
        return invoke(fn, (*bound, *more), kwargs | options)
    return call


__all__ = ["HyperMap", "Map", "MultitypeFuncGraph", "Partial", "partial"]
