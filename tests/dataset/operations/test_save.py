from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset.errors import PipelineError
from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.mindrecord import FileReader


def saved(path, columns, **options):
    ds.NumpySlicesDataset(columns, shuffle=False).save(str(path), **options)
    with FileReader(str(path)) as reader:
        return reader.schema(), list(reader.get_next())


def test_rows_are_saved_with_their_types(tmp_path):
    # observed: MindSpore 2.10, CPU
    columns = {
        "a": [1, 2],
        "b": [[0.5, 1.0], [1.5, 2.0]],
        "c": ["x", "yy"],
        "d": np.array([b"x", b"yy"]),
    }
    schema, rows = saved(tmp_path / "s", columns)
    assert schema == {
        "a": {"type": "int64"},
        "b": {"shape": [-1], "type": "float64"},
        "c": {"type": "string"},
        "d": {"type": "bytes"},
    }
    assert [(r["a"], r["b"].tolist(), r["c"], r["d"]) for r in rows] == [
        (1, [0.5, 1.0], "x", b"x"),
        (2, [1.5, 2.0], "yy", b"yy"),
    ]


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [("uint8", "int32"), ("int16", "int32"), ("bool", "int32"), ("uint32", "int64"), ("uint64", "int64"),
     ("float16", "float32"), ("float32", "float32"), ("float64", "float64")],
)  # fmt: skip
def test_numbers_become_those_that_files_have(dtype, kind, tmp_path):
    # observed: MindSpore 2.10, CPU
    schema, rows = saved(tmp_path / "s", {"a": np.ones(2, dtype), "b": np.ones((2, 3, 2), dtype)})
    assert schema == {"a": {"type": kind}, "b": {"type": kind, "shape": [-1, 2]}}
    assert rows[1]["a"] == 1
    assert (rows[1]["b"].dtype, rows[1]["b"].shape) == (np.dtype(kind), (3, 2))


def test_several_files_have_all_rows(tmp_path):
    data = ds.NumpySlicesDataset({"a": list(range(7))}, shuffle=False)
    data.save(str(tmp_path / "s"), 2)
    assert sorted(row["a"] for row in FileReader(str(tmp_path / "s0")).get_next()) == list(range(7))


def test_what_was_saved_is_read_and_saved_again(tmp_path):
    data = ds.NumpySlicesDataset({"a": np.arange(8).reshape(4, 2)}, shuffle=False)
    data.save(str(tmp_path / "one"))
    again = ds.MindDataset(str(tmp_path / "one"), shuffle=False)
    again.save(str(tmp_path / "two"))
    rows = FileReader(str(tmp_path / "two")).get_next()
    assert [row["a"].tolist() for row in rows] == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_what_cannot_be_saved_is_refused(tmp_path):
    data = ds.NumpySlicesDataset({"a": [1, 2]}, shuffle=False)
    data.save(str(tmp_path / "s"))
    with pytest.raises(MRMWriteDatasetError, match="exists already"):
        data.save(str(tmp_path / "s"))
    for columns in ({"a": [["x", "y"]]}, {"a": [1 + 2j]}):
        with pytest.raises(PipelineError, match="column 'a'"):
            saved(tmp_path / "t", columns)
    with pytest.raises(PipelineError, match="must have rows"):
        data.filter(lambda a: False).save(str(tmp_path / "u"))
    for arguments, error in ((("v", 0), ValueError), (("v", 1001), ValueError), (("v", 1, "tf"), ValueError),
                             ((1,), TypeError), (("v", "1"), TypeError)):  # fmt: skip
        with pytest.raises(error):
            data.save(*arguments)
