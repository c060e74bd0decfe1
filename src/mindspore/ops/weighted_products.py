"""Products of matrices added to a tensor, and bilinear forms."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import int64, uint8
from mindspore.eager.automatic import computed_as
from mindspore.eager.tensor import is_tensor
from mindspore.operators import arithmetic, matmul, reduction
from mindspore.operators.matmul import batched_matmul
from mindspore.operators.structure import cast, expand_dims, reshape, transpose

from .products import _batches, _ranks, outer


def _weighted(owner: str, product: Any, input: Any, beta: Any, alpha: Any) -> Any:
    """beta * input + alpha * product."""
    for name, value in (("beta", beta), ("alpha", alpha)):
        if isinstance(value, bool) or not (is_tensor(value) or isinstance(value, (int, float))):
            raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {value!r}.")
    scaled = product if type(alpha) in (int, float) and alpha == 1 else product * alpha
    return arithmetic.add(input if type(beta) in (int, float) and beta == 1 else input * beta, scaled)


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2).

    Args:
        input: A tensor that broadcasts to (m, n).
        mat1: A tensor (m, k).
        mat2: A tensor (k, n).
        beta, alpha: Numbers.

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.addmm(Tensor([[1.0]]), Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), alpha=10).tolist()
        [[111.0]]
    """
    _ranks("addmm", ("mat1", mat1, 2), ("mat2", mat2, 2))
    return _weighted("addmm", matmul.mat_mul(mat1, mat2), input, beta, alpha)


def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat @ vec).

    Args:
        input: A tensor that broadcasts to (m,).
        mat: A tensor (m, k).
        vec: A tensor (k,).
        beta, alpha: Numbers.

    Returns:
        A tensor (m,).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.addmv(Tensor([1.0, 1.0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])).tolist()
        [22.0, 44.0]
    """
    _ranks("addmv", ("mat", mat, 2), ("vec", vec, 1))
    return _weighted("addmv", batched_matmul(mat, vec), input, beta, alpha)


def addr(x: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * x + alpha * (the outer product of the vectors).

    Args:
        x: A tensor that broadcasts to (m, n).
        vec1: A tensor (m,).
        vec2: A tensor (n,).
        beta, alpha: Numbers.

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.addr(Tensor([[1.0, 1.0]]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        [[4.0, 5.0], [7.0, 9.0]]
    """
    return _weighted("addr", outer(vec1, vec2), x, beta, alpha)


def baddbmm(input: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix.

    Args:
        input: A tensor that broadcasts to (b, m, n).
        batch1: A tensor (b, m, k).
        batch2: A tensor (b, k, n).
        beta, alpha: Numbers.

    Returns:
        A tensor (b, m, n).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.baddbmm(Tensor([[[1.0]]]), Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]]), alpha=10).tolist()
        [[[111.0]]]
    """
    _batches("baddbmm", ("batch1", batch1), ("batch2", batch2))
    return _weighted("baddbmm", matmul.batch_mat_mul(batch1, batch2), input, beta, alpha)


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (the sum of the products of the matrices).

    Args:
        input: A tensor that broadcasts to (m, n).
        batch1: A tensor (b, m, k).
        batch2: A tensor (b, k, n); without the dimension b the rows of the product are added.
        beta, alpha: Numbers.

    Returns:
        A tensor (m, n); int64 for signed integers and uint8.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.addbmm(Tensor([[1.0]]), Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]])).tolist()
        [[12.0]]
    """
    _batches("addbmm", ("batch1", batch1), ("batch2", batch2))
    total = reduction.reduce_sum(computed_as("SumExt", matmul.batch_mat_mul(batch1, batch2)), axis=0)
    if total.dtype.kind == "i" or total.dtype is uint8:           # as sums of the original, which has larger types
        total = cast(total, dtype=int64)
    return _weighted("addbmm", total, input, beta, alpha)


def bidense(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """sum over i, j of input1[..., i] * weight[n, i, j] * input2[..., j], plus `bias`.

    Args:
        input1: A tensor (*, i).
        input2: A tensor (*, j).
        weight: A tensor (n, i, j).
        bias: A tensor (n,), or None.

    Returns:
        A tensor (*, n).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.bidense(Tensor([[1.0, 2.0]]), Tensor([[3.0]]), Tensor([[[1.0], [10.0]]])).tolist()
        [[63.0]]
    """
    _ranks("bidense", ("weight", weight, 3))
    n, i, j = weight.shape
    lead = input1.shape[:-1]
    x, y = reshape(input1, shape=(-1, i)), reshape(input2, shape=(-1, j))
    flat = reshape(transpose(weight, perm=(1, 0, 2)), shape=(i, n * j))
    left = reshape(matmul.mat_mul(x, flat), shape=(-1, n, j))
    out = reshape(reduction.reduce_sum(computed_as("SumExt", left * expand_dims(y, axis=1)), axis=-1), shape=(*lead, n))
    return out if bias is None else out + bias


__all__ = [
    "addbmm", "addmm", "addmv", "addr", "baddbmm", "bidense",
]

METHODS = {
    "addbmm": addbmm, "addmm": addmm, "addmv": addmv, "addr": addr, "baddbmm": baddbmm,
}
