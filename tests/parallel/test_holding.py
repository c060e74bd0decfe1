"""What a device holds at most: inputs, results, what lies between them, and messages."""
from __future__ import annotations

import numpy as np
import pytest
import split_steps

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.inspection.plans import traced
from mindspore.ir import ITEM
from mindspore.operators import pieces as moves
from mindspore.parallel.costs import Machine
from mindspore.parallel.holding import most_held, most_live, within
from mindspore.parallel.placement import Mesh
from mindspore.parallel.search import searched
from mindspore.parallel.splitting import Splitter
from mindspore.parallel.storing import Spreading, storing_of

KILO = np.zeros((16, 16), np.float32)            # of 1,024 bytes


def graph_of(fn, *inputs):
    return traced(fn, tuple([Tensor(x) for x in inputs]))[0]


@pytest.mark.parametrize(("fn", "kilobytes"), [
    (lambda x, y: ops.matmul(x, y), 3),                                         # inputs are the caller's
    (lambda x, y: ops.matmul(ops.matmul(x, y), ops.matmul(y, x)), 5),           # two products, and theirs
    (lambda x, y: ops.matmul(ops.matmul(ops.matmul(x, y), x), y), 4),           # what is used ends
    (lambda x, y: ops.exp(ops.matmul(x, y)), 3),                                # over what ends
    (lambda x, y: ops.matmul(x, y).reshape((4, 64)), 3),                        # a view
    (lambda x, y: ops.matmul(ops.matmul(x, y).reshape((16, 16)), y), 4),        # ends with its view
])
def test_values_are_held_until_they_are_used_last(fn, kilobytes):
    graph = graph_of(fn, KILO, KILO)
    assert most_live(graph, ()) == kilobytes * KILO.nbytes


def plan_of(name, budget=None, machine=split_steps.SLOW):
    graph, inputs = split_steps.graph_of(name)
    captured = [split_steps.Held(x) for x in inputs[2:]]

    def planned(room):
        lies = storing_of(graph, captured, split_steps.replaced(name), Spreading())
        return searched(graph, Mesh((4,)), machine, storing=lies, budget=room), lies
    return graph, planned, within(graph, budget, planned)


def test_what_a_device_holds_is_what_its_graph_says():
    graph, _, (found, lies) = plan_of("mlp")
    own = Splitter(found.plan, 0, lambda line: "").split(graph)
    between = sum([np.prod(p.aval.shape, dtype=int) * p.aval.dtype.itemsize for p in own.params])
    largest = max([np.prod(n.aval.shape, dtype=int) * n.aval.dtype.itemsize for n in own.nodes
                   if n.op is not ITEM and type(n.aval) is not tuple])
    assert between < found.held == most_held(graph, found.plan, lies.results)
    assert found.held >= between + largest or any([n.op is moves.gather_pieces for n in own.nodes])
    assert found.bound <= found.seconds


def test_plans_fit_the_room_that_there_is_messages_included():
    far = Machine(latency=1.0)                     # where nothing is cut that need not be
    _, planned, (free, _) = plan_of("mlp", machine=far)
    graph, _, (less, lies) = plan_of("mlp", free.held * 0.8, far)
    assert most_held(graph, less.plan, lies.results) == less.held <= free.held * 0.8
    assert less.seconds > free.seconds
    assert less.bound <= less.seconds
    for part in (0.5, 0.05):
        with pytest.raises(ValueError, match=r"No plan .*hold.*Take more processes"):
            within(graph, free.held * part, planned)


def test_a_report_tells_what_is_held_at_once():
    net = ms.nn.Dense(64, 64)
    text = ms.parallel.explain(net, ops.ones((256, 64), ms.float32), devices=2)
    held = float(text.split("holds ")[1].split(" MB")[0])
    assert held >= (256 * 64 * 2 + 64 * 65) * 4 / 1e6 / 2
