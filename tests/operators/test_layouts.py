"""The layout rule of every operator, done: the operator on pieces gives the pieces of its results."""
from __future__ import annotations

import functools

import pytest
import torch
from layout_samples import MORE
from operator_samples import SAYS_NO_DERIVATIVE, as_tuple, avals, drawn

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler.program import Program
from mindspore.operators.labels import Whole
from mindspore.operators.registry import REGISTRY, Operator
from mindspore.operators.torch_reverse import reverse_of

JOINED = {"sum": lambda a, b: a + b, "prod": lambda a, b: a * b, "max": torch.maximum, "min": torch.minimum,
          "all": torch.logical_and, "any": torch.logical_or, "same": lambda a, b: a if torch.equal(a, b) else None}
OPERATORS = list(REGISTRY.values())
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in OPERATORS
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
    return [p.flatten(at[0], at[0] + len(factors) - 1).contiguous() for p in pieces]


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


@pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad")
@pytest.mark.parametrize(("op", "sample"), [p for p in SAMPLES if p.values[0].via_torch])
def test_the_layout_of_the_reverse_that_torch_computes_follows_from_the_forward_one(op, sample):
    inputs, attrs = drawn(sample, torch.float64)
    outs = as_tuple(op.kernel(*inputs, **attrs))
    if not any(isinstance(x, torch.Tensor) and x.is_floating_point() for x in inputs):
        pytest.skip("no floating-point input")
    douts = [torch.randn(o.shape, generator=torch.Generator().manual_seed(5), dtype=o.dtype)
             if o.is_floating_point() or o.is_complex() else torch.zeros_like(o) for o in outs]
    reverse = reverse_of(op, len(inputs))
    try:
        reverse.kernel(*inputs, *douts, **attrs)
    except (RuntimeError, NotImplementedError) as error:
        if not SAYS_NO_DERIVATIVE.search(str(error)):
            raise
        pytest.skip("torch has no derivative of this kernel, or none for random cotangents")
    check(reverse, [*inputs, *douts], attrs)


def test_every_operator_has_a_layout_rule_or_says_why_not():
    assert [op.name for op in OPERATORS if op.layout_rule is None] == []


def test_every_layout_rule_that_cuts_is_done_for_a_sample():
    done = set()
    for op, sample in [p.values for p in SAMPLES]:
        if op.name not in done and (isinstance(op.layout_rule, Whole) or cuts(
                op, *drawn(sample, torch.float64))[1].cuttable()):
            done.add(op.name)
    assert sorted({op.name for op in OPERATORS if not op.effect
                   and not isinstance(op.layout_rule, Whole)} - done) == []


class Model(nn.Cell):
    """Embedding, a layer of a transformer, and a head."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
        self.head = nn.Dense(8, 11)

    def construct(self, tokens):
        return self.head(self.layer(self.embedding(tokens)))


def nodes_of(graph):
    """All nodes of a graph and of the graphs in it."""
    for node in graph.nodes:
        yield node
        for value in node.attrs.values():
            if hasattr(value, "nodes"):
                yield from nodes_of(value)


def test_every_node_of_a_training_step_of_a_transformer_has_a_layout():
    model = Model()
    optimizer = nn.Adam(model.trainable_params(), 1e-3)
    tokens = ms.Tensor([[1, 2, 3, 4], [5, 6, 7, 8]], ms.int32)

    def loss_of(tokens):
        logits = model(tokens)
        return ops.cross_entropy(logits.reshape((-1, 11)), tokens.reshape((-1,)))

    def step(tokens):
        loss, grads = ms.value_and_grad(loss_of, None, optimizer.parameters)(tokens)
        optimizer(grads)
        return loss

    nodes = list(nodes_of(Program("step", step, (tokens,), {}).graph))
    assert len(nodes) > 50
    flow = [n.op.name for n in nodes if not isinstance(n.op, Operator)]
    assert set(flow) <= {"item"}          # one of several results
    for node in [n for n in nodes if isinstance(n.op, Operator)]:
        layout = node.op.laid_out([getattr(x, "aval", x) for x in node.inputs], node.attrs)
        assert layout is not None, node.op
