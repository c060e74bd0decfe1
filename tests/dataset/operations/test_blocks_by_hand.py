"""What operations do to blocks of any lengths: rows are numbered on, batches are cut where they should be."""
from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset.block import RowBlock, choose, pad_end, rows_of
from mindspore.dataset.config import ErrorSamplesMode
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.batches import Batches, Pending, batches
from mindspore.dataset.operations.map_step import MapPlan
from mindspore.dataset.operations.split import _counts

LENGTHS = [(5,), (1, 1, 1), (7, 2), (3, 3, 3), (2, 9, 1, 4), (0, 4, 0, 3)]


def numbers(count, name="x"):
    return ds.NumpySlicesDataset({name: np.arange(count)}, shuffle=False)


def ragged(lengths):
    return ds.GeneratorDataset([(np.arange(n),) for n in lengths], ["x"], shuffle=False)


PIPELINES = {
    "map": lambda: numbers(300).map(lambda x: x + 1),
    "filter": lambda: numbers(700).filter(lambda x: x % 3 > 0),
    "map of filtered": lambda: numbers(700).filter(lambda x: x % 3 > 0).map(lambda x: -x),
    "skip": lambda: numbers(600).skip(270),
    "take": lambda: numbers(600).take(270),
    "repeat": lambda: numbers(300).repeat(3),
    "shuffle": lambda: numbers(600).shuffle(40),
    "concat": lambda: numbers(300) + numbers(5) + numbers(290),
    "zip": lambda: ds.zip((numbers(600), numbers(70, "y").repeat(8), numbers(599, "z").map(lambda z: z, "z"))),
    "batch": lambda: numbers(700).batch(3),
    "full batches": lambda: numbers(700).batch(64, True),
    "batches of one": lambda: numbers(300).batch(1),
    "function of batches": lambda: numbers(70).batch(lambda info: info.get_batch_num() % 3 + 1),
    "padded": lambda: ragged([3, 1, 4, 1, 5, 9, 2]).padded_batch(2, pad_info={}),
    "buckets": lambda: ragged([3, 1, 4, 1, 5, 9, 2, 6]).bucket_batch_by_length(["x"], [3, 6], [3, 2, 4]),
    "flat map": lambda: numbers(9).flat_map(lambda x: numbers(int(x) + 1)),
    "project": lambda: ds.zip((numbers(300), numbers(300, "y"))).project("y")}


@pytest.mark.parametrize("optimise", [False, True])
@pytest.mark.parametrize("name", PIPELINES)
def test_rows_are_numbered_one_after_the_other(name, optimise):
    data, seen, held = PIPELINES[name](), 0, []
    for block in data.blocks(Run(3, optimise=optimise)):
        assert block.start == seen
        assert [len(column) for column in block.columns] == [block.count] * len(data.column_names())
        seen += block.count
        held += [tuple(row.tolist() for row in block.row(i)) for i in range(block.count)]
    assert seen > 1
    plain = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert sorted(map(repr, held)) == sorted([repr(tuple(a.tolist() for a in row)) for row in plain])


@pytest.mark.parametrize("share", range(3))
def test_shares_of_joined_rows_are_numbered_from_the_first(share):
    data = numbers(7) + numbers(300) + numbers(5)
    data.use_sampler(ds.DistributedSampler(3, share, shuffle=False))
    seen = 0
    for block in data.blocks(Run(0)):
        assert block.start == seen
        seen += block.count
    assert seen == len(range(share, 312, 3))


# ---------------------------------------------------------------------- blocks and what waits for a batch

def blocks(lengths, listed, first=0):
    """Blocks of so many numbers, one after the other, and their squares as a list of arrays or stacked."""
    for begin, n in zip(itertools.accumulate((first, *lengths)), lengths, strict=False):
        values = np.arange(begin, begin + n)
        yield RowBlock(begin, n, [values, list(values**2) if listed else values**2])


def test_parts_and_choices_of_a_block_keep_the_numbers_of_their_rows():
    block = RowBlock(10, 6, [np.arange(6), list(np.arange(6) * 2)], numbers=np.array([7, 3, 9, 1, 4, 8]))
    part = block.part(2, 5)
    assert (part.start, part.count, part.numbers.tolist()) == (12, 3, [9, 1, 4])
    assert [list(c) for c in part.columns] == [[2, 3, 4], [4, 6, 8]]
    chosen = block.chosen([4, 0, 5])
    assert (chosen.count, chosen.numbers.tolist()) == (3, [4, 7, 8])
    assert [list(c) for c in chosen.columns] == [[4, 0, 5], [8, 0, 10]]
    assert RowBlock(0, 2, [np.arange(2)]).part(1, 2).numbers is None
    assert list(choose(list("abcd"), [3, 1])) == ["d", "b"]


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("takes", [(1, 1), (2, 3), (3, 1, 2), (4,)])
def test_what_waits_is_taken_in_its_order(lengths, takes):
    pending, taken = Pending(), 0
    for block in blocks(lengths, False):
        pending.add(block)
    for n in takes:
        if n <= pending.rows:
            found = pending.take(n)
            assert (found.start, found.count) == (taken, n)
            assert list(found.columns[0]) == list(range(taken, taken + n))
            assert [int(v) for v in found.columns[1]] == [v * v for v in range(taken, taken + n)]
            taken += n
        assert pending.rows == sum(lengths) - taken


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("lengths", LENGTHS)
def test_batches_are_slices_of_all_rows_whatever_the_blocks(lengths, size, drop, listed):
    rows = list(range(sum(lengths)))
    wanted = [rows[i : i + size] for i in range(0, len(rows), size)]
    wanted = [w for w in wanted if len(w) == size or not drop]
    for most in (None, 1):
        given, found = (b for b in blocks(lengths, listed) if b.count), []
        for block in batches(given, ["x", "y"], size, drop, most):
            assert block.start == len(found)
            found += [(x.tolist(), y.tolist()) for x, y in zip(*map(rows_of, block.columns), strict=True)]
        assert found == [(w, [v * v for v in w]) for w in wanted]


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize(("start", "count", "size"), [
    (0, 6, 3), (12, 6, 2), (12, 7, 3), (8, 3, 4), (6, 1, 3), (0, 4, 1)])
def test_a_block_that_fills_batches_becomes_them_with_their_numbers(start, count, size, drop, listed):
    (block,) = blocks((count,), listed, start)
    block.failed = 2
    found = Batches(["x", "y"], size, drop)(block)
    rows = list(range(start, start + count))
    wanted = [rows[i : i + size] for i in range(0, count, size)]
    wanted = [w for w in wanted if len(w) == size or not drop]
    assert (found.start, found.count, found.failed) == (start // size, len(wanted), 2)
    assert [x.tolist() for x in found.columns[0]] == wanted
    assert [y.tolist() for y in found.columns[1]] == [[v * v for v in w] for w in wanted]


def test_an_error_names_the_batch_by_its_number():
    ragged_rows = [np.zeros(1 + (i == 5)) for i in range(8)]
    with pytest.raises(RuntimeError, match=r"'x' of batch 12 got float64\[1\] and float64\[2\]"):
        Batches(["x"], 2, False)(RowBlock(20, 8, [ragged_rows]))
    dicts = [np.array({"a": 1, "b": 2}), np.array({"b": 3})]
    with pytest.raises(RuntimeError, match=re.escape("equal keys, but got ['a', 'b'] and ['b']")):
        Batches(["x"], 2, False)(RowBlock(0, 2, [dicts]))
    with pytest.raises(RuntimeError, match="equal keys"):
        Batches(["x"], 2, False)(RowBlock(0, 2, [dicts[::-1]]))
    (joined,) = Batches(["x"], 2, False)(RowBlock(0, 2, [[np.array({"b": 3, "a": [1, 2]}), np.array(
        {"a": [5, 6], "b": 4})]])).columns[0]
    assert {k: v.tolist() for k, v in joined.item().items()} == {"b": [3, 4], "a": [[1, 2], [5, 6]]}
    assert list(joined.item()) == ["b", "a"]


@pytest.mark.parametrize(("shape", "target"), [
    ((2,), [4]), ((4,), [2]), ((2, 3), [3, 2]), ((0,), [2]), ((3, 1), [3, 4])])
def test_rows_are_padded_and_cut_at_their_ends(shape, target):
    row = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape) + 1
    found = pad_end(row, target, -7)
    assert (found.dtype, list(found.shape)) == (row.dtype, target)
    for place in itertools.product(*map(range, target)):
        inside = all(p < n for p, n in zip(place, shape, strict=True))
        assert found[place] == (row[place] if inside else -7)
    assert pad_end(np.array(["ab", "c"]), [3], "longer").tolist() == ["ab", "c", "longer"]
    assert pad_end(np.array([b"ab"]), [2], None).tolist() == [b"ab", b""]


# ---------------------------------------------------------------------- maps whose rows fail

FAILING = [(), (0,), (3,), (5,), (0, 1, 2), (1, 4), (3, 4, 5), (0, 2, 4), (0, 1, 2, 3, 4, 5)]


@pytest.mark.parametrize("failing", FAILING)
@pytest.mark.parametrize("mode", [ErrorSamplesMode.SKIP, ErrorSamplesMode.REPLACE])
def test_rows_that_fail_are_left_out_or_replaced_by_the_nearest(mode, failing):
    def fails(a, c):
        if int(a) - 20 in failing:
            raise ValueError
        return a * 2, c + 0.5

    ds.config.set_error_samples_mode(mode)
    block = RowBlock(20, 6, [np.arange(20, 26), list(np.arange(6) * 10), np.arange(6.0)], 4,
                     np.array([8, 2, 5, 0, 9, 1]))
    found = MapPlan([fails], ["a", "b", "c"], ["a", "c"], ["a", "c"])(Run(1))(block)
    good = [i for i in range(6) if i not in failing]
    kept = good
    source = {i: i for i in good}
    if mode is ErrorSamplesMode.REPLACE and good:
        kept = list(range(6))
        source = {i: min(good, key=lambda g: (abs(g - i), g)) for i in kept}
    assert (found.start, found.count, found.failed) == (20, len(kept), 4 + len(failing))
    if kept:
        assert [int(v) for v in found.columns[0]] == [2 * (20 + source[i]) for i in kept]
        assert [int(v) for v in found.columns[1]] == [10 * i for i in kept]
        assert [float(v) for v in found.columns[2]] == [source[i] + 0.5 for i in kept]
        assert found.numbers.tolist() == [[8, 2, 5, 0, 9, 1][i] for i in kept]


def test_inputs_come_in_the_order_in_which_they_are_named():
    block = RowBlock(0, 2, [np.array([1, 2]), np.array([30, 40]), np.array([500, 600])])
    found = MapPlan([lambda c, a: (c - a, a)], ["a", "b", "c"], ["c", "a"], ["c", "a"])(Run(1))(block)
    assert [list(map(int, c)) for c in found.columns] == [[1, 2], [30, 40], [499, 598]]


def test_rows_left_out_by_one_transform_do_not_come_to_the_next():
    seen = []

    def odd(x):
        assert x % 2
        return x

    def later(x):
        seen.append(int(x))
        assert x != 5
        return x

    ds.config.set_error_samples_mode(ErrorSamplesMode.SKIP)
    steps = [odd, ds.transforms.TypeCast(np.int32), later]
    found = MapPlan(steps, ["x"], ["x"], ["x"])(Run(1, optimise=True))(RowBlock(0, 8, [np.arange(8)]))
    assert [int(v) for v in found.columns[0]] == [1, 3, 7]
    assert (found.failed, seen) == (5, [1, 3, 5, 7])


@pytest.mark.parametrize("mode", [ErrorSamplesMode.SKIP, ErrorSamplesMode.REPLACE])
@pytest.mark.parametrize("then", [lambda d: d, lambda d: d.map(lambda x: x + 0), lambda d: d.batch(4).map(np.sum),
                                  lambda d: d.shuffle(3), lambda d: d.repeat(2), lambda d: d.filter(lambda x: True),
                                  lambda d: d.map(ds.transforms.TypeCast(np.int32))])
def test_a_pass_on_whose_rows_a_transform_fails_is_empty(mode, then):
    def fails(x):
        raise ValueError

    ds.config.set_error_samples_mode(mode)
    for count in (1, 3, 300):
        data = then(numbers(count).map(fails))
        assert list(data.create_tuple_iterator(num_epochs=1, output_numpy=True)) == []


# ---------------------------------------------------------------------- parts

@pytest.mark.parametrize("sizes", [[0.5, 0.5], [0.1, 0.2, 0.7], [0.35, 0.35, 0.3], [1 / 3] * 3, [0.9, 0.1], [0.25] * 4])
@pytest.mark.parametrize("rows", [7, 10, 11, 100, 101])
def test_fractions_are_rounded_to_all_rows(sizes, rows):
    if min(round(s * rows) for s in sizes) < 1:
        return
    counts = _counts(sizes, rows)
    assert sum(counts) == rows
    assert min(counts) > 0
    moved = [c - round(s * rows) for c, s in zip(counts, sizes, strict=True)]
    assert sum(m != 0 for m in moved) <= 1                       # one part bears what rounding left
    assert sum(map(abs, moved)) == abs(rows - sum(round(s * rows) for s in sizes))
