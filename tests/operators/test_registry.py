"""What every operator gets tested for because it is registered: its rules against its kernel.

A contributor writes samples; the tests find them.
"""
from __future__ import annotations

import math
import re

import pytest
import torch
from operator_samples import SAYS_NO_DERIVATIVE, SAYS_TYPE, as_tuple, avals, drawn, without_zeros

import mindspore
import mindspore.ops
from mindspore import ir
from mindspore.core.dtype import as_dtype, float16, float32, float64
from mindspore.eager.sweep import sweep
from mindspore.eager.tape import recording, watch
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import Aval
from mindspore.operators.registry import REGISTRY
from mindspore.operators.torch_reverse import reverse_of

EPSILON = 1e-5                # step of a central difference in float64
TOLERANCE = {"rtol": 1e-5, "atol": 1e-6}
SAYS_META = re.compile("[Mm]eta tensor")
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}")
           for op in REGISTRY.values() for i, sample in enumerate(op.samples)]
REPEATABLE = [p for p in SAMPLES if not p.values[0].effect]
SMOOTH = [p for p in REPEATABLE if p.values[0].rule or p.values[0].via_torch]


def is_float(x):
    return isinstance(x, (torch.Tensor, Tensor)) and as_dtype(x.dtype).is_floating


def inferred(op, inputs, attrs):
    found = op.infer(*avals(inputs), **attrs)
    return (found,) if type(found) is Aval else tuple(found)


def mixed(inputs):
    """Whether promotion would cast some of the inputs before the kernel sees them."""
    kinds = {v.dtype for v in inputs if isinstance(v, torch.Tensor)}
    fraction = any(isinstance(v, float) for v in inputs)
    return len(kinds) > 1 or (fraction and not all(k.is_floating_point for k in kinds))


# ---------------------------------------------------------------------- shapes and types

@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_the_shape_rule_says_what_the_kernel_returns(op, sample):
    inputs, attrs = drawn(sample)
    out = op.kernel(*inputs, **attrs)
    assert inferred(op, inputs, attrs) == tuple(avals(as_tuple(out)))


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int32])
def test_the_shape_rule_knows_the_type_of_the_result(op, sample, dtype):
    inputs, attrs = drawn(sample, dtype)
    if op.promote and mixed(inputs):
        pytest.skip("the inputs are cast first")
    if op.hidden and not dtype.is_floating_point:
        pytest.skip("reverse operators see floating point only")
    try:
        out = op.kernel(*without_zeros(sample, inputs), **attrs)
    except (RuntimeError, TypeError, NotImplementedError) as error:
        if not SAYS_TYPE.search(str(error)):
            raise
        pytest.skip("the kernel does not take this type")
    assert inferred(op, inputs, attrs) == tuple(avals(as_tuple(out)))


@pytest.mark.parametrize(("op", "sample"), [p for p in SAMPLES if p.values[0].shape_rule])
def test_the_shape_rule_agrees_with_torch_on_the_meta_device(op, sample):
    inputs, attrs = drawn(sample)
    metas = [x.to("meta") if isinstance(x, torch.Tensor) else x for x in inputs]
    try:
        with torch.device("meta"):
            out = op.kernel(*metas, **attrs)
    except NotImplementedError as error:
        if not SAYS_META.search(str(error)):
            raise
        pytest.skip("torch has no such kernel for the meta device, or the kernel reads values")
    assert inferred(op, inputs, attrs) == tuple(avals(as_tuple(out)))


# ---------------------------------------------------------------------- gradients

def applied(op, inputs, attrs, douts):
    """Results, and cotangents of the floating-point inputs (None for the others)."""
    with recording():
        watched = [wrap(x._data, watch(x)) if is_float(x) else x for x in inputs]
        outs = as_tuple(op(*watched, **attrs))
    wanted = [x._var for x in watched if is_float(x)]
    found = iter(sweep(outs, douts, wanted))
    return outs, [next(found) if is_float(x) else None for x in watched]


def tensors(values):
    return [wrap(v) if isinstance(v, torch.Tensor) else v for v in values]


def cotangents_for(outs):
    generator = torch.Generator().manual_seed(11)
    return [torch.randn(o.shape, dtype=torch.float64, generator=generator) if is_float(o) else None
            for o in outs]


def smooth(sample):
    """A sample in float64; skipped if nothing in it can be differentiated."""
    inputs, attrs = drawn(sample, torch.float64)
    if not any(is_float(x) for x in inputs):
        pytest.skip("no floating-point input")
    return inputs, attrs


def reference_gradient(op, inputs, attrs, douts):
    """torch's own derivative of the kernel."""
    leaves = [x.detach().requires_grad_() if is_float(x) else x for x in inputs]
    outs = as_tuple(op.kernel(*leaves, **attrs))
    pairs = [(o, d) for o, d in zip(outs, douts, strict=True) if d is not None and o.requires_grad]
    wanted = [x for x in leaves if is_float(x)]
    if not pairs:
        raise NotImplementedError("torch has no derivative of this kernel")
    return torch.autograd.grad([o for o, _ in pairs], wanted, [d for _, d in pairs],
                               allow_unused=True)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_the_gradient_rule_agrees_with_torch(op, sample):
    inputs, attrs = smooth(sample)
    outs = as_tuple(op.kernel(*inputs, **attrs))
    douts = cotangents_for(outs)
    if not any(d is not None for d in douts):
        pytest.skip("no floating-point result")
    try:
        wanted = reference_gradient(op, inputs, attrs, douts)
    except (RuntimeError, NotImplementedError) as error:
        if not SAYS_NO_DERIVATIVE.search(str(error)):
            raise
        pytest.skip("torch has no derivative of this kernel")
    _, found = applied(op, tensors(inputs), attrs, [None if d is None else wrap(d) for d in douts])
    for x, mine, theirs in zip([x for x in inputs if is_float(x)],
                               [g for g, x in zip(found, inputs, strict=True) if is_float(x)],
                               wanted, strict=True):
        zero = torch.zeros_like(x)
        torch.testing.assert_close(zero if mine is None else mine._data,
                                   zero if theirs is None else theirs, **TOLERANCE)


def dot(values, weights):
    return sum(float((v * w).sum()) for v, w in zip(values, weights, strict=True)
               if v is not None and w is not None)


def moved(inputs, directions, step):
    return [x if d is None else x + step * d for x, d in zip(inputs, directions, strict=True)]


def directions_for(inputs):
    generator = torch.Generator().manual_seed(13)
    return [torch.randn(x.shape, dtype=torch.float64, generator=generator) if is_float(x) else None
            for x in inputs]


@pytest.mark.parametrize(("op", "sample"), [p for p in SMOOTH if p.values[0].via_torch])
def test_the_reverse_that_torch_computes_has_the_shapes_of_its_inputs(op, sample):
    inputs, attrs = smooth(sample)
    outs = as_tuple(op.kernel(*inputs, **attrs))
    reverse = reverse_of(op, len(inputs))
    values = [*inputs, *[torch.zeros_like(o) for o in outs]]
    assert inferred(reverse, values, attrs) == tuple(avals(reverse.kernel(*values, **attrs)))


def test_the_reverse_that_torch_computes_has_the_shape_of_an_input_that_nothing_depends_on():
    """The reverse of a reverse has such inputs: `kept` is taken anew when torch watches the kernel."""
    dout, q, k, v, y, kept = (torch.randn(1, 2, 3, n) for n in (4, 4, 4, 4, 4, 3))
    reverse = reverse_of(REGISTRY["AttentionGrad"], 7)
    found = reverse.kernel(dout, q, k, v, None, y, kept, q, k, v, scale=0.5)
    assert [tuple(d.shape) for d in found[5:]] == [y.shape, kept.shape]


def differentiable(op, sample):
    """Inputs, attributes and cotangents of the results; the test is skipped if no result has one."""
    inputs, attrs = smooth(sample)
    douts = cotangents_for(as_tuple(op.kernel(*inputs, **attrs)))
    if not any(d is not None for d in douts):
        pytest.skip("no floating-point result")
    return inputs, attrs, douts


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_the_gradient_rule_agrees_with_finite_differences(op, sample):
    inputs, attrs, douts = differentiable(op, sample)
    directions = directions_for(inputs)

    def value(step):
        return dot(as_tuple(op.kernel(*moved(inputs, directions, step), **attrs)), douts)

    numeric = (value(EPSILON) - value(-EPSILON)) / (2 * EPSILON)
    _, found = applied(op, tensors(inputs), attrs, [None if d is None else wrap(d) for d in douts])
    analytic = dot([None if g is None else g._data for g in found], directions)
    assert math.isclose(analytic, numeric, rel_tol=1e-4, abs_tol=1e-5)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_the_second_derivative_agrees_with_finite_differences_of_the_first(op, sample):
    inputs, attrs, douts = differentiable(op, sample)
    weights, directions = directions_for(inputs[::-1])[::-1], directions_for(inputs)
    wrapped = [None if d is None else wrap(d) for d in douts]

    def slope(step):
        _, first = applied(op, tensors(moved(inputs, directions, step)), attrs, wrapped)
        return dot([None if g is None else g._data for g in first], weights)

    numeric = (slope(EPSILON) - slope(-EPSILON)) / (2 * EPSILON)
    second = gradient_of_slope(op, inputs, attrs, wrapped, weights)
    analytic = dot(second, directions)
    assert math.isclose(analytic, numeric, rel_tol=1e-3, abs_tol=1e-4)


def gradient_of_slope(op, inputs, attrs, douts, weights):
    """The gradient of the weighted sum of the first derivatives, by a sweep over a sweep."""
    with recording():
        outer = [wrap(x, watch(wrap(x))) if is_float(x) else y for x, y in zip(inputs, tensors(inputs), strict=True)]
        vars_ = [x._var if is_float(x) else None for x in outer]
        _, first = applied(op, outer, attrs, douts)
    pairs = [(g, wrap(w)) for g, w in zip(first, weights, strict=True)
             if g is not None and w is not None and g._var is not None]
    if not pairs:
        return [None] * len(inputs)
    found = iter(sweep([g for g, _ in pairs], [w for _, w in pairs],
                       [v for v in vars_ if v is not None]))
    second = [next(found) if v is not None else None for v in vars_]
    return [None if g is None else g._data for g in second]


# ---------------------------------------------------------------------- both modes

def summed(outs):
    """One number that depends on every floating-point result."""
    total = 0.0
    for i, out in enumerate(outs):
        if is_float(out):
            total = total + (out * (i + 1.0)).sum()
    return total


@pytest.mark.parametrize(("op", "sample"), REPEATABLE)
def test_graph_mode_gives_what_pynative_mode_gives(op, sample):
    inputs, attrs = drawn(sample)
    given = tensors(inputs)

    def run(*values):
        return op(*values, **attrs)

    eager, graph = as_tuple(run(*given)), as_tuple(mindspore.jit(run)(*given))
    for mine, theirs in zip(graph, eager, strict=True):
        torch.testing.assert_close(mine._data, theirs._data, equal_nan=True)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_graph_mode_differentiates_as_pynative_mode(op, sample):
    inputs, attrs = smooth(sample)
    given = tensors(inputs)
    places = tuple(i for i, x in enumerate(given) if is_float(x))

    def run(*values):
        return summed(as_tuple(op(*values, **attrs)))

    if not any(is_float(o) for o in as_tuple(op(*given, **attrs))):
        pytest.skip("no floating-point result")
    slope = mindspore.grad(run, places)
    eager, graph = as_tuple(slope(*given)), as_tuple(mindspore.jit(slope)(*given))
    for mine, theirs in zip(graph, eager, strict=True):
        torch.testing.assert_close(mine._data, theirs._data, equal_nan=True)


# ---------------------------------------------------------------------- the registry itself

def test_every_operator_says_what_it_computes():
    silent = [op.name for op in REGISTRY.values() if not (op.__doc__ or "").strip()]
    assert silent == []


def test_every_public_name_belongs_to_one_operator():
    from mindspore.ops.signatures import names_in

    seen = {}
    for op in REGISTRY.values():
        for kind in ("primitive", "function", "method"):
            for name in names_in(getattr(op, kind)):
                assert (kind, name) not in seen, f"{name}: {op.name} and {seen[kind, name]}"
                seen[kind, name] = op.name


@pytest.mark.parametrize("op", [op for op in REGISTRY.values()
                                if (op.primitive or op.function) and not op.effect],
                         ids=lambda op: op.name)
def test_every_public_signature_can_be_called(op):
    names = [(kind, n) for kind in ("primitive", "function")
             for n in mindspore.ops.signatures.names_in(getattr(op, kind))]
    for _, name in names:
        assert callable(getattr(mindspore.ops, name))


# ---------------------------------------------------------------------- errors

WRONG = [99, -99, "a", 4.5, None, (99,), (-99, 0), [0.5], True, -1, ()]
PUBLIC = [p for p in SAMPLES if p.values[0].primitive or p.values[0].function]


@pytest.mark.parametrize(("op", "sample"), [p for p in PUBLIC if p.values[0].attrs])
def test_a_wrong_attribute_is_refused_in_words_that_name_the_operator(op, sample):
    inputs, attrs = drawn(sample)
    for name in {**op.attrs, **attrs}:
        for value in WRONG:
            words = "For '"
            try:
                op(*tensors(inputs), **{**attrs, name: value})
            except (TypeError, ValueError) as error:
                words = str(error)
            assert words.startswith("For '"), (name, value)


@pytest.mark.parametrize("kept", [False, True])
def test_an_application_that_is_known_becomes_the_same_nodes(kept):
    """A signature that was met before takes a shorter path; casts, numbers and constants still count."""
    tensor, half, number = Aval((2,), float32), Aval((2,), float16), Aval((), float64, True)
    cases = [(tensor, tensor), (tensor, half), (tensor, number), (tensor, 2), (tensor, True), (2.0, tensor)]
    for _ in range(1 + kept):
        made = []
        for case in cases:
            with ir.recording([]) as nodes:
                REGISTRY["Add"](*[ir.param(x) if isinstance(x, Aval) else x for x in case])
            made.append([(n.op.name, str(n.aval), [type(x).__name__ for x in n.inputs]) for n in nodes])
    add = ("Add", "f32[2]", ["Tensor", "Tensor"])
    assert made == [[add], [("Cast", "f32[2]", ["Tensor"]), add], [("Cast", "f32[]", ["Tensor"]), add],
                    [("Add", "f32[2]", ["Tensor", "int"])], [("Add", "f32[2]", ["Tensor", "bool"])],
                    [("Add", "f32[2]", ["float", "Tensor"])]]
