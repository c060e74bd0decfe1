"""Choices among values, and what is known of them while compiling; structures in `mindspore.ops.composite`."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops import composite as C

ONE, TWO = Tensor([2.0]), Tensor([3.0])


@ms.jit
def _switched(c, a, b):
    return ops.switch(c, a, b)


@ms.jit
def _layer(i, x):
    return ops.switch_layer(i, (ops.abs, ops.neg, ops.exp))(x)


@ms.jit
def _known(x):
    return (ops.is_sequence_value_unknown(x.shape), ops.is_sequence_value_unknown((x, 1)),
            ops.is_sequence_shape_unknown((1, 2)), ops.is_tensor_bool_cond(x))


def test_a_condition_chooses_and_the_gradient_goes_to_the_chosen():
    for run in (_switched, ops.switch):
        assert run(Tensor(True), ONE, TWO).tolist() == [2]
        assert run(Tensor([0]), (ONE, TWO), (TWO, ONE))[0].tolist() == [3]
        assert run(False, ONE, TWO).tolist() == [3]
        grads = ms.grad(lambda a, b, run=run: run(Tensor(True), a * 5, b * 7), (0, 1))(ONE, TWO)
        assert [g.tolist() for g in grads] == [[5], [0]]
    with pytest.raises(TypeError, match="same shapes"):
        _switched(Tensor(True), ONE, Tensor([1.0, 2.0]))


def test_an_index_chooses_a_layer_also_from_the_end():
    x = Tensor([-2.0])
    for run in (_layer, lambda i, x: ops.switch_layer(i, (ops.abs, ops.neg, ops.exp))(x)):
        assert [run(Tensor(i), x).tolist() for i in (0, 1, -2, -3)] == [[2], [2], [2], [2]]
        np.testing.assert_allclose(run(Tensor(2), x).asnumpy(), np.exp([-2.0]), rtol=1e-6)


def test_what_is_known_of_a_sequence_while_compiling():
    assert tuple(map(bool, _known(ONE))) == (False, True, False, True)
    assert not ops.is_sequence_value_unknown((1, 2))
    with pytest.raises(TypeError, match="one tuple or list"):
        ops.is_sequence_shape_unknown(3)


@pytest.mark.usefixtures("both_modes")
def test_structures_of_ones_and_zeros():
    class Net(nn.Cell):
        def construct(self, x):
            return C.ones_like((x, 3, [x])), C.zeros_like(x)

    (ones, number, inner), zeros = Net()(Tensor([2.0, 3.0]))
    assert (ones.tolist(), number, inner[0].tolist(), zeros.tolist()) == ([1, 1], 1, [1, 1], [0, 0])
    with pytest.raises(TypeError, match="number"):
        C.ones_like("a")


@pytest.mark.usefixtures("both_modes")
def test_a_product_as_numpys_has_the_type_that_is_asked_for():
    y = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
    for a, b in ((y[0], y), (y[0], y[0, 0]), (y[0, 0], y[0, 0])):
        found = C.matmul(Tensor(a), Tensor(b), ms.float64)
        assert found.dtype is ms.float64
        np.testing.assert_array_equal(found.asnumpy(), a @ b)


def test_the_functions_of_augmented_assignment_compute():
    x, y = Tensor([7.0]), Tensor([2.0])
    found = [getattr(ops, f"augassign_{n}")(x, y).tolist() for n in ("add", "sub", "mul", "div", "floordiv", "mod")]
    assert found == [[9], [5], [14], [3.5], [3], [1]]
    assert ops.hyper_add((1, [2]), (3, [4])) == (4, [6])


def test_parts_of_sparse_tensors():
    coo = ops.make_coo_tensor(Tensor([[0, 1], [2, 0]]), Tensor([5.0, 6.0]), (3, 2))
    assert ops.coo_tensor_get_values(coo).tolist() == [5, 6]
    assert ops.coo_tensor_get_dense_shape(coo) == (3, 2)
    csr = ops.make_csr_tensor(Tensor([0, 1, 1]), Tensor([1]), Tensor([5.0]), (2, 2))
    assert ops.csr_tensor_get_indptr(csr).tolist() == [0, 1, 1]
    rows = ops.make_row_tensor_inner(Tensor([1]), Tensor([[5.0]]), (2, 1))
    assert ops.row_tensor_add(rows, Tensor([[1.0], [1.0]])).tolist() == [[1], [6]]
    assert ops.row_tensor_get_indices(rows).tolist() == [1]
    assert ops.csr2coo(Tensor([0, 1, 3]), 3).tolist() == [0, 1, 1]
    assert ops.coo2csr(Tensor([0, 1, 1]), 2).tolist() == [0, 1, 3]
    with pytest.raises(TypeError, match="COOTensor"):
        ops.coo_tensor_get_values(csr)


def test_identity_is_a_function_and_a_primitive():
    assert ops.identity(3) == ops.identity()(3) == ops.operations.identity()(3) == 3


def _two(x, y):
    return x * x, x * y


@pytest.mark.usefixtures("both_modes")
def test_cells_of_derivatives():
    x, y, v = Tensor([2.0]), Tensor([3.0]), Tensor([1.0])
    value, along = nn.Jvp(_two)(x, y, (v, v))
    assert [t.tolist() for t in (*value, *along)] == [[4], [6], [4], [5]]
    value, grads = nn.Vjp(_two)(x, y, (v, v))
    assert [g.tolist() for g in grads] == [[7], [2]]
    assert nn.Vjp(lambda x: x * x)(x, v)[1].tolist() == [4]
