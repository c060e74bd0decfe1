"""Pipelines: steps cut into stages, all devices in one process, against one device."""
from __future__ import annotations

import numpy as np
import pipelines
import pytest
import split_steps
import torch

import mindspore as ms
from mindspore import nn
from mindspore.parallel.costs import Machine
from mindspore.parallel.schedules import orders
from mindspore.parallel.storing import Stored

SLOW = Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7)


@pytest.mark.parametrize(("name", "stages", "size", "micros", "segments", "kind"), [
    ("mlp", 2, 1, 4, 1, "gpipe"), ("mlp", 3, 1, 4, 1, "1f1b"), ("mlp", 2, 2, 3, 1, "1f1b"),
    ("mlp", 2, 1, 4, 2, "1f1b"), ("mlp", 3, 1, 6, 1, "zero_bubble_v"), ("mlp", 2, 1, 4, 2, "zero_bubble_v"),
    ("tied", 2, 1, 2, 1, "1f1b"), ("tied", 2, 3, 2, 1, "gpipe")])
def test_ten_steps_of_a_pipeline_are_those_of_one_device(name, stages, size, micros, segments, kind):
    graph, batch, captured, replaced = pipelines.step_of(name, stages, micros, segments, kind)
    batch = [x.double() if x.is_floating_point() else x for x in batch]
    graphs, lies, mesh = pipelines.cut(graph, captured, replaced, stages, size, kind, SLOW)
    whole = [t._data.double() if t._data.is_floating_point() else t._data for t in captured]    # Adam: noise is large

    def pieces(values, device):
        stage, d = divmod(device, size)
        return [Stored(mesh, placement, tuple(x.shape), owner, owner in (-1, stage)).piece(x, d)
                for (owner, placement), x in zip(lies[device], values, strict=True)]
    held = [pieces(whole, d) for d in range(len(graphs))]
    for _ in range(10):
        found = pipelines.run(graphs, [[*batch, *line] for line in held])
        wanted, = pipelines.run([graph], [[*batch, *whole]])
        for one in found:
            torch.testing.assert_close(one[0], wanted[0], rtol=1e-10, atol=1e-11)
        for k, at in replaced.items():
            whole[at] = wanted[k]
            for d, one in enumerate(found):
                held[d][at] = one[k]
    for d, line in enumerate(held):
        for x, y in zip(line, pieces(whole, d), strict=True):
            torch.testing.assert_close(x, y, rtol=1e-10, atol=1e-11)
    bytes_ = [sum([x.nbytes for x in line]) for line in held]
    assert max(bytes_) < sum([x.nbytes for x in whole])


def shown(line):
    return " ".join([f"{u.kind}{u.micro}" for u in line if u.kind != "W"])


def test_schedules_are_those_of_the_literature():
    assert [shown(line) for line in orders("gpipe", 2, 3)] == ["F0 F1 F2 B0 B1 B2"] * 2
    assert [shown(line) for line in orders("1f1b", 3, 4)] == [
        "F0 F1 F2 B0 F3 B1 B2 B3", "F0 F1 B0 F2 B1 F3 B2 B3", "F0 B0 F1 B1 F2 B2 F3 B3"]


@pytest.mark.parametrize(("kind", "stages", "micros", "segments"), [
    ("gpipe", 4, 8, 1), ("1f1b", 4, 8, 1), ("1f1b", 4, 8, 2), ("1f1b", 3, 7, 3), ("zero_bubble_v", 4, 8, 1),
    ("zero_bubble_v", 4, 8, 2)])
def test_every_stage_does_everything_once(kind, stages, micros, segments):
    for line in orders(kind, stages, micros, segments):
        assert len(set(line)) == len(line) == 3 * micros * segments


def test_the_order_of_the_stages_is_that_of_the_network():
    """Also where it is not the one that a schedule would choose: nobody waits for ever."""
    line = [(0, 0), (1, 0), (0, 1), (1, 1)]
    found = orders("zero_bubble_v", 2, 4, 2, line)
    assert [[u.kind for u in stage].count("F") for stage in found] == [8, 8]
    graph, batch, captured, replaced = pipelines.step_of("mlp", 2, 4, 2, "1f1b")         # cells in that order
    graphs, _, _ = pipelines.cut(graph, captured, replaced, 2, 1, "zero_bubble_v", SLOW)
    whole = [t._data for t in captured]
    found = pipelines.run(graphs, [[*batch, *[x if x.shape == p.aval.shape else x.new_zeros(0) for x, p in zip(
        whole, g.params[len(batch):], strict=True)]] for g in graphs])
    wanted, = pipelines.run([graph], [[*batch, *whole]])
    torch.testing.assert_close(found[1][0], wanted[0], rtol=1e-5, atol=1e-6)


def test_a_network_that_comes_back_to_a_stage_is_told_so():
    loss, x, y = pipelines.staged_net("mlp", 3)
    loss.net[2].pipeline_stage = 0
    graph, _, captured, replaced = pipelines.step_with(loss, x, y, 2)
    with pytest.raises(ValueError, match=r"comes back to segment 0 of stage 0.* with what stage 1 computes in .*"):
        pipelines.cut(graph, captured, replaced, 2, 1, "1f1b", SLOW)


@pytest.mark.parametrize("kind", ["gpipe", "1f1b", "zero_bubble_v"])
def test_what_all_parts_of_a_batch_share_is_there_for_the_first(kind):
    """The table of words that the head takes turned around, which is one node for all parts."""
    draw = np.random.default_rng(5)
    loss = pipelines.Loss(split_steps.Tied())
    loss.net.embedding.pipeline_stage, loss.net.dense.pipeline_stage, loss.loss.pipeline_stage = 0, 1, 1
    tokens, labels = [ms.Tensor(draw.integers(0, 11, shape).astype(np.int32)) for shape in ((4, 6), 24)]
    graph, batch, captured, replaced = pipelines.step_with(loss, tokens, labels, 4)
    graphs, _, _ = pipelines.cut(graph, captured, replaced, 2, 1, kind, SLOW)
    whole = [t._data for t in captured]
    found = pipelines.run(graphs, [[*batch, *[x if x.shape == p.aval.shape else x.new_zeros(0) for x, p in zip(
        whole, g.params[len(batch):], strict=True)]] for g in graphs])
    wanted, = pipelines.run([graph], [[*batch, *whole]])
    torch.testing.assert_close(found[1][0], wanted[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["gpipe", "1f1b", "zero_bubble_v"])
def test_parts_of_a_batch_come_in_the_order_of_the_statistics_that_they_leave(kind):
    draw = np.random.default_rng(5)
    loss = pipelines.Loss(nn.SequentialCell(nn.Dense(6, 8), nn.BatchNorm1d(8), nn.Dense(8, 5)))
    for cell, stage in zip([*loss.net, loss.loss], (0, 1, 1, 1), strict=True):
        cell.pipeline_stage = stage
    x = ms.Tensor(draw.standard_normal((12, 6)).astype(np.float32))
    labels = ms.Tensor(np.arange(12, dtype=np.int32) % 5)
    loss.set_train()
    graph, batch, captured, replaced = pipelines.step_with(loss, x, labels, 4)
    graphs, _, _ = pipelines.cut(graph, captured, replaced, 2, 1, kind, SLOW)
    whole = [t._data for t in captured]
    found = pipelines.run(graphs, [[*batch, *[x if x.shape == p.aval.shape else x.new_zeros(0) for x, p in zip(
        whole, g.params[len(batch):], strict=True)]] for g in graphs])
    wanted, = pipelines.run([graph], [[*batch, *whole]])
    torch.testing.assert_close(found[1][0], wanted[0], rtol=1e-5, atol=1e-6)
