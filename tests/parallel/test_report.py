"""Reports of plans, and what the context says about the search."""
from __future__ import annotations

import math
import re

import numpy as np
import pytest
import split_steps

import mindspore as ms
from mindspore import context, nn, ops
from mindspore.compiler.inspection.plans import traced
from mindspore.parallel import cost_settings, report, running, tables
from mindspore.parallel.costs import Machine
from mindspore.parallel.placement import Mesh
from mindspore.parallel.search import searched

SLOW = Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7)


@pytest.fixture
def plan():
    graph, _ = split_steps.graph_of("mlp")
    return graph, searched(graph, Mesh((4,)), SLOW)


def test_a_report_says_what_is_chosen_what_it_costs_and_what_was_next(plan):
    graph, found = plan
    lines = report.report("step", graph, found, SLOW).splitlines()
    assert lines[0].startswith(f"'step' over 4 devices: mesh 4, {found.seconds * 1e3:.4g} ms by the cost model, no ")
    assert f"sends {found.volume / 1e6:.4g} MB and holds {found.held / 1e6:.4g} MB" in lines[0]
    table = [re.split(r" {2,}", line) for line in lines[4:]]
    assert len(table) == len(found.plan.chosen)
    assert {row[0] for row in table} >= {"Dense", "MatMul", "ReLU", "SparseCrossEntropy"}
    times = [float(row[-4]) for row in table]
    assert times == sorted(times, reverse=True)
    short = report.report("step", graph, found, SLOW, lines=3).splitlines()
    assert short[3].split()[:2] == ["operator", "phase"]
    assert len(short) == 8
    assert [re.split(r" {2,}", x)[0] for x in short[4:7]] == [row[0] for row in table[:3]]
    assert re.fullmatch(r"\.\.\. and \d+ operators that take [\d.]+ ms together", short[-1])


def test_the_next_best_way_costs_what_the_whole_plan_costs_more(plan):
    _, found = plan
    problem, nodes, best = found.weighed
    second = report._alternatives(found.weighed)
    assert len(second) > 5
    for key, (choice, more) in second.items():
        d, ways = nodes[key]
        other = list(best)
        costs = []
        for k, way in enumerate(ways):
            other[d] = k
            if way.labels != ways[best[d]].labels:
                costs.append((problem.cost(other), way.labels))
        least = min(c for c, _ in costs)
        assert more == pytest.approx(least - found.seconds, abs=1e-12)
        assert least == pytest.approx(next(c for c, labels in costs if labels == choice.labels))
    assert min([more for _, more in second.values()]) >= -1e-12


def test_a_step_is_explained_without_processes():
    net = nn.SequentialCell(nn.Dense(64, 128, activation="relu"), nn.Dense(128, 8))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    x, y = ms.Tensor(np.zeros((16, 64), np.float32)), ms.Tensor(np.zeros((16, 8), np.float32))
    before = net.trainable_params()[0].asnumpy()
    text = ms.parallel.explain(step, x, y, devices=6)
    assert text.startswith("'TrainOneStepCell' over 6 devices: mesh ")
    assert "AdamStep" in text
    assert (net.trainable_params()[0].asnumpy() == before).all()
    with pytest.raises(ValueError, match="'devices' must be at least 2, but got None"):
        ms.parallel.explain(step, x, y)
    with pytest.raises(ValueError, match="holds at most 100 bytes on each"):
        ms.parallel.explain(step, x, y, devices=2, budget=100)


def test_without_a_program_the_error_says_what_to_give(monkeypatch):
    monkeypatch.setattr(report, "_last", [])
    with pytest.raises(RuntimeError, match="give a function, its inputs and 'devices'"):
        ms.parallel.explain()


def test_the_context_says_by_what_plans_are_weighed():
    try:
        context.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="sharding_propagation")
        assert (running.machine().flops, running.machine().memory, running.machine().start) == (math.inf, math.inf, 0.0)
        for mode in ("dynamic_programming", "recursive_programming"):
            context.set_auto_parallel_context(search_mode=mode)
            assert running.machine() == Machine()
        assert running.budget() is None
        cost_settings.set_cost_model_context(device_memory_capacity=5e9)
        assert running.budget() == 5e9
    finally:
        cost_settings.reset_cost_model_context()
        context.reset_auto_parallel_context()


def test_propagation_moves_what_it_must_only():
    graph, _ = split_steps.graph_of("mlp")
    only_moves = Machine(flops=math.inf, memory=math.inf, start=0.0)
    assert not any([any(c.labels) for c in searched(graph, Mesh((2,)), only_moves).plan.chosen.values()])


class Deep(nn.Cell):
    """Three equal layers between two others."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Dense(8, 32), nn.Dense(32, 4)
        self.layers = nn.SequentialCell(*[nn.SequentialCell(nn.Dense(32, 32), nn.Tanh()) for _ in range(3)])

    def construct(self, x):
        return self.last(self.layers(self.first(x)))


def deep_step():
    net = Deep()
    optimizer, loss = nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.MSELoss()

    def step(x, y):
        value, grads = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)(x, y)
        optimizer(grads)
        return value
    return step, ms.Tensor(np.zeros((4, 8), np.float32)), ms.Tensor(np.zeros((4, 4), np.float32))


def test_with_the_batch_of_a_step_stages_and_parts_are_explained_too():
    step, x, y = deep_step()
    text = ms.parallel.explain(step, x, y, devices=6, batch=48)
    first, second, *_ = text.splitlines()
    assert re.match(r"'step' over 6 devices: [\d.e-]+ ms by the cost model, (no arrangement|at most)", first)
    counts = [int(n) for n in re.match(r"(\d+) devices compute .* together, (\d+) stages, (\d+) copies .*; (\d+) parts "
                                       r"of (\d+) for each", second).groups()]
    assert counts[0] * counts[1] * counts[2] == 6
    assert counts[2] * counts[3] * counts[4] * 4 == 48
    assert sum(int(line.split()[1]) for line in text.splitlines()[4:]) == 5
    with pytest.raises(ValueError, match="must be a multiple of the 4 samples of the inputs, but got 30"):
        ms.parallel.explain(step, x, y, devices=6, batch=30)
    with pytest.raises(ValueError, match="fits into their memory"):
        ms.parallel.explain(step, x, y, devices=6, batch=48, budget=100.0)
    net = nn.Dense(8, 8)
    with pytest.raises(ValueError, match="stages need layers"):
        ms.parallel.explain(net, x, devices=6, batch=48)


def test_blocks_of_a_program_are_its_layers_and_take_what_the_whole_takes():
    step, x, y = deep_step()
    graph, storing = traced(step, (x, y))
    found = tables.Traced(graph, storing, SLOW)
    assert found.elements() == (4.0, 4.0, 4.0)                 # Momentum has one state
    blocks = found(1, 1)
    assert [b.weights for b in blocks] == [8 * 32 + 32, *[32 * 32 + 32] * 3, 32 * 4 + 4]
    assert blocks[1] == blocks[2] == blocks[3]
    assert len(found.known) == 3
    assert [b.passed for b in blocks] == [4 * 32 * 4] * 4 + [0.0]
    alone = searched(graph, Mesh(()), SLOW)
    both = sum([report.time_of(n, alone, SLOW) for n in graph.nodes if id(n) in alone.plan.chosen
                and n.origin.phase != "optimizer"])
    assert sum(b.forward + b.backward for b in blocks) == pytest.approx(both, rel=1e-6)
    assert found(1, 3)[1].forward == pytest.approx(3 * blocks[1].forward)
    shared = found(2, 1)
    assert all(a.forward + a.backward < b.forward + b.backward for a, b in zip(shared, blocks, strict=True))
    assert shared[1].again[0] == 0 < shared[1].again[1] < shared[1].again[2] == shared[1].forward
    assert shared[1].saved[0] >= shared[1].saved[1] >= shared[1].saved[2] > 0


class Products(nn.Cell):
    """Two products of matrices, the first of which is cut as a strategy says."""

    def __init__(self, strategy=None):
        super().__init__()
        draw = np.random.default_rng(0)
        self.w, self.v = [ms.Parameter(ms.Tensor(draw.standard_normal(shape).astype(np.float32)), name=name)
                          for name, shape in (("w", (64, 128)), ("v", (128, 8)))]
        self.first, self.second = ops.MatMul(), ops.MatMul()
        if strategy:
            self.first.shard(strategy)

    def construct(self, x):
        return self.second(ops.relu(self.first(x, self.w)), self.v)


def products(report):
    """Which dimensions of the inputs of products are cut in a report."""
    lies = [re.split(r" {2,}", line)[3].split(" -> ")[0] for line in report.splitlines() if line.startswith("MatMul")]
    return {" ".join(["".join(sorted(set(re.findall(r"S\d", p)))) or "R" for p in one.split()]) for one in lies}


GRID = ms.Layout((2, 2), ("a", "b"))


@pytest.mark.parametrize(("strategy", "cut"), [
    (((1, 1), (1, 4)), "R S1"), (((1, 4), (4, 1)), "S1 S0"), (((4, 1), (1, 1)), "S0 R"), (((2, 1), (1, 2)), "S0 S1"),
    ((GRID("a", "b"), GRID("b", "None")), "S0S1 S0")])
def test_a_report_without_processes_follows_strategies(strategy, cut, monkeypatch):
    monkeypatch.setenv("GLOG_v", "3")
    x = ms.Tensor(np.zeros((16, 64), np.float32))
    assert products(ms.parallel.explain(Products(), x, devices=4)) == {"R R"}              # too small to be cut
    assert cut in products(ms.parallel.explain(Products(strategy), x, devices=4))


@pytest.mark.parametrize(("strategy", "said"), [
    (((3, 1), (1, 1)), r"\(\(3, 1\), \(1, 1\)\) is not possible over 4 processes"),
    (((1, 4), (1, 4)), r"is not possible over 4 processes.*Possible are"), (((1, 1),), "an entry for each input")])
def test_strategies_that_do_not_fit_are_told_with_the_line_of_the_operator(strategy, said):
    with pytest.raises(ValueError, match=said) as error:
        ms.parallel.explain(Products(strategy), ms.Tensor(np.zeros((16, 64), np.float32)), devices=4)
    assert "self.second(ops.relu(self.first(x, self.w)), self.v)" in error.value.__notes__[0]
    assert "test_report.py" in error.value.__notes__[0]


def test_tensors_parameters_and_optimizers_lie_as_the_program_says_in_reports_too():
    net, x = nn.Dense(8, 8), ms.Tensor(np.zeros((8, 8), np.float32))
    text = ms.parallel.explain(ms.shard(net, ((4, 1),), ((4, 1),)), x, devices=4)
    assert len(re.findall(r"LieAs +forward +S0(?:,S0)? -> ", text)) == 2
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    before = ms.parallel.explain(step, x, x, devices=4)
    net.shard(((1, 1),), parameter_plan={"weight": (4, 1)})
    planned = ms.parallel.explain(step, x, x, devices=4)
    del net.weight.planned
    try:
        context.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_optimizer_config={
            "parallel_optimizer_threshold": 0})
        after = ms.parallel.explain(step, x, x, devices=4)
    finally:
        context.reset_auto_parallel_context()
    held = [float(re.search(r"holds ([\d.]+) MB", text)[1]) for text in (before, planned, after)]
    assert held[0] > 1.5 * max(held[1:])


class Layers(nn.Cell):
    """Equal layers, whose products are cut as a strategy says, between two others."""

    def __init__(self, strategy):
        super().__init__()
        self.first, self.last = nn.Dense(8, 32), nn.Dense(32, 4)
        self.layers = nn.SequentialCell(*[nn.SequentialCell(nn.Dense(32, 32), nn.Tanh()) for _ in range(3)])
        for layer in self.layers:
            layer[0].matmul.shard(strategy)

    def construct(self, x):
        return self.last(self.layers(self.first(x)))


def test_strategies_of_layers_say_how_many_devices_share_a_block():
    x = ms.Tensor(np.zeros((4, 8), np.float32))
    for strategy, shared in ((((1, 1), (3, 1)), 3), (((2, 1), (1, 1)), 2)):
        net = Layers(strategy)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
        text = ms.parallel.explain(step, x, ms.Tensor(np.zeros((4, 4), np.float32)), devices=6, batch=48)
        assert f"\n{shared} devices compute each block together" in text
    with pytest.raises(ValueError, match=r"\(5, 1\).* is not possible over 6 processes"):
        ms.parallel.explain(Layers(((1, 1), (5, 1))), x, devices=6, batch=48)


def test_stages_of_the_context_are_not_those_of_a_report(capfd):
    try:
        context.set_auto_parallel_context(pipeline_stages=2)
        ms.parallel.explain(nn.Dense(8, 8), ms.Tensor(np.zeros((8, 8), np.float32)), devices=4)
    finally:
        context.reset_auto_parallel_context()
    assert "pipeline_stages=2 of the context are left out" in capfd.readouterr().err
