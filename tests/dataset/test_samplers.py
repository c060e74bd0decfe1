from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import config
from mindspore.dataset.execution.run import Run


def read(sampler, count=10, **options):
    data = ds.NumpySlicesDataset({"x": np.arange(count)}, sampler=sampler, **options)
    found = [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert data.get_dataset_size() == len(found)
    return found


def test_sequential_rows_begin_where_asked():
    assert read(ds.SequentialSampler(3, 4)) == [3, 4, 5, 6]


def test_random_rows_are_a_permutation_or_drawn_anew():
    assert sorted(read(ds.RandomSampler())) == list(range(10))
    assert len(read(ds.RandomSampler(replacement=True, num_samples=40))) == 40


@pytest.mark.parametrize("shuffle", ["ADAPTIVE", "PARTIAL", "FILES", "INFILE"])
def test_rows_without_files_are_mixed_over_all_only(shuffle):
    sampler = ds.RandomSampler(shuffle=ds.Shuffle[shuffle])
    with pytest.raises(RuntimeError, match=f"must be Shuffle.GLOBAL, but got Shuffle.{shuffle}"):
        read(sampler)
    below = ds.SequentialSampler()
    below.add_child(sampler)
    with pytest.raises(RuntimeError, match=r"must be Shuffle\.GLOBAL"):
        read(below)


@pytest.mark.parametrize("shuffle", [ds.Shuffle.FALSE, True, None])
def test_a_random_sampler_cannot_be_told_to_keep_the_order(shuffle):
    with pytest.raises(TypeError, match="'shuffle'"):
        ds.RandomSampler(shuffle=shuffle)


def test_subsets_come_in_their_order_or_at_random():
    assert read(ds.SubsetSampler([7, 1, 3, 3])) == [7, 1, 3, 3]
    assert sorted(read(ds.SubsetRandomSampler([1, 5, 8]))) == [1, 5, 8]
    with pytest.raises(RuntimeError, match=r"in \[0, 9\], but got 10"):
        read(ds.SubsetSampler([10]))


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shards", [1, 2, 3, 4])
def test_shards_are_equally_long_and_together_hold_every_row(shards, shuffle):
    parts = [read(ds.DistributedSampler(shards, i, shuffle)) for i in range(shards)]
    assert len({len(part) for part in parts}) == 1
    assert set().union(*parts) == set(range(10))
    assert sum(map(len, parts)) == -(-10 // shards) * shards


def test_shards_can_be_given_to_the_source():
    data = ds.NumpySlicesDataset({"x": np.arange(9)}, num_shards=4, shard_id=3, shuffle=False)
    assert [int(x) for (x,) in data] == [3, 7, 2]
    assert data.is_sharded()
    assert not data.is_shuffled()


def test_weights_decide_which_rows_are_drawn():
    weights = [0.0] * 9 + [1.0]
    assert read(ds.WeightedRandomSampler(weights, 4)) == [9] * 4
    counts = np.bincount(read(ds.WeightedRandomSampler([1, 3], 4000), 2))
    assert abs(counts[1] - 3000) < 4 * np.sqrt(4000 * 0.75 * 0.25)


def test_p_classes_of_k_rows_each():
    sampler = ds.PKSampler(2)
    labels = np.array([1, 0, 1, 0, 1, 2])
    assert sampler.indices(6, Run(0), lambda: labels).tolist() == [1, 3, 0, 2, 5, 5]


def test_a_child_chooses_first():
    parent, child = ds.SubsetSampler([2, 0]), ds.SequentialSampler(5)
    parent.add_child(child)
    assert read(parent) == [7, 5]


def test_samplers_in_python_know_the_number_of_rows():
    class Backwards(ds.Sampler):
        def __iter__(self):
            return iter(range(self.dataset_size - 1, -1, -1))

    assert read(Backwards(), 4) == [3, 2, 1, 0]
    assert read(Backwards(2), 4) == [3, 2]
    assert read([4, 2]) == [4, 2]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"sampler": ds.SequentialSampler(), "shuffle": True}, ValueError),
        ({"sampler": ds.SequentialSampler(), "num_shards": 2, "shard_id": 0}, ValueError),
        ({"sampler": 3}, TypeError),
        ({"num_shards": 2}, ValueError),
        ({"num_shards": 2, "shard_id": 2}, ValueError),
        ({"num_samples": -1}, ValueError),
        ({"shuffle": "yes"}, TypeError),
    ],
)
def test_sources_refuse_what_does_not_fit_together(options, error):
    with pytest.raises(error):
        ds.NumpySlicesDataset([1, 2], ["x"], **options)


def test_shards_of_different_processes_fit_together_without_a_seed(monkeypatch):
    monkeypatch.setattr(config, "effective_seed", lambda: None)
    parts = [read(ds.DistributedSampler(2, i)) for i in range(2)]
    assert sorted(parts[0] + parts[1]) == list(range(10))


def test_a_sampler_in_python_need_not_call_its_base():
    class Odd(ds.Sampler):
        def __init__(self):
            pass

        def __iter__(self):
            return iter([1, 3])

    assert read(Odd()) == [1, 3]


def test_the_number_of_samples_is_that_of_the_indices_at_most():
    assert ds.SubsetSampler([0, 2, 4]).get_num_samples() == 3
    assert ds.SubsetRandomSampler([0, 2, 4], 2).get_num_samples() == 2
    assert ds.SequentialSampler(num_samples=0).get_num_samples() == 0  # observed: MindSpore 2.10


@pytest.mark.parametrize(
    "options",
    [
        {"num_shards": "2"},
        {"shard_id": 1.0},
        {"sampler": 5},
        {"sampler": "all"},
        {"shuffle": ds.Shuffle.FILES},
    ],
)
def test_wrong_types_are_refused_before_what_does_not_fit_together(options):
    with pytest.raises(TypeError):
        ds.NumpySlicesDataset([1, 2], **options)
