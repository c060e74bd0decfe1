"""Plans at random on all devices of a mesh in one process, against the graph as it is."""
from __future__ import annotations

import random

import pytest
import split_steps
import torch
from operator_samples import as_tuple, drawn

from mindspore.ir import ITEM, Graph, Node, param, verify
from mindspore.operators.avals import aval_of
from mindspore.operators.labels import Whole
from mindspore.operators.registry import REGISTRY
from mindspore.parallel.choices import choices, layout_of
from mindspore.parallel.placement import mesh_of
from mindspore.parallel.splitting import Plan


def close(found, wanted, what):
    for one in found:
        for a, b in zip(one, wanted, strict=True):
            torch.testing.assert_close(a, b, rtol=2e-5, atol=2e-6, equal_nan=True, msg=lambda m: f"{what}: {m}")


@pytest.mark.parametrize("name", split_steps.NETS)
@pytest.mark.parametrize("devices", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow), 6,
                                     pytest.param(8, marks=pytest.mark.slow)])
def test_a_training_step_is_the_same_however_its_operators_are_cut(name, devices):
    graph, inputs = split_steps.graph_of(name)
    wanted = split_steps.on_one(graph, inputs)
    mesh, draw = mesh_of(devices), random.Random(devices)
    cut = 0
    for _ in range(1 if devices < 8 else 2):
        chosen = {id(n): draw.choice(choices(n, mesh)) for n in graph.nodes if n.op is not ITEM}
        graphs, found = split_steps.on_all(graph, inputs, Plan(mesh, chosen))
        for one in graphs:
            verify(one)
        cut += sum([any(c.labels) for c in chosen.values()])
        close(found, wanted, name)
    assert cut > len(graph.nodes) // 8


SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in REGISTRY.values()
           for i, sample in enumerate(op.samples) if not op.effect and not isinstance(op.layout_rule, Whole)]


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_every_way_to_cut_an_operator_gives_what_it_gives_whole(op, sample):
    inputs, attrs = drawn(sample, torch.float64)
    wanted = list(as_tuple(op.kernel(*inputs, **attrs)))
    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    params = [param(aval_of(x)) for x in tensors]
    held = iter(params)
    ins = tuple([next(held) if isinstance(x, torch.Tensor) else x for x in inputs])
    avals = tuple([aval_of(o) for o in wanted])
    node = Node(op, ins, attrs, avals[0] if len(avals) == 1 else avals)
    outs = [node] if len(avals) == 1 else list(node.with_items())
    graph = Graph("one", params, [node, *node.items], outs)
    if layout_of(node) is None:
        return
    for devices in (3, 4):
        mesh = mesh_of(devices)
        for choice in choices(node, mesh)[1:]:
            _, found = split_steps.on_all(graph, tensors, Plan(mesh, {id(node): choice}))
            for one in found:
                for a, b in zip(one, wanted, strict=True):
                    torch.testing.assert_close(a, b, equal_nan=True, msg=lambda m, c=choice: f"{c.labels}: {m}")
