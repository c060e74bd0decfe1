"""Arguments and files of `MindDataset` that are refused."""

from __future__ import annotations

import os

import pytest
from mindrecord_files import row, write

import mindspore.dataset as ds
from mindspore.dataset.errors import PipelineError
from mindspore.formats.mindrecord.errors import MindRecordFileError


@pytest.fixture
def one(tmp_path):
    return write(tmp_path / "one", [row(i) for i in range(10)])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"padded_sample": {"id": 1}, "num_padded": 1}, PipelineError),
        ({"columns_list": ["id"], "padded_sample": {"id": 1}}, PipelineError),
        ({"columns_list": ["id"], "num_padded": 1}, PipelineError),
        ({"columns_list": ["id"], "padded_sample": {"s": 1}, "num_padded": 1}, ValueError),
        ({"columns_list": ["id"], "padded_sample": [1], "num_padded": 1}, TypeError),
        ({"columns_list": ["id"], "padded_sample": {"id": 1}, "num_padded": "1"}, TypeError),
        ({"columns_list": ["id"], "padded_sample": {"id": 1}, "num_padded": -1}, ValueError),
        ({"columns_list": "id"}, TypeError),
        ({"columns_list": ("id",)}, TypeError),
        ({"columns_list": [1]}, TypeError),
        ({"columns_list": [""]}, PipelineError),
        ({"columns_list": ["id", "id"]}, PipelineError),
        ({"shuffle": 1}, TypeError),
        ({"shuffle": "global"}, TypeError),
        ({"num_samples": -1}, ValueError),
        ({"num_samples": 1.5}, TypeError),
        ({"num_samples": -1, "shuffle": ds.Shuffle.FILES}, ValueError),
        ({"num_shards": 2}, ValueError),
        ({"num_shards": 2, "shard_id": 2}, ValueError),
        ({"num_shards": 2, "shard_id": 2, "shuffle": ds.Shuffle.FILES}, ValueError),
        ({"sampler": ds.SequentialSampler(), "shuffle": False}, ValueError),
        ({"sampler": ds.SequentialSampler(), "shuffle": ds.Shuffle.FILES}, ValueError),
        ({"dataset_file": "one"}, TypeError),
        ({"anything": 1}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(options, error, one):
    with pytest.raises(error):
        ds.MindDataset(one, **options)


def test_a_padded_value_of_another_type_is_refused(one):
    options = {"shuffle": False, "padded_sample": {"id": "x"}, "num_padded": 1}
    with pytest.raises(PipelineError, match="type int32"):
        list(ds.MindDataset(one, ["id"], **options))


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ("missing", ValueError),
        (["missing"], ValueError),
        ("missing*", ValueError),
        ("", ValueError),
        (1, TypeError),
        ([1], TypeError),
        (None, TypeError),
        ([], ValueError),
    ],
)
def test_wrong_files_are_refused(files, error):
    with pytest.raises(error):
        ds.MindDataset(files)


def test_a_column_that_is_not_there_is_an_error_of_reading(one):
    with pytest.raises(MindRecordFileError, match="no field 'nothing'"):
        list(ds.MindDataset(one, ["nothing"]))


def test_a_missing_index_is_an_error_at_once(one):
    os.remove(one + ".db")
    with pytest.raises(MindRecordFileError, match="has no index"):
        ds.MindDataset(one)


def test_files_of_different_schemas_are_refused(one, tmp_path):
    other = write(tmp_path / "other", [{"id": 1}], schema={"id": {"type": "int32"}})
    with pytest.raises(MindRecordFileError, match="differs"):
        ds.MindDataset([one, other]).get_dataset_size()
