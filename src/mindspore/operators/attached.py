"""The rules of an operator, attached to it by decorators; each is checked against the operator's parameters.

    rule                       takes                                         returns
    @op.shape                  avals (or constants), attributes              an aval, or several
    @op.grad(needs="x out")    what it needs, the cotangents, attributes     a cotangent per input
    @op.cost                   avals (or constants), attributes              floating-point operations
    @op.layout                 avals (or constants), all attributes          labels, or `whole(reason)`
    @op.across                 a `Device`, nodes (or constants), all attrs   nodes: the results on pieces
    @op.dispatch               the inputs, in a graph                        the operator that computes them, or None
    @op.dynamic_shape          avals (or constants), attributes              names of extents that depend on elements
    @op.overwriting(places)    the inputs, attributes                        the results, written over inputs
    @op.loop                   elements (or constants), all attributes       elements (`loops`), or None
    @op.stage                  elements (or constants), all attributes       a stage (`stages`), or None
    @op.onnx                   an `exported.Exported`, names, attributes     the names of the results
    @op.mindir                 the same, for operators without a primitive   the same, by those that have one
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, overload

from mindspore.ir import Aval

# What a gradient rule needs besides single inputs: results, variadic inputs, or (added to the place of
# an input) only its aval.
OUT, REST, AVAL = -1, -2, 1000
_ARGS, _KEYWORDS = inspect.CO_VARARGS, inspect.CO_VARKEYWORDS

Avals = Aval | Sequence[Aval]           # of one result or several
R = TypeVar("R")
R_in = TypeVar("R_in", contravariant=True)

# Rules that are written as lambdas: type checkers learn of a lambda's parameters only so, one number of them at a time.
Lambda = (Callable[[Any, Any, Any, Any, Any, Any, Any, Any], R] | Callable[[Any, Any, Any, Any, Any, Any, Any], R]
          | Callable[[Any, Any, Any, Any, Any, Any], R] | Callable[[Any, Any, Any, Any, Any], R]
          | Callable[[Any, Any, Any, Any], R] | Callable[[Any, Any, Any], R] | Callable[[Any, Any], R]
          | Callable[[Any], R])


class Attach(Protocol[R_in]):
    """Takes a rule that gives `R_in`; returns it."""

    @overload
    def __call__(self, rule: Lambda[R_in], /) -> Any: ...
    @overload
    def __call__(self, rule: Callable[..., R_in], /) -> Any: ...


class Device(Protocol):
    """What a rule `across` sees of the device that computes a piece."""

    first: bool                        # whether it is the first of those that cut what the operator leaves whole

    def __call__(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        """Apply an operator to pieces."""
        ...

    def over(self, kind: str, x: Any, *dims: int) -> Any:
        """The sum ("sum") or maximum ("max") over the devices; over those only that cut these dimensions, if given.

        They are dimensions of the first input that has any.
        """
        ...

    def start(self, k: int, dim: int) -> int:
        """Where the piece of input `k` begins along a dimension."""
        ...

    def start_of_result(self, dim: int) -> int:
        """Where the piece of the first result begins along a dimension."""
        ...

    def whole(self, k: int) -> tuple[int, ...]:
        """The shape of the whole input `k`."""
        ...

    def shape(self, x: Any) -> tuple[int, ...]:
        """The shape of a piece."""
        ...


class Across(NamedTuple):
    """What the dimensions that stay whole need to be cut.

    Attributes:
        rule: Computes the results on pieces.
        leaves: What a result has that lacks such a dimension: "same" on all devices, or "sum" for parts of it.
        exact: Whether it takes inputs of any dtype; if not, floating-point ones of four and more bytes.
        only: Whether it takes these avals (or constants) and attributes.
    """

    rule: Any
    leaves: str
    exact: bool
    only: Any


class Rules:
    """What is attached to an operator, and how."""

    def __init__(self, kernel: Callable[..., Any]):
        self.kernel, self.__doc__ = kernel, kernel.__doc__
        params = list(inspect.signature(kernel).parameters.values())
        self.name = kernel.__name__
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in params)
        self.inputs = [p.name for p in params if p.kind is not p.KEYWORD_ONLY]
        self.least = sum([p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
                          for p in params])
        self.attrs = {p.name: p.default for p in params if p.kind is p.KEYWORD_ONLY}
        self.rule: Any = None
        self.needs: list[str] = []
        self.picks: list[int] = []         # the same as places among the inputs, or OUT, or REST
        self.plain = True                  # whether these are places only
        self.shape_rule: Any = None
        self.cost_rule: Any = None
        self.layout_rule: Any = None
        self.across_rule: Across | None = None
        self.dispatch_rule: Any = None
        self.dynamic_rule: Any = None
        self.loop_rule: Any = None
        self.stage_rule: Any = None
        self.onnx_rule: Any = None
        self.mindir_rule: Any = None
        self.overwriter: Any = None        # the kernel, and over which inputs it writes

    @overload
    def grad(self, rule: Callable[..., Sequence[Any]], *, needs: str | None = None) -> Any: ...
    @overload
    def grad(self, rule: None = None, *, needs: str | None = None) -> Attach[Sequence[Any]]: ...
    def grad(self, rule: Any = None, *, needs: str | None = None) -> Any:
        """Attach the gradient rule.

        `needs` names what the rule takes before `dout`; the other values may be freed.  "x.aval" asks
        only for shape and dtype of the input x, "out" for the results.  The rule
        returns one cotangent per tensor input: a value, None, or a function without arguments that
        computes it and is called only if that cotangent is needed.
        """
        if rule is None:
            def attach(rule: Any) -> Any:
                return self.grad(rule, needs=needs)
            return attach
        wanted = needs.split() if needs is not None else [*self.inputs, "out"]
        if unknown := {n.removesuffix(".aval") for n in wanted} - {*self.inputs, "out"}:
            raise ValueError(f"The gradient rule of '{self.name}' needs unknown {unknown}.")
        self._check("gradient", rule, len(wanted) + 1, len(wanted) + 1)
        self.rule, self.needs = rule, wanted
        self.picks = [self._pick(n) for n in wanted]
        self.plain = all(0 <= k < len(self.inputs) - self.variadic for k in self.picks)
        return rule

    def _pick(self, name: str) -> int:
        """Where `select` finds a needed value: a place, `OUT`, `REST`, or AVAL + place."""
        if name == "out":
            return OUT
        plain = name.removesuffix(".aval")
        if self.variadic and plain == self.inputs[-1]:
            if plain != name:
                raise ValueError(f"The gradient rule of '{self.name}' cannot need '{name}'.")
            return REST
        place = self.inputs.index(plain)
        return place if plain == name else AVAL + place

    @overload
    def shape(self, rule: Lambda[Avals], /) -> Any: ...
    @overload
    def shape(self, rule: Callable[..., Avals], /) -> Any: ...
    def shape(self, rule: Any) -> Any:
        """Attach the shape rule: avals (or constants) and attributes to an aval or several.

        What it `says` about inputs and results becomes part of the documentation.
        """
        self._check("shape", rule, self.least, len(self.inputs))
        self.shape_rule = rule
        if says := getattr(rule, "says", ""):
            text, mark, examples = inspect.cleandoc(self.__doc__ or "").partition("\n\nExamples:")
            self.__doc__ = f"{text}\n\n{says}{mark}{examples}"
        return rule

    def cost(self, rule: Callable[..., Any]) -> Any:
        """Attach the cost rule: floating-point operations from avals and attributes."""
        self._check("cost", rule, self.least, len(self.inputs))
        self.cost_rule = rule
        return rule

    def layout(self, rule: Any) -> Any:
        """Attach the layout rule: avals (or constants) and attributes, those left out as well, to labels.

        What it returns is a text in the language of `labels`, or `whole(reason)`; where that is the same for all
        applications, `dims=` of the operator says it.
        """
        if callable(rule):
            self._check("layout", rule, self.least, len(self.inputs), filled=True)
        self.layout_rule = rule
        return rule

    def across(self, rule: Any = None, *, leaves: str = "same", exact: bool = False, only: Any = None) -> Any:
        """Attach how pieces along dimensions that stay whole otherwise are computed; see `Across` and `Device`."""
        if rule is None:
            def attach(rule: Any) -> Any:
                return self.across(rule, leaves=leaves, exact=exact, only=only)
            return attach
        self._check("across", rule, len(self.inputs) + 1, len(self.inputs) + 1, filled=True)
        self.across_rule = Across(rule, leaves, exact, only)
        return rule

    def dispatch(self, rule: Any) -> Any:
        """Attach a rule that names another operator for some inputs in a graph: their tuple to it, or None."""
        self._check("dispatch", rule, 1, 1, attrs=False)
        self.dispatch_rule = rule
        return rule

    @overload
    def dynamic_shape(self, rule: Lambda[Sequence[Any]], /) -> Any: ...
    @overload
    def dynamic_shape(self, rule: Callable[..., Sequence[Any]], /) -> Any: ...
    def dynamic_shape(self, rule: Any) -> Any:
        """Attach a rule that names the extents of the results which depend on elements.

        It returns a tuple per result: a name, or the extent itself.  Extents of one name are equal.
        """
        self._check("dynamic shape", rule, self.least, len(self.inputs))
        self.dynamic_rule = rule
        return rule

    def overwriting(self, places: Any) -> Any:
        """Attach a kernel that writes the results over inputs; `places` tells over which for a number of inputs."""
        def attach(kernel: Any) -> Any:
            self._check("overwriting", kernel, self.least, len(self.inputs))
            self.overwriter = (kernel, places)
            return kernel
        return attach

    @overload
    def loop(self, rule: Lambda[Any], /) -> Any: ...
    @overload
    def loop(self, rule: Callable[..., Any], /) -> Any: ...
    def loop(self, rule: Any) -> Any:
        """Attach the loop form: elements (or constants) and all attributes to elements, or None; see `loops`."""
        self._check("loop", rule, self.least, len(self.inputs), filled=True)
        self.loop_rule = rule
        return rule

    @overload
    def stage(self, rule: Lambda[Any], /) -> Any: ...
    @overload
    def stage(self, rule: Callable[..., Any], /) -> Any: ...
    def stage(self, rule: Any) -> Any:
        """Attach which stage of a native program an application is; see `stages`."""
        self._check("stage", rule, self.least, len(self.inputs), filled=True)
        self.stage_rule = rule
        return rule

    def onnx(self, rule: Callable[..., Any]) -> Any:
        """Attach how the operator is written in ONNX, by operators of `exported.OPSET`."""
        self._check("ONNX", rule, self.least + 1, len(self.inputs) + 1)
        self.onnx_rule = rule
        return rule

    def mindir(self, rule: Callable[..., Any]) -> Any:
        """Attach how an operator that is no primitive is written in MindIR, by operators that are."""
        self._check("MindIR", rule, self.least + 1, len(self.inputs) + 1)
        self.mindir_rule = rule
        return rule

    def _check(self, kind: str, rule: Any, least: int, most: int, *, attrs: bool = True, filled: bool = False) -> None:
        """ValueError for a rule that cannot take so many values and the attributes (all of them if `filled`)."""
        wanted = self.attrs if attrs else {}
        sure = {k for k, v in wanted.items() if filled or v is inspect.Parameter.empty}
        if message := misfit(rule, least, most, wanted, sure, self.variadic and attrs and kind != "gradient"):
            raise ValueError(f"The {kind} rule of '{self.name}' {message}.")


def misfit(rule: Any, least: int, most: int, attrs: Any, sure: set[str], variadic: bool) -> str:
    """Why a function does not take `least` to `most` values (or any number) and attributes, of which some are sure."""
    code = rule.__code__
    names: Sequence[str] = code.co_varnames[:code.co_argcount]
    defaults = len(rule.__defaults__ or ())
    keywords = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    if not code.co_flags & _ARGS and (variadic or len(names) < most):
        return f"must take {'any number of' if variadic else most} values"
    needed = set(names[:len(names) - defaults][least:]) | (set(keywords) - set(rule.__kwdefaults__ or ()))
    if missing := needed - sure:
        return f"needs {sorted(missing)}, which need not be given"
    if not code.co_flags & _KEYWORDS and (unknown := set(attrs) - {*names[least:], *keywords}):
        return f"does not take the attributes {sorted(unknown)}"
    return ""
