"""Samplers under samplers, orders that respect files, and what of a cache is read: against the rules in plain words."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import sampler_files
from mindspore.dataset.execution.run import Run
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.sampler_files import FileOrder

COUNTS = [4, 1, 0, 7, 3]
ENDS = np.cumsum(COUNTS)


def files(order):
    """In which file each of these rows is."""
    return np.searchsorted(ENDS, order, "right").tolist()


def order_of(level, seed=0, counts=COUNTS):
    return FileOrder(level, lambda: counts, None, False).choose(sum(counts), np.random.default_rng(seed), None)


@pytest.mark.parametrize("level", [Shuffle.FILES, Shuffle.INFILE, Shuffle.ADAPTIVE, Shuffle.PARTIAL])
def test_every_row_comes_once_and_the_orders_differ(level):
    orders = {tuple(order_of(level, seed).tolist()) for seed in range(20)}
    assert len(orders) > 10
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(15))}


@pytest.mark.parametrize("seed", range(5))
def test_files_are_mixed_whole_or_their_rows_inside(seed):
    whole = order_of(Shuffle.FILES, seed)
    runs = [list(map(int, group)) for _, group in itertools.groupby(whole, lambda row: int(files([row])[0]))]
    assert sorted(runs) == [list(range(0, 4)), [4], list(range(5, 12)), list(range(12, 15))]
    inside = order_of(Shuffle.INFILE, seed)
    assert files(inside) == sorted(files(inside))
    assert inside.tolist() != sorted(inside)


@pytest.mark.parametrize("window", [1, 2, 5, 6, 15, 40])
def test_windows_of_files_in_some_order_are_mixed_each_for_itself(window, monkeypatch):
    monkeypatch.setattr(sampler_files, "WINDOW", window)
    monkeypatch.setattr(sampler_files, "MANY", 15)
    names = [n for n in range(len(COUNTS)) if COUNTS[n]]
    possible = [np.concatenate([np.arange(ENDS[n] - COUNTS[n], ENDS[n]) for n in p])
                for p in itertools.permutations(names)]
    for level, seed in itertools.product((Shuffle.PARTIAL, Shuffle.ADAPTIVE), range(5)):
        found = order_of(level, seed)
        parts = [sorted(found[i : i + window]) for i in range(0, 15, window)]
        assert any(parts == [sorted(p[i : i + window]) for i in range(0, 15, window)] for p in possible)
    monkeypatch.setattr(sampler_files, "MANY", 16)            # fewer rows than that: all are mixed
    mixed = [order_of(Shuffle.ADAPTIVE, seed) for seed in range(40)]
    assert any(len(list(itertools.groupby(files(m)))) > 6 for m in mixed)


def test_the_order_is_that_of_the_pass_in_all_processes_or_of_the_place():
    def drawn(common, run):
        return tuple(FileOrder(Shuffle.FILES, lambda: [1] * 30, 20, common).indices(30, run).tolist())
    places = [Run(seed, common_seed=8).child(k) for seed in (1, 2) for k in range(3)]
    assert len({drawn(True, run) for run in places}) == 1
    assert len({drawn(False, run) for run in places}) == 6
    assert len({drawn(True, places[0].during(e)) for e in range(4)}) == 4
    assert {len(drawn(c, places[0])) for c in (True, False)} == {20}
    for rows, wanted in ((30, 20), (7, 7), (0, 0)):
        assert FileOrder(Shuffle.FILES, list, 20, False).count(rows) == wanted
    assert FileOrder(Shuffle.FILES, list, None, False).count(9) == 9


def test_files_that_do_not_have_the_rows_are_refused():
    with pytest.raises(RuntimeError, match=r"Shuffle.FILES needs all 15 rows of the files, but a child .* leaves 9"):
        FileOrder(Shuffle.FILES, lambda: COUNTS, None, False).choose(9, np.random.default_rng(0), None)


# ---------------------------------------------------------------------- one after the other

CHOICES = {
    "from 3": (lambda: ds.SequentialSampler(3), lambda v: v[3:]),
    "from 1, 4 of them": (lambda: ds.SequentialSampler(1, 4), lambda v: v[1:5]),
    "some": (lambda: ds.SubsetSampler([4, 0, 0, 3]), lambda v: [v[4], v[0], v[0], v[3]]),
    "share 1 of 2": (lambda: ds.DistributedSampler(2, 1, False), lambda v: [v[i % len(v)] for i in range(
        1, -(-len(v) // 2) * 2, 2)]),
    "share 2 of 3, 2 of it": (lambda: ds.DistributedSampler(3, 2, False, 2), lambda v: [v[i % len(v)] for i in range(
        2, -(-len(v) // 3) * 3, 3)][:2]),
    "backwards": (lambda: ds.IterSampler([4, 3, 2, 1, 0]), lambda v: [v[4], v[3], v[2], v[1], v[0]])}


@pytest.mark.parametrize("names", list(itertools.product(CHOICES, repeat=2)))
def test_a_sampler_chooses_among_the_rows_of_its_child(names):
    upper, lower = [CHOICES[name][0]() for name in names]
    upper.add_child(lower)
    rows = list(range(20, 31))
    wanted = CHOICES[names[1]][1](rows)
    data = ds.NumpySlicesDataset({"x": np.arange(20, 31)}, sampler=upper)
    try:
        wanted = CHOICES[names[0]][1](wanted)
    except IndexError:
        with pytest.raises(RuntimeError, match="indices must be in"):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
        return
    if names[0] == "from 3" and len(CHOICES[names[1]][1](rows)) <= 3:
        return
    assert [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == wanted
    assert data.get_dataset_size() == len(wanted)


def test_the_fewest_samples_of_all_count():
    upper, lower = ds.SequentialSampler(0, 5), ds.SubsetSampler([1, 2, 3])
    assert upper.get_num_samples() == 5
    upper.add_child(lower)
    assert upper.get_num_samples() == 3
    lower.add_child(ds.SequentialSampler(0, 2))
    assert upper.get_num_samples() == 2
    with pytest.raises(RuntimeError, match="one child only"):
        upper.add_child(ds.SequentialSampler())


def test_a_random_child_has_an_order_of_its_own():
    upper, lower = ds.RandomSampler(), ds.RandomSampler()
    one = upper.indices(30, Run(4)).tolist()
    upper.add_child(lower)
    two = upper.indices(30, Run(4)).tolist()
    assert one != two
    assert two != [one[i] for i in one]
    assert sorted(two) == list(range(30))


# ---------------------------------------------------------------------- what is kept

def content(n):
    return (np.arange(n) + n).astype(np.uint8)


def cached(rows, cache, seen, **more):
    def made(x):
        seen.append(len(x))
        return content(len(x))
    source = ds.GeneratorDataset([(np.zeros(n),) for n in rows], ["x"], **more)
    return source.map(made, "x", cache=cache)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(("size", "spilling"), [(0, False), (1, True), (1, False)])
def test_kept_rows_of_any_length_are_those_that_were_made(size, spilling, shuffle):
    lengths = [1, 63, 64, 65, 0, 127, 128, 129, 200_000, 3, 700_000, 7, 400_000, 1]
    cache, seen = ds.DatasetCache(21, size=size, spilling=spilling), []
    data = cached(lengths, cache, seen, shuffle=shuffle)
    for _ in range(3):
        found = [x.tolist() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        wanted = [content(n).tolist() for n in lengths]
        assert sorted(found, key=len) == sorted(wanted, key=len)
    stat = cache.get_stat()
    kept = stat.num_mem_cached + stat.num_disk_cached
    assert kept == 14 if size == 0 or spilling else 0 < kept < 14
    assert bool(stat.num_disk_cached) is spilling
    assert len(seen) == (14 if kept == 14 else 3 * 14)        # a block is made anew as a whole


def test_rows_that_are_not_kept_yet_are_made_and_the_others_are_not():
    cache, seen = ds.DatasetCache(22), []
    data = cached(range(1, 301), cache, seen, shuffle=False)
    head = data.take(40)
    for data_, count in ((head, 40), (data, 300)):
        found = [len(x) for (x,) in data_.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        assert found == list(range(1, count + 1))
    assert set(seen) == set(range(1, 301))
    made = len(seen)
    assert [len(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == list(range(1, 301))
    assert len(seen) == made


def test_rows_beside_one_that_failed_are_not_kept_in_its_place(monkeypatch):
    monkeypatch.setitem(ds.config._settings.values, "error_samples_mode", ds.config.ErrorSamplesMode.SKIP)
    failing = {3, 4}

    def fails(x):
        assert int(x) not in failing
        return x * 10
    cache = ds.DatasetCache(23)
    data = ds.NumpySlicesDataset(np.arange(8), ["x"], shuffle=False).map(fails, "x", cache=cache)

    def read():
        return [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert read() == [0, 10, 20, 50, 60, 70]
    failing.clear()
    for _ in range(2):
        assert read() == [10 * n for n in range(8)]


def test_kept_rows_cannot_be_changed_by_those_who_read_them():
    cache, seen = ds.DatasetCache(24), []
    data = cached([3, 3, 3], cache, seen, shuffle=False)
    for _ in range(3):
        for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            assert x.tolist() == [3, 4, 5]
            if x.flags.writeable:
                x[:] = 0
    later = data.map(lambda x: np.subtract(x, 3, out=x) if x.flags.writeable else x - 3)
    for _ in range(2):
        assert [x.tolist() for (x,) in later.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [[0, 1, 2]] * 3
