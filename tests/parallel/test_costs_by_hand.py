"""What plans cost, by closed forms: movements on axes of unequal speed, sums in other types, layouts that differ."""
from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

import mindspore as ms
from mindspore.distributed import collectives
from mindspore.ir import Aval
from mindspore.parallel.costs import Machine, interpolated, placements, rounds_of, sent_by
from mindspore.parallel.noted import _of_node
from mindspore.parallel.placement import REPLICATE, Mesh, Partial, Shard, Step
from mindspore.parallel.storing import Spreading, Storing, storing_of

MATRIX, HALVES = Aval((12, 6), ms.float32), Aval((12, 6), ms.float16)
SLOW = Machine(link=(10.0, 2.0), latency=0.0)


@pytest.mark.parametrize(("axis", "speed"), [(0, 10.0), (1, 2.0), (2, 2.0)])
def test_each_axis_has_its_speed_and_further_ones_that_of_the_last(axis, speed):
    assert SLOW.sent("gather", 40.0, 2, axis) == pytest.approx(40.0 / speed)
    now = [REPLICATE] * 3
    now[axis] = Shard(0)
    assert SLOW.move(MATRIX, tuple(now), (REPLICATE,) * 3, Mesh((2, 2, 2))).seconds == pytest.approx(144 / speed)


def test_a_movement_is_known_for_its_mesh_and_for_the_type_that_travels(monkeypatch):
    machine = Machine(link=(1.0,), latency=0.0)
    found = [machine.move(MATRIX, (Shard(0),), (REPLICATE,), Mesh((n,))).volume for n in (2, 3, 4)]
    assert found == [144.0, 96.0 * 2, 72.0 * 3]
    before = machine.move(HALVES, (Partial(),), (REPLICATE,), Mesh((2,))).volume
    monkeypatch.setattr(collectives, "travels_as", lambda dtype: torch.float32)
    assert before == 144.0
    assert machine.move(HALVES, (Partial(),), (REPLICATE,), Mesh((2,))).volume == 288.0


def test_the_second_step_of_a_movement_moves_what_the_first_left():
    """Of 72 elements on 2 x 3 devices the last axis gathers rows of 2 to 6, the first one then rows of 6 to 12."""
    found = SLOW.move(MATRIX, (Shard(0), Shard(0)), (REPLICATE, REPLICATE), Mesh((2, 3)))
    assert found.volume == 48 * 2 + 144
    assert found.seconds == pytest.approx(48 * 2 / 2.0 + 144 / 10.0)


@pytest.mark.parametrize(("kind", "state", "wanted", "expected"), [
    ("gather", Shard(0), REPLICATE, 96 * 2), ("reduce", Partial(), REPLICATE, 2 * 288 * 2 / 3),
    ("scatter", Partial(), Shard(0), 96 * 2), ("swap", Shard(0), Shard(1), 96 / 6 * 4),
    ("slice", REPLICATE, Shard(0), 0)])
def test_bytes_that_a_device_of_three_sends(kind, state, wanted, expected):
    step = Step(kind, 0, state, wanted)
    assert sent_by(step, MATRIX, (state,), Mesh((3,))) == pytest.approx(expected)


def test_pieces_of_unequal_lengths_travel_as_long_as_the_longest():
    """Seven rows on three devices are 3, 2 and 2: a sum that cannot be scattered has nine rows on its way."""
    rows = Aval((7, 2), ms.int32)
    step = Step("scatter", 0, Partial(), Shard(0))
    assert sent_by(step, rows, (Partial(),), Mesh((3,))) == pytest.approx(2 * 56 / 7 * 9 * 2 / 3)


@pytest.mark.parametrize(("kind", "rounds"), [("reduce", 6), ("scatter", 3), ("swap", 3), ("gather", 3), ("slice", 0)])
def test_rounds_of_a_ring_of_four(kind, rounds):
    assert rounds_of(kind, 4) == rounds


@pytest.mark.parametrize(("size", "seconds"), [(0, 1.0), (10, 1.0), (15, 2.0), (20, 3.0), (25, 5.0), (30, 7.0),
                                               (60, 14.0)])
def test_measured_seconds_are_straight_between_and_in_proportion_beyond(size, seconds):
    assert interpolated([(10, 1.0), (20, 3.0), (30, 7.0)], size) == pytest.approx(seconds)


def test_a_value_may_also_lie_as_a_partial_sum_without_its_parts():
    mesh = Mesh((2, 2))
    assert placements(MATRIX, mesh, [(Partial(), Shard(1)), (Shard(0), REPLICATE)]) == [
        mesh.whole, (Partial(), Shard(1)), (REPLICATE, Shard(1)), (Shard(0), REPLICATE)]


def node(name, *shapes):
    from mindspore.ir import param
    inputs = [param(Aval(s, ms.float32)) for s in shapes]
    return SimpleNamespace(op=SimpleNamespace(name=name), inputs=inputs, origin=SimpleNamespace(notes={}))


@pytest.mark.parametrize(("given", "strategy", "expected"), [
    (node("Dense", (4, 6), (8, 6), (8,)), ((2, 3), (4, 3)), ((2, 3), (4, 3), (4,))),
    (node("Dense", (4, 5, 7, 6), (8, 6), (8,)), ((2, 3), (4, 3)), ((2, 1, 1, 3), (4, 3), (4,))),
    (node("Dense", (4, 5, 6), (8, 6)), ((2, 3), (4, 3)), ((2, 1, 3), (4, 3))),
    (node("Convolution", (4, 3, 8, 8), (6, 3, 3, 3), (6,)), ((2, 1, 1, 1), (3, 1, 1, 1)),
     ((2, 1, 1, 1), (3, 1, 1, 1), (3,))),
    (node("MatMul", (4, 6), (6, 8)), ((2, 3), (3, 4)), ((2, 3), (3, 4)))],
    ids=["bias", "deep", "plain", "conv", "other"])
def test_strategies_of_products_reach_further_dimensions_and_the_bias(given, strategy, expected):
    given.origin.notes["in_strategy"] = strategy
    assert _of_node(given) == dict(enumerate(expected))


def test_layouts_are_equal_where_devices_names_and_axes_are():
    grid = ms.Layout((2, 4), ("dp", "mp"))
    assert grid("dp", "None") == ms.Layout((2, 4), ("dp", "mp"))("dp", "None")
    for other in (ms.Layout((4, 2), ("dp", "mp"))("dp", "None"), ms.Layout((2, 4), ("a", "mp"))("a", "None"),
                  grid("None", "dp"), grid, 3):
        assert grid("dp", "None") != other
    assert len({grid("dp", "None"), ms.Layout((2, 4), ("dp", "mp"))("dp", "None"), grid("mp", "None")}) == 2


def tensor(name, count, stored=None, **more):
    return SimpleNamespace(name=name, nbytes=4 * count, stored=stored, **more)


def storing(tensors, threshold=0, most=-1, shapes=None, replaced=None):
    from mindspore.ir import Graph, param
    params = [param(Aval((3,), ms.float32)), *[param(Aval(s, ms.float32)) for s in (shapes or [(8, 4)] * len(tensors))]]
    graph = Graph("net", params, [], [])
    replaced = dict(enumerate(range(len(tensors)))) if replaced is None else replaced
    return storing_of(graph, tensors, replaced, Spreading(True, threshold, most, False)), params[1:]


def test_a_parallel_optimizer_spreads_what_is_large_assigned_and_not_kept_whole():
    tensors = [tensor("small", 31), tensor("just", 32), tensor("large", 33),
               tensor("whole", 64, parallel_optimizer=False), tensor("read", 64)]
    found, nodes = storing(tensors, threshold=128, replaced={0: 0, 1: 1, 2: 2, 3: 3})
    ids = {id(n): t.name for n, t in zip(nodes, tensors, strict=True)}
    assert {ids[k] for k in found.spread} == {"just", "large"}
    assert {ids[k] for k in found.free} == {"small", "just", "large", "whole"}
    assert {k: ids[v] for k, v in found.results.items()} == {0: "small", 1: "just", 2: "large", 3: "whole"}


def test_the_state_of_an_optimizer_lies_as_its_parameter_where_it_has_its_shape():
    tensors = [tensor("net.weight", 32), tensor("moments.net.weight", 32), tensor("rows.net.weight", 8),
               tensor("deep.moments.net.weight", 32)]
    found, nodes = storing(tensors, shapes=[(8, 4), (8, 4), (8,), (8, 4)])
    assert found.follows == {id(nodes[1]): id(nodes[0]), id(nodes[3]): id(nodes[1])}


@pytest.mark.parametrize(("most", "expected"), [(-1, 6), (6, 6), (5, 3), (3, 3), (2, 2), (1, 1)])
def test_pieces_are_as_many_as_can_be_and_no_more_than_asked_for(most, expected):
    mesh = Mesh((2, 3))
    found, (one,) = storing([tensor("w", 72)], shapes=[(12, 6)], most=most)
    seen = [(Shard(0), Shard(0)), (Shard(0), REPLICATE), (REPLICATE, Shard(1)), (Shard(1), Shard(0))]
    options = found.options(one, mesh, seen)
    cut = {2 if p[0] != REPLICATE else 1 for p in options}, {3 if p[1] != REPLICATE else 1 for p in options}
    assert {a * b for a in cut[0] for b in cut[1]} == {expected}


def test_inputs_that_nothing_says_anything_of_lie_whole():
    mesh, (_, (one,)) = Mesh((2,)), storing([tensor("w", 32)])
    assert Storing().options(one, mesh, [(Shard(0),)]) == [mesh.whole]
    assert Storing(fixed={id(one): (Shard(1),)}).options(one, mesh, [(Shard(0),)]) == [(Shard(1),)]
    assert Storing(free={id(one)}).options(one, mesh, [(Shard(0),)]) == [mesh.whole, (Shard(0),)]
