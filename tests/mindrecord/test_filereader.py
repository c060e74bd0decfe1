from __future__ import annotations

import numpy as np
import pytest

from mindspore.formats.mindrecord.errors import (
    MindRecordFileError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.mindrecord import FileReader


def test_values_have_python_types_and_raw_fields_come_first(written, rows):
    with FileReader(written(rows(4))) as reader:
        got = next(reader.get_next())
    assert list(got) == ["label", "name", "number", "weight", "box", "ids", "image"]
    assert [type(value) for value in got.values()] == [
        int, str, int, float, np.ndarray, np.ndarray, bytes,
    ]  # fmt: skip
    assert got["box"].flags.writeable


def test_only_wanted_columns_are_given(written, rows):
    reader = FileReader(written(rows(4)), columns=["ids", "number", "ids"])
    assert [list(row) for row in reader.get_next()] == [["number", "ids"]] * 4


def test_schema_and_length_are_known(written, rows, schema):
    reader = FileReader(written(rows(4)))
    assert reader.len() == 4
    assert reader.schema() == schema
    reader.close()
    assert list(reader.get_next()) == []


def test_each_row_is_given_once(written, rows):
    reader = FileReader(written(rows(4)))
    assert len(list(reader.get_next())) == 4
    assert list(reader.get_next()) == []


def test_a_set_without_rows_has_none(written):
    reader = FileReader(written([]))
    assert (reader.len(), list(reader.get_next())) == (0, [])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"columns": "number"}, ParamTypeError),
        ({"columns": [1]}, ParamTypeError),
        ({"columns": ["nothing"]}, MindRecordFileError),
        ({"num_consumer": 0}, ParamValueError),
        ({"num_consumer": "2"}, ParamValueError),
        ({"operator": 1}, NotImplementedError),
    ],
)
def test_wrong_arguments_are_refused(options, error, written, rows):
    with pytest.raises(error):
        FileReader(written(rows(1)), **options)


@pytest.mark.parametrize("name", [1, "", None, [], [1], ("a",)])
def test_wrong_file_names_are_refused(name):
    with pytest.raises(ParamValueError):
        FileReader(name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(MindRecordFileError, match="nothing' does not exist"):
        FileReader(str(tmp_path / "nothing"))
