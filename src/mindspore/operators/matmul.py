"""Products of matrices."""
from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import ShapeError, show
from mindspore.ir import Aval

from .exported import Exported, direct
from .reduction import reduce_sum
from .registry import operator
from .rules import broadcast, fit
from .stages import Product
from .structure import expand_dims, reshape, transpose
from .traits import WIDEN_UNSIGNED
from .values import Value


def _same_dtype(name: str, x: Any, y: Any) -> None:
    if type(x) is not Aval or type(y) is not Aval:
        raise TypeError(f"For '{name}', both operands must be tensors, but got {show(x)} and "
                        f"{show(y)}.")
    if x.dtype is not y.dtype:
        raise TypeError(f"For '{name}', the operands must have the same type, but got {show(x)} and "
                        f"{show(y)}.")


def _product(name: str, x: Aval, y: Aval, transpose_a: bool, transpose_b: bool) -> tuple[int, int]:
    """Rows and columns of the product of the matrices in the last two dimensions."""
    m, k = x.shape[-2:][::-1] if transpose_a else x.shape[-2:]
    j, n = y.shape[-2:][::-1] if transpose_b else y.shape[-2:]
    if k != j:
        raise ShapeError(f"For '{name}', the last axis of 'x' must equal the second last axis of "
                         f"'y', but got {k} and {j} (x: {show(x)}, y: {show(y)}, transpose_a="
                         f"{transpose_a}, transpose_b={transpose_b}).")
    return m, n


def _labels(x: Any, y: Any, transpose_a: bool = False, transpose_b: bool = False) -> str:
    left = "... k m" if transpose_a else "... m k"
    right = "... n k" if transpose_b else "... k n"
    return f"{left}, {right} -> ... m n"


_TURNED: list[Any] = [((3, 4), (4, 2)), ((4, 3), (4, 2), {"transpose_a": True}),
                      ((3, 4), (2, 4), {"transpose_b": True}),
                      ((4, 3), (2, 4), {"transpose_a": True, "transpose_b": True})]


@operator(primitive="MatMul(transpose_a=False, transpose_b=False)(input, mat2)",
          dims=lambda x, y, transpose_a=False, transpose_b=False: _labels(
              x, y, transpose_a, transpose_b).replace("... ", ""), samples=_TURNED,
          code="torch.mm({0}, {1})")
def mat_mul(x: Tensor, y: Tensor, *, transpose_a: bool = False, transpose_b: bool = False):
    """The product of two matrices (m, k) and (k, n); either may be given transposed.

    Inputs: two dimensions and one dtype each, else ValueError or TypeError; ShapeError if k differs.  Output: (m, n).

    Examples:
        >>> ops.MatMul(transpose_b=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])).tolist()
        [[11.0]]
    """
    return torch.mm(x.t() if transpose_a else x, y.t() if transpose_b else y)


mat_mul.stage(lambda x, y, transpose_a, transpose_b: Product(transpose_a, transpose_b))


@mat_mul.shape
def _(x: Aval, y: Aval, *, transpose_a: bool = False, transpose_b: bool = False) -> Aval:
    _same_dtype("MatMul", x, y)
    if len(x.shape) != 2 or len(y.shape) != 2:
        raise ValueError(f"For 'MatMul', both operands must have 2 dimensions, but got {show(x)} and "
                         f"{show(y)}.")
    return Aval(_product("MatMul", x, y, transpose_a, transpose_b), x.dtype)


def _cotangents(product: Any, x: Any, y: Any, dout: Any, ta: bool, tb: bool) -> tuple[Any, Any]:
    """What a product of matrices, possibly transposed, gives back to its operands."""
    def dx() -> Any:
        if ta:
            return product(y, dout, transpose_a=tb, transpose_b=True)
        return product(dout, y, transpose_b=not tb)

    def dy() -> Any:
        if tb:
            return product(dout, x, transpose_a=True, transpose_b=ta)
        return product(x, dout, transpose_a=not ta)
    return dx, dy


def _turned(g: Any, x: str) -> str:
    """The name of the transposed matrices."""
    rank = len(g.avals[x].shape)
    return g.add("Transpose", x, perm=[*range(rank - 2), rank - 1, rank - 2])


def _exported(g: Any, x: str, y: str, *, transpose_a: bool = False, transpose_b: bool = False) -> str:
    return g.add("MatMul", _turned(g, x) if transpose_a else x, _turned(g, y) if transpose_b else y)


mat_mul.onnx(_exported)


@mat_mul.grad(needs="x y")
def _(x: Value, y: Value, dout: Value, *, transpose_a: bool = False, transpose_b: bool = False):
    return _cotangents(mat_mul, x, y, dout, transpose_a, transpose_b)


@mat_mul.cost
def _(x: Aval, y: Aval, *, transpose_a: bool = False, transpose_b: bool = False) -> int:
    m, n = _product("MatMul", x, y, transpose_a, transpose_b)
    return 2 * m * n * x.shape[0 if transpose_a else 1]


@operator(primitive="BatchMatMul(transpose_a=False, transpose_b=False)(x, y)",
          dims=_labels, code="{0} @ {1}",
          samples=[((2, *x), (2, *y), *attrs) for x, y, *attrs in _TURNED], traits={WIDEN_UNSIGNED})
def batch_mat_mul(x: Tensor, y: Tensor, *, transpose_a: bool = False, transpose_b: bool = False):
    """The products of the matrices (..., m, k) and (..., k, n); either side may be given transposed.

    Inputs: two dimensions or more, of one dtype; the leading ones broadcast.  ValueError if they do not, ShapeError
    if k differs.  Output: (..., m, n).

    Examples:
        >>> ops.BatchMatMul()(ops.ones((5, 2, 3)), ops.ones((5, 3, 4))).shape
        (5, 2, 4)
    """
    if x.dim() < 2 or y.dim() < 2:
        raise ValueError("For 'BatchMatMul', the operands must have at least 2 dimensions, but got "
                         f"{x.dim()} and {y.dim()}.")
    return torch.matmul(x.mT if transpose_a else x, y.mT if transpose_b else y)


@batch_mat_mul.shape
def _(x: Aval, y: Aval, *, transpose_a: bool = False, transpose_b: bool = False) -> Aval:
    _same_dtype("BatchMatMul", x, y)
    if len(x.shape) < 2 or len(y.shape) < 2:
        raise ValueError(f"For 'BatchMatMul', the operands must have at least 2 dimensions, but got "
                         f"{show(x)} and {show(y)}.")
    lead = broadcast(x.shape[:-2], y.shape[:-2], name="BatchMatMul")
    return Aval((*lead, *_product("BatchMatMul", x, y, transpose_a, transpose_b)), x.dtype)


@batch_mat_mul.cost
def _(x: Aval, y: Aval, *, transpose_a: bool = False, transpose_b: bool = False) -> int:
    out = batch_mat_mul.infer(x, y, transpose_a=transpose_a, transpose_b=transpose_b)
    return 2 * prod(out.shape) * x.shape[-2 if transpose_a else -1]


batch_mat_mul.onnx(_exported)


@batch_mat_mul.grad(needs="x y")
def _(x: Value, y: Value, dout: Value, *, transpose_a: bool = False, transpose_b: bool = False):
    dx, dy = _cotangents(batch_mat_mul, x, y, dout, transpose_a, transpose_b)
    return lambda: fit(dx(), x), lambda: fit(dy(), y)


# ---------------------------------------------------------------------- any ranks

@operator(hidden=True, function="matmul(input, other)",
          code="{0} @ {1}",
          dims=lambda x, y: _any_rank(x, y),
          samples=[((3, 4), (4, 2)), ((2, 3, 4), (4, 2)), ((2, 3, 4), (2, 4, 2)), ((4,), (4,)),
                   ((4,), (4, 2)), ((3, 4), (4,)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (2, 4, 3)),
                   ((2, 3, 4), (4,))])
def batched_matmul(x: Tensor, y: Tensor):
    """The products of the matrices in the last two dimensions; a vector is a row left, a column right.

    Inputs: (..., m, k) or (k,), and (..., k, n) or (k,), of one dtype; the leading dimensions broadcast.
    ShapeError if k differs.  Output: (..., m, n), without the dimension that a vector lacks.
    """
    return torch.matmul(x, y)


def _any_rank(x: Any, y: Any) -> str:
    rx, ry = len(getattr(x, "shape", x)), len(getattr(y, "shape", y))
    left = "k" if rx == 1 else "... m k"
    right = "k" if ry == 1 else "... k n" if rx != 2 or ry != 2 else "k n"
    out = ("" if rx == 1 else " m") + ("" if ry == 1 else " n")
    dots = "... " if rx > 2 or ry > 2 else ""
    if not dots:
        left, right = left.replace("... ", ""), right.replace("... ", "")
    return f"{left}, {right} -> {dots}{out.strip()}"


batched_matmul.stage(lambda x, y: Product() if len(x.shape) == len(y.shape) == 2 else None)


@batched_matmul.shape
def _(x: Aval, y: Aval) -> Aval:
    _same_dtype("MatMul", x, y)
    if not x.shape or not y.shape:
        raise ValueError(f"For 'MatMul', the operands must have at least 1 dimension, but got "
                         f"{show(x)} and {show(y)}.")
    xs = x.shape if len(x.shape) > 1 else (1, *x.shape)
    ys = y.shape if len(y.shape) > 1 else (*y.shape, 1)
    m, n = _product("MatMul", Aval(xs, x.dtype), Aval(ys, y.dtype), False, False)
    shape = broadcast(xs[:-2], ys[:-2], name="MatMul")
    shape += (m,) if len(x.shape) > 1 else ()
    shape += (n,) if len(y.shape) > 1 else ()
    return Aval(shape, x.dtype)


@batched_matmul.cost
def _(x: Aval, y: Aval) -> int:
    return 2 * prod(batched_matmul.infer(x, y).shape) * x.shape[-1]


batched_matmul.onnx(direct("MatMul"))


@batched_matmul.grad(needs="x y")
def _(x: Value, y: Value, dout: Value):
    rx, ry = len(x.shape), len(y.shape)
    if rx == 1 or ry == 1:
        return lambda: _vector_dx(x, y, dout), lambda: _vector_dy(x, y, dout)
    if ry == 2:                    # one matrix for all rows: fold the leading dimensions
        return (lambda: _rows_times(dout, y),
                lambda: mat_mul(_rows(x), _rows(dout), transpose_a=True))
    return (lambda: fit(batch_mat_mul(dout, y, transpose_b=True), x),
            lambda: fit(batch_mat_mul(x, dout, transpose_a=True), y))


def _rows(x: Any) -> Any:
    """The rows of all matrices below each other."""
    return x if len(x.shape) == 2 else reshape(x, shape=(-1, x.shape[-1]))


def _rows_times(dout: Any, y: Any) -> Any:
    """dout @ y.T for a matrix `y`."""
    if len(dout.shape) == 2:
        return mat_mul(dout, y, transpose_b=True)
    return batched_matmul(dout, transpose(y, perm=(1, 0)))


def _vector_dx(x: Any, y: Any, dout: Any) -> Any:
    """The cotangent of `x` where one operand is a vector."""
    if len(y.shape) == 1:          # x (..., k) . y (k)
        return fit(expand_dims(dout, axis=-1) * y, x)
    d = expand_dims(dout, axis=-1)                                 # x (k) @ y (..., k, n)
    return fit(reshape(batched_matmul(y, d), shape=tuple(y.shape[:-1])), x)


def _vector_dy(x: Any, y: Any, dout: Any) -> Any:
    """The cotangent of `y` where one operand is a vector."""
    if len(x.shape) > 1:           # x (..., m, k) @ y (k)
        return fit(expand_dims(dout, axis=-1) * x, y)
    if len(y.shape) == 1:
        return dout * x
    return fit(expand_dims(x, axis=-1) * expand_dims(dout, axis=-2), y)


# ---------------------------------------------------------------------- the affine map

@operator(primitive="Dense()(input, weight, bias=None)", function="dense(input, weight, bias=None)",
          dims=lambda x, w, b=None: "... k, n k -> ... n" if b is None else "... k!, n k!, n -> ... n",
          samples=[((3, 4), (2, 4), (2,)), ((2, 3, 4), (2, 4), (2,)), ((3, 4), (2, 4), None),
                   ((4,), (2, 4), (2,))])
def dense(x: Tensor, w: Tensor, b: Tensor | None = None):
    """x @ w.T + b for `x` (..., k), `w` (n, k) and `b` (n,)."""
    return torch.nn.functional.linear(x, w, b)


dense.stage(lambda x, w, b=None: Product(transpose_b=True) if len(x.shape) > 1 and len(w.shape) == 2 else None)


@dense.shape
def _(x: Aval, w: Aval, b: Aval | None = None) -> Aval:
    _same_dtype("Dense", x, w)
    if not x.shape or len(w.shape) not in (1, 2) or x.shape[-1] != w.shape[-1]:
        raise ValueError(f"For 'Dense', the last axes of 'input' and 'weight' must agree, but got "
                         f"{show(x)} and {show(w)}.")
    if b is not None:
        _same_dtype("Dense", x, b)
        broadcast(b.shape, (*x.shape[:-1], *w.shape[:-1]), name="Dense")
    return Aval((*x.shape[:-1], *w.shape[:-1]), x.dtype)


@dense.onnx
def _(g: Exported, x: str, w: str, b: str | None = None):
    if b is not None and len(g.avals[x].shape) == len(g.avals[w].shape) == 2:
        return g.add("Gemm", x, w, b, transB=1)
    product = g.add("MatMul", x, _turned(g, w))
    return product if b is None else g.add("Add", product, b)


@dense.mindir
def _(g: Exported, x: str, w: str, b: str | None = None):
    rank = len(g.avals[x].shape)
    if rank < 2 or len(g.avals[w].shape) != 2:
        raise NotImplementedError("MindIR has no product of a matrix and a vector.")
    rows = x if rank == 2 else g.add("Reshape", x, shape=(-1, g.avals[x].shape[-1]))
    found = g.add("MatMul", rows, w, transpose_b=True)
    found = found if b is None else g.add("Add", found, b)
    return found if rank == 2 else g.add("Reshape", found, shape=tuple(g.results[0].shape))


@dense.grad(needs="x w b.aval")
def _(x: Value, w: Value, b: Aval | None, dout: Value):
    if len(w.shape) == 1:
        return (lambda: expand_dims(dout, axis=-1) * w,
                lambda: fit(expand_dims(dout, axis=-1) * x, w),
                lambda: fit(dout, b))

    def dw() -> Any:
        d = dout if len(dout.shape) > 1 else expand_dims(dout, axis=0)
        rows = x if len(x.shape) > 1 else expand_dims(x, axis=0)
        return mat_mul(_rows(d), _rows(rows), transpose_a=True)

    def db() -> Any:
        if b is not None and len(b.shape) == 1 and len(dout.shape) == 2 and b.shape == w.shape[:1]:
            return reduce_sum(dout, axis=0)
        return fit(dout, b)
    return (lambda: batched_matmul(dout, w)), dw, db


@dense.cost
def _(x: Aval, w: Aval, b: Aval | None = None) -> int:
    return 2 * prod(x.shape) * (w.shape[0] if len(w.shape) > 1 else 1)


@operator(hidden=True, samples=[((2, 3, 3),)], dims="... m! n! -> ... m! n!")
def identity_matrices(x: Tensor):
    """Identity matrices in the last two dimensions, of the shape of `x`."""
    return torch.eye(x.shape[-1], dtype=x.dtype, device=x.device).expand(x.shape).clone()


@identity_matrices.shape
def _(x: Aval) -> Aval:
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For 'matrix_power', the matrices must be square, but got {show(x)}.")
    return x


identity_matrices.grad(needs="")(lambda dout: (None,))
