"""The layout rule of every operator, done: the operator on pieces gives the pieces of its results."""
from __future__ import annotations

import functools

import pytest
import torch
from operator_samples import as_tuple, avals, drawn

from mindspore.operators.registry import REGISTRY

JOINED = {"sum": lambda a, b: a + b, "prod": lambda a, b: a * b, "max": torch.maximum, "min": torch.minimum,
          "all": torch.logical_and, "any": torch.logical_or}
MORE = {}                     # samples for operators whose other tests are written by hand
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in REGISTRY.values()
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])
           if not op.effect and op.layout_rule is not None]


def split(x, operand, layout, label, sizes):
    """A tensor's pieces along a label, those of its factors that lie inside another one included."""
    at = next(((i, [f.label for f in d].index(label)) for i, d in enumerate(operand.dims)
               if label in [f.label for f in d]), None)
    if at is None:
        return [x] * len(sizes)
    factors = [layout.extents[f.label] for f in operand.dims[at[0]]]
    pieces = x.unflatten(at[0], factors).split(sizes, sum(at))
    return [p.flatten(at[0], at[0] + len(factors) - 1) for p in pieces]


def joined(parts, operand, layout, label, sizes, result):
    """A result of the pieces' results."""
    kind = layout.left(result, label)
    if kind == "mean":
        return sum(p * n for p, n in zip(parts, sizes, strict=True)) / sum(sizes)
    if kind == "share":
        parts = [p * (n / sum(sizes)) for p, n in zip(parts, sizes, strict=True)]
    elif kind is not None:
        return functools.reduce(JOINED[kind], parts)
    at = next(i for i, d in enumerate(operand.dims) if label in [f.label for f in d])
    names = [f.label for f in operand.dims[at]]
    inner = [[n if name == label else layout.extents[name] for name in names] for n in sizes]
    wide = torch.cat([p.unflatten(at, e) for p, e in zip(parts, inner, strict=True)], at + names.index(label))
    return wide.flatten(at, at + len(names) - 1)


def cuts(op, inputs, attrs):
    """The layout of a sample."""
    outs = as_tuple(op.kernel(*inputs, **attrs))
    layout = op.laid_out(avals(inputs), attrs)
    assert [len(o.dims) for o in layout.results] == [o.dim() for o in outs]
    assert [None if o is None else layout.shape(o) for o in layout.inputs] == [
        tuple(x.shape) if isinstance(x, torch.Tensor) else None for x in inputs]
    assert [layout.shape(o) for o in layout.results] == [tuple(o.shape) for o in outs]
    return outs, layout


def check(op, inputs, attrs):
    wholes, layout = cuts(op, inputs, attrs)
    for label in layout.cuttable():
        extent = layout.extents[label]
        sizes = [extent // 2, extent - extent // 2]
        pieces = [[x, x] if o is None else split(x, o, layout, label, sizes)
                  for x, o in zip(inputs, layout.inputs, strict=True)]
        found = [as_tuple(op.kernel(*[p[k] for p in pieces], **layout.settings(attrs, {label: n})))
                 for k, n in enumerate(sizes)]
        for r, whole in enumerate(wholes):
            out = joined([f[r] for f in found], layout.results[r], layout, label, sizes, r)
            torch.testing.assert_close(out, whole, equal_nan=True, msg=lambda m, at=(label, r): f"{at}: {m}")


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_the_layout_rule_holds_when_it_is_done(op, sample):
    check(op, *drawn(sample, torch.float64))


def test_every_operator_has_a_layout_rule_or_says_why_not():
    assert [op.name for op in REGISTRY.values() if op.layout_rule is None] == []
