"""What ways to share out devices cost, by closed forms: parts in flight, bytes held, sums and gathers of copies."""
from __future__ import annotations

import math

import pytest

from mindspore.parallel import arrangements as a
from mindspore.parallel.blocks import Block, Cluster, Transformer
from mindspore.parallel.chains import Chain

PLAIN = Cluster(flops=1e12, memory=math.inf, room=1e9, machine=4, near=10.0, far=2.0, near_start=0.0, far_start=0.0,
                hidden=0.25)


def way(**given):
    return a.Way(**{"shared": 1, "stages": 1, "copies": 4, "samples": 1, "micros": 3, "schedule": a.ONE_F_ONE_B,
                    "rounds": 1, "optimizer": 0} | given)


@pytest.mark.parametrize(("schedule", "rounds", "micros", "expected"), [
    (a.GPIPE, 1, 7, [7, 7, 7, 7]), (a.ONE_F_ONE_B, 1, 7, [4, 3, 2, 1]), (a.ONE_F_ONE_B, 1, 2, [2, 2, 2, 1]),
    (a.INTERLEAVED, 2, 8, [11 / 2, 9 / 2, 7 / 2, 5 / 2]), (a.INTERLEAVED, 3, 4, [12 / 3, 12 / 3, 11 / 3, 9 / 3]),
    (a.ZERO_BUBBLE, 2, 8, [11 / 2, 10 / 2, 9 / 2, 8 / 2]), (a.ZERO_BUBBLE, 2, 4, [8 / 2, 8 / 2, 8 / 2, 8 / 2])])
def test_parts_in_flight_at_each_stage(schedule, rounds, micros, expected):
    one = way(stages=4, micros=micros, schedule=schedule, rounds=rounds)
    assert [a.in_flight(one, s) for s in range(4)] == expected


@pytest.mark.parametrize(("optimizer", "expected"), [(0, 18.0), (1, 2 + 4 + 3), (2, 2 + 1 + 3), (3, 0.5 + 1 + 3)])
def test_bytes_of_an_element_by_what_copies_share(optimizer, expected):
    assert a.weight_bytes(way(optimizer=optimizer), a.HALF) == expected
    assert a.weight_bytes(way(optimizer=optimizer, copies=1), a.HALF) == 18.0


@pytest.mark.parametrize(("optimizer", "times"), [(1, 1 + 1), (2, 3 + 1), (3, 3 + 6)])
def test_gradients_states_and_weights_travel_as_often_as_they_are_shared(optimizer, times):
    """Of 80 elements in 2 bytes a copy of four gets 3/4 by a ring, at 10 bytes a second; 3/4 of that are not hidden."""
    found = a._after(way(optimizer=optimizer), 80.0, PLAIN, a.HALF)
    assert found == pytest.approx(times * 160 * 3 / 4 / 10 * 0.75)
    assert a._after(way(), 80.0, PLAIN, a.HALF) == pytest.approx(2 * 320 * 3 / 4 / 10 * 0.75)
    assert a._after(way(copies=1, optimizer=optimizer), 80.0, PLAIN, a.HALF) == 0.0


def test_a_ring_is_slow_from_the_first_device_of_another_machine_on():
    assert [PLAIN.link(n)[0] for n in (1, 4, 5)] == [10.0, 10.0, 2.0]
    assert PLAIN.summed(40.0, 4, 4) == pytest.approx(2 * 3 / 4 * 40 / 10)
    assert PLAIN.gathered(40.0, 4, 5) == pytest.approx(3 / 4 * 40 / 2)
    assert PLAIN.summed(40.0, 1, 8) == 0.0
    started = Cluster(near_start=0.5, near=1.0, machine=8)
    assert started.summed(0.0, 8, 8) == pytest.approx(0.5 * 2 * 3)


def test_heads_that_cannot_be_shared_out_give_no_table():
    net = Transformer(2, 64, 6)
    assert [net(n, 1) is None for n in (1, 2, 3, 4, 6)] == [False, False, False, True, False]
    assert len(net(2, 1)) == 4


def block(forward=1.0, backward=2.0, saved=(4.0, 2.0, 1.0), again=(0.0, 0.25, 1.0), weights=1.0):
    return Block(forward, backward, again, saved, 0.0, weights, 1.0)


def test_what_copies_share_matters_only_where_there_are_some():
    def table(shared, samples):
        return [block()] * 4 if shared == 1 else None
    found = list(a.ways(table, 4, 8, (2, 0)))
    assert {w.optimizer for w in found if w.copies == 1} == {2}
    assert {w.optimizer for w in found if w.copies > 1} == {0, 2}
    assert {(w.stages, w.copies, w.samples, w.micros) for w in found} == {
        (1, 4, 1, 2), (1, 4, 2, 1), (2, 2, 1, 4), (2, 2, 2, 2), (2, 2, 4, 1), (4, 1, 1, 8), (4, 1, 2, 4), (4, 1, 4, 2),
        (4, 1, 8, 1)}


@pytest.mark.parametrize(("stages", "micros", "layers", "expected"), [
    (1, 4, 8, {(a.ONE_F_ONE_B, 1)}),
    (2, 4, 8, {(a.ONE_F_ONE_B, 1), (a.GPIPE, 1), (a.INTERLEAVED, 2), (a.INTERLEAVED, 4), (a.ZERO_BUBBLE, 2)}),
    (2, 3, 8, {(a.ONE_F_ONE_B, 1), (a.GPIPE, 1), (a.ZERO_BUBBLE, 2)}),             # parts that stages do not divide
    (2, 4, 6, {(a.ONE_F_ONE_B, 1), (a.GPIPE, 1), (a.INTERLEAVED, 3)}),
    (2, 4, 7, {(a.ONE_F_ONE_B, 1), (a.GPIPE, 1)})])
def test_schedules_that_are_possible(stages, micros, layers, expected):
    assert set(a.schedules(stages, micros, layers)) == expected


def test_a_bent_pipeline_goes_back_in_every_second_round():
    """Ten blocks in two stages and two rounds: the first goes with the first stage's layers, the last with the last."""
    blocks = [block(forward=2.0**k) for k in range(10)]
    chain = Chain(blocks, ("none",), 0.0, 1e9)
    straight, bent = chain.even([1.0, 1.0], 2, bent=False), chain.even([1.0, 1.0], 2, bent=True)
    assert [r.forward for r in straight] == [0b0001100111, 0b1110011000]
    assert [r.forward for r in bent] == [0b1110000111, 0b0001111000]
    assert [r.blocks for r in bent] == [6, 4]


def test_a_stage_is_remembered_with_its_parts_in_flight():
    """Four bytes of each of two blocks in two parts fit into 16; in three only the levels that keep less do."""
    chain = Chain([block(weights=0.0)] * 4, ("none", "selective", "full"), 1.0, 16.0)
    assert dict(chain.run([(0, 2)], 2.0).levels) == {"none": 2}
    assert dict(chain.run([(0, 2)], 3.0).levels) != {"none": 2}
    assert dict(chain.run([(1, 3)], 2.0).levels) == {"none": 2}


def test_blocks_at_the_stronger_level_are_the_first_ones_and_as_few_as_fit():
    """Three blocks keep 4 bytes each, 2 at the stronger level: into 9 bytes fit 2 + 2 + 4; what they take differs."""
    blocks = [block(again=(0.0, cost, 9.0), weights=0.0) for cost in (1.0, 10.0, 100.0)]
    run = Chain(blocks, ("none", "selective"), 1.0, 9.0).run([(0, 3)], 1.0)
    assert dict(run.levels) == {"selective": 2, "none": 1}
    assert run.backward == pytest.approx(6.0 + 11.0)
    assert run.held == pytest.approx(8.0)


def test_chains_of_copies_that_share_states_are_not_those_of_others():
    """Two blocks of one element with the states of four copies do not fit into 15 bytes; one with those of two does."""
    blocks = [block(saved=(0.0, 0.0, 0.0))] * 2
    found = a.arranged(lambda shared, samples: blocks if shared == 1 else None, Cluster(room=15.0, memory=1e30), 4, 8,
                       levels=("none",), optimizers=(1,), kinds=(a.ONE_F_ONE_B,), samples=1)
    assert (found.best.way.stages, found.best.way.copies) == (2, 2)
    assert found.best.held == pytest.approx(2 + 4 + 12 / 2)
