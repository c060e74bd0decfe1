"""Functions of matrices in compressed rows."""
from __future__ import annotations

from typing import Any

from mindspore.operators import reduction
from mindspore.operators.indexing import gather
from mindspore.operators.registry import REGISTRY
from mindspore.operators.segments import unsorted_segment_sum

from .sparse_layouts import CSRTensor, at_places, of_layout


def csr_add(a: CSRTensor, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
    """alpha * a + beta * b; values that cancel stay as zeros.

    Args:
        a, b: CSRTensors of one shape.
        alpha, beta: Their factors, tensors with one element.

    Returns:
        A CSRTensor.

    Raises:
        TypeError: If `a` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_add(x, x, Tensor(1.0), Tensor(10.0)).to_dense().tolist()
        [[0.0, 22.0], [33.0, 0.0]]
    """
    return of_layout("csr_add", a, CSRTensor).add(b, alpha, beta)


def csr_mv(csr_tensor: CSRTensor, dense: Any) -> Any:
    """A matrix in compressed rows times a column (columns, 1).

    Args:
        csr_tensor: A CSRTensor of shape (rows, columns).
        dense: A tensor (columns, 1).

    Returns:
        A tensor (rows, 1).

    Raises:
        TypeError: If `csr_tensor` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_mv(x, Tensor([[1.0], [10.0]])).tolist()
        [[20.0], [3.0]]
    """
    return of_layout("csr_mv", csr_tensor, CSRTensor).mv(dense)


def csr_mul(x: CSRTensor, y: Any) -> Any:
    """The values times the elements of `y` at their places; `y` may be a number.

    Args:
        x: A CSRTensor.
        y: A tensor that broadcasts to the shape of `x`, or a number.

    Returns:
        A CSRTensor; the new values (n,) alone if `y` is a number.

    Raises:
        TypeError: If `x` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_mul(x, Tensor([[10.0, 10.0], [100.0, 100.0]])).values
        Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+01,  3.00000000e+02])
    """
    return of_layout("csr_mul", x, CSRTensor) * y


def csr_div(x: CSRTensor, y: Any) -> Any:
    """The values divided by the elements of `y` at their places; `y` may be a number.

    Args:
        x: A CSRTensor.
        y: A tensor that broadcasts to the shape of `x`, or a number.

    Returns:
        A CSRTensor; the new values (n,) alone if `y` is a number.

    Raises:
        TypeError: If `x` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_div(x, Tensor([[2.0, 2.0], [4.0, 4.0]])).values
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  7.50000000e-01])
    """
    return of_layout("csr_div", x, CSRTensor) / y


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: Any) -> Any:
    """The elements of a matrix at the places of compressed rows.

    Args:
        indptr: For each row where its places begin in `indices`, a tensor of ints (rows + 1,).
        indices: The columns, a tensor of ints (n,).
        dense: The matrix.
        sparse_shape: Its shape.

    Returns:
        A tensor (n,).

    Examples:
        >>> ops.csr_gather(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 2)).tolist()
        [2.0, 3.0]
    """
    return at_places(indptr, indices, dense)


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> Any:
    """The sums of the rows (axis 1 or -1), as a column.

    Args:
        csr_tensor: A CSRTensor of shape (rows, columns).
        axis: 1 or -1.

    Returns:
        A tensor (rows, 1).

    Raises:
        TypeError: If `csr_tensor` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[1.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_reduce_sum(x, 1).tolist()
        [[3.0], [3.0]]
    """
    return of_layout("csr_reduce_sum", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The values of each row as probabilities; places that are not held count as minus infinity.

    Args:
        logits: A CSRTensor.
        dtype: The floating-point type of the result.

    Returns:
        A CSRTensor of the same places.

    Raises:
        TypeError: If `logits` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[2.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_softmax(x, mindspore.float32).values.tolist()
        [0.5, 0.5, 1.0]
    """
    x = of_layout("csr_softmax", logits, CSRTensor).astype(dtype)
    powers = REGISTRY["Exp"](x.values - reduction.reduce_max(x.values))
    total = unsorted_segment_sum(powers, x.rows(), num_segments=x.shape[0])
    return x.with_values(powers / gather(total, x.rows(), axis=0))


__all__ = [
    "csr_add", "csr_div", "csr_gather", "csr_mul", "csr_mv", "csr_reduce_sum", "csr_softmax",
]
