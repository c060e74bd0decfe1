"""Products of vectors, matrices and tensors as functions and methods."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core.errors import kind, show
from mindspore.eager.tensor import is_tensor
from mindspore.operators import arithmetic, matmul, reduction
from mindspore.operators.matmul import batched_matmul, identity_matrices
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import expand_dims, reshape, transpose

from .arguments import in_int64
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
    """The products of the matrices in the last two dimensions; vectors count as rows and columns."""
    return batched_matmul(self, tensor2)


def bmm(input_x: Any, mat2: Any) -> Any:
    """The products of the matrices of two batches (*, m, k) and (*, k, n)."""
    for name, x in (("input_x", input_x), ("mat2", mat2)):
        if not is_tensor(x):
            raise TypeError(f"For 'bmm', the '{name}' must be a Tensor, but got {kind(x)}.")
        if x.ndim < 3:
            raise ValueError(f"For 'bmm', the '{name}' must have at least 3 dimensions, but got "
                             f"{show(x)}.")
    return matmul.batch_mat_mul(input_x, mat2)


def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices."""
    _ranks("mm", ("input", input, 2), ("mat2", mat2, 2))
    return matmul.mat_mul(input, mat2)


def mv(mat: Any, vec: Any) -> Any:
    """The product of a matrix and a vector."""
    _ranks("mv", ("mat", mat, 2), ("vec", vec, 1))
    return batched_matmul(mat, vec)


def dot(input: Any, other: Any) -> Any:
    """The sum of products over the last dimension of `input` and the second last of `other`."""
    _batches("dot", ("input", input), ("other", other))
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 2,)))


def inner(input: Any, other: Any) -> Any:
    """The sum of products over the last dimensions of both tensors."""
    if not input.ndim or not other.ndim:
        return input * other
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 1,)))


def outer(input: Any, vec2: Any) -> Any:
    """The products of every element of one vector with every element of another."""
    _ranks("outer", ("input", input, 1), ("vec2", vec2, 1))
    return expand_dims(input, axis=1) * expand_dims(vec2, axis=0)


@composed("Ger()(x1, x2)")
def ger(input: Any, vec2: Any) -> Any:
    """The products of every element of one vector with every element of another."""
    return outer(input, vec2)


def vecdot(x: Any, y: Any, *, axis: int = -1) -> Any:
    """The sums of products along `axis`, of conjugates of `x` with `y` if they are complex."""
    x = REGISTRY["Conj"](x) if x.dtype.kind == "c" else x
    return reduction.reduce_sum(in_int64(x * y), axis=axis)


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
    """The sum of products over some dimensions of both tensors; the others are kept in order."""
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
    """For every element of the first dimension the sum of products over one dimension of each."""
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
    """The Kronecker product."""
    n = max(input.ndim, other.ndim)
    a = (1,) * (n - input.ndim) + input.shape
    b = (1,) * (n - other.ndim) + other.shape
    x = reshape(input, shape=tuple([e for extent in a for e in (extent, 1)]))
    y = reshape(other, shape=tuple([e for extent in b for e in (1, extent)]))
    return reshape(x * y, shape=tuple([i * j for i, j in zip(a, b, strict=True)]))


def matrix_power(input: Any, n: int) -> Any:
    """The matrices multiplied with themselves n times; for negative n of their inverses."""
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

def _weighted(owner: str, product: Any, input: Any, beta: Any, alpha: Any) -> Any:
    """beta * input + alpha * product."""
    for name, value in (("beta", beta), ("alpha", alpha)):
        if isinstance(value, bool) or not (is_tensor(value) or isinstance(value, (int, float))):
            raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {value!r}.")
    scaled = product if type(alpha) in (int, float) and alpha == 1 else product * alpha
    return arithmetic.add(input if type(beta) in (int, float) and beta == 1 else input * beta, scaled)


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""
    _ranks("addmm", ("mat1", mat1, 2), ("mat2", mat2, 2))
    return _weighted("addmm", matmul.mat_mul(mat1, mat2), input, beta, alpha)


def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat @ vec)."""
    _ranks("addmv", ("mat", mat, 2), ("vec", vec, 1))
    return _weighted("addmv", batched_matmul(mat, vec), input, beta, alpha)


def addr(x: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * x + alpha * (the outer product of the vectors)."""
    return _weighted("addr", outer(vec1, vec2), x, beta, alpha)


def baddbmm(input: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix."""
    _ranks("baddbmm", ("batch1", batch1, 3), ("batch2", batch2, 3))
    return _weighted("baddbmm", matmul.batch_mat_mul(batch1, batch2), input, beta, alpha)


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (the sum of the products of the matrices)."""
    _ranks("addbmm", ("batch1", batch1, 3), ("batch2", batch2, 3))
    total = reduction.reduce_sum(matmul.batch_mat_mul(batch1, batch2), axis=0)
    return _weighted("addbmm", total, input, beta, alpha)


def bidense(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """sum over i, j of input1[..., i] * weight[n, i, j] * input2[..., j], plus `bias`."""
    _ranks("bidense", ("weight", weight, 3))
    n, i, j = weight.shape
    lead = input1.shape[:-1]
    x, y = reshape(input1, shape=(-1, i)), reshape(input2, shape=(-1, j))
    flat = reshape(transpose(weight, perm=(1, 0, 2)), shape=(i, n * j))
    left = reshape(matmul.mat_mul(x, flat), shape=(-1, n, j))
    out = reshape(reduction.reduce_sum(left * expand_dims(y, axis=1), axis=-1), shape=(*lead, n))
    return out if bias is None else out + bias


__all__ = [
    "addbmm", "addmm", "addmv", "addr", "baddbmm", "batch_dot", "bidense", "bmm", "dot", "ger",
    "inner", "kron", "matrix_power", "mm", "mv", "outer", "tensor_dot", "vecdot",
]
METHODS = {
    "addbmm": addbmm, "addmm": addmm, "addmv": addmv, "addr": addr, "baddbmm": baddbmm, "bmm": bmm,
    "dot": dot, "ger": ger, "inner": inner, "matrix_power": matrix_power, "mm": mm, "mv": mv,
    "outer": outer, "matmul": _matmul,
}
