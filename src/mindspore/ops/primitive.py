"""Primitive: an operator with its constructor's arguments, as programs of the class style use it."""
from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.errors import GraphValueError, show
from mindspore.eager.automatic import chosen
from mindspore.eager.parameter import Version
from mindspore.ir import Node
from mindspore.operators.table import REGISTRY

from . import bodies, documents
from ._noted import Noted
from .signatures import bound, names_in, parse, plain
from .spelling import renamed

_LISTS = "input_names output_names"
_instances = itertools.count(1)
COMPOSED: dict[str, tuple[str, Any]] = {}      # name -> specification, composition


class Primitive(Noted):
    """An operator by name, with attributes.

    Args:
        name: The operator's name.

    Attributes:
        attrs: The constructor's arguments and whatever `add_prim_attr` adds.
        init_attrs: The constructor's arguments.

    Examples:
        >>> add = ops.Primitive("Add")
        >>> add(Tensor([1]), Tensor([2])).tolist()
        [3]
        >>> add.add_prim_attr("note", 1).attrs
        {'note': 1}
    """

    own_stream = False         # whether the operator draws random numbers for each instance
    _changes: int | None = None                # counted from when a program uses the instance

    def __init__(self, name: str):
        self.name = name
        self.attrs: dict[str, Any] = {}
        self.init_attrs: dict[str, Any] = {"name": name}
        self.given: dict[str, Any] = {}        # attributes for the operator

    def __call__(self, *inputs: Any) -> Any:
        """The result of the registered operator of that name."""
        found = derived(self.name)
        if found is None or isinstance(self, found):
            from .custom_primitive import applied  # which stands above primitives

            return applied(self, inputs)
        own = inspect.signature(found.__init__).parameters
        return found(**{k: v for k, v in self.attrs.items() if k in own})(*inputs)

    def changes(self) -> int:
        """Count how often an attribute or a note was set; compiled programs that use the instance ask for it.

        Returns:
            The number of times since it was asked for first.

        Examples:
            >>> add = ops.Add()
            >>> before = add.changes()
            >>> add.add_prim_attr("unit", "mm").changes() > before
            True
        """
        return self.__dict__.setdefault("_changes", 0)

    def _changed(self) -> None:
        if self._changes is not None:
            self.__dict__["_changes"] += 1
            Version.moves()

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value
        self._changed()
        if name in self.__dict__.get("given", ()):
            self.given[name] = plain(value)

    def __repr__(self) -> str:
        shown = ", ".join([f"{k}={v}" for k, v in self.attrs.items() if k not in _LISTS])
        return f"Prim[{self.name}]<{shown}>" if shown else f"Prim[{self.name}]"

    def keep(self, **values: Any) -> None:
        """Take over the constructor's arguments as attributes."""
        self.given = {k: plain(v) for k, v in values.items()}
        self.attrs.update(self.given)
        self.init_attrs.update(values)
        self.__dict__.update(self.given)
        if self.own_stream:                    # instances with one seed draw the same numbers
            self.given["stream"] = next(_instances)

    # ------------------------------------------------------------------ attributes

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Set an attribute.

        Args:
            name: Its name.
            value: Its value.

        Returns:
            The primitive.

        Examples:
            >>> ops.Add().add_prim_attr("unit", "mm").get_attr_dict()["unit"]
            'mm'
        """
        setattr(self, name, value)
        self.attrs[name] = value
        return self

    def add_attr(self, name: str, value: Any) -> Primitive:
        """The same as `add_prim_attr`."""
        return self.add_prim_attr(name, value)

    def del_prim_attr(self, name: str) -> Primitive:
        """Remove an attribute that `add_prim_attr` set.

        Args:
            name: Its name; one that is not there is no error.

        Returns:
            The primitive.

        Examples:
            >>> add = ops.Add().add_prim_attr("unit", "mm")
            >>> "unit" in add.del_prim_attr("unit").get_attr_dict()
            False
        """
        self.attrs.pop(name, None)
        if name not in self.given:
            self.__dict__.pop(name, None)
        self._changed()
        return self

    def get_attr_dict(self) -> dict[str, Any]:
        """The attributes."""
        return dict(self.attrs)

    def init_prim_io_names(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Name the inputs and outputs; the names become attributes."""
        check.instance(self.name, "inputs", inputs, (list, tuple))
        check.instance(self.name, "outputs", outputs, (list, tuple))
        self.add_prim_attr("input_names", list(inputs))
        self.add_prim_attr("output_names", list(outputs))

    def set_prim_instance_name(self, name: str) -> Primitive:
        """Name this instance, also in graphs.

        Args:
            name: The name.

        Returns:
            The primitive.

        Examples:
            >>> ops.Add().set_prim_instance_name("sum").instance_name
            'sum'
        """
        self.set_const_value("instance_name", name)
        return self

    def set_const_value(self, name: str, value: Any) -> None:
        """Remember a fact about the instance that is no attribute of the operator.

        Args:
            name: Its name, which becomes an attribute of the instance; "instance_name" is noted in graphs, too.
            value: The fact.

        Examples:
            >>> add = ops.Add()
            >>> add.set_const_value("unit", "mm")
            >>> add.unit, "unit" in add.get_attr_dict()
            ('mm', False)
        """
        self.__dict__[name] = value
        if name == "instance_name":
            self.note(name=value)


class PrimitiveWithCheck(Primitive):
    """A primitive whose author checks the inputs' shapes and dtypes.

    Args:
        name: The operator's name.

    Examples:
        >>> class Add(ops.PrimitiveWithCheck):
        ...     def check_shape(self, x, y):
        ...         if len(x) != len(y):
        ...             raise ValueError("other ranks")
        >>> Add("Add").check_shape((2, 3), (1, 3))
    """

    def check_shape(self, *args: Any) -> None:
        """Raise if the shapes do not fit; any shapes fit here."""

    def check_dtype(self, *args: Any) -> None:
        """Raise if the dtypes do not fit; any dtypes fit here."""


class PrimitiveWithInfer(Primitive):
    """A primitive whose author infers the result's shape and dtype.

    Args:
        name: The operator's name.

    Examples:
        >>> class Square(ops.PrimitiveWithInfer):
        ...     def infer_shape(self, x):
        ...         return x
        >>> Square("Square").infer_shape((2, 3))
        (2, 3)
    """

    def infer_shape(self, *args: Any) -> Any:
        """The result's shape."""

    def infer_dtype(self, *args: Any) -> Any:
        """The result's dtype."""

    def infer_value(self, *args: Any) -> Any:
        """The result, where it is known while compiling; None otherwise."""


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorator of a primitive's `__init__` that keeps its arguments as attributes.

    Args:
        fn: The `__init__`.

    Examples:
        >>> class Shift(ops.Primitive):
        ...     @ops.prim_attr_register
        ...     def __init__(self, by=1):
        ...         pass
        >>> Shift(by=3).by
        3
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def init(self: Primitive, *args: Any, **kwargs: Any) -> None:
        if "attrs" not in self.__dict__:
            Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
            self.init_attrs[name] = value
        fn(self, *args, **kwargs)
    return init


# ---------------------------------------------------------------------- derived classes

class Composition:
    """A function of operators in the role of an operator: tensors positional, attributes keyword-only."""

    def __init__(self, name: str, body: Callable[..., Any]):
        params = list(inspect.signature(body).parameters.values())
        self.name, self.body, self.function, self.__doc__ = name, body, body.__name__, body.__doc__
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in params)
        self.inputs = [p.name for p in params if p.kind is not p.KEYWORD_ONLY]
        self.attrs = {p.name: p.default for p in params if p.kind is p.KEYWORD_ONLY}


def composed(spec: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Offer the decorated function as a primitive, too: `@composed("Rank()(input_x)")`."""
    def register(body: Callable[..., Any]) -> Callable[..., Any]:
        name = spec.partition("(")[0]
        body = chosen(name, body)
        COMPOSED[name] = (spec, Composition(name, body))
        return body
    return register


def specs() -> dict[str, tuple[Any, str]]:
    """Every primitive's operator and signature, by name."""
    return _specs_of(len(REGISTRY), len(COMPOSED))


@functools.cache
def _specs_of(*_: int) -> dict[str, tuple[Any, str]]:
    """The same; made anew when the registry has grown."""
    found = {}
    for op in REGISTRY.values():
        if op.primitive and not op.hidden:
            written = op.primitive.split(";")
            found.update({n: (op, s) for n, s in zip(names_in(op.primitive), written, strict=True)})
    return found | {name: (op, spec) for name, (spec, op) in COMPOSED.items()}


_derived: dict[str, type[Primitive]] = {}


def derived(name: str) -> type[Primitive] | None:
    """The class of this name that an operator or a composition defines; None without one."""
    if name not in _derived:
        entry = specs().get(name)
        if entry is None:
            return None
        _derived[name] = derive(*entry, "mindspore.ops.primitives")
    return _derived[name]


def derive(op: Any, spec: str, module: str) -> type[Primitive]:
    """The class of an operator (or composition)."""
    form = parse(spec)
    params, inputs = form.groups
    doc = documents.of_class(op, form.name, params, bound(op, inputs, [p.name for p in params]), names_in(op.function),
                             renamed(form.name))
    scope = {"__init__": bodies.constructor(Primitive, form, params, module, _kinds(op)), "__doc__": doc,
             "__call__": bodies.call(op, params, inputs, module, doc), "__module__": module,
             "own_stream": "stream" in op.attrs}
    scope["__signature__"] = inspect.signature(scope["__init__"]).replace(
        parameters=list(inspect.signature(scope["__init__"]).parameters.values())[1:])
    return type(form.name, (Primitive,), scope)


def _kinds(op: Any) -> dict[str, str]:
    """The types of attributes that are asked for at once: those of collectives, which another process waits for."""
    if getattr(op, "effect", None) != "communication":
        return {}
    return {k: kind for k, kind in op.kernel.__annotations__.items() if kind in bodies.CONSTANTS}


# ---------------------------------------------------------------------- compile-time functions

class ConstantFunction:
    """A function that runs while a graph is compiled: its arguments and its result are constants."""

    def __init__(self, fn: Callable[..., Any], name: str | None, check_constants: bool):
        functools.update_wrapper(self, fn)
        self.fn, self.name, self.check_constants = fn, name or fn.__name__, check_constants

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.check_constants:
            for value in (*args, *kwargs.values()):
                if isinstance(value, Node):
                    raise GraphValueError(f"For '{self.name}', every argument must be a constant while a graph is "
                                          f"compiled, but got a computed tensor {show(value)}.")
        return self.fn(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"Prim[{self.name}]<constexpr_prim=True>"


def constexpr(fn: Callable[..., Any] | None = None, get_instance: bool = True,
              name: str | None = None, reuse_result: bool = True, check: bool = True) -> Any:
    """Let a function run as plain Python while a graph is compiled.

    Args:
        fn: The function, when used without parentheses.
        get_instance: False returns a class whose instances are the function.
        name: The name in messages. Default: that of the function.
        reuse_result: Whether equal calls may share a result; the function runs each time here, which
            gives the same.
        check: Whether a computed tensor among the arguments is an error.

    Returns:
        The function in a form that runs while compiling, or a decorator.

    Examples:
        >>> half = ops.constexpr(lambda n: n // 2)
        >>> half(7)
        3
    """
    def decorate(fn: Callable[..., Any]) -> Any:
        made = ConstantFunction(fn, name, check)
        return made if get_instance else (lambda: made)
    return decorate if fn is None else decorate(fn)


def _primexpr(fn: Callable[..., Any] | None = None, get_instance: bool = True,
              name: str | None = None, reuse_result: bool = True) -> Any:
    """The same as `constexpr`, for functions that may see computed tensors."""
    return constexpr(fn, get_instance, name, reuse_result, check=False)


__all__ = ["Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr",
           "prim_attr_register"]
