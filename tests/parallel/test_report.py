"""Reports of plans, and what the context says about the search."""
from __future__ import annotations

import math
import re

import numpy as np
import pytest
import split_steps

import mindspore as ms
from mindspore import context, nn
from mindspore.parallel import cost_settings, report, running
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
