"""Operators along dimensions that they leave whole otherwise, in pieces on all devices, against one device."""
from __future__ import annotations

import pytest
import split_steps
import torch
from layout_samples import MORE
from operator_samples import as_tuple, drawn

from mindspore.core.errors import ArgumentError
from mindspore.ir import Graph, Node, param
from mindspore.operators.avals import aval_of
from mindspore.operators.registry import REGISTRY
from mindspore.operators.samples import between, index
from mindspore.parallel.choices import choices
from mindspore.parallel.costs import Machine
from mindspore.parallel.placement import Mesh, Partial, Shard
from mindspore.parallel.simulation import line, simulated
from mindspore.parallel.splitting import Plan, Splitter

ACROSS = [op for op in REGISTRY.values() if op.across_rule and not op.effect]
EVEN_MORE = {
    "SparseCrossEntropy": [((6, 5), index(5, 6), {"reduction": "mean", "ignore_index": 2})],
    "SparseCrossEntropyGrad": [((), (6, 5), index(5, 6), {"reduction": how, "ignore_index": 2})
                               for how in ("mean", "sum")],
    "NllLoss": [((6, 5), index(5, 6), between(0.5, 1.5, 5), {"reduction": how, "ignore_index": 2})
                for how in ("mean", "sum", "none")],
    "NllLossGrad": [(rows, index(5, 6), between(0.5, 1.5, 5), between(2.0, 3.0), {
        "shape": (6, 5), "reduction": how, "ignore_index": 2}) for rows, how in (((), "mean"), ((), "sum"),
                                                                               ((6,), "none"))],
    "BatchNormTrain": [((5, 4, 3, 3), (4,), (4,), (4,), (4,), {"momentum": 0.3})],
    "RmsNorm": [((2, 4, 6), (4, 6))],
    "Gather": [((7, 4), index(7, 3, 2), {"axis": 0}), ((3, 7), index(7, 3), {"axis": 1})],
    "Dense": [((3, 6), (4, 6), (4,))]}
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in ACROSS
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ()), *EVEN_MORE.get(op.name, ())])]


def graph_of(op, inputs, attrs):
    """The operator alone as a graph, and its tensors."""
    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    params = [param(aval_of(x)) for x in tensors]
    held = iter(params)
    ins = tuple([next(held) if isinstance(x, torch.Tensor) else x for x in inputs])
    avals = op.infer(*[x.aval if isinstance(x, Node) else x for x in ins], **attrs)
    several = not hasattr(avals, "shape")
    node = Node(op, ins, attrs, avals)
    outs = list(node.with_items()) if several else [node]
    return node, Graph("one", params, [node, *(outs if several else [])], outs), tensors


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_every_way_to_cut_what_stays_whole_otherwise_gives_what_one_device_computes(op, sample):
    inputs, attrs = drawn(sample, torch.float64)
    wanted = as_tuple(op.kernel(*inputs, **attrs))
    node, graph, tensors = graph_of(op, inputs, attrs)
    tried = 0
    for mesh in (Mesh((3,)), Mesh((2, 2))):
        for choice in choices(node, mesh):
            if choice.across:
                tried += 1
                _, found = split_steps.on_all(graph, tensors, Plan(mesh, {id(node): choice}))
                for one in found:
                    for a, b in zip(one, wanted, strict=True):
                        torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-9,
                                                   msg=lambda m, c=choice: f"{c.labels}: {m}")
    assert tried or min([n for x in tensors for n in x.shape], default=0) < 3 or attrs.get("batch_dims")


def test_every_such_operator_is_tried():
    tried = {op.name for op, _ in [p.values for p in SAMPLES]}
    assert sorted({op.name for op in ACROSS} - tried) == []


def test_indices_out_of_range_are_an_error_in_pieces_too():
    for name, inputs, attrs, error in (
            ("Gather", [torch.randn(6, 2), torch.tensor([1, 6])], {"axis": 0}, ArgumentError),
            ("SparseCrossEntropy", [torch.randn(2, 6), torch.tensor([1, 6])], {}, IndexError)):
        node, graph, tensors = graph_of(REGISTRY[name], inputs, attrs)
        mesh = Mesh((2,))
        choice = next(c for c in choices(node, mesh) if c.across and isinstance(c.inputs[0][0], Shard))
        with pytest.raises(error, match="6"):
            split_steps.on_all(graph, tensors, Plan(mesh, {id(node): choice}))


def test_halves_stay_whole_where_sums_would_lose_digits():
    node, _, _ = graph_of(REGISTRY["Softmax"], [torch.randn(4, 6).half()], {})
    assert not any([c.across for c in choices(node, Mesh((2,)))])
    table = torch.randn(6, 2).half()
    node, _, _ = graph_of(REGISTRY["Gather"], [table, torch.tensor([1])], {"axis": 0})
    rows = [c for c in choices(node, Mesh((2,))) if c.across]
    assert [c.outs for c in rows] == [((Partial(),),)]


def test_what_devices_tell_each_other_meanwhile_is_counted():
    node, _, _ = graph_of(REGISTRY["SparseCrossEntropy"], [torch.randn(8, 64), torch.zeros(8).long()], {})
    mesh, machine = Mesh((2, 4)), Machine()
    choice = next(c for c in choices(node, mesh) if c.labels == (("n",), ("c",)))
    # of 4 rows here: the largest, the sum of the powers; and one loss
    assert machine.sent_inside(node, choice, mesh) == 2 * 3 / 4 * 4 * (4 + 4 + 0.5)


def test_what_dropout_keeps_is_drawn_alike_and_cut():
    x = torch.randn(4, 6)
    node, graph, _ = graph_of(REGISTRY["Dropout"], [x], {"keep_prob": 0.6})

    def drawn_anew(node, inputs):
        if node.op.effect == "random":
            torch.manual_seed(7)             # as every device has it
        return split_steps.evaluate(node, inputs)
    wanted = split_steps.on_one(graph, [x], drawn_anew)
    assert 0 < int(wanted[1].sum()) < 24
    for mesh in (Mesh((3,)), Mesh((2, 2))):
        every = choices(node, mesh)
        assert len(every) == 3 ** len(mesh.shape)
        for choice in every:
            graphs = [Splitter(Plan(mesh, {id(node): choice}), d, line).split(graph) for d in range(mesh.size)]
            for one in simulated(graphs, [[x]] * mesh.size, drawn_anew):
                for a, b in zip(one, wanted, strict=True):
                    torch.testing.assert_close(a, b)
    assert "KeptPiece" in [n.op.name for n in graphs[0].nodes]
