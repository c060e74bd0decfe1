from __future__ import annotations

import gzip
import json
import os
import zlib

import pytest
from tfrecord_files import framed

import mindspore.dataset as ds


@pytest.fixture
def records(tmp_path):
    """Write records to a file below the test's folder; gives its path."""

    def write(name, *examples, packed=bytes):
        (tmp_path / name).write_bytes(packed(framed(*examples)))
        return str(tmp_path / name)

    return write


def numbered(*numbers):
    return [{"n": [number]} for number in numbers]


@pytest.fixture
def three_files(records):
    """Five, three and one rows, given in another order than that of the names."""
    files = {"c": [20], "a": range(5), "b": range(10, 13)}
    return [records(name, *numbered(*numbers)) for name, numbers in files.items()]


def numbers(data):
    return [int(row[0][0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def test_files_are_read_in_the_order_of_their_names(three_files):
    one = ds.TFRecordDataset(three_files, shuffle=False, num_parallel_workers=1)
    assert numbers(one) == [0, 1, 2, 3, 4, 10, 11, 12, 20]
    two = ds.TFRecordDataset(three_files, shuffle=False, num_parallel_workers=2)
    assert numbers(two) == [0, 10, 1, 11, 2, 12, 3, 4, 20]


def test_a_seed_gives_one_order_for_any_number_of_workers(three_files):
    orders = [numbers(ds.TFRecordDataset(three_files, num_parallel_workers=n)) for n in (1, 2, None)]
    assert orders[0] == orders[1] == orders[2]
    assert sorted(orders[0]) == [0, 1, 2, 3, 4, 10, 11, 12, 20]


def test_shards_are_files_unless_rows_are_asked_for(three_files):
    def shards(count, **options):
        options |= {"shuffle": False, "num_parallel_workers": 1, "num_shards": count}
        return [ds.TFRecordDataset(three_files, shard_id=i, **options) for i in range(count)]

    assert [numbers(shard) for shard in shards(2)] == [[0, 1, 2, 3, 4, 20], [10, 11, 12]]
    assert [shard.get_dataset_size() for shard in shards(2)] == [6, 3]
    equal = [numbers(shard) for shard in shards(4, shard_equal_rows=True)]
    assert equal == [[0, 1, 2], [3, 4, 10], [11, 12, 20], [0, 1, 2]]
    with pytest.raises(RuntimeError, match=r"'shard_equal_rows'.*there are 3"):
        shards(4)[0].get_dataset_size()


@pytest.mark.parametrize(
    ("kind", "shape", "value"),
    [
        ("int16", None, [7, -1]),
        ("int16", [2, 1], [[7], [-1]]),
        ("int64", [-1, 2], [[7, -1]]),
        ("float32", [2], [7.0, -1.0]),
        ("bool", [2], [True, True]),
    ],
)
def test_values_take_the_type_and_shape_of_the_schema(records, rows, kind, shape, value):
    schema = ds.Schema()
    schema.add_column("v", kind, shape)
    data = ds.TFRecordDataset(records("x", {"v": [7, -1]}), schema)
    assert rows(data) == [(value,)]
    assert data.output_types() == schema.types()


@pytest.mark.parametrize(
    ("kind", "shape", "message"),
    [
        ("int64", [3], r"the shape \[3\]"),
        ("int64", [], r"the shape \[\]"),
        ("int64", [-1, -1], "the shape"),
        ("string", None, "must have text"),
    ],
)
def test_values_that_do_not_fit_the_schema_are_refused(records, rows, kind, shape, message):
    schema = ds.Schema()
    schema.add_column("v", kind, shape)
    with pytest.raises(RuntimeError, match=rf"record 0 .*{message}"):
        rows(ds.TFRecordDataset(records("x", {"v": [7, -1]}), schema))


def test_bytes_are_text_or_numbers(records, rows):
    path = records("x", {"v": [b"ab", b"c"]})

    def read(kind, shape=None):
        schema = ds.Schema()
        schema.add_column("v", kind, shape)
        return rows(ds.TFRecordDataset(path, schema))

    assert read("string") == [(["ab", "c"],)]
    assert rows(ds.TFRecordDataset(path)) == [(list(b"abc "),)]  # observed: MindSpore 2.10
    with pytest.raises(RuntimeError, match=r"different lengths"):
        read("uint8")
    with pytest.raises(RuntimeError, match=r"must be uint8 or string"):
        read("int8")


def test_a_schema_file_says_ranks_and_the_number_of_rows(records, rows, tmp_path):
    path = records("x", *({"s": [i], "v": [i]} for i in range(4)))
    content = {"columns": {"s": {"type": "int32", "rank": 0}, "v": {"type": "int32", "rank": 1}}, "numRows": 3}
    (tmp_path / "s.json").write_text(json.dumps(content))
    schema = str(tmp_path / "s.json")
    assert rows(ds.TFRecordDataset(path, schema, shuffle=False)) == [(0, [0]), (1, [1]), (2, [2])]
    assert ds.TFRecordDataset(path, schema, num_samples=4).get_dataset_size() == 4
    assert rows(ds.TFRecordDataset(path, schema, ["v"], num_samples=1, shuffle=False)) == [([0],)]


def test_columns_that_are_not_there_are_named(records, rows):
    path = records("x", {"a": [1], "n": None}, {"b": [1]})
    with pytest.raises(RuntimeError, match=r"record 0 .* no feature 'q'"):
        rows(ds.TFRecordDataset(path, columns_list=["q"]))
    with pytest.raises(RuntimeError, match=r"record 1 .* no feature 'a'"):
        rows(ds.TFRecordDataset(path, columns_list=["a"], shuffle=False))
    with pytest.raises(RuntimeError, match=r"'n' has no values"):
        ds.TFRecordDataset(path).get_col_names()
    with pytest.raises(RuntimeError, match=r"different names"):
        ds.TFRecordDataset(path, columns_list=["a", "a"])
    schema = ds.Schema()
    with pytest.raises(RuntimeError, match=r"a schema with columns"):
        ds.TFRecordDataset(path, schema).get_col_names()
    schema.add_column("a", "int8")
    with pytest.raises(RuntimeError, match=r"must be columns of the schema"):
        ds.TFRecordDataset(path, schema, ["b"]).get_col_names()


@pytest.mark.parametrize(("kind", "packed"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_files_are_unpacked_as_their_kind_says(records, kind, packed):
    path = records("x", *numbered(1, 2), packed=packed)
    assert numbers(ds.TFRecordDataset(path, compression_type=kind, shuffle=False)) == [1, 2]
    other = {"GZIP": "ZLIB", "ZLIB": "GZIP"}[kind]
    with pytest.raises(RuntimeError, match=r"damaged|must be compressed"):
        numbers(ds.TFRecordDataset(path, compression_type=other))


def test_a_plain_file_is_no_error_where_gzip_is_allowed(records):
    path = records("x", *numbered(1))
    assert numbers(ds.TFRecordDataset(path, compression_type="GZIP")) == [1]
    assert numbers(ds.TFRecordDataset(path, compression_type="")) == [1]
    for kind in ("LZ4", 3):
        with pytest.raises(ValueError, match=r"'compression_type'"):
            ds.TFRecordDataset(path, compression_type=kind)


def test_files_without_records_are_refused(records, three_files):
    with pytest.raises(RuntimeError, match=r"must have a record, but is empty"):
        ds.TFRecordDataset([*three_files, records("d")]).get_dataset_size()


def test_the_files_of_the_reference_material_agree(reference, rows):
    folder = os.path.join(reference, "data", "dataset")
    parts = [os.path.join(folder, "tf_file_dataset", f"test{i}.data") for i in range(1, 6)]
    data = ds.TFRecordDataset(parts, shuffle=False, num_parallel_workers=1)
    assert numbers(data) == list(range(1, 51))
    for ending, kind in ((".gz", "GZIP"), (".zlib", "ZLIB")):
        packed = [part + ending for part in parts]
        assert numbers(ds.TFRecordDataset(packed, shuffle=False, num_parallel_workers=1, compression_type=kind)) == [
            *range(1, 51)
        ]
    text = os.path.join(folder, "testTextTFRecord")
    (first, *_) = rows(ds.TFRecordDataset(f"{text}/text.tfrecord", f"{text}/datasetSchema.json", shuffle=False))
    assert first == ("今天天气太好了我们一起去外面玩吧", "This is a text file.", ["This", "text", "file", "a"])
    path = os.path.join(folder, "test_tf_file_3_images", "train-0000-of-0001.data")
    photographs = ds.TFRecordDataset(path, columns_list=["image"], shuffle=False)
    assert [len(image) for (image,) in rows(photographs)] == [159109, 192607, 179251]
