"""Products of vectors, matrices and tensors as functions and methods."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core.errors import kind, show
from mindspore.eager.automatic import computed_as
from mindspore.eager.tensor import is_tensor
from mindspore.operators import matmul, reduction
from mindspore.operators.matmul import batched_matmul, identity_matrices
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import expand_dims, reshape, transpose

from .arguments import in_int64, tensor
from .primitive import composed
from .signatures import plain


def _ranks(owner: str, *pairs: tuple[str, Any, int]) -> None:
    """ValueError unless every (name, tensor, rank) has that rank."""
    for name, x, rank in pairs:
        if not is_tensor(x):
            raise TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {kind(x)}.")
        if x.ndim != rank:
            raise ValueError(f"For '{owner}', the '{name}' must have {rank} dimensions, but got "
                             f"{show(x)}.")


def _batches(owner: str, *pairs: tuple[str, Any]) -> None:
    """ValueError unless both tensors have at least two dimensions."""
    for name, x in pairs:
        if not is_tensor(x):
            raise TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {kind(x)}.")
    if any([x.ndim < 2 for _, x in pairs]):
        raise ValueError(f"For '{owner}', the inputs must have at least 2 dimensions, but got "
                         f"{' and '.join([show(x) for _, x in pairs])}.")


def _matmul(self: Any, tensor2: Any) -> Any:
    """The products of the matrices in the last two dimensions; vectors count as rows and columns.

    Args:
        tensor2: A tensor; the dimensions before the last two are broadcast.

    Returns:
        A tensor.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).matmul(Tensor([1.0, 10.0])).tolist()
        [21.0, 43.0]
    """
    return batched_matmul(self, tensor2)


def bmm(input_x: Any, mat2: Any) -> Any:
    """The products of the matrices of two batches.

    Args:
        input_x: A tensor (*, m, k) with three dimensions at least.
        mat2: A tensor (*, k, n).

    Returns:
        A tensor (*, m, n).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If one has fewer dimensions, or the shapes do not fit.

    Examples:
        >>> ops.bmm(Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]])).tolist()
        [[[11.0]]]
    """
    for name, x in (("input_x", input_x), ("mat2", mat2)):
        if not is_tensor(x):
            raise TypeError(f"For 'bmm', the '{name}' must be a Tensor, but got {kind(x)}.")
        if x.ndim < 3:
            raise ValueError(f"For 'bmm', the '{name}' must have at least 3 dimensions, but got "
                             f"{show(x)}.")
    return matmul.batch_mat_mul(input_x, mat2)


def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices.

    Args:
        input: A tensor (m, k).
        mat2: A tensor (k, n).

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If one of them is no matrix, or the shapes do not fit.

    Examples:
        >>> ops.mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    """
    _ranks("mm", ("input", input, 2), ("mat2", mat2, 2))
    return matmul.mat_mul(input, mat2)


def mv(mat: Any, vec: Any) -> Any:
    """The product of a matrix and a vector.

    Args:
        mat: A tensor (m, k).
        vec: A tensor (k,).

    Returns:
        A tensor (m,).

    Raises:
        ValueError: If one of them has other dimensions, or the shapes do not fit.

    Examples:
        >>> ops.mv(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])).tolist()
        [21.0, 43.0]
    """
    _ranks("mv", ("mat", mat, 2), ("vec", vec, 1))
    return batched_matmul(mat, vec)


def dot(input: Any, other: Any) -> Any:
    """The sum of products over the last dimension of `input` and the second last of `other`.

    Args:
        input: A tensor (*, k) with two dimensions at least.
        other: A tensor (*, k, n).

    Returns:
        A tensor with the other dimensions of `input`, then those of `other`.

    Raises:
        ValueError: If one of them has fewer dimensions, or the shapes do not fit.

    Examples:
        >>> ops.dot(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    """
    _batches("dot", ("input", input), ("other", other))
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 2,)))


def inner(input: Any, other: Any) -> Any:
    """The sum of products over the last dimensions of both tensors.

    Args:
        input, other: Tensors with equal last dimensions; a number multiplies.

    Returns:
        A tensor with the other dimensions of `input`, then those of `other`.

    Raises:
        ValueError: If the last dimensions differ.

    Examples:
        >>> ops.inner(Tensor([1.0, 2.0]), Tensor([[3.0, 4.0], [5.0, 6.0]])).tolist()
        [11.0, 17.0]
    """
    if not input.ndim or not other.ndim:
        return input * other
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 1,)))


def outer(input: Any, vec2: Any) -> Any:
    """The products of every element of one vector with every element of another.

    Args:
        input: A tensor (m,).
        vec2: A tensor (n,).

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If one of them is no vector.

    Examples:
        >>> ops.outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        [[3.0, 4.0], [6.0, 8.0]]
    """
    _ranks("outer", ("input", input, 1), ("vec2", vec2, 1))
    return expand_dims(input, axis=1) * expand_dims(vec2, axis=0)


@composed("Ger()(x1, x2)")
def ger(input: Any, vec2: Any) -> Any:
    """The products of every element of one vector with every element of another.

    Args:
        input: A tensor (m,).
        vec2: A tensor (n,).

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If one of them is no vector.

    Examples:
        >>> ops.outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        [[3.0, 4.0], [6.0, 8.0]]
    """
    return outer(input, vec2)


def vecdot(x: Any, y: Any, *, axis: int = -1) -> Any:
    """The sums of products along `axis`, of conjugates of `x` with `y` if they are complex.

    Args:
        x, y: Tensors of broadcastable shapes.
        axis: The dimension, an int.

    Returns:
        A tensor without the dimension `axis`.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.vecdot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([10.0, 1.0])).tolist()
        [12.0, 34.0]
    """
    x = REGISTRY["Conj"](x) if tensor("vecdot", "x", x).dtype.kind == "c" else x
    return reduction.reduce_sum(computed_as("SumExt", in_int64(x * y)), axis=axis)


def _contracted(owner: str, x: Any, y: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dimensions of both tensors over which the products are summed."""
    axes = plain(axes)
    if isinstance(axes, int) and not isinstance(axes, bool):
        if axes < 0 or axes > min(x.ndim, y.ndim):
            raise ValueError(f"For '{owner}', the 'axes' must be in [0, {min(x.ndim, y.ndim)}], but "
                             f"got {axes}.")
        return tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    if not isinstance(axes, tuple) or len(axes) != 2:
        raise ValueError(f"For '{owner}', the 'axes' must be an int or two lists, but got {axes!r}.")
    pair = [(a,) if isinstance(a, int) else a for a in axes]
    for p, t in zip(pair, (x, y), strict=True):
        if any([not -t.ndim <= a < t.ndim for a in p]):
            raise ValueError(f"For '{owner}', the 'axes' of {show(t)} must be in [{-t.ndim}, {t.ndim}), but got "
                             f"{tuple(p)}.")
    left, right = [tuple([a % t.ndim for a in p]) for p, t in zip(pair, (x, y), strict=True)]
    if [x.shape[a] for a in left] != [y.shape[a] for a in right]:
        raise ValueError(f"For '{owner}', the dimensions {left} of {show(x)} and {right} of {show(y)} "
                         f"must have the same extents.")
    return left, right


def tensor_dot(x1: Any, x2: Any, axes: Any) -> Any:
    """The sum of products over some dimensions of both tensors; the others are kept in order.

    Args:
        x1, x2: Tensors.
        axes: An int n for the last n dimensions of `x1` and the first n of `x2`, or two lists of dimensions, one
            for each tensor.

    Returns:
        A tensor with the other dimensions of `x1`, then those of `x2`.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the extents differ.

    Examples:
        >>> ops.tensor_dot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([10.0, 1.0]), 1).tolist()
        [12.0, 34.0]
    """
    for name, x in (("x1", x1), ("x2", x2)):
        if not is_tensor(x):
            raise TypeError(f"For 'tensor_dot', the '{name}' must be a Tensor, but got {kind(x)}.")
    left, right = _contracted("tensor_dot", x1, x2, axes)
    rows = tuple([i for i in range(x1.ndim) if i not in left])
    columns = tuple([i for i in range(x2.ndim) if i not in right])
    k = 1
    for a in left:
        k *= x1.shape[a]
    x = reshape(transpose(x1, perm=rows + left), shape=(-1 if k else 0, k))
    y = reshape(transpose(x2, perm=right + columns), shape=(k, -1 if k else 0))
    shape = tuple([x1.shape[i] for i in rows]) + tuple([x2.shape[i] for i in columns])
    return reshape(matmul.mat_mul(x, y), shape=shape)


def batch_dot(x1: Any, x2: Any, axes: Any = None) -> Any:
    """For every element of the first dimension the sum of products over one dimension of each.

    Args:
        x1, x2: Tensors with two dimensions at least, the first of one extent.
        axes: The dimension in `x1` and that in `x2`, or an int for both; by default the last of `x1` and the second
            last of `x2`, which is the second one of a matrix.

    Returns:
        A tensor with the batch, the other dimensions of `x1`, then those of `x2`; (n, 1) if there are none.

    Raises:
        ValueError: If the extents differ, or a dimension is that of the batch.

    Examples:
        >>> ops.batch_dot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[10.0, 1.0], [10.0, 1.0]])).tolist()
        [[12.0], [34.0]]
    """
    axes = plain(axes)
    _batches("batch_dot", ("x1", x1), ("x2", x2))
    if axes is None:
        axes = (x1.ndim - 1, max(x2.ndim - 2, 1))
    elif isinstance(axes, int):
        axes = (axes, axes)
    a, b = axes[0] % x1.ndim, axes[1] % x2.ndim
    if a == 0 or b == 0:
        raise ValueError(f"For 'batch_dot', the first dimension is the batch, but 'axes' is {axes}.")
    if x1.shape[0] != x2.shape[0] or x1.shape[a] != x2.shape[b]:
        raise ValueError(f"For 'batch_dot', the batches and the dimensions {a} and {b} must agree, "
                         f"but got {show(x1)} and {show(x2)}.")
    n, k = x1.shape[0], x1.shape[a]
    rows = [i for i in range(1, x1.ndim) if i != a]
    columns = [i for i in range(1, x2.ndim) if i != b]
    x = reshape(transpose(x1, perm=(0, *rows, a)), shape=(n, math.prod([x1.shape[i] for i in rows]), k))
    y = reshape(transpose(x2, perm=(0, b, *columns)), shape=(n, k, math.prod([x2.shape[i] for i in columns])))
    shape = (n, *[x1.shape[i] for i in rows], *[x2.shape[i] for i in columns])
    return reshape(matmul.batch_mat_mul(x, y), shape=shape if len(shape) > 1 else (n, 1))


def kron(input: Any, other: Any) -> Any:
    """The Kronecker product: every element of `input` times the whole of `other`.

    Args:
        input, other: Tensors.

    Returns:
        A tensor whose extents are the products of theirs.

    Raises:
        TypeError: If an argument is no tensor.

    Examples:
        >>> ops.kron(Tensor([[1, 10]]), Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 2, 10, 20], [3, 4, 30, 40]]
    """
    n = max(tensor("kron", "input", input).ndim, tensor("kron", "other", other).ndim)
    a = (1,) * (n - input.ndim) + input.shape
    b = (1,) * (n - other.ndim) + other.shape
    x = reshape(input, shape=tuple([e for extent in a for e in (extent, 1)]))
    y = reshape(other, shape=tuple([e for extent in b for e in (1, extent)]))
    return reshape(x * y, shape=tuple([i * j for i, j in zip(a, b, strict=True)]))


def matrix_power(input: Any, n: int) -> Any:
    """The matrices multiplied with themselves n times; for negative n of their inverses.

    Args:
        input: A tensor (*, n, n).
        n: An int; 0 gives identity matrices.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `n` is no int.

    Examples:
        >>> ops.matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
        [[1.0, 3.0], [0.0, 1.0]]
    """
    n = plain(n)
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"For 'matrix_power', the 'n' must be an int, but got {n!r}.")
    if n < 0:
        return matrix_power(REGISTRY["MatrixInverse"](input), -n)
    out = None
    base = input
    while n:
        if n % 2:
            out = base if out is None else batched_matmul(out, base)
        n //= 2
        base = batched_matmul(base, base) if n else base
    return identity_matrices(input) if out is None else out


# ---------------------------------------------------------------------- sums with a product


__all__ = [
    "batch_dot", "bmm", "dot", "ger", "inner", "kron", "matrix_power", "mm", "mv", "outer", "tensor_dot",
    "vecdot",
]
METHODS = {
    "bmm": bmm, "dot": dot, "ger": ger, "inner": inner, "matrix_power": matrix_power, "mm": mm, "mv": mv,
    "outer": outer, "matmul": _matmul,
}
