from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import config


def numbers(count, name="x", start=0):
    return ds.NumpySlicesDataset({name: np.arange(start, start + count)}, shuffle=False)


def test_zipped_rows_stand_side_by_side_as_long_as_all_have_one(rows):
    data = ds.zip((numbers(300, "a"), numbers(3, "b").repeat(90), numbers(299, "c").batch(1)))
    assert data.get_dataset_size() == 270
    assert rows(data) == [(i, i % 3, [i]) for i in range(270)]


def test_zipped_columns_need_different_names(rows):
    with pytest.raises(RuntimeError, match="'rename'"):
        rows(numbers(2).zip(numbers(2)))


def test_joined_rows_follow_one_another(column):
    data = numbers(2) + numbers(3, start=10)
    assert data.get_dataset_size() == 5
    assert column(data.batch(3)) == [[0, 1, 10], [11, 12]]


def test_random_transforms_draw_anew_for_every_joined_row(column):
    data = (numbers(300) + numbers(300)).map(lambda x: x + 0 * x, "x").map(
        ds.transforms.RandomApply([lambda x: x - 1000], 0.5), "x")  # fmt: skip
    first, second = np.split(np.array(column(data)) < 0, 2)
    assert 100 < first.sum() < 200
    assert 100 < (first == second).sum() < 200


def test_joined_datasets_need_equal_columns(rows):
    with pytest.raises(RuntimeError, match="same columns"):
        rows(numbers(2).concat(numbers(2, "y")))


def test_joined_rows_can_be_shared_out(column):
    def share(i):
        data = numbers(3) + numbers(4, start=3)
        data.use_sampler(ds.DistributedSampler(2, i, shuffle=False))
        return column(data)

    assert share(0) == [0, 2, 4, 6]
    assert share(1) == [1, 3, 5]                                     # observed in the original


def test_projecting_and_renaming(rows):
    data = ds.NumpySlicesDataset({"a": [1], "b": [2]}, shuffle=False)
    assert rows(data.project(["b", "a"])) == [(2, 1)]
    assert data.rename(["a", "b"], ["b", "a"]).get_col_names() == ["b", "a"]
    with pytest.raises(RuntimeError, match="'c' does not exist"):
        data.project("c").get_col_names()
    with pytest.raises(ValueError, match="different names"):
        data.project(["a", "a"])


def test_split_shares_all_rows_out(column):
    data = numbers(10)
    parts = data.split([0.7, 0.3])
    assert [part.get_dataset_size() for part in parts] == [7, 3]
    assert sorted(column(parts[0]) + column(parts[1])) == list(range(10))
    assert column(parts[0]) == column(parts[0])
    ordered = data.split([7, 3], randomize=False)
    assert [column(part) for part in ordered] == [list(range(7)), [7, 8, 9]]


def test_parts_of_a_stream_do_not_overlap(column):
    parts = ds.GeneratorDataset(lambda: iter(range(10)), ["x"]).split([4, 6])
    assert sorted(column(parts[0]) + column(parts[1])) == list(range(10))


def test_a_part_can_be_shared_out_further(column):
    first, _ = numbers(10).split([6, 4], randomize=False)
    first.use_sampler(ds.DistributedSampler(2, 1, shuffle=False))
    assert column(first) == [1, 3, 5]


@pytest.mark.parametrize(
    ("sizes", "error"),
    [([], ValueError), ([7, 4], RuntimeError), ([0.5, 0.6], ValueError), ([3, -3], ValueError)],
)
def test_sizes_must_add_up(sizes, error):
    with pytest.raises(error, match="sizes"):
        numbers(10).split(sizes)


def test_parts_of_a_shuffled_pipeline_stay_apart_without_a_seed(column, monkeypatch):
    monkeypatch.setattr(config, "effective_seed", lambda: None)
    data = ds.NumpySlicesDataset({"x": np.arange(60)}).map(lambda x: x)
    for randomize in (True, False):
        first, second = data.split([40, 20], randomize)
        assert sorted(column(first) + column(second)) == list(range(60))
        twice = column(first.repeat(2))
        assert twice[:40] == twice[40:]


def test_joined_rows_have_the_types_of_the_first_dataset():
    first = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    joined = first.concat(ds.NumpySlicesDataset([1.5], ["x"], shuffle=False))
    with pytest.raises(RuntimeError, match="same types"):
        list(joined.create_dict_iterator(num_epochs=1))


@pytest.mark.parametrize("counts", [(3, 4), (300, 0, 270), (1, 1, 600)])
@pytest.mark.parametrize("shards", [1, 2, 3, 8])
def test_the_rows_of_a_share_are_counted_and_each_is_in_one(column, counts, shards):
    begins = np.cumsum([0, *counts])
    for i in range(shards):
        data = ds.ConcatDataset([numbers(n, start=begin) if n else numbers(5).skip(9)
                                 for begin, n in zip(begins.tolist(), counts, strict=False)])
        assert not data.is_sharded()
        data.use_sampler(ds.DistributedSampler(shards, i, shuffle=False, offset=0))
        assert data.is_sharded()
        assert column(data) == list(range(sum(counts)))[i::shards]
        assert data.get_dataset_size() == len(range(i, sum(counts), shards))


@pytest.mark.parametrize("count", [0, 3])
def test_shares_of_joined_rows_have_no_number_of_samples(count):
    with pytest.raises(ValueError, match="num_samples"):
        (numbers(3) + numbers(4)).use_sampler(ds.DistributedSampler(2, 0, shuffle=False, num_samples=count))


@pytest.mark.parametrize("fractions", [[0.25] * 4, [0.1, 0.9], [0.05, 0.95]])
def test_no_part_is_without_rows(fractions):
    for data in (numbers(3), numbers(3).map(lambda x: x)):
        with pytest.raises(RuntimeError, match="each part must get a row"):
            data.split(fractions)


def test_a_random_sampler_lets_joined_datasets_take_random_turns(column):
    data = numbers(30) + numbers(40, start=30)
    data.use_sampler(ds.RandomSampler())
    first = column(data)
    assert sorted(first) == list(range(70))
    assert first != list(range(70))
    assert [x for x in first if x < 30] == list(range(30))          # observed in the original
    assert data.get_dataset_size() == 70


@pytest.mark.parametrize("sampler", [ds.RandomSampler(True), ds.RandomSampler(num_samples=3)])
def test_what_mixes_joined_datasets_draws_every_row_once(sampler):
    with pytest.raises(ValueError, match="without 'replacement'"):
        (numbers(3) + numbers(4)).use_sampler(sampler)
