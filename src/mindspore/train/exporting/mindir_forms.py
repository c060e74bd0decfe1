"""How operators are written in MindIR: by their rule, by the primitive that they are, or by a form of the file's own.

An operator has one of the three. What a primitive takes follows from its public signature, which readers go by, too:
of most, all that constructor and call take are inputs, the arguments of the call first; of the others, the arguments
of the constructor are attributes.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mindspore.core.dtype import DType, int64
from mindspore.core.kinds import type_of
from mindspore.ir import Aval, Dim
from mindspore.operators.registry import REGISTRY
from mindspore.ops.signatures import bound, parse

from ..mindir.primitives import DTYPES, TEXTS
from . import mindir_layers
from .mindir_layers import Plain

Form = Callable[..., Any]
CALLED = ""             # the kind of a node that calls its first input, a graph or what holds one
_IDS = {name: number for number, name in DTYPES.items()}
# Primitives whose options are attributes in the files of 2.10.
_NAMES = """
    Conv2D Conv2DTranspose Conv3D Conv3DTranspose Conv2DBackpropInput Conv2DBackpropFilter MaxPool MaxPoolGrad
    LSTM MakeTuple TupleGetItem Partial Switch UpdateState Load Depend TensorMove
    Mish SeLU Softplus Softsign TruncateDiv TruncateMod Mod DivNoNan MulNoNan SquaredDifference StopGradient SplitV
    Stack Unstack EmbeddingLookup IOU BoundingBoxEncode BoundingBoxDecode NMSWithMask NonMaxSuppressionWithOverlaps
    CheckValid RGBToHSV HSVToRGB AdjustHue AdjustSaturation ApproximateEqual EqualCount IsNan Coalesce L2Loss Tril
    DiagPart Xdivy Hypot MatrixInverse MatrixSolve MatrixTriangularSolve Lstsq CholeskySolve Orgqr Ormqr LuSolve
    LuUnpack Pdist BitwiseAnd BitwiseOr BitwiseXor Invert PopulationCount Lcm Heaviside Imag ComplexAbs TopK Sort
    InTopK Unique UniqueWithPad ListDiff Pad MirrorPad SpaceToDepth DepthToSpace Rint Fmax Fmin CumulativeLogsumexp
    TensorScatterUpdate TensorScatterSub TensorScatterMul TensorScatterDiv TensorScatterMax TensorScatterMin
    UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd SegmentSum SegmentMean SegmentMax SegmentMin SegmentProd
    NoRepeatNGram CompareAndBitpack CheckNumerics Lgamma Digamma Polygamma Zeta Igamma Igammac BesselI0 BesselI1
    BesselI0e BesselI1e BesselK0 BesselK1 BesselK0e BesselK1e BesselJ0 BesselJ1 BesselY0 BesselY1 Median Histogram
    HistogramFixedWidth Bincount Bucketize
"""
ATTRIBUTED = frozenset(_NAMES.split())
# Primitives that the original has no kernel for on CPUs: others are written in their place.
AVOIDED = frozenset(["Angle", "EqualCount", "Fmin", "RmsNorm", "Roll", "SplitV"])
# Options that are tuples in files where a number is short for one.
_TUPLES = {("Softmax", "axis"), ("Squeeze", "axis"), ("ReverseV2", "axis"), ("Roll", "shifts"), ("Roll", "dims"),
           *[(f"Reduce{kind}", "axis") for kind in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any")]}


class GraphName(NamedTuple):
    """An input of a node that is a graph."""

    name: str


def write(g: Any, op: Any, inputs: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """Write an operator as primitives; the name of its result, or the names.

    Args:
        g: Takes the nodes; knows the avals of the results.
        op: The operator, or its name.

    Raises:
        NotImplementedError: It has no form here, or not with these attributes.
    """
    op = REGISTRY[op] if isinstance(op, str) else op
    attrs = {**op.attrs, **attrs}
    if op.name in FORMS:
        return FORMS[op.name](g, *inputs, **attrs)
    if op.mindir_rule is not None:
        return op.mindir_rule(_Ruled(g), *inputs, **attrs)
    if op.primitive is None or op.hidden or "stream" in op.attrs or op.variadic or op.name in AVOIDED:
        raise NotImplementedError(f"the operator '{op.name}' has no form in MindIR")
    return _primitive(g, op, inputs, attrs)


class _Ruled:
    """What the rule of an operator writes to: operators, each of which is written in turn."""

    def __init__(self, g: Any):
        self.g, self.avals, self.results, self.constant = g, g.avals, g.results, g.constant

    def add(self, kind: str, *inputs: Any, **attrs: Any) -> Any:
        op: Any = REGISTRY[kind]
        found = op.infer(*[self.avals[x] if isinstance(x, str) else x for x in inputs], **attrs)
        before, self.g.results = self.g.results, (found,) if type(found) is Aval else tuple(found)
        names = write(self.g, op, inputs, attrs)
        for name, aval in zip((names,) if isinstance(names, str) else names, self.g.results, strict=True):
            self.avals[name] = aval
        self.g.results = before
        return names


def _primitive(g: Any, op: Any, inputs: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """The primitive that an operator is."""
    form = parse(op.primitive.partition(";")[0])
    made, called = form.groups
    options = [p.name for p in made]
    held = dict(zip(op.inputs, inputs, strict=False))

    def value(name: str, kind: str) -> Any:
        found = attrs[kind]
        if form.name.startswith("Reduce") and name == "axis" and found in ((), None):
            return tuple(range(len(g.avals[inputs[0]].shape)))       # the original finds no kernel for ()
        if (form.name, name) in _TUPLES and isinstance(found, int) and type_of(found) is not Dim:
            return (found,)
        return found
    wanted: list[Any] = []
    for param, target in bound(op, called, options):
        wanted.append(held.get(target) or Plain(None) if target in op.inputs else
                      stated(g, param.name, value(param.name, target)))
    if form.name in ATTRIBUTED:
        whole = g.add(form.name, *wanted, **{n: value(n, n) for n in options})
    else:
        whole = g.add(form.name, *wanted, *[stated(g, n, value(n, n)) for n in options])
    return whole if len(g.results) == 1 else tuple([g.add("TupleGetItem", whole, Plain(k))
                                                    for k in range(len(g.results))])


def stated(g: Any, name: str, value: Any) -> Any:
    """An option as an input: a plain value, or the name of a tuple of sizes that only a run tells."""
    if isinstance(value, DType):
        if value.name not in _IDS:
            raise NotImplementedError(f"the dtype '{value.name}' has no number in MindIR")
        return Plain(_IDS[value.name])
    if isinstance(value, str):
        numbers = {text.lower(): number for number, text in TEXTS.get(name, {}).items()}
        if value.lower() not in numbers:
            raise NotImplementedError(f"'{name}' of {value!r} has no number in MindIR")
        return Plain(numbers[value.lower()])
    if type_of(value) is Dim:
        return size(g, value)
    if isinstance(value, (tuple, list)) and any([type_of(v) is Dim for v in value]):
        return g.add("MakeTuple", *[size(g, v) if type_of(v) is Dim else Plain(v) for v in value])
    return Plain(value)


def size(g: Any, extent: Dim) -> str:
    """The name of a number, the value that a size has in the run."""
    total: Any = None
    for mono, factor in extent.poly.items():
        term: Any = None
        for atom in mono:
            if atom not in g.sizes:
                raise NotImplementedError(f"the size '{atom.text}' has no form in MindIR")
            value, axis = g.sizes[atom]
            one = g.add("TupleGetItem", g.add("Shape", value), Plain(axis))
            term = one if term is None else g.add("ScalarMul", term, one)
        if term is None:
            term = Plain(factor)
        elif factor != 1:
            term = g.add("ScalarMul", term, Plain(factor))
        total = term if total is None else g.add("ScalarAdd", total, term)
    return total


def _shape(g: Any, shape: Sequence[Any]) -> Any:
    """The shape that `Reshape` is given: one extent that only a run tells may be -1."""
    unknown = [type_of(n) is Dim for n in shape]
    if sum(unknown) == 1 and 0 not in [n for n in shape if type_of(n) is not Dim]:
        return Plain(tuple([-1 if type_of(n) is Dim else n for n in shape]))
    return stated(g, "shape", tuple(shape))


def _product(g: Any, x: Any, y: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    plain = len(g.avals[x].shape) == 2 and len(g.avals[y].shape) == 2
    if min(len(g.avals[x].shape), len(g.avals[y].shape)) < 2:
        raise NotImplementedError("MindIR has no product of a matrix and a vector")
    if not plain and len(g.avals[y].shape) == 2 and not transpose_a:
        return _rows_times(g, x, y, transpose_b)
    return g.add("MatMul" if plain else "BatchMatMul", x, y, Plain(bool(transpose_a)), Plain(bool(transpose_b)))


def _rows_times(g: Any, x: Any, y: Any, transpose_b: bool) -> Any:
    """A stack of matrices times one, as one product of all rows: the original's kernel does not repeat the one."""
    rows = g.add("Reshape", x, _shape(g, (-1, g.avals[x].shape[-1])))
    return _shaped(g, g.add("MatMul", rows, y, Plain(False), Plain(bool(transpose_b))))


def _joined(kind: str) -> Form:
    def form(g: Any, *xs: Any, axis: int = 0) -> Any:
        whole = g.add("MakeTuple", *xs)
        return g.add(kind, whole, axis=axis) if kind in ATTRIBUTED else g.add(kind, whole, Plain(axis))
    return form


def _item(g: Any, x: Any, *indices: Any, spec: Any) -> Any:
    """Slices and whole numbers."""
    if indices or any(isinstance(part, str) for part in spec):
        raise NotImplementedError("an index that is a tensor has no form in MindIR")
    begin, end, steps, drop, axis = [], [], [], [], 0
    shape = g.avals[x].shape
    for part in spec:
        if part is None:
            continue
        if isinstance(part, tuple) and any([type_of(n) is Dim and n is not shape[axis] for n in part]):
            raise NotImplementedError("a slice by a size that only a run tells has no form in MindIR")
        if isinstance(part, tuple) and part[2] < 0:
            raise NotImplementedError("a slice in reverse order has no form in MindIR")
        first, last, step = part if isinstance(part, tuple) else (part, part + 1, 1)
        begin.append(first)
        end.append(last)
        steps.append(step)
        if not isinstance(part, tuple):
            drop.append(axis)
        axis += 1
    found = x
    if begin:
        found = g.add("StridedSlice", x, Plain(tuple(begin)), *[stated(g, "end", tuple(v)) for v in (end, steps)],
                      *[Plain(0)] * 5)
    return _shaped(g, found) if drop or None in spec else found


def _reshaped(g: Any, x: Any, **_: Any) -> Any:
    return _shaped(g, x)


def _shaped(g: Any, x: Any) -> Any:
    return g.add("Reshape", x, _shape(g, g.results[0].shape))


def _gelu(g: Any, x: Any, *, approximate: str) -> Any:
    if approximate != "tanh":
        raise NotImplementedError("the exact 'GeLU' has no form in MindIR: use the one by tanh")
    return g.add("GeLU", x)


FORMS: dict[str, Form] = {
    **mindir_layers.FORMS,
    "Silu": lambda g, x: g.add("SiLU", x),
    "StopGradient": lambda g, x: x, "Identity": lambda g, x: x, "Copied": lambda g, x: x,
    "Reshape": _reshaped, "Flatten": _reshaped, "ExpandDims": _reshaped, "Squeeze": _reshaped,
    "MatMul": _product, "BatchMatMul": _product, "BatchedMatmul": _product,
    "Concat": _joined("Concat"), "Stack": _joined("Stack"), "GeLU": _gelu, "GetItem": _item,
    "MirrorPad": lambda g, x, *, paddings, mode: g.add("MirrorPad", x, g.constant(paddings, int64), mode=mode),
}
