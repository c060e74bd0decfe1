"""The parts that run a pipeline, one by one: orders and streams, queues, the choice of threads, passes, memory."""
from __future__ import annotations

import threading

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset.execution import memory
from mindspore.dataset.execution.chain import passes, without
from mindspore.dataset.execution.channel import Channel
from mindspore.dataset.execution.feed import Feed
from mindspore.dataset.execution.pool import (
    DRAWS,
    FLUSH,
    GAIN,
    PASS_END,
    Choice,
    PassBegin,
    ordered,
)
from mindspore.dataset.execution.processes import Team
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.execution.streams import Streams


def numbers(count):
    return ds.NumpySlicesDataset(np.arange(count), ["x"], shuffle=False)


# ---------------------------------------------------------------------- random streams

def first(generator):
    return int(generator.integers(2**62))


def test_orders_belong_to_a_place_and_a_pass_common_ones_to_a_pass_fixed_ones_to_a_place():
    run = Run(5, common_seed=9)
    places = [run, run.child(), run.child(1), run.child().child(), run.child().child(1)]
    assert len({first(r.during(e).order()) for r in places for e in range(3)}) == 15
    assert len({r.during(e).key(k) for r in places for e in range(3) for k in range(2)}) == 30
    assert len({first(r.during(e).common_order()) for r in places for e in range(3)}) == 3
    fixed = run.child().with_fixed_order(77)
    below = [fixed, fixed.child(), fixed.child(1)]
    assert len({first(r.during(e).order()) for r in below for e in range(3)}) == 3
    assert len({first(r.during(e).common_order()) for r in below for e in range(3)}) == 1
    assert fixed.child().with_fixed_order(3).fixed == (77, 1)             # what is fixed above stays
    elsewhere = Run(6, epoch=4).child(1).child(1).with_fixed_order(77)   # the way to that node does not count
    assert first(elsewhere.child(1).order()) == first(fixed.child(1).order())
    assert len({Run(seed).key() for seed in (0, 1, 2**64, 2**64 + 1, 2**70)}) == 5


def test_streams_of_rows_are_the_same_alone_and_together_and_go_on():
    seen = set()
    for key in (0, 3, 2**63):
        together, alone = Streams(np.arange(10, 14)), Streams(np.arange(10, 14))
        together.begin(key)
        whole = np.concatenate([together.uniforms(2), together.uniforms(3)])
        assert whole.shape == (5, 4)
        for row in range(4):
            alone.begin(key, row)
            assert [*alone.uniforms(1), *alone.uniforms(4)] == whole[:, row].tolist()
            alone.rewind()
            assert alone.uniforms(5).tolist() == whole[:, row].tolist()
        assert ((whole >= 0) & (whole < 1)).all()
        seen |= set(whole.ravel().tolist())
    assert len(seen) == 60


def test_the_generator_of_a_row_begins_anew_for_each_operation():
    streams, draws = Streams(np.arange(3)), {}
    for key in (1, 2):
        for row in range(3):
            streams.begin(key, row)
            draws[key, row] = streams.generator().integers(2**40, size=2).tolist()
            assert streams.generator().integers(2**40, size=2).tolist() != draws[key, row]       # it goes on
            streams.rewind()
            assert streams.generator().integers(2**40, size=2).tolist() == draws[key, row]
    assert len(set(map(tuple, draws.values()))) == 6


@pytest.mark.parametrize(("row_bytes", "multiple", "most", "wanted"), [
    (1, 1, 256, 256), (2**20, 1, 256, 1), (2**18, 1, 256, 4), (2**18, 3, 256, 3), (1, 100, 256, 200),
    (1, 300, 256, 300), (2**22, 7, 256, 7), (0, 1, 10, 10)])
def test_blocks_of_a_source_are_multiples_of_what_is_wanted(row_bytes, multiple, most, wanted):
    assert Run(0, multiple=multiple).rows_per_block(row_bytes, most) == wanted
    assert Run(0, multiple=multiple, block_rows=5).rows_per_block(row_bytes, most) == 5


def test_an_automatic_number_of_workers_is_never_less_than_the_given_one(monkeypatch):
    ds.config.set_num_parallel_workers(3)
    assert [workers_of(n) for n in (None, 1, 7)] == [3, 1, 7]
    monkeypatch.setattr("mindspore.dataset.execution.run.cores", lambda: 4)
    monkeypatch.setattr(ds.config, "get_enable_autotune", lambda: True)
    assert [workers_of(n) for n in (None, 1, 7)] == [4, 4, 7]


# ---------------------------------------------------------------------- queues

def test_a_queue_counts_rows_and_raises_an_error_once():
    channel = Channel(5)
    for rows in (2, 2, 1):
        assert channel.put(rows, rows)
    assert channel.rows == 5
    waiting = threading.Thread(target=channel.put, args=("late", 3))
    waiting.start()
    assert channel.get() == 2
    waiting.join(5)
    assert not waiting.is_alive()
    assert channel.rows == 2 + 1 + 3
    channel.fail(KeyError("broken"))
    assert [channel.get() for _ in range(3)] == [2, 1, "late"]
    with pytest.raises(KeyError):
        channel.get()
    for _ in range(2):
        with pytest.raises(StopIteration):
            channel.get()
    assert channel.rows == 0
    channel.close()
    assert not channel.put(1)


MARKS = [PassBegin(0), 1, 2, FLUSH, 3, PASS_END, PassBegin(2), FLUSH, 4, PASS_END]


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("threads", [True, False])
def test_marks_keep_their_place_and_a_flush_brings_all_that_was_asked_for(workers, threads):
    asked, choice = [], Choice(workers, always=True)
    choice.threads = threads

    def items():
        for item in MARKS:
            if item is FLUSH:
                asked.append(len(found))
            yield item
            if item is FLUSH:
                asked.append(len(found))

    found = []
    for result in ordered(lambda x: x * 10, items(), workers, choice):
        found.append(result)
    assert found == [MARKS[0], 10, 20, 30, PASS_END, MARKS[6], 40, PASS_END]
    assert asked[1] == 3                                    # before the item behind the first flush
    assert asked[3] == 6
    assert not [t for t in threading.enumerate() if t.name == "dataset-worker"]


def times_ten(item):
    return item * 10, np.full(item, item, np.int16), np.arange(item * 1000.0)


def test_processes_give_results_of_all_sizes_in_the_order_of_the_items():
    team = Team()
    try:
        team.start(times_ten, 3)
        for _ in range(2):                                   # the processes stay for further passes
            found = list(team.ordered([5, 1, FLUSH, 300, 70, 2, PASS_END, 7]))
            marks = [f for f in found if f is PASS_END]
            rest = [f for f in found if f is not PASS_END]
            assert (len(marks), found.index(PASS_END)) == (1, 5)
            assert [f[0] for f in rest] == [50, 10, 3000, 700, 20, 70]
            for ten, same, floats in rest:
                assert same.tolist() == [ten // 10] * (ten // 10)
                np.testing.assert_array_equal(floats, np.arange(ten * 100.0))
    finally:
        team.stop()


# ---------------------------------------------------------------------- threads or not

@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("ratio", [0.5, 0.85, 0.95, 1.5])
def test_threads_are_taken_where_an_item_takes_less_of_the_time_of_all(workers, ratio):
    choice = Choice(workers)
    for _ in range(60):
        choice.measured(workers * ratio if choice.threads else 1.0, choice.threads)
    assert choice.threads is (ratio < GAIN)


def test_threads_that_never_worked_at_once_are_not_kept():
    choice = Choice(2)
    for _ in range(60):
        choice.measured(0.1 if choice.threads else 1.0, choice.threads, full=False)
    assert choice.threads is False


def test_all_are_at_work_from_the_last_that_begins_to_the_first_that_ends():
    choice = Choice(3)
    assert [choice.begin() for _ in range(3)] == [False, False, True]
    assert [choice.end() for _ in range(3)] == [True, False, False]
    assert [choice.begin(), choice.begin(), choice.end()] == [False, False, False]


def test_what_draws_from_the_beginning_is_called_by_one_and_later_draws_are_told_once(monkeypatch):
    said = []
    monkeypatch.setattr("mindspore.core.log.warning", said.append)
    early = Choice(4, program="'map x'")
    early.drew(False)
    assert (early.workers, early.threads, early.draws, len(said)) == (1, False, True, 1)
    early.drew(True)
    assert len(said) == 1
    late = Choice(4, program="'map y'")
    late.measured(1.0, False)
    for n in range(DRAWS + 2):
        late.drew(True)
        assert len(said) == 1 + (n + 1 >= DRAWS)
    assert (late.workers, late.draws) == (4, False)
    beside = Choice(4, program="'map z'", others={0: early})
    beside.measured(1.0, False)
    for _ in range(DRAWS):
        beside.drew(True)
    assert len(said) == 2                                    # the one that draws is known


# ---------------------------------------------------------------------- passes

def test_a_feed_goes_through_its_passes_and_skips_rows_of_the_first_only():
    seen = []
    data = numbers(10).batch(2, per_batch_map=lambda x, info: (seen.append(info.get_epoch_num()), x)[1])
    feed = Feed(data, 3, skip=2, first=5, seed=1)
    found = [[int(v) for b in feed.blocks() for v in np.ravel(b.columns[0])] for _ in range(4)]
    feed.stop()
    assert found == [list(range(4, 10)), list(range(10)), list(range(10)), []]
    assert sorted(set(seen)) == [5, 6, 7]


def test_equal_seeds_give_equal_passes_wherever_they_begin():
    data = ds.NumpySlicesDataset(np.arange(40), ["x"])

    def read(**more):
        feed = Feed(data, 2, **more)
        found = [[int(v) for b in feed.blocks() for v in b.columns[0]] for _ in range(2)]
        feed.stop()
        return found
    one, two = read(seed=4)
    assert sorted(one) == sorted(two) == list(range(40))
    assert one != two
    assert read(seed=4, first=1)[0] == two
    assert read(seed=5)[0] != one
    assert read(seed=4, skip=7)[0] == one[7:]


@pytest.mark.parametrize("skip", [0, 1, 3, 4, 7, 20])
@pytest.mark.parametrize("fewer", [False, True])
def test_a_chain_begins_at_any_row_of_each_of_its_passes(skip, fewer):
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)

    def some(x):
        assert not fewer or x % 5 != 2
        return x
    data = numbers(9).map(some).map(lambda x: x + 100)
    kept = [n + 100 for n in range(9) if not fewer or n % 5 != 2]
    turns, found, starts = [(0, skip), (1, 0), (2, skip)], [[]], [[]]
    for block in passes(data, Run(0, optimise=True), turns):
        if block is PASS_END:
            found.append([])
            starts.append([])
            continue
        starts[-1].append((block.start, block.count))
        found[-1] += [int(v) for v in block.columns[0]]
    assert found[:3] == [kept[skip:], kept, kept[skip:]]
    parts = list(without(iter(numbers(9).blocks(Run(0))), skip))
    assert [int(v) for b in parts for v in b.columns[0]] == list(range(9))[skip:]


def test_failed_rows_are_added_up_over_blocks_and_passes():
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)

    def fails(x):
        assert x % 100 != 7
        return x
    iterator = numbers(1000).map(fails).create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [len(list(iterator)) for _ in range(2)] == [990, 990]
    assert iterator.report().error_samples == 20


def test_rows_of_a_report_are_those_of_the_source():
    iterator = numbers(1000).map(lambda x: x + 1).batch(10).create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert len(list(iterator)) == 100
    assert {rows for _, rows, _ in iterator.report().stages} == {1000}


# ---------------------------------------------------------------------- memory

def test_chunks_are_used_again_and_few_idle_ones_are_kept():
    memory.release()
    assert memory.empty((memory.SMALL - 1,), np.uint8).base is None
    assert memory.empty((10, 10), object).shape == (10, 10)
    for size in (memory.SMALL, memory.SMALL + 1, 100_001, 2**21 + 5):
        array = memory.empty((size,), np.uint8)
        array[:] = 7
        chunk = len(array.base.chunk)
        assert size <= chunk <= 1.25 * size + 4096
        view = array[5:]
        del array
        other = memory.empty((size,), np.uint8)
        other[:] = 9
        assert (view == 7).all()                              # a view keeps its chunk
    held = [memory.empty((2**25,), np.uint8) for _ in range(7)]
    del other, view
    held.clear()
    assert len(memory._idle[2**25]) == 4
    left = memory.empty((2**25,), np.uint8)
    memory.release()
    del left                                                  # it goes with those that were idle
    assert memory.empty((2**25,), np.uint8).shape == (2**25,)


@pytest.mark.parametrize("shape", [(7,), (3, 5), (4, 100_000)])
def test_rows_are_gathered_as_by_an_index(shape):
    array = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    for chosen in ([], [2, 0, 2], list(range(shape[0]))[::-1]):
        found = memory.gathered(array, np.array(chosen, np.int64))
        np.testing.assert_array_equal(found, array[np.array(chosen, np.int64)])
        assert not np.shares_memory(found, array)


def test_a_file_that_becomes_shorter_while_it_is_read_gives_what_there_is(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(200)))
    assert memory.file_bytes(str(path)).tolist() == list(range(200))
    real = memory.os.fstat

    def longer(number):
        found = real(number)
        return type("Told", (), {"st_size": found.st_size + 50, "st_mode": found.st_mode})
    monkeypatch.setattr(memory.os, "fstat", longer)
    assert memory.file_bytes(str(path)).tolist() == list(range(200))
