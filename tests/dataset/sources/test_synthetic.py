from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def test_fake_images_depend_on_their_number_only(read):
    first = read(ds.FakeImageDataset(3, (2, 4, 3), 5, 7, shuffle=False))
    later = read(ds.FakeImageDataset(2, (2, 4, 3), 5, 8, shuffle=False))
    assert (first[1]["image"] == later[0]["image"]).all()
    assert first[1]["label"] == later[0]["label"]
    assert not (first[0]["image"] == first[1]["image"]).all()
    assert first[0]["image"].shape == (2, 4, 3)


def test_fake_labels_are_below_the_number_of_classes(values):
    data = ds.FakeImageDataset(50, (1, 1, 1), 3)
    assert set(values(data, "label")) == {0, 1, 2}
    assert data.num_classes() == 3
    chosen = ds.FakeImageDataset(50, (1, 1, 1), 3, sampler=ds.PKSampler(2))
    assert values(chosen, "label") == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("arguments", [(0,), (3, (2, 2)), (3, (2, 2, 0)), (3, (2, 2, 1), 0)])
def test_impossible_images_are_refused(arguments):
    with pytest.raises(ValueError, match="For 'FakeImageDataset'"):
        ds.FakeImageDataset(*arguments)


@pytest.fixture
def schema():
    made = ds.Schema()
    for name, kind, shape in [("u", "uint8", [2]), ("f", "float32", []), ("b", "bool", [-1, 3])]:
        made.add_column(name, kind, shape)
    return made


def test_random_rows_follow_the_schema(schema):
    data = ds.RandomDataset(5, schema)
    assert data.get_col_names() == ["u", "f", "b"]
    assert data.output_shapes() == [[2], [], [1, 3]]
    assert data.output_types() == [np.uint8, np.float32, np.bool_]
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == data.get_dataset_size() == 5
    assert ds.RandomDataset(5, schema, ["f", "u"]).get_col_names() == ["f", "u"]


def test_random_rows_are_repeatable_and_differ_between_passes(schema, column):
    schema.columns = schema.columns[:1]
    assert column(ds.RandomDataset(4, schema)) == column(ds.RandomDataset(4, schema))
    iterator = ds.RandomDataset(4, schema).create_tuple_iterator(num_epochs=2, output_numpy=True)
    first, second = ([row[0].tolist() for row in iterator] for _ in range(2))
    assert first != second


def test_random_rows_are_counted(schema):
    assert ds.RandomDataset(5, schema, num_samples=2).get_dataset_size() == 2
    assert ds.RandomDataset(5, schema, num_shards=2, shard_id=1).get_dataset_size() == 3
    anything = ds.RandomDataset()
    assert anything.get_dataset_size() == len(list(anything.create_tuple_iterator(num_epochs=1)))


def test_random_text_is_refused(schema):
    schema.add_column("s", "string", [])
    with pytest.raises(RuntimeError, match="must be of numbers"):
        list(ds.RandomDataset(1, schema).create_tuple_iterator(num_epochs=1))
    with pytest.raises(RuntimeError, match="must be columns of the schema"):
        ds.RandomDataset(1, schema, ["q"])
