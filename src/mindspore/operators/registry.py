"""The registration of operators: everything that the system knows about one hangs on its object.

The decorated function is the kernel: it takes torch tensors and returns one, or a tuple of them.
Positional parameters are tensors (or Python scalars, or None); keyword-only ones are attributes.
Public names are written as signatures, matched to the kernel's parameters by name or, for tensors,
by position:

    primitive="ReduceSum(keep_dims=False)(x, axis=())"    class: what the constructor takes, what the call
    function="softmax(input, axis=-1)"                    function of mindspore.ops
    method="softmax(axis=-1)"                             method of Tensor; `self` is the first tensor
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any, TypedDict, Unpack

import torch

from mindspore.core.errors import UnknownExtent, show
from mindspore.ir import (
    Aval,
    Node,
    emit_items,
    held,
    symbolic,
)
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import note_views

from . import extents, python_numbers
from .attached import AVAL, OUT, REST, Lambda, Rules
from .avals import aval_of, meta
from .errors import explained
from .exported import direct
from .labels import Whole
from .layouts import Layout, laid_out
from .promotion import WIDER, in_wider_type, promoted
from .table import REGISTRY
from .traits import Trait
from .values_and_indices import ValuesAndIndices, values_of

_MEMO_LIMIT = 100_000      # distinct signatures of one operator before its memo starts anew


class Fields(TypedDict, total=False):
    """What `operator` is told besides the kernel."""

    primitive: str
    function: str
    method: str
    dims: str | Whole | Lambda[str | Whole | None]
    samples: Sequence[Any]
    promote: bool | str
    effect: str
    grad: str
    code: str
    inplace: str
    hidden: bool
    traits: Iterable[Trait]
    onnx: str


class Operator(Rules):
    """One operator: names, kernel, shape rule, gradient rule, sharding, samples."""

    def __init__(self, kernel: Callable[..., Any], *, primitive: str | None = None,
                 function: str | None = None, method: str | None = None,
                 dims: str | Whole | Lambda[str | Whole | None] | None = None,
                 samples: Sequence[Any] = (), promote: bool | str = False, effect: str | None = None,
                 grad: str | None = None, code: str | None = None, inplace: str | None = None,
                 hidden: bool = False, traits: Iterable[Trait] = (), onnx: str | None = None):
        super().__init__(kernel)
        self.name = primitive.split("(")[0] if primitive else _camel(kernel.__name__)
        self.primitive, self.function, self.method, self.samples = primitive, function, method, samples
        self.promote, self.effect, self.code = promote, effect, code
        self.inplace, self.hidden, self.via_torch = inplace, hidden, grad == "torch"
        self.traits = frozenset(traits)
        self.view, self.copies = Trait.VIEW in self.traits, Trait.COPIES in self.traits     # asked for every node
        self.strict = Trait.STRICT in self.traits or effect == "communication"   # others wait for what fails here
        self.wider = {k: v for trait in self.traits & WIDER.keys() for k, v in WIDER[trait].items()}
        if dims is not None:
            self.layout(dims)
        if onnx is not None:
            self.onnx(direct(onnx))
        self._memo: dict[Any, Any] = {}         # signature -> avals of the results
        self._direct: dict[Any, Any] = {}       # the same, where an application becomes a node directly
        if self.name in REGISTRY:
            raise ValueError(f"Operator '{self.name}' is registered twice.")
        REGISTRY[self.name] = self

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *inputs: Any, **attrs: Any) -> Any:
        for x in inputs:
            if type(x) is ValuesAndIndices:
                return runtime.top.apply(self, values_of(inputs), attrs)
        return runtime.top.apply(self, inputs, attrs)

    # ------------------------------------------------------------------ rules

    def labels(self, inputs: Sequence[Any], attrs: dict[str, Any]) -> str | Whole | None:
        """The labels of an application, from avals and constants; None if nothing is known."""
        rule = self.layout_rule
        return self.layout_rule(*inputs, **{**self.attrs, **attrs}) if callable(rule) else rule

    def laid_out(self, inputs: Sequence[Any], attrs: dict[str, Any]) -> Layout | None:
        """Which dimensions of an application may be cut; None if nothing is known."""
        labels = self.labels(inputs, attrs)
        if labels is None:
            return None
        found = self.inferred(tuple(inputs), attrs)
        return laid_out(labels, inputs, {**self.attrs, **attrs}, (found,) if type(found) is Aval else found)

    def cotangents(self, inputs: Sequence[Any], out: Any, dout: Any,
                   attrs: dict[str, Any]) -> Sequence[Any]:
        """What the gradient rule answers for complete values."""
        values = self.select(inputs, out)
        if type(dout) is not tuple and dout.dtype.is_complex:
            return self.conjugated(values, dout, attrs)
        return self.rule(*values, dout, **attrs)

    def conjugated(self, values: Sequence[Any], dout: Any, attrs: dict[str, Any]) -> Sequence[Any]:
        """The cotangents where the result is complex: conj(f'(x)) * dout, by a rule for f'(x) * dout."""
        if Trait.NOT_HOLOMORPHIC in self.traits:
            return self.rule(*values, dout, **attrs)
        conj = REGISTRY["Conj"]
        found = self.rule(*values, conj(dout), **attrs)
        return tuple([None if d is None else _conjugated(conj, d) for d in found])

    def select(self, inputs: Sequence[Any], out: Any) -> list[Any]:
        """Of an application's values those that the gradient rule needs, in its order."""
        if self.plain and len(inputs) == len(self.inputs):
            return [inputs[k] for k in self.picks]
        return [out if k == OUT else tuple(inputs[len(self.inputs) - 1:]) if k == REST
                else getattr(inputs[k - AVAL], "aval", inputs[k - AVAL]) if k >= AVAL
                else inputs[k] if k < len(inputs) else None for k in self.picks]

    def laid_across(self, inputs: Sequence[Any], attrs: dict[str, Any]) -> Layout | None:
        """The same with dimensions that a rule `across` can cut, where there is one for these inputs."""
        layout, across = self.laid_out(inputs, attrs), self.across_rule
        if layout is None or across is None or not (across.exact or all(
                [x.dtype.kind != "f" or x.dtype.itemsize > 2 for x in inputs if isinstance(x, Aval)])):
            return layout
        if across.only is not None and not across.only(*inputs, **attrs):
            return layout
        return layout.open(across.leaves, self.effect is not None)

    # ------------------------------------------------------------------ avals and nodes

    def infer(self, *inputs: Any, **attrs: Any) -> Any:
        """The aval (or a tuple of avals) of the results for avals and constants."""
        return self.inferred(inputs, attrs)

    def inferred(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """The same for inputs and attributes that are already collected."""
        try:
            key = _signature(inputs, attrs)
            found = self._memo.get(key)
        except TypeError:              # an attribute that cannot be hashed is inferred each time
            return self._infer(inputs, attrs)
        if found is None:
            if len(self._memo) > _MEMO_LIMIT:
                self._memo.clear()
                self._direct.clear()
            found = self._infer(inputs, attrs)
            if runtime.sizes is None or not runtime.sizes.active or not symbolic(key):
                self._memo[key] = found
        return found

    def _infer(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        inputs = tuple([x.strong if type(x) is Aval else x for x in inputs])      # a rule may return one of them
        if self.shape_rule:
            try:
                return self.shape_rule(*inputs, **attrs)
            except (AttributeError, IndexError, TypeError) as error:
                raise self.explain(error, inputs, attrs) from None
        sizes = runtime.sizes
        if sizes is not None and sizes.active and symbolic((inputs, attrs)):
            return extents.probed(sizes, self, inputs, attrs)
        return self.from_meta(inputs, attrs)

    def accepts(self, inputs: Sequence[Any], attrs: dict[str, Any]) -> None:
        """Raise what the shape rule says of tensors and constants; wide unsigned integers are asked for once cast."""
        avals = tuple([getattr(x, "aval", x) for x in inputs])
        if not any([type(x) is Aval and x.dtype in self.wider for x in avals]):
            self.inferred(avals, {k: freeze(v) for k, v in attrs.items()})

    def from_meta(self, inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """The avals of the results that the kernel gives on torch's meta device."""
        metas = [meta(x) for x in inputs]
        try:
            with torch.device("meta"):
                out = self.kernel(*metas, **attrs)
        except AssertionError as error:     # torch checks so on the meta device
            raise self.explain(RuntimeError(*error.args), inputs, attrs) from None
        except KeyError as error:           # and so looks types up
            raise self.explain(TypeError(f"no type of results for {error}"), inputs, attrs) from None
        except Exception as error:  # of a kernel: raised again in the operator's words
            raise self.explain(error, inputs, attrs) from None
        return aval_of(out) if isinstance(out, torch.Tensor) else tuple([aval_of(o) for o in out])

    def emit(self, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append a node for this operator to the graph under construction."""
        building: Any = runtime.building
        ins = tuple([x if type(x) is Node else building.lift(x) for x in inputs])
        if runtime.changing:
            ins = tuple([held(x) for x in ins])
        try:
            key = _signature(tuple([x.aval if type(x) is Node else x for x in ins]), attrs)
            aval = self._direct.get(key)
        except TypeError:              # an input or attribute that cannot be hashed
            key = aval = None
        if aval is not None:
            return self._append(ins, dict(attrs), aval)
        return self.emitted(python_numbers.operands(self, ins), attrs, (ins, key))

    def emitted(self, ins: tuple[Any, ...], attrs: dict[str, Any], asked: tuple[Any, Any] = (None, None)) -> Any:
        """The same for inputs that are nodes and constants, with numbers as operands that `emit` was `asked` for.

        The signature in `asked` is kept where these inputs need no cast, no other operator and no new symbol.
        """
        if attrs:
            attrs = {k: freeze(v) if isinstance(v, (list, tuple)) else v for k, v in attrs.items()}
        if self.promote:
            if ins and not self.variadic and not any([type(x) is Node for x in ins]):
                ins = (python_numbers.tensor_node(ins[0]), *ins[1:])
            ins = promoted(self, ins)
        if self.dispatch_rule and (other := self.dispatch_rule(ins)):
            return other.emit(ins, attrs)
        if self.wider and any([type(x) is Node and x.aval.dtype in self.wider for x in ins]):
            return in_wider_type(self, ins, attrs)
        try:
            aval: Any = self.inferred(tuple([x.aval if type(x) is Node else x for x in ins]), attrs)
        except UnknownExtent as error:
            return extents.measured(self, ins, attrs, error)
        if aval == () and self.effect is None:
            return ()
        several = aval
        if not (isinstance(several, tuple) or (aval and isinstance(several, list))):     # an input that is no tensor
            raise TypeError(f"For '{self.name}', the inputs must be tensors, but got {', '.join(map(show, ins))}.")
        if ins is asked[0] and aval and not self.dispatch_rule and asked[1] in self._memo:
            self._direct[asked[1]] = aval
        return self._append(ins, attrs, aval)

    def _append(self, ins: tuple[Any, ...], attrs: dict[str, Any], aval: Any) -> Any:
        """Append a node to the block under construction; its results."""
        if type(aval) is Aval or not aval:
            out: Any = Node(self, ins, attrs, aval or (), runtime.loc, runtime.origin)
            block = runtime.blocks[-1]
            out.block = id(block)
            block.append(out)
        else:
            out = emit_items(self, ins, attrs, aval)
        if self.view and (Trait.CAST not in self.traits or out.dtype is ins[0].dtype):
            note_views(self.shared(ins), out)
        return out

    def shared(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """The inputs whose memory the results may share: the first, or all of `op(*tensors)`."""
        if self.copies:
            return ()
        return inputs if self.variadic and len(self.inputs) == 1 else inputs[:1]

    # ------------------------------------------------------------------ errors

    def explain(self, error: Exception, inputs: Sequence[Any],
                attrs: dict[str, Any] | None = None) -> Exception:
        """The error that the user sees for a failure of a rule or kernel, with the type and wording of all others."""
        return explained(self, error, inputs, attrs)


def operator(**fields: Unpack[Fields]) -> Callable[[Callable[..., Any]], Operator]:
    """Register the decorated kernel as an operator; the fields are those of `Operator`."""
    return lambda kernel: Operator(kernel, **fields)


def freeze(value: Any) -> Any:
    """An attribute in hashable form: lists become tuples."""
    several: Any = value
    return tuple([freeze(v) for v in several]) if isinstance(value, (list, tuple)) else value


_type_of: Callable[[Any], type[Any]] = type


def _kind(value: Any) -> Any:
    """What tells apart constants that are equal: 1, 1.0 and True, also in tuples."""
    several: Any = value
    kind = _type_of(value)
    return tuple([_kind(v) for v in several]) if kind is tuple else kind


def _signature(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """What avals, or constants, and attributes are told apart by."""
    given: Any = inputs
    for x in inputs:
        if type(x) is not Aval:
            given = tuple([x if type(x) is Aval else (_kind(x), x) for x in inputs])
            break
    return given, tuple([(k, _kind(v), v) for k, v in attrs.items()]) if attrs else ()


def _conjugated(conj: Operator, d: Any) -> Any:
    """A cotangent in one of the forms that rules return, to be conjugated when it is computed."""
    def value() -> Any:
        found = d() if type(d) is FunctionType else d.whole() if hasattr(d, "whole") else d
        return None if found is None else conj(found)
    return value


def _camel(name: str) -> str:
    return "".join([part.capitalize() for part in name.strip("_").split("_")])
