"""Products of matrices and tensors."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

A = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], np.float32)
B = np.arange(12.0, dtype=np.float32).reshape(3, 4)
V = np.array([1.0, -2.0, 3.0], np.float32)
BATCH = np.arange(12.0, dtype=np.float32).reshape(2, 2, 3)


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("x", "y"), [(A, B), (A, V), (V, B), (V, V), (BATCH, B), (BATCH, V)])
def test_matmul_of_any_ranks(x, y):
    close(ops.matmul(Tensor(x), Tensor(y)), x @ y)
    close(Tensor(x) @ Tensor(y), x @ y)
    close(Tensor(x).matmul(Tensor(y)), x @ y)


@pytest.mark.parametrize(("found", "wanted"), [
    (lambda: ops.MatMul(transpose_b=True)(Tensor(A), Tensor(A)), A @ A.T),
    (lambda: ops.MatMul(transpose_a=True)(Tensor(A), Tensor(A)), A.T @ A),
    (lambda: ops.BatchMatMul(transpose_b=True)(Tensor(BATCH), Tensor(BATCH)),
     BATCH @ BATCH.transpose(0, 2, 1)),
    (lambda: ops.mm(Tensor(A), Tensor(B)), A @ B), (lambda: ops.mv(Tensor(A), Tensor(V)), A @ V),
    (lambda: ops.dense(Tensor(A), Tensor(B.T), Tensor(np.ones(4, np.float32))), A @ B + 1),
    (lambda: ops.outer(Tensor(V), Tensor(V)), np.outer(V, V)),
    (lambda: ops.inner(Tensor(A), Tensor(A)), A @ A.T), (lambda: ops.kron(Tensor(A), Tensor(V)),
                                                         np.kron(A, V)),
    (lambda: ops.vecdot(Tensor(A), Tensor(A)), (A * A).sum(-1)),
    (lambda: ops.tensor_dot(Tensor(BATCH), Tensor(A), ((2,), (1,))), np.tensordot(BATCH, A, ((2,), (1,)))),
    (lambda: ops.tensor_dot(Tensor(A), Tensor(B), 1), A @ B),
    (lambda: ops.batch_dot(Tensor(A), Tensor(A)), (A * A).sum(-1, keepdims=True)),
    (lambda: ops.matrix_power(Tensor(A @ A.T), 3), np.linalg.matrix_power(A @ A.T, 3)),
    (lambda: ops.matrix_power(Tensor(A @ A.T), 0), np.eye(2)),
    (lambda: ops.matrix_power(Tensor(A @ A.T), -1), np.linalg.inv(A @ A.T)),
    (lambda: ops.addmm(Tensor(A @ B), Tensor(A), Tensor(B), beta=2, alpha=3), 5 * A @ B),
    (lambda: ops.addr(Tensor(np.outer(V, V)), Tensor(V), Tensor(V), beta=0.5), 1.5 * np.outer(V, V)),
    (lambda: ops.bidense(Tensor(A), Tensor(A), Tensor(np.ones((2, 3, 3), np.float32))),
     np.repeat(A.sum(1, keepdims=True) ** 2, 2, 1)),
    (lambda: ops.einsum("ij,jk->ik", Tensor(A), Tensor(B)), A @ B),
])
def test_products_as_numpy_has_them(found, wanted):
    close(found(), wanted)


def test_operands_that_do_not_fit_name_both_shapes():
    with pytest.raises(ValueError, match=r"got 3 and 2 \(x: f32\[2,3\], y: f32\[2,3\]"):
        ops.matmul(Tensor(A), Tensor(A))
    with pytest.raises(RuntimeError):      # as which the original raises it
        ops.matmul(Tensor(A), Tensor(A))


def test_both_modes_raise_the_same_error():
    with pytest.raises(ValueError, match="last axis of 'x'") as eager:
        ops.MatMul()(Tensor(A), Tensor(A))
    with pytest.raises(ValueError, match="last axis of 'x'") as graph:
        ms.jit(lambda a: ops.MatMul()(a, a))(Tensor(A))
    assert str(eager.value) == str(graph.value).split("\n")[0]


@pytest.mark.parametrize(("call", "error"), [
    (lambda: ops.matmul(Tensor(A), Tensor(B, ms.float64)), TypeError),
    (lambda: ops.MatMul()(Tensor(BATCH), Tensor(B)), ValueError),
    (lambda: ops.bmm(Tensor(A), Tensor(B)), ValueError), (lambda: ops.dot(Tensor(V), Tensor(V)), ValueError),
    (lambda: ops.tensor_dot(Tensor(A), Tensor(A), ((0,), (1,))), ValueError),
    (lambda: ops.addmm(Tensor(A), Tensor(A), Tensor(B), beta="1"), TypeError),
    (lambda: ops.einsum(3, Tensor(A)), TypeError),
])
def test_wrong_operands_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_the_gradient_of_a_matrix_for_all_rows_is_one_product():
    x, w = Tensor(BATCH), Tensor(B)
    _, dw = ms.grad(lambda a, b: (a @ b).sum(), (0, 1))(x, w)
    close(dw, BATCH.reshape(-1, 3).T @ np.ones((4, 4)))
