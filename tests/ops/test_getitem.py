"""Indexing means what it means in NumPy, in both modes and in gradients."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Parameter, Tensor, grad, jit, ops
from mindspore.ops.getitem import getitem
from mindspore.ops.setitem import setitem

ARRAY = np.arange(60, dtype=np.float32).reshape(4, 5, 3)
MASK = ARRAY[:, :, 0] % 2 == 0
ROWS, COLUMNS = [0, 3, 1], [4, 2, 0]
INDICES = {
    "int": 2, "negative int": -1, "ints": (1, 2), "all ints": (1, 2, 0),
    "slice": slice(1, 3), "open slice": slice(2, None), "far slice": slice(-100, 100),
    "step": slice(0, 4, 2), "reverse": slice(None, None, -1), "reverse part": slice(3, 0, -2),
    "empty slice": slice(3, 1), "two slices": (slice(1, 3), slice(None, None, 2)),
    "ellipsis": Ellipsis, "ellipsis int": (Ellipsis, 1), "int ellipsis int": (1, Ellipsis, 2),
    "none": None, "none int": (None, 1), "slice none": (slice(0, 2), None, slice(1, 3)),
    "list": [0, 2], "negative list": [-1, -4], "bools": [True, False, True, True],
    "int list": (1, [0, 2]), "slice list": (slice(1, 3), [0, 4]), "ellipsis list": (Ellipsis, [0, 2]),
    "list slice": ([0, 2], slice(1, 3)), "list none": ([0, 2], None), "two lists": (ROWS, COLUMNS),
    "list slice list": ([0, 1], slice(None), [0, 2]), "list none list": ([0, 1], None, [0, 2]),
    "int slice list": (1, slice(None), [0, 2]), "slice int list": (slice(None), 1, [0, 2]),
    "list int": ([0, 2], 1), "slice list int": (slice(None), [0, 1], 1),
    "reverse list": (slice(None, None, -1), [0, 1]), "list reverse": ([0, 1], slice(None, None, -1)),
    "reverse int list": (1, slice(None, None, -1), [0, 2]),
    "list twice": [1, 3, 1], "int list twice": (1, [2, 0, 2]), "slice list twice": (slice(1, 3), [2, 0, 2]),
    "slice list none list": (slice(1, 4), [0, 4], None, [0, 2]), "empty tuple": (),
    "broadcast lists": ([[0], [3]], [1, 2]),
}
MASKS = {"row mask": np.array([True, False, True, False]), "plane mask": MASK, "full mask": ARRAY > 30,
         "mask slice": (np.array([True, False, True, False]), slice(1, 3)),
         "slice mask": (slice(0, 2), np.array([True, False, True, False, True])),
         "none true": np.zeros(4, bool)}


def as_index(index):
    """Arrays and lists of an index as tensors."""
    if isinstance(index, tuple):
        return tuple([as_index(i) for i in index])
    return Tensor(np.asarray(index)) if isinstance(index, (list, np.ndarray)) else index


def in_graph(function):
    return jit(function, fullgraph=True)


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_reading_agrees_with_numpy(index):
    found = Tensor(ARRAY)[index]
    np.testing.assert_array_equal(found.asnumpy(), ARRAY[index])
    np.testing.assert_array_equal(Tensor(ARRAY)[as_index(index)].asnumpy(), ARRAY[index])


@pytest.mark.parametrize("index", MASKS.values(), ids=MASKS)
def test_reading_by_a_mask_agrees_with_numpy(index):
    np.testing.assert_array_equal(Tensor(ARRAY)[as_index(index)].asnumpy(), ARRAY[index])


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_reading_in_a_graph_agrees_with_numpy(index):
    found = in_graph(lambda x: getitem(x, index))(Tensor(ARRAY))
    np.testing.assert_array_equal(found.asnumpy(), ARRAY[index])


@pytest.mark.parametrize("index", [*INDICES.values(), *MASKS.values()], ids=[*INDICES, *MASKS])
def test_writing_a_number_agrees_with_numpy(index):
    wanted, x = ARRAY.copy(), Tensor(ARRAY)
    wanted[index] = 7
    x[as_index(index)] = 7
    np.testing.assert_array_equal(x.asnumpy(), wanted)


@pytest.mark.parametrize("index", [*INDICES.values(), *MASKS.values()], ids=[*INDICES, *MASKS])
def test_writing_a_tensor_agrees_with_numpy_and_as_a_function_leaves_its_input_alone(index):
    value = np.arange(ARRAY[index].size, dtype=np.float32).reshape(ARRAY[index].shape) + 100
    wanted, x = ARRAY.copy(), Tensor(ARRAY)
    wanted[index] = value
    new = setitem(x, as_index(index), Tensor(value))
    np.testing.assert_array_equal(new.asnumpy(), wanted)
    np.testing.assert_array_equal(x.asnumpy(), ARRAY)
    x[as_index(index)] = Tensor(value)
    np.testing.assert_array_equal(x.asnumpy(), wanted)


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_the_gradient_of_reading_goes_to_the_places_read(index):
    weights = np.arange(ARRAY[index].size, dtype=np.float32).reshape(ARRAY[index].shape) + 1
    wanted = np.zeros_like(ARRAY)
    np.add.at(wanted, index, weights)
    found = grad(lambda x: (x[index] * Tensor(weights)).sum())(Tensor(ARRAY))
    np.testing.assert_array_equal(found.asnumpy(), wanted)


@pytest.mark.parametrize("index", [INDICES["two slices"], INDICES["int slice list"], 1],
                         ids=["slices", "list", "int"])
def test_the_gradient_of_writing_splits_between_the_old_and_the_new_elements(index):
    def write(x, value):
        x = x * 1
        x[index] = value * 1
        return (x * x).sum()

    value = np.full(ARRAY[index].shape, 2, np.float32)
    dx, dvalue = grad(write, (0, 1))(Tensor(ARRAY), Tensor(value))
    wanted = 2 * ARRAY
    wanted[index] = 0
    np.testing.assert_array_equal(dx.asnumpy(), wanted)
    np.testing.assert_array_equal(dvalue.asnumpy(), 2 * value)


def test_a_value_that_was_broadcast_gets_the_sum_of_the_cotangents():
    def write(value):
        x = Tensor(ARRAY)
        x[1:3, [0, 2]] = value * 1
        return x.sum()

    found = grad(write)(Tensor(np.ones((1, 3), np.float32)))
    np.testing.assert_array_equal(found.asnumpy(), [[4, 4, 4]])


@pytest.mark.parametrize("index", [np.array([True, False, True, False]), MASK,
                                   (slice(1, 3), np.array([True, False, True, True, False])),
                                   (Ellipsis, np.array([True, False, True]))],
                         ids=["rows", "plane", "slice", "ellipsis"])
def test_a_mask_computed_in_a_graph_can_be_written_through(index):
    parts = index if isinstance(index, tuple) else (index,)
    places = [i for i, p in enumerate(parts) if isinstance(p, np.ndarray)]

    def write(x, mask):
        return setitem(x, tuple([mask if i in places else p for i, p in enumerate(parts)]), 5.0)

    wanted = ARRAY.copy()
    wanted[index] = 5
    found = in_graph(write)(Tensor(ARRAY), Tensor(parts[places[0]]))
    np.testing.assert_array_equal(found.asnumpy(), wanted)


def test_rows_are_written_through_a_mask_computed_in_a_graph():
    mask, wanted = np.array([True, False, True, False]), ARRAY.copy()
    rows = np.arange(30, dtype=np.float32).reshape(2, 5, 3)
    wanted[mask] = rows
    found = in_graph(lambda x, m, v: setitem(x, m, v))(Tensor(ARRAY), Tensor(mask), Tensor(rows))
    np.testing.assert_array_equal(found.asnumpy(), wanted)


def test_elements_are_read_by_a_mask_computed_in_a_graph():
    found = in_graph(lambda x: x[x > 3])(Tensor(ARRAY))
    np.testing.assert_array_equal(found.asnumpy(), ARRAY[ARRAY > 3])


def test_masks_computed_in_a_graph_stand_beside_other_parts_of_an_index():
    found = in_graph(lambda x: x[x[:, 0, 0] > 3, :, -1])(Tensor(ARRAY))
    np.testing.assert_array_equal(found.asnumpy(), ARRAY[ARRAY[:, 0, 0] > 3, :, -1])


def test_views_share_their_memory_with_the_tensor():
    x = Tensor(np.zeros((2, 3), np.float32))
    x[0][1] = 5
    x.reshape(6)[5] = 6
    x.T[0][0] = 7
    np.testing.assert_array_equal(x.asnumpy(), [[7, 5, 0], [0, 0, 6]])


def test_an_assignment_with_an_operator_changes_the_element():
    x = Tensor(np.ones((2, 2), np.float32))
    x[0, 1] += 4
    np.testing.assert_array_equal(x.asnumpy(), [[1, 5], [1, 1]])


def test_a_broadcast_tensor_is_written_to_as_by_torch():
    x = ops.broadcast_to(Tensor(np.zeros(3, np.float32)), (2, 3))
    x[0, 0] = 1
    wanted = torch.zeros(3).expand(2, 3)
    wanted[0, 0] = 1
    np.testing.assert_array_equal(x.asnumpy(), wanted.numpy())


def test_a_parameter_is_written_in_place_but_not_under_an_exported_array():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    before = p.asnumpy()
    p[0] = 7.0
    np.testing.assert_array_equal(p.asnumpy(), [7, 2])
    np.testing.assert_array_equal(before, [1, 2])
    assert isinstance(p, Parameter)


def test_the_new_elements_are_cast_to_the_type_of_the_tensor():
    x = Tensor(np.zeros((2, 2), np.int32))
    x[0] = 9.7
    x[1] = Tensor([1.5, -1.5])
    assert x.dtype == mindspore.int32
    np.testing.assert_array_equal(x.asnumpy(), [[9, 9], [1, -1]])


def test_lists_and_tuples_are_values():
    x = Tensor(np.zeros((2, 3), np.float32))
    x[0] = [1, 2, 3]
    x[1] = (Tensor(4.0), 5.0, 6.0)
    np.testing.assert_array_equal(x.asnumpy(), [[1, 2, 3], [4, 5, 6]])


def test_true_is_a_new_dimension_and_false_writes_nothing():
    x = Tensor(ARRAY)
    assert x[True].shape == (1, 4, 5, 3)
    x[False] = 1.0
    np.testing.assert_array_equal(x.asnumpy(), ARRAY)


def test_a_list_of_lists_is_one_index_per_dimension():
    np.testing.assert_array_equal(Tensor(ARRAY)[[[0, 1], [2, 3]]].asnumpy(), ARRAY[[0, 1], [2, 3]])


@pytest.mark.parametrize(("index", "error"), [
    (4, IndexError), (-5, IndexError), ((0, 0, 0, 0), IndexError), ([0, 9], IndexError),
    ((Ellipsis, Ellipsis), IndexError), ("a", IndexError), (1.0, IndexError), ([], IndexError),
    (False, IndexError), (slice(None, None, 0), ValueError), (slice(1.5, 2), TypeError),
], ids=str)
def test_a_wrong_index_is_refused_when_reading(index, error):
    with pytest.raises(error):
        Tensor(ARRAY)[index]


@pytest.mark.parametrize(("index", "value", "error"), [
    (0, Tensor(np.zeros(4, np.float32)), ValueError), (0, "a", IndexError), (0, None, TypeError),
    (9, 1.0, IndexError), (0, Tensor(np.zeros((1, 1, 5, 3), np.float32)), ValueError),
    (Tensor([0, 1]), Tensor(np.zeros((3, 5, 3), np.float32)), ValueError),
    (Tensor([9]), 1.0, ValueError),
], ids=["shape", "text", "none", "index", "rank", "rows", "tensor"])
def test_a_wrong_assignment_is_refused(index, value, error):
    x = Tensor(ARRAY)
    with pytest.raises(error):
        x[index] = value
    np.testing.assert_array_equal(x.asnumpy(), ARRAY)


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="mask"):
        Tensor(ARRAY)[Tensor([True, False])]


def test_index_tensors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="broadcast"):
        Tensor(ARRAY)[Tensor([0, 1]), Tensor([0, 1, 2])]


def test_iterating_yields_the_slices():
    np.testing.assert_array_equal([row.asnumpy() for row in Tensor(ARRAY)], ARRAY)
    with pytest.raises(TypeError, match="0-d"):
        iter(Tensor(1.0))


def test_membership_compares_with_every_element():
    assert 3.0 in Tensor([1.0, 3.0])
    assert 2.0 not in Tensor([1.0, 3.0])


@pytest.mark.parametrize("statement", [
    "x[1:] = x[:-1]", "x[:, 1:] = x[:, :-1]", "x[[0, 1], [1, 2]] = x[2, :2]", "x[::-1] = x", "x[[2, 0, 1]] = x",
    "x[...] = x.T[:3, :1]"])  # fmt: skip
def test_parts_of_a_tensor_are_written_to_the_tensor_as_they_were(statement):
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    tensor, expected = Tensor(array), array.copy()
    expected[...] = _after(statement, array.copy())
    np.testing.assert_array_equal(_after(statement, tensor).asnumpy(), expected)


def _after(statement, x):
    exec(statement, {"x": x})
    return x


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_the_shape_is_known_while_compiling(index):
    shapes = []

    @jit
    def taken(x):
        part = x[index]
        shapes.append(part.shape)
        return part
    assert taken(Tensor(ARRAY)).shape == ARRAY[index].shape
    assert tuple(shapes[0]) == ARRAY[index].shape
