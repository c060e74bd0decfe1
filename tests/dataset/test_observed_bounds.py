"""Where arguments begin to be refused, as the original was seen to do it."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from mindspore import dataset as ds
from mindspore.dataset import vision
from mindspore.mindrecord import CsvToMR, FileReader


@pytest.mark.parametrize(("off", "taken"), [(1e-9, True), (-9e-6, True), (2e-5, False), (-2e-5, False)])
def test_fractions_add_up_to_nearly_one(off, taken):
    data = ds.NumpySlicesDataset(list(range(10)), shuffle=False)
    if not taken:
        with pytest.raises(ValueError, match="add up to 1"):
            data.split([0.5, 0.5 + off], randomize=False)
        return
    parts = data.split([0.5, 0.5 + off], randomize=False)
    assert [[row["column_0"].item() for row in part.create_dict_iterator(1, True)] for part in parts] == [
        [0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@pytest.mark.parametrize("kind", [vision.Rotate, vision.RandomRotation])
def test_a_centre_has_numbers_of_32_bits(kind):
    assert kind(30, center=(2**31 - 1, -(2**31)))(np.ones((5, 6, 3), np.uint8)).shape == (5, 6, 3)
    for centre in ((2**31, 0), (0, -(2**31) - 1)):
        with pytest.raises(ValueError, match="center"):
            kind(30, center=centre)


def test_lengths_of_a_schema_have_32_bits():
    ds.Schema().add_column("a", "int32", [2**31 - 1, -1])
    with pytest.raises(TypeError, match="32 bits"):
        ds.Schema().add_column("a", "int32", [2**31])


@pytest.fixture
def usual_limit():
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


def test_fields_of_tables_are_as_long_as_their_files(tmp_path, usual_limit):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1," + "x" * 200_000 + "\n")
    (row,) = ds.CSVDataset(str(path), shuffle=False).create_dict_iterator(1, True)
    assert str(row["b"]) == "x" * 200_000
    csv.field_size_limit(131_072)
    CsvToMR(str(path), str(tmp_path / "m")).transform()
    with FileReader(str(tmp_path / "m")) as rows:
        assert [row["b"] for row in rows.get_next()] == ["x" * 200_000]
