"""Arguments, schemas, fields of the index and sizes that a writer refuses."""

from __future__ import annotations

import pytest
from mindrecord_files import small_writer

from mindspore.formats.mindrecord.errors import (
    MRMAddSchemaError,
    MRMBuildSchemaError,
    MRMDefineIndexError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMWriteDatasetError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.mindrecord import FileWriter


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1,), ParamValueError),
        (("",), ParamValueError),
        (("a*b",), ParamValueError),
        (("a", 0), ParamValueError),
        (("a", 1001), ParamValueError),
        (("a", "1"), ParamValueError),
        (("a", 1, 1), ParamValueError),
    ],
)
def test_wrong_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        FileWriter(*arguments)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (1, MRMInvalidSchemaError),
        ({}, MRMInvalidSchemaError),
        ({"a": 1}, MRMInvalidSchemaError),
        ({"a-b": {"type": "int32"}}, MRMInvalidSchemaError),
        ({"a": {"type": "int16"}}, MRMInvalidSchemaError),
        ({"a": {"typ": "int32"}}, MRMInvalidSchemaError),
        ({"a": {"type": "string", "shape": [3]}}, MRMInvalidSchemaError),
        ({"a": {"type": "int32", "shape": (3,)}}, MRMInvalidSchemaError),
        ({"a": {"type": "int32", "shape": []}}, MRMInvalidSchemaError),
        ({"a": {"type": "int32", "shape": [0]}}, MRMBuildSchemaError),
        ({"a": {"type": "int32", "shape": [-1, -1]}}, MRMBuildSchemaError),
    ],
)
def test_wrong_schemas_are_refused(content, error, tmp_path):
    with pytest.raises(error):
        FileWriter(str(tmp_path / "a")).add_schema(content)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ("label", ParamTypeError),
        ([], ParamTypeError),
        ([1], ParamTypeError),
        (["nothing"], MRMDefineIndexError),
        (["image"], MRMDefineIndexError),
        (["box"], MRMDefineIndexError),
        (["label", "label"], MRMDefineIndexError),
    ],
)
def test_wrong_index_fields_are_refused(fields, error, tmp_path, schema):
    writer = FileWriter(str(tmp_path / "a"))
    writer.add_schema(schema)
    with pytest.raises(error):
        writer.add_index(fields)


def test_sizes_and_second_schemas_are_checked(tmp_path):
    writer = small_writer(tmp_path / "a", {"a": {"type": "int32"}})
    for size in (2**14 - 4, 2**14 + 2, 2**27 + 4):
        with pytest.raises(MRMInvalidHeaderSizeError):
            writer.set_header_size(size)
    for size in (2**15 - 4, 2**15 + 1, 2**28 + 4):
        with pytest.raises(MRMInvalidPageSizeError):
            writer.set_page_size(size)
    with pytest.raises(TypeError):
        writer.set_page_size(40000.0)
    with pytest.raises(MRMAddSchemaError):
        writer.add_schema({"b": {"type": "int32"}})
    with pytest.raises(ParamTypeError):
        writer.write_raw_data({"a": 1})
    with pytest.raises(ParamTypeError):
        writer.write_raw_data([1])
    with pytest.raises(MRMWriteDatasetError, match="add_schema"):
        FileWriter(str(tmp_path / "b")).write_raw_data([{"a": 1}])
