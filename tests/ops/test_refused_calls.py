"""Calls without a meaning are errors that name the argument, of the classes that MindSpore 2.10 raises."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Parameter, Tensor, nn, ops

X = Tensor(np.ones((2, 3), np.float32))
BOX = Tensor(np.ones((1, 4), np.float32))
BLOCKS = Tensor(np.ones((4, 1, 2, 2), np.float32))


def parts():
    return [Parameter(X.copy(), name=name) for name in "vms"]


TYPES = {
    "text times a tensor": lambda: Tensor([2]) * "x", "a tensor times text": lambda: "x" * Tensor([2]),
    "bytes": lambda: Tensor(2) * b"x",
    "bincount": lambda: ops.bincount(Tensor([1, 2]), weights=2),
    "affine_grid": lambda: ops.affine_grid(Tensor(np.ones((1, 2, 3)), ms.int32), (1, 1, 2, 2), False),
    "searchsorted": lambda: ops.searchsorted(Tensor([1.0, 2.0]), None),
    "CTCGreedyDecoder": lambda: ops.CTCGreedyDecoder()(True, Tensor([1])),
    "BatchToSpaceND": lambda: ops.BatchToSpaceND([2, 2], "x")(BLOCKS),
    "SpaceToBatchND": lambda: ops.SpaceToBatchND([2, 2], "x")(BLOCKS),
    "select_scatter": lambda: ops.select_scatter(X, Tensor([1.0, 2.0, 3.0]), 0, "x"),
    "slice_scatter": lambda: ops.slice_scatter(X, "x"),
    "SampledSoftmaxLoss": lambda: nn.SampledSoftmaxLoss(2, 5)((), X, X, X),
    "Bincount": lambda: ops.Bincount()(2, Tensor(3), Tensor([1.0])),
    "TupleToArray": lambda: ops.TupleToArray()("x"), "assign_value": lambda: Tensor([1.0]).assign_value(None),
    "LSTMCell": lambda: nn.LSTMCell(3, 2)(X, ()),
    "fractions into integers": lambda: Tensor([1, 2]).scatter_add(Tensor([[0]]), Tensor([1.7])),
    "a list in the place of a tensor, compiled": lambda: ms.jit(lambda x: ops.Betainc()(x, x, [1, 2]))(X),
    "mixed types": lambda: ops.Betainc()(X, X, X.astype(ms.float64)),
    "radii and angles of two types": lambda: ops.polar(Tensor([1.0]), Tensor([1.0], ms.float64)),
    "texts among numbers": lambda: mnp.asfarray(["a", 1]),
    "rows from a number": lambda: mnp.hstack(1), "columns from a number": lambda: mnp.column_stack(2.5),
    "joined nothing": lambda: mnp.concatenate(None), "the order of distances": lambda: ops.Cdist(p="x")(X, X),
    "distances of unsigned integers": lambda: nn.RMSELoss()(Tensor([1], ms.uint8), Tensor([2], ms.uint8)),
    "cubics through integers": lambda: ops.ResizeBicubic()(Tensor(np.ones((1, 1, 2, 2)), ms.int8), (3, 3)),
    "lines through bytes": lambda: ops.ResizeBilinearV2()(Tensor(np.ones((1, 1, 2, 2)), ms.uint8), (3, 3)),
    "interpolated integers": lambda: ops.interpolate(Tensor(np.ones((1, 1, 2, 2)), ms.int32), (3, 3), mode="bicubic"),
    "boxes of bytes": lambda: ops.bounding_box_decode(Tensor([[0, 0, 4, 4]], ms.uint8), BOX, (8, 8)),
    "boxes of integers": lambda: ops.bounding_box_encode(Tensor([[0, 0, 4, 4]]), BOX),
    "the distance of bytes": lambda: ops.dist(Tensor([1], ms.uint8), Tensor([2], ms.uint8)),
    "the margin of bytes": lambda: ops.margin_ranking_loss(*[Tensor([1], ms.uint8)] * 3),
    "complex numbers into floats": lambda: ops.tensor_scatter_add(Tensor([1.0]), Tensor([[0]]), Tensor([1j])),
}
VALUES = {
    "rows of unequal lengths": lambda: mnp.array([[1], [1, 2]]), "no number": lambda: mnp.asarray([None, 1]),
    "two axes of a softmax": lambda: ops.Softmax((0, 1))(X),
    "stacked number": lambda: mnp.stack(1), "no rows": lambda: mnp.hstack(()), "no depths": lambda: mnp.dstack([]),
    "no widths": lambda: mnp.pad(X, ()), "other shapes": lambda: ops.Betainc()(X, X, X[:1]),
    "a negative order": lambda: ops.Cdist(p=-1.0)(X, X),
    "MatrixSetDiagV3": lambda: ops.MatrixSetDiagV3()(X, Tensor([1.0, 2.0]), ()),
    "ReplicationPad1d": lambda: nn.ReplicationPad1d(()),
    "StridedSlice": lambda: ops.StridedSlice(shrink_axis_mask=-1)(X, (0, 0), (1, 1), (1, 1)),
    "numpy.sum": lambda: mnp.sum(2, axis=1), "numpy.mean": lambda: mnp.mean(2.5, axis=1),
    "numpy.var": lambda: mnp.var(2.5, axis=-2), "numpy.histogram": lambda: mnp.histogram(X, bins=0),
    "BoundingBoxDecode": lambda: ops.BoundingBoxDecode((9, 9), wh_ratio_clip=-1.0)(BOX, BOX),
    "Gather": lambda: ops.gather(X, Tensor([1, 0]), 0, 1), "Gather's axis": lambda: ops.gather(X, Tensor([1]), 1, -2),
    "cross_entropy": lambda: ops.cross_entropy(Tensor(1.0), Tensor(0)),
    "numpy.pad": lambda: mnp.pad(Tensor([1, 2]), ((1, 1), (2, 2))),
    "Adam": lambda: ops.Adam()(*parts(), 1.0, 0.9, 0.1, 0.9, 0.9, 1e-6, X),
    "ApplyAdaMax": lambda: ops.ApplyAdaMax()(*parts(), 1, 0.1, 0.9, 0.9, 1e-6, X),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_wrong_type_is_a_type_error(name):
    with pytest.raises(TypeError, match=r"must be|cannot hold|is needed"):
        TYPES[name]()


@pytest.mark.parametrize("name", VALUES)
def test_a_wrong_value_is_a_value_error(name):
    with pytest.raises(ValueError, match=r"must|padding|is needed"):
        VALUES[name]()


def test_numbers_have_the_axes_that_numpy_gives_them():
    assert mnp.sum(2, axis=-1).item() == np.sum(2, axis=-1)
    assert mnp.mean(2.5, axis=0).item() == 2.5


def test_a_begin_that_is_masked_does_not_count_where_a_dimension_goes():
    x = np.arange(12).reshape(3, 4)
    for strides, wanted in (((1, 1), x[0, 1:3]), ((-1, 1), x[-1, 1:3])):
        found = ops.strided_slice(Tensor(x), (1, 1), (2, 3), strides, begin_mask=1, shrink_axis_mask=1)
        assert found.tolist() == wanted.tolist()


def test_negative_batch_dims_count_from_the_last_dimension_of_the_indices():
    x, at = np.arange(24.0).reshape(2, 3, 4), np.array([[0, 2], [1, 1]])
    found = ops.gather(Tensor(x), Tensor(at), 1, -1)
    assert found.asnumpy().tolist() == np.stack([x[i, at[i]] for i in range(2)]).tolist()
    got = ms.grad(lambda t: (ops.gather(t, Tensor(at), 1, -1) * Tensor(found.asnumpy())).sum())(Tensor(x))
    wanted = np.zeros_like(x)
    for i in range(2):
        np.add.at(wanted[i], at[i], x[i, at[i]])
    assert got.asnumpy().tolist() == wanted.tolist()
    assert ops.Gather(batch_dims=-2)(Tensor(x), Tensor(at), 1).asnumpy().tolist() == x[:, at].tolist()


def test_columns_that_are_not_finite_have_no_least_squares():
    a = np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]])
    b = np.array([[1.0, np.nan], [2.0, 1.0], [4.0, 1.0]])
    found = ops.lstsq(Tensor(a), Tensor(b)).asnumpy()
    assert found[:, 0] == pytest.approx(np.linalg.lstsq(a, b[:, 0], rcond=None)[0])
    assert np.isnan(found[:, 1]).all()


def test_parts_of_nothing_are_as_many_as_are_asked_for():
    assert [p.shape for p in ops.Split(1, 3)(Tensor(np.ones((2, 0), np.float32)))] == [(2, 0)] * 3


@pytest.mark.parametrize("dtype", [ms.uint16, ms.uint32, ms.bool_])
def test_what_a_list_lacks_is_found_among_narrow_numbers(dtype):
    out, places = ops.ListDiff()(Tensor([1, 0, 1], dtype), Tensor([0], dtype))
    assert out.dtype is dtype
    assert out.astype(ms.int32).tolist() == [1, 1]
    assert places.tolist() == [0, 2]


def test_rows_of_bools_are_bools():
    rows = ops.EmbeddingLookup()(Tensor([[True, False], [False, True]]), Tensor([1, 5, 0]), 0)
    assert rows.dtype is ms.bool_
    assert rows.tolist() == [[False, True], [False, False], [True, False]]


def test_types_of_python_objects_are_those_of_the_original():
    types = [None, "x", (0, 1), [], 1, 2.0, True]
    assert [ms.get_py_obj_dtype(x) for x in types] == [
        ms.type_none, ms.string, ms.tuple_, ms.list_, ms.int64, ms.float64, ms.bool_]


@pytest.mark.parametrize("function", [ops.softmax, ops.log_softmax, lambda x: ops.softmax(x, 0)])
def test_the_softmax_of_a_scalar_is_that_of_one_element_in_graphs_too(function):
    x = Tensor(1.5)
    assert ms.jit(function)(x).tolist() == function(x).tolist() == function(x.reshape(1)).tolist()[0]
