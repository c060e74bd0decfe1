from __future__ import annotations

import gzip
import os

import numpy as np
import pytest
from tfrecord_files import framed

import mindspore.dataset as ds
from mindspore import dtype as mstype
from mindspore.dataset.utils import LineReader


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "a.txt").write_text("one\n\ntwo\nthree\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("vier\r\nfünf", encoding="utf-8")
    return tmp_path


def test_lines_of_files_come_in_turns(column, texts):
    data = ds.TextFileDataset([str(texts / "a.txt"), str(texts / "b.txt")], shuffle=False)
    assert column(data) == ["one", "vier", "two", "fünf", "three"]
    assert data.get_dataset_size() == 5
    one_after_the_other = ds.TextFileDataset(
        str(texts / "*.txt"), shuffle=False, num_parallel_workers=1
    )
    assert column(one_after_the_other) == ["one", "two", "three", "vier", "fünf"]


def test_shares_of_files_are_equally_large(column, texts):
    shares = [
        column(ds.TextFileDataset(str(texts / "*.txt"), shuffle=False, num_shards=2, shard_id=i))
        for i in range(2)
    ]
    assert shares == [["one", "two", "three"], ["vier", "one", "fünf"]]


def test_rows_of_files_are_shuffled(column, tmp_path):
    (tmp_path / "n.txt").write_text("\n".join(map(str, range(300))))
    data = ds.TextFileDataset(str(tmp_path / "n.txt"))
    first = column(data)
    assert first == column(data)
    assert sorted(map(int, first)) == list(range(300))
    assert first != [str(i) for i in range(300)]


def test_fields_have_the_types_of_the_defaults(rows, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('1,0.5,"a,b"\n,2,"say ""hi"""\n')
    data = ds.CSVDataset(
        str(path), column_defaults=[7, 0.0, ""], column_names=["i", "f", "s"], shuffle=False
    )
    assert rows(data) == [(1, 0.5, "a,b"), (7, 2.0, 'say "hi"')]
    assert data.output_types() == [np.int32, np.float32, np.str_]


def test_the_first_line_names_columns_that_have_no_names(rows, tmp_path):
    (tmp_path / "x.csv").write_text("p|q\n1|2\n")
    data = ds.CSVDataset(str(tmp_path / "x.csv"), "|", shuffle=False)
    assert data.get_col_names() == ["p", "q"]
    assert rows(data) == [("1", "2")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n1,2,3\n", "row 1 .* must have 2 fields"),
        ('1,"2\n', "cannot be read at line"),
        ("x,2\n", "a number"),
    ],
)
def test_damaged_lines_are_named(rows, tmp_path, text, message):
    (tmp_path / "x.csv").write_text(text)
    data = ds.CSVDataset(
        str(tmp_path / "x.csv"), column_names=["a", "b"], column_defaults=[0, 0], shuffle=False
    )
    with pytest.raises(RuntimeError, match=message):
        rows(data)


def test_missing_files_are_noticed_at_once():
    for kind in (ds.TextFileDataset, ds.CSVDataset, ds.TFRecordDataset):
        with pytest.raises(ValueError, match="must be a file that exists"):
            kind("nowhere.txt")


EXAMPLES = {"i": [1, -2], "f": [0.5], "b": [b"hi"]}, {"i": [3, 4], "f": [1.5], "b": [b"ho"]}


def test_features_of_records_are_columns(rows, tmp_path):
    path = str(tmp_path / "x.tfrecord")
    (tmp_path / "x.tfrecord").write_bytes(framed(*EXAMPLES))
    data = ds.TFRecordDataset(path, shuffle=False)
    assert data.get_col_names() == ["b", "f", "i"]
    assert rows(data) == [([104, 105], [0.5], [1, -2]), ([104, 111], [1.5], [3, 4])]
    assert data.get_dataset_size() == 2
    schema = ds.Schema()
    schema.add_column("i", mstype.int16, [2, 1])
    schema.add_column("b", "string", [])
    assert rows(ds.TFRecordDataset(path, schema, shuffle=False))[0] == ([[1], [-2]], "hi")
    with pytest.raises(RuntimeError, match=r"no feature 'z'; it has \['b', 'f', 'i'\]"):
        rows(ds.TFRecordDataset(path, columns_list=["z"]))


def test_compressed_records_are_read_if_asked_for(rows, tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(framed(EXAMPLES[0])))
    assert len(rows(ds.TFRecordDataset(str(tmp_path / "x.gz"), compression_type="GZIP"))) == 1
    with pytest.raises(RuntimeError, match="compression_type"):
        rows(ds.TFRecordDataset(str(tmp_path / "x.gz")))


def test_records_that_are_cut_off_are_named(rows, tmp_path):
    (tmp_path / "x.tfrecord").write_bytes(framed(*EXAMPLES)[:-3])
    with pytest.raises(RuntimeError, match="cut off in record 1"):
        rows(ds.TFRecordDataset(str(tmp_path / "x.tfrecord")))


def test_records_of_the_reference_material(rows, reference):
    folder = os.path.join(reference, "data", "dataset", "testTFTestAllTypes")
    data = ds.TFRecordDataset(
        os.path.join(folder, "test.data"), os.path.join(folder, "datasetSchema.json"), shuffle=False
    )
    assert data.get_dataset_size() == 12
    assert [row[data.get_col_names().index("col_sint16")] for row in rows(data)][:3] == [
        [-32768],
        [1],
        [2],
    ]


def test_lines_are_read_by_their_number(texts):
    with LineReader(str(texts / "a.txt")) as reader:
        assert len(reader) == 4
        assert (reader.readline(4), reader.readline(1), reader.readline(2)) == ("three", "one", "")
        with pytest.raises(ValueError, match="line"):
            reader.readline(5)
