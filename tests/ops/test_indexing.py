"""Taking, putting, finding and ordering elements."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Parameter, Tensor, grad, ops

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def same(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_takes_slices_along_an_axis(axis):
    index = np.array([[0, 2], [1, 1]], np.int32)
    same(ops.gather(Tensor(X), Tensor(index), axis), np.take(X, index, axis))


def test_gather_pairs_the_entries_of_a_batch_with_their_indices():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    index = np.array([[0, 2], [1, 1]], np.int32)
    same(ops.gather(Tensor(x), Tensor(index), 1, 1), np.stack([x[i][index[i]] for i in range(2)]))
    index = np.array([[0, 3], [2, 1]], np.int32)
    same(ops.gather(Tensor(x), Tensor(index), 2, 1),
         np.stack([x[i][:, index[i]] for i in range(2)]))


def test_the_gradient_of_gather_adds_up_what_was_taken_twice():
    def taken(x):
        return (ops.gather(x, Tensor([2, 2, 0]), 0) * Tensor([[1.0], [2.0], [4.0]])).sum()

    same(grad(taken)(Tensor(X)), np.array([[4.0], [0.0], [3.0]]) * np.ones((3, 4)))


def test_gather_refuses_an_index_out_of_range_and_a_float_index():
    with pytest.raises(ValueError, match="but got 7"):
        ops.gather(Tensor(X), Tensor([0, 7]), 0)
    with pytest.raises(TypeError, match="integers"):
        ops.gather(Tensor(X), Tensor([0.5]), 0)


def test_gather_elements_counts_negative_indices_from_the_end():
    index = np.array([[-1, 0], [1, -2], [0, 0]])
    same(ops.gather_elements(Tensor(X), 1, Tensor(index)), np.take_along_axis(X, index, 1))


def test_gather_nd_takes_the_slices_at_coordinates():
    same(ops.gather_nd(Tensor(X), Tensor([[0, 1], [2, 3]])), [1, 11])
    same(ops.gather_nd(Tensor(X), Tensor([[2], [0]])), X[[2, 0]])


@pytest.mark.parametrize(("mode", "wanted"), [
    ("update", [9, 5, 3]), ("add", [2, 15, 3]), ("sub", [0, -11, 3]), ("mul", [1, 90, 3]),
    ("max", [1, 9, 3]), ("min", [1, 2, 3])])
def test_scatter_applies_every_update_to_its_place(mode, wanted):
    x = Tensor(np.array([1, 2, 3], np.float32))
    indices = np.array([[1], [0]]) if mode == "update" else np.array([[1], [1], [0]])
    values = {"update": [5, 9], "add": [4, 9, 1], "sub": [4, 9, 1], "mul": [5, 9, 1],
              "max": [4, 9, 1], "min": [4, 9, 1]}[mode]
    function = getattr(ops, f"tensor_scatter_{mode}", None) or ops.TensorScatterUpdate()
    same(function(x, Tensor(indices), Tensor(np.array(values, np.float32))), wanted)


def test_scatter_divides_by_the_product_of_the_updates():
    x = Tensor([12.0, 5.0])
    same(ops.tensor_scatter_div(x, Tensor([[0], [0]]), Tensor([2.0, 3.0])), [2, 5])


@pytest.mark.parametrize(("name", "wanted"), [
    ("ScatterUpdate", [[0, 1], [8, 9], [4, 5]]), ("ScatterAdd", [[0, 1], [10, 12], [4, 5]]),
    ("ScatterMax", [[0, 1], [8, 9], [4, 5]]), ("ScatterSub", [[0, 1], [-6, -6], [4, 5]])])
def test_scatter_changes_the_rows_of_a_parameter(name, wanted):
    p = Parameter(Tensor(np.arange(6, dtype=np.float32).reshape(3, 2)), name="p")
    out = getattr(ops, name)()(p, Tensor([1], mindspore.int32), Tensor([[8.0, 9.0]]))
    same(p, wanted)
    same(out, wanted)


def test_scatter_refuses_what_is_no_tensor_and_updates_of_another_shape():
    with pytest.raises(TypeError, match="Parameter"):
        ops.ScatterAdd()(X.tolist(), Tensor([0]), Tensor(X[:1]))
    with pytest.raises(ValueError, match="updates"):
        ops.ScatterAdd()(Parameter(Tensor(X), name="p"), Tensor([0]), Tensor(X[:2]))


def test_scatter_nd_adds_up_updates_of_one_place():
    same(ops.scatter_nd(Tensor([[1], [1]]), Tensor([2.0, 3.0]), (3,)), [0, 5, 0])


def test_select_casts_and_broadcasts_its_operands():
    mask = Tensor([[True], [False]])
    found = ops.select(mask, Tensor([1, 2]), 0.5)
    assert found.dtype == mindspore.float32
    same(found, [[1, 2], [0.5, 0.5]])
    assert ops.where(mask, 1, 2).dtype == mindspore.int64


def test_masked_fill_sums_the_cotangents_of_its_value():
    mask = Tensor([True, False, True])
    found = grad(lambda v: ops.masked_fill(Tensor([1.0, 2.0, 3.0]), mask, v).sum())(Tensor(5.0))
    assert found.asnumpy() == 2


def test_masks_of_numbers_are_refused():
    with pytest.raises(TypeError, match="bools"):
        ops.masked_fill(Tensor(X), Tensor(X), 0.0)
    with pytest.raises(TypeError, match="bools"):
        ops.where(Tensor([1, 0]), Tensor([1.0, 2.0]), 0.0)


def test_masked_select_sends_its_gradient_to_the_elements_taken():
    mask = np.array([[True, False, True, False]])
    found = grad(lambda x: (ops.masked_select(x, Tensor(mask)) * Tensor(np.arange(6.0))).sum())(
        Tensor(X))
    wanted = np.zeros_like(X)
    wanted[np.broadcast_to(mask, X.shape)] = np.arange(6)
    same(found, wanted)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_one_hot_puts_the_new_dimension_at_its_axis(axis):
    index = np.array([[0, 2], [1, 3]])
    wanted = np.moveaxis(np.eye(4)[index][..., :3], -1, axis)
    same(ops.one_hot(Tensor(index), 3, Tensor(1.0), Tensor(0.0), axis), wanted)


def test_sorting_is_stable_and_names_the_places():
    values, places = ops.sort(Tensor([2, 1, 2, 1]), descending=True)
    same(values, [2, 2, 1, 1])
    same(places, [0, 2, 1, 3])
    assert places.dtype == mindspore.int32


@pytest.mark.parametrize("name", ["uint16", "uint32", "uint64"])
def test_unsigned_numbers_are_ordered_beyond_the_signed_range(name):
    top = np.iinfo(name).max
    values, places = ops.topk(Tensor(np.array([1, top, 2], name)), 2)
    np.testing.assert_array_equal(values.asnumpy(), np.array([top, 2], name))
    same(places, [1, 2])


def test_unique_keeps_the_order_of_first_occurrence():
    values, places = ops.unique(Tensor([5, 1, 5, 2]))
    same(values, [5, 1, 2])
    same(places, [0, 1, 0, 2])


def test_nonzero_lists_the_coordinates():
    same(ops.nonzero(Tensor([[0, 1], [2, 0]])), [[0, 1], [1, 0]])
    rows, columns = ops.nonzero(Tensor([[0, 1], [2, 0]]), as_tuple=True)
    same(rows, [0, 1])
    same(columns, [1, 0])


@pytest.mark.parametrize("right", [False, True])
def test_searchsorted_agrees_with_numpy(right):
    line, values = np.array([1.0, 2.0, 2.0, 5.0]), np.array([2.0, 0.0, 9.0])
    found = ops.searchsorted(Tensor(line), Tensor(values), right=right)
    same(found, np.searchsorted(line, values, "right" if right else "left"))


def test_strided_slice_masks_replace_parts_of_the_slice():
    x = np.arange(60).reshape(3, 4, 5)
    same(ops.strided_slice(Tensor(x), (1, 1, 1), (2, 2, 2), (1, 1, 1), begin_mask=5, end_mask=2),
         x[:2, 1:, :2])
    same(ops.strided_slice(Tensor(x), (1, 0, 2), (2, 0, 5), (1, 1, 2), ellipsis_mask=2),
         x[1:2, ..., 2:5:2])
    same(ops.strided_slice(Tensor(x), (1, 0), (2, 3), (1, 1), shrink_axis_mask=1), x[1, 0:3])


def test_slices_that_leave_the_tensor_are_refused():
    with pytest.raises(ValueError, match="within the shape"):
        ops.slice(Tensor(X), (0, 3), (2, 3))
    with pytest.raises(ValueError, match="cannot contain 0"):
        ops.strided_slice(Tensor(X), (0, 0), (2, 2), (1, 0))


@pytest.mark.parametrize(("name", "empty"), [("sum", 0), ("prod", 1)])
def test_segments_are_reduced_by_their_numbers(name, empty):
    x = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    found = getattr(ops, f"unsorted_segment_{name}")(Tensor(x), Tensor([2, 0, 2]), 3)
    reduce = {"sum": np.sum, "prod": np.prod}[name]
    same(found, [x[1], [empty, empty], reduce(x[[0, 2]], 0)])


def test_a_negative_segment_number_counts_nothing():
    same(ops.unsorted_segment_sum(Tensor([1.0, 2.0]), Tensor([-1, 0]), 2), [2, 0])


def test_embedding_gives_the_padding_row_no_gradient():
    table = Tensor(np.ones((3, 2), np.float32))
    found = grad(lambda w: ops.embedding(Tensor([0, 1, 1]), w, padding_idx=0).sum())(table)
    same(found, [[0, 0], [2, 2], [0, 0]])


def test_take_moves_indices_into_range():
    same(Tensor(X).take(Tensor([0, 99])), [0, 11])
    same(Tensor(X).take(Tensor([5]), 1, mode="wrap"), X[:, [1]])


def test_gather_and_select_tell_both_generations_of_arguments_apart():
    index = np.array([[0, 1], [2, 0], [1, 1]])
    same(Tensor(X).gather(1, Tensor(index)), np.take_along_axis(X, index, 1))
    same(Tensor(X).gather(Tensor([0, 2]), 0), X[[0, 2]])
    same(Tensor(X).select(1, 2), X[:, 2])
    same(Tensor(X).select(Tensor(X > 5), 0.0), np.where(X > 5, X, 0))


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_topk_takes_the_greatest_or_the_least(largest, axis):
    x = np.random.default_rng(2).permutation(15).reshape(3, 5).astype(np.float32)
    values, places = ops.topk(Tensor(x), 2, axis, largest)
    order = np.argsort(-x if largest else x, axis).take([0, 1], axis)
    same(places, order)
    same(values, np.take_along_axis(x, order, axis))
