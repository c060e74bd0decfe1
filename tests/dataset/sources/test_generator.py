from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import dtype as mstype


class Squares:
    def __init__(self, count=5):
        self.count = count

    def __getitem__(self, index):
        if index == 40:
            raise KeyError("forty")
        return np.int32(index), np.array([index * index], np.float32)

    def __len__(self):
        return self.count


def test_functions_iterables_and_objects_with_numbered_rows_are_sources(rows):
    assert rows(ds.GeneratorDataset(lambda: iter([(1, 2), (3, 4)]), ["a", "b"])) == [(1, 2), (3, 4)]
    assert rows(ds.GeneratorDataset([5, 6], ["a"], shuffle=False)) == [(5,), (6,)]
    assert rows(ds.GeneratorDataset({7: None, 8: None}.keys(), ["a"])) == [(7,), (8,)]
    assert rows(ds.GeneratorDataset(Squares(2), ["n", "s"], shuffle=False)) == [
        (0, [0.0]),
        (1, [1.0]),
    ]


def test_only_numbered_rows_are_shuffled_and_shared_out(rows):
    data = ds.GeneratorDataset(Squares(9), ["n", "s"])
    assert data.is_shuffled()
    assert sorted(rows(data)) == [(i, [float(i * i)]) for i in range(9)]
    for option in (
        {"shuffle": True},
        {"num_shards": 2, "shard_id": 0},
        {"sampler": ds.SequentialSampler()},
    ):
        with pytest.raises(ValueError, match="'__getitem__'"):
            ds.GeneratorDataset(lambda: iter([1]), ["a"], **option)


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_keep_the_order_and_errors_name_the_row(rows, workers):
    data = ds.GeneratorDataset(Squares(40), ["n", "s"], shuffle=False, num_parallel_workers=workers)
    assert [row[0] for row in rows(data)] == list(range(40))
    data = ds.GeneratorDataset(Squares(50), ["n", "s"], shuffle=False, num_parallel_workers=workers)
    with pytest.raises(RuntimeError, match="failed at row 40: KeyError: 'forty'"):
        rows(data)


def test_an_error_of_a_generator_names_the_row(rows):
    def source():
        yield 1
        yield 2
        raise OSError("disk gone")

    with pytest.raises(RuntimeError, match="failed at row 2: OSError: disk gone"):
        rows(ds.GeneratorDataset(source, ["x"]))


def test_a_generator_begins_anew_in_every_pass(column):
    assert column(ds.GeneratorDataset(lambda: iter(range(3)), ["x"]).repeat(2)) == [
        0,
        1,
        2,
        0,
        1,
        2,
    ]


def test_the_number_of_rows_can_be_limited(column):
    data = ds.GeneratorDataset(lambda: iter(range(100)), ["x"], num_samples=3)
    assert column(data) == [0, 1, 2]
    assert data.get_dataset_size() == 3


def test_rows_must_fit_the_columns_and_their_types(rows):
    with pytest.raises(RuntimeError, match=r"columns \['a', 'b'\], but row 0 has 1"):
        rows(ds.GeneratorDataset(lambda: iter([1]), ["a", "b"]))
    with pytest.raises(RuntimeError, match="must have the type float32"):
        rows(ds.GeneratorDataset(lambda: iter([1]), ["a"], column_types=[mstype.float32]))
    with pytest.raises(RuntimeError, match="row 0 cannot be read"):
        rows(ds.GeneratorDataset(lambda: iter([object()]), ["a"]))


def test_a_schema_names_the_columns(rows):
    schema = ds.Schema()
    schema.add_column("a", mstype.int64)
    assert ds.GeneratorDataset(lambda: iter([1]), schema=schema).get_col_names() == ["a"]
    with pytest.raises(ValueError, match="'column_names' or 'schema'"):
        ds.GeneratorDataset(lambda: iter([1]))


def test_a_batch_sampler_groups_rows(rows):
    data = ds.GeneratorDataset(Squares(5), ["n", "s"], batch_sampler=[[4, 0], [2]])
    assert rows(data) == [([4, 0], [[16.0], [0.0]]), ([2], [[4.0]])]
    data = ds.GeneratorDataset(
        Squares(5), ["m"], batch_sampler=[[4, 0]], collate_fn=lambda found: max(n for n, _ in found)
    )
    assert rows(data) == [(4,)]


def test_a_row_of_a_batch_that_cannot_be_made_is_named():
    class Source:
        def __len__(self):
            return 4

        def __getitem__(self, i):
            if i == 3:
                raise OSError("cannot be read")
            return (i,)

    data = ds.GeneratorDataset(Source(), ["x"], batch_sampler=[[0, 1], [2, 3]])
    with pytest.raises(RuntimeError, match="failed at row 3: OSError: cannot be read"):
        list(data.create_tuple_iterator(num_epochs=1))
