"""Samplers by all their options: which rows, how many of them, and with `num_samples` in every way of giving it."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset.samplers import PKSampler, drawn, select_sampler


def read(sampler=None, count=10, **options):
    data = ds.NumpySlicesDataset({"x": np.arange(count)}, sampler=sampler, **options)
    return [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def test_rows_of_weight_zero_are_not_drawn():
    weights = [0, 0, 5, 0.1, 0, 1, 2, 0, 0, 3]
    for _ in range(20):
        assert set(read(ds.WeightedRandomSampler(weights, 40))) <= {2, 3, 5, 6, 9}
        assert sorted(read(ds.WeightedRandomSampler(weights, 5, replacement=False))) == [2, 3, 5, 6, 9]


def test_heavy_rows_are_drawn_first():
    first = [read(ds.WeightedRandomSampler([1, 100, 1, 1], 1, replacement=False), 4)[0] for _ in range(40)]
    assert first.count(1) > 25
    many = read(ds.WeightedRandomSampler([1, 3, 0, 0], 4000), 4)
    assert 0.70 < many.count(1) / 4000 < 0.80


def test_drawing_with_replacement_repeats_rows():
    assert len(set(read(ds.RandomSampler(replacement=True, num_samples=10)))) < 10


@pytest.mark.parametrize("count", [5, 7, 10])
@pytest.mark.parametrize("shards", [2, 3, 4])
def test_short_shards_begin_again_with_the_first_rows(count, shards):
    for shard in range(shards):
        found = read(ds.DistributedSampler(shards, shard, shuffle=False), count)
        assert found == [i % count for i in range(shard, -(-count // shards) * shards, shards)]


def test_an_offset_moves_the_rows_to_later_shards():
    found = [read(ds.DistributedSampler(4, shard, shuffle=False, offset=2)) for shard in range(4)]
    assert found == [[2, 6], [3, 7], [0, 4, 8], [1, 5, 9]]


@pytest.mark.parametrize("shuffle", [None, False, True])
def test_the_number_of_samples_counts_with_and_without_shards(shuffle):
    assert len(read(num_samples=4, shuffle=shuffle)) == 4
    assert len(read(num_samples=2, shuffle=shuffle, num_shards=3, shard_id=1)) == 2
    if shuffle is False:
        assert read(num_samples=4, shuffle=False) == [0, 1, 2, 3]


def test_shards_are_shuffled_unless_told_otherwise():
    assert [select_sampler(None, None, shuffle, 3, 1).is_shuffled() for shuffle in (None, True, False)] == [
        True, True, False]


def test_an_iterable_is_read_no_further_than_wanted():
    rows = iter(range(100))
    assert drawn(rows, 3).tolist() == [0, 1, 2]
    assert len(drawn(iter(range(5)), None)) == 5


def test_a_sampler_is_reset_before_every_pass():
    class Counts(ds.Sampler):
        resets = 0

        def reset(self):
            self.resets += 1

        def __iter__(self):
            return iter([self.dataset_size - 1])

    sampler = Counts()
    data = ds.NumpySlicesDataset({"x": np.arange(6)}, sampler=sampler)
    before = sampler.resets
    found = [int(x) for _ in range(2) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert found == [5, 5]
    assert sampler.resets == before + 2


@pytest.mark.parametrize("labels", [[2, 0, 1, 0, 2, 0, 1], [0, 0, 0, 1]])
def test_classes_with_too_few_rows_repeat_them(labels):
    chosen = PKSampler(3).choose(len(labels), np.random.default_rng(0), lambda: np.array(labels))
    assert np.bincount(np.array(labels)[chosen]).tolist() == [3] * (max(labels) + 1)
    several = PKSampler(2).choose(3, np.random.default_rng(0), lambda: [[0, 1], [1], [0, 1]])
    assert several.tolist() == [0, 2, 0, 1]        # rows with several classes count for each
    orders = {tuple(np.array(labels)[PKSampler(1, shuffle=True).choose(
        len(labels), np.random.default_rng(seed), lambda: np.array(labels))].tolist()) for seed in range(12)}
    assert len(orders) > 1


def test_a_subset_gives_no_more_than_it_has_or_is_told():
    assert ds.SubsetSampler([3, 1, 2], 2).own_samples() == 2
    assert read(ds.SubsetSampler([3, 1, 2], 2)) == [3, 1]
    assert ds.SubsetSampler([3, 1], 9).own_samples() == 2
