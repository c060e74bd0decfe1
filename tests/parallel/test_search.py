"""The search against trying everything, and its plans done."""
from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import split_steps
import torch

import mindspore as ms
from mindspore.ir import Aval
from mindspore.parallel import elimination
from mindspore.parallel.choices import choices
from mindspore.parallel.costs import Machine
from mindspore.parallel.elimination import Problem
from mindspore.parallel.placement import REPLICATE, Mesh, Partial, Shard, mesh_of
from mindspore.parallel.search import searched
from mindspore.parallel.storing import Spreading, storing_of

SLOW = Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7)       # where it pays to cut nearly everything


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_all_choices_is_found(seed):
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 4, 6).tolist()
    problem, tables = Problem(), []
    for n in sizes:
        costs = draw.integers(0, 50, n)
        problem.decision(costs)
        tables.append(((len(tables),), costs))
    for a, b in random.Random(seed).sample(list(itertools.permutations(range(6), 2)), 8):
        costs = draw.integers(0, 50, (sizes[a], sizes[b]))
        problem.between(a, b, costs)
        tables.append(((a, b), costs))

    def cost(found):
        return sum(t[tuple([found[d] for d in scope])] for scope, t in tables)
    found, total = problem.solved()
    assert problem.cost(found) == cost(found) == total == min(map(cost, itertools.product(*map(range, sizes))))


@pytest.mark.parametrize("name", split_steps.NETS)
@pytest.mark.parametrize("devices", [3, 4])
def test_a_plan_gives_the_training_step_of_one_device(name, devices):
    graph, inputs = split_steps.graph_of(name)
    found = searched(graph, mesh_of(devices), SLOW)
    graphs, results = split_steps.on_all(graph, inputs, found.plan)
    wanted = split_steps.on_one(graph, inputs)
    for one in results:
        for a, b in zip(one, wanted, strict=True):
            torch.testing.assert_close(a, b, rtol=2e-5, atol=2e-6)
    work = [n for n in graph.nodes if id(n) in found.plan.chosen and not getattr(n.op, "view", False)]
    assert sum([any(found.plan.chosen[id(n)].labels) for n in work]) > len(work) // 3
    assert len([n for n in graphs[0].nodes if n.op.effect]) > 0


def test_no_plan_at_random_is_better_and_small_work_is_not_cut():
    graph, _ = split_steps.graph_of("mlp")
    mesh, draw = mesh_of(3), random.Random(1)
    best = searched(graph, mesh, SLOW)
    assert best.exact
    for _ in range(30):
        fixed = {id(n): [draw.choice(choices(n, mesh))] for n in graph.nodes if n.op.name != "item"}
        other = searched(graph, mesh, SLOW, lambda node, fixed=fixed: fixed[id(node)])
        assert other.seconds >= best.seconds
    slow_links = searched(graph, mesh, Machine(latency=1.0))
    assert not any([any(c.labels) for c in slow_links.plan.chosen.values()])
    assert slow_links.volume == 0


def test_where_tables_grow_too_large_a_bound_leaves_few_choices(monkeypatch):
    graph, inputs = split_steps.graph_of("mlp")
    whole = searched(graph, mesh_of(4), SLOW)
    monkeypatch.setattr(elimination, "LARGEST", 30)
    found = searched(graph, mesh_of(4), SLOW)
    assert whole.exact
    assert found.exact
    assert found.seconds == pytest.approx(whole.seconds, rel=1e-12)
    _, results = split_steps.on_all(graph, inputs, found.plan)
    for a, b in zip(results[3], split_steps.on_one(graph, inputs), strict=True):
        torch.testing.assert_close(a, b, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("largest", [1, 10, 30])
def test_no_choices_are_below_the_bound_where_everything_depends_on_everything(seed, largest, monkeypatch):
    draw = np.random.default_rng(seed)
    problem = Problem()
    for n in draw.integers(2, 5, 6).tolist():
        problem.decision(draw.integers(0, 20, n))
    for a, b in itertools.combinations(range(6), 2):
        problem.between(a, b, draw.integers(0, 50, (problem.sizes[a], problem.sizes[b])))
    best = min(map(problem.cost, itertools.product(*map(range, problem.sizes))))
    monkeypatch.setattr(elimination, "LARGEST", largest)
    found, bound = problem.solved()
    assert bound <= best * (1 + 1e-12) <= problem.cost(found) * (1 + 2e-12)
    assert bound > best * 0.6
    assert problem.cost(found) < best * 1.2


def test_movements_cost_what_a_ring_sends():

    machine, mesh, x = Machine(link=(1e9,), latency=1e-5), Mesh((4,)), Aval((8, 16), ms.float32)
    size = 8 * 16 * 4
    for now, wanted, sent, rounds in (
            (Partial(), REPLICATE, 2 * size * 3 / 4, 6), (Partial(), Shard(0), size * 3 / 4, 3),
            (Shard(0), REPLICATE, size * 3 / 4, 3), (Shard(0), Shard(1), size / 4 * 3 / 4, 3),
            (REPLICATE, Shard(1), 0, 0), (Shard(1), Shard(1), 0, 0)):
        found = machine.move(x, (now,), (wanted,), mesh)
        assert found.volume == sent
        assert found.seconds == pytest.approx(sent / 1e9 + rounds * 1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_a_budget_is_kept_and_no_plan_is_below_the_bound(seed):
    draw = np.random.default_rng(seed)
    problem, held = Problem(), []
    for _ in range(6):
        d = problem.decision(draw.integers(0, 50, 3))
        held.append(draw.integers(0, 9, 3))
        problem.hold(d, held[d])
    for a, b in itertools.combinations(range(6), 2):
        problem.between(a, b, draw.integers(0, 20, (3, 3)))
    every = [c for c in itertools.product(range(3), repeat=6) if sum([held[d][k] for d, k in enumerate(c)]) <= 16]
    found = problem.budgeted(16)
    if not every:
        assert found is None
        return
    best, bound = found
    assert problem.held(best) <= 16
    assert bound <= min(map(problem.cost, every)) + 1e-9 <= problem.cost(best) + 2e-9


def test_a_step_that_must_hold_less_is_cut_further_and_is_the_same():
    graph, inputs = split_steps.graph_of("mlp")
    captured = [split_steps.Held(x) for x in inputs[2:]]
    replaced = split_steps.replaced("mlp")
    fast = Machine(latency=1.0)

    def found(budget):
        lies = storing_of(graph, captured, replaced, Spreading())
        return searched(graph, Mesh((4,)), fast, storing=lies, budget=budget)
    free = found(None)
    less = found(free.held * 0.7)
    assert less.held <= free.held * 0.7
    assert less.seconds > free.seconds
    assert less.bound <= less.seconds
    assert any([p != less.plan.mesh.whole for p in less.plan.stored.values()])
    with pytest.raises(ValueError, match="holds at most 10 bytes"):
        found(10)
