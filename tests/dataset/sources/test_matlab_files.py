"""MATLAB files whose structure is wrong, which SciPy alone would believe."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from scipy import io, sparse

from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.matlab_files import matlab


class Source:
    """What the reader asks of a data set."""

    def content(self, path):
        return np.fromfile(path, np.uint8)

    def error(self, problem):
        return PipelineError(problem)


@pytest.fixture
def saved(tmp_path):
    def save(content, **more):
        path = tmp_path / "a.mat"
        io.savemat(path, content, **more)
        return path

    return save


CELLS = np.empty((2, 1), object)
CELLS[0, 0], CELLS[1, 0] = sparse.csc_matrix(np.eye(3, 4)), np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(
    "value",
    [np.arange(6, dtype=np.uint8).reshape(2, 3), np.zeros((0, 3)), np.eye(2) * 1j, {"a": 1, "b": {"c": [1.0, 2.0]}},
     "text", CELLS, sparse.csc_matrix(np.eye(3, 5)), np.ones((2, 3, 4), np.float32)],
    ids=["bytes", "empty", "complex", "fields", "text", "cells", "sparse", "cube"],
)
def test_sound_files_are_what_scipy_reads(saved, value, compressed):
    path = saved({"x": value}, do_compression=compressed)
    (found,), wanted = matlab(Source(), str(path), "x"), io.loadmat(path)["x"]
    if sparse.issparse(wanted):
        found, wanted = found.toarray(), wanted.toarray()
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind in "fcui":
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (124, b"\0\2", "header of such a file"),
        (128, b"\x0d", "no variable at byte 128"),
        (132, b"\xff", "cut off"),
        (136, b"\7", "an element of the type 6"),
        (144, b"\x11", "unknown class 17"),
        (160, struct.pack("<i", 7), "has other content"),
        (160, struct.pack("<i", -7), "wrong flags or axes"),
    ],
)
def test_wrong_structures_are_told(saved, at, value, message):
    path = saved({"x": np.arange(6.0).reshape(2, 3)})
    content = bytearray(path.read_bytes())
    content[at : at + len(value)] = value
    path.write_bytes(content)
    with pytest.raises(PipelineError, match=f"a.mat.*{message}"):
        matlab(Source(), str(path), "x")


@pytest.mark.parametrize("row", [-1, 3, 2**30])
def test_places_of_sparse_matrices_are_compared_with_its_axes(saved, row):
    path = saved({"x": sparse.csc_matrix(np.diag([1.0, 2.0, 3.0]))})
    content = path.read_bytes()
    rows = struct.pack("<3i", 0, 1, 2)
    assert content.count(rows) >= 1
    path.write_bytes(content.replace(rows, struct.pack("<3i", 0, 1, row), 1))
    with pytest.raises(PipelineError, match="rows of a sparse matrix"):
        matlab(Source(), str(path), "x")


def test_files_of_version_4_are_refused(saved):
    path = saved({"x": np.eye(2)}, format="4")
    with pytest.raises(PipelineError, match="version 5"):
        matlab(Source(), str(path), "x")


def test_a_small_file_does_not_unpack_to_gigabytes(saved):
    path = saved({"a": np.zeros((2, 2**23)), "b": np.zeros(3)}, do_compression=True)
    assert path.stat().st_size < 2**18
    with pytest.raises(PipelineError, match="what it unpacks to is far larger than the file"):
        matlab(Source(), str(path), "b")
    several = saved({name: np.zeros((2, 2**21)) for name in "abc"}, do_compression=True)
    with pytest.raises(PipelineError, match="what it unpacks to is far larger than the file"):
        matlab(Source(), str(several), "a")
