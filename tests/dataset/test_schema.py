from __future__ import annotations

import json
import os

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import dtype as mstype


def test_columns_are_added_one_by_one():
    schema = ds.Schema()
    schema.add_column("a", mstype.int8)
    schema.add_column("b", "bool", [2, -1])
    schema.add_column("c", mstype.string, [])
    assert json.loads(schema.to_json()) == {
        "columns": [
            {"name": "a", "rank": 1, "type": "int8"},
            {"name": "b", "rank": 2, "shape": [2, -1], "type": "bool"},
            {"name": "c", "rank": 0, "shape": [], "type": "string"},
        ]
    }
    assert schema.types() == [np.int8, np.bool_, np.str_]


@pytest.mark.parametrize(
    "arguments",
    [("", "int8"), (1, "int8"), ("a", "abc"), ("a", None), ("a", "int8", (1,)), ("a", "int8", [1.5])],
)
def test_wrong_columns_are_refused(arguments):
    with pytest.raises(TypeError, match="For 'Schema'"):
        ds.Schema().add_column(*arguments)


def test_columns_are_parsed_from_lists_and_dicts():
    schema = ds.Schema()
    schema.parse_columns([{"name": "z", "type": "int8", "shape": [1]}])
    schema.parse_columns({"b": {"type": "int8"}, "a": {"type": "float32", "shape": [2, 2]}})
    assert [(c["name"], c["shape"]) for c in schema.columns] == [("z", [1]), ("a", [2, 2]), ("b", [])]
    for columns in ([{"type": "int8"}], [{"name": "a"}], [1], "x", [{"name": "a", "type": "qq"}]):
        with pytest.raises(RuntimeError, match="For 'Schema'"):
            ds.Schema().parse_columns(columns)


@pytest.mark.parametrize(
    "content",
    [
        {"numRows": 3},
        {"columns": {}},
        {"columns": {"a": {"type": "int8"}}, "numRows": -1},
        {"columns": {"a": {"type": "int8"}}, "numRows": "x"},
        {"columns": {"a": {"type": "int8"}}, "foo": 1},
        None,
    ],
)
def test_wrong_content_is_refused(content):
    with pytest.raises(RuntimeError, match="For 'Schema'"):
        ds.Schema().from_json(content)


def test_a_file_is_read_and_written(tmp_path):
    content = {"columns": [{"name": "a", "rank": 0, "shape": [], "type": "int8"}], "datasetType": "TF", "numRows": 3}
    (tmp_path / "s.json").write_text(json.dumps(content))
    schema = ds.Schema(str(tmp_path / "s.json"))
    assert json.loads(str(schema)) == content
    assert schema.get_num_rows() == 3
    (tmp_path / "s.json").write_text("{")
    with pytest.raises(RuntimeError, match="must be JSON"):
        ds.Schema(str(tmp_path / "s.json"))
    with pytest.raises(ValueError, match="must be a file"):
        ds.Schema("nowhere.json")
    with pytest.raises(TypeError, match="'schema_file'"):
        ds.Schema(3)


def test_schemas_of_the_reference_material_are_read(reference):
    path = os.path.join(reference, "data", "dataset", "testTFTestAllTypes", "datasetSchema7Rows.json")
    schema = ds.Schema(path)
    assert schema.names()[:3] == ["col_1d", "col_2d", "col_3d"]
    assert schema.get_num_rows() == 7
