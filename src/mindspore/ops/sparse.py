"""Functions of sparse tensors: conversions, products with ordinary tensors, arithmetic."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import reduction, rounding
from mindspore.operators import scatter as scattering
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.logical import logical_and
from mindspore.operators.registry import REGISTRY
from mindspore.operators.segments import unsorted_segment_sum
from mindspore.operators.structure import expand_dims, transpose

from .array import reshape
from .primitive import composed
from .signatures import plain
from .sparse_layouts import COOTensor, CSRTensor, RowTensor, at_places, of_layout, places_of


def dense_to_sparse_coo(tensor: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with their places, int32."""
    return places_of("dense_to_sparse_coo", tensor)


def dense_to_sparse_csr(tensor: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, in compressed rows."""
    return places_of("dense_to_sparse_csr", tensor).to_csr()


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """Places and values of a matrix in compressed rows."""
    return of_layout("csr_to_coo", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> Any:
    """An ordinary tensor of a matrix in compressed rows."""
    return of_layout("csr_to_dense", csr_tensor, CSRTensor).to_dense()


def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> RowTensor:
    """A RowTensor; the name of 1.x."""
    return RowTensor(indices, values, dense_shape)


def make_sparse_tensor(indices: Any, values: Any, dense_shape: Any) -> COOTensor:
    """A COOTensor; the name of 1.x."""
    return COOTensor(indices, values, dense_shape)


@composed("SparseSlice()(indices, values, shape, start, size)")
def sparse_slice(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> tuple[Any, Any, Any]:
    """Places, values and shape of the part of a sparse tensor that begins at `start` and has that size."""
    shape, start, size = [x if is_tensor(x) else Tensor(list(x), int64) for x in (shape, start, size)]
    end = rounding.minimum(start + size, shape)
    inside = logical_and(indices >= start, indices < end).all(1)
    kept = reshape(REGISTRY["NonZero"](inside), shape=(-1,))
    return gather(indices, kept, axis=0) - start, gather(values, kept, axis=0), end - start


@composed("SparseTensorDenseMatmul(adjoint_st=False, adjoint_dt=False)(indices, values, sparse_shape, dense)")
def sparse_dense_matmul(indices: Any, values: Any, sparse_shape: Any, dense: Any, *,
                        adjoint_st: bool = False, adjoint_dt: bool = False) -> Any:
    """A sparse matrix times an ordinary one; either is transposed first if its flag says so."""
    owner = "SparseTensorDenseMatmul"
    check.boolean(owner, "adjoint_st", adjoint_st)
    if not isinstance(plain(sparse_shape), tuple):
        raise TypeError(f"For '{owner}', the 'sparse_shape' must be a tuple, but got {kind(sparse_shape)}.")
    rows, columns = indices[:, 0], indices[:, 1]
    count = plain(sparse_shape)[0]
    if adjoint_st:
        rows, columns, count = columns, rows, plain(sparse_shape)[1]
    if check.boolean(owner, "adjoint_dt", adjoint_dt):
        dense = transpose(dense, perm=(1, 0))
    products = gather(dense, columns, axis=0) * expand_dims(values, axis=-1)
    return unsorted_segment_sum(products, rows, num_segments=count)


@composed("SparseTensorDenseAdd()(x1_indices, x1_values, x1_shape, x2)")
def sparse_dense_add(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
    """A sparse tensor plus an ordinary one."""
    return scattering.scatter_nd(x1_indices, x1_values, shape=plain(x1_shape)) + x2


def coo_add(x1: COOTensor, x2: COOTensor, thresh: Any) -> COOTensor:
    """The sum of two matrices, without values whose absolute value is below `thresh`."""
    return of_layout("coo_add", x1, COOTensor).add(x2, thresh)


def coo_concat(sp_input: Any, concat_dim: Any = 0) -> COOTensor:
    """Matrices one after the other along a dimension, sorted by places; upon each other for None."""
    places, shape = [], list(sp_input[0].shape)
    before = 0
    for x in sp_input:
        of_layout("coo_concat", x, COOTensor)
        if concat_dim is None:
            places.append(x.indices)
            continue
        shift = Tensor([before, 0] if concat_dim % 2 == 0 else [0, before], x.indices.dtype)
        places.append(x.indices + shift)
        before += x.shape[concat_dim]
    values = concat(*[x.values for x in sp_input], axis=0)
    if concat_dim is None:
        return COOTensor(concat(*places, axis=0), values, tuple(shape))
    shape[concat_dim] = before
    return COOTensor(concat(*places, axis=0), values, tuple(shape)).coalesce()


def csr_add(a: CSRTensor, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
    """alpha * a + beta * b; values that cancel stay as zeros."""
    return of_layout("csr_add", a, CSRTensor).add(b, alpha, beta)


def csr_mv(csr_tensor: CSRTensor, dense: Any) -> Any:
    """A matrix in compressed rows times a column (columns, 1)."""
    return of_layout("csr_mv", csr_tensor, CSRTensor).mv(dense)


def csr_mm(a: CSRTensor, b: CSRTensor, trans_a: bool = False, trans_b: bool = False,
           adjoint_a: bool = False, adjoint_b: bool = False) -> CSRTensor:
    """The product of two matrices in compressed rows, transposed or conjugated and transposed first."""
    x, y = of_layout("csr_mm", a, CSRTensor).to_dense(), of_layout("csr_mm", b, CSRTensor).to_dense()

    def turned(m: Any, trans: bool, adjoint: bool) -> Any:
        m = REGISTRY["Conj"](m) if adjoint and m.dtype.kind == "c" else m
        return transpose(m, perm=(1, 0)) if trans or adjoint else m
    return dense_to_sparse_csr(turned(x, trans_a, adjoint_a) @ turned(y, trans_b, adjoint_b))


def csr_mul(x: CSRTensor, y: Any) -> Any:
    """The values times the elements of `y` at their places; `y` may be a number."""
    return of_layout("csr_mul", x, CSRTensor) * y


def csr_div(x: CSRTensor, y: Any) -> Any:
    """The values divided by the elements of `y` at their places; `y` may be a number."""
    return of_layout("csr_div", x, CSRTensor) / y


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: Any) -> Any:
    """The elements of a matrix at the places of compressed rows; `sparse_shape` is the shape of the matrix."""
    return at_places(indptr, indices, dense)


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> Any:
    """The sums of the rows (axis 1 or -1), as a column."""
    return of_layout("csr_reduce_sum", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The values of each row as probabilities; places that are not held count as minus infinity."""
    x = of_layout("csr_softmax", logits, CSRTensor).astype(dtype)
    powers = REGISTRY["Exp"](x.values - reduction.reduce_max(x.values))
    total = unsorted_segment_sum(powers, x.rows(), num_segments=x.shape[0])
    return x.with_values(powers / gather(total, x.rows(), axis=0))


_OF_VALUES = {
    "abs": "Abs", "acos": "ACos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan",
    "atanh": "Atanh", "ceil": "Ceil", "cos": "Cos", "cosh": "Cosh", "exp": "Exp", "expm1": "Expm1",
    "floor": "Floor", "inv": "Reciprocal", "isfinite": "IsFinite", "isinf": "IsInf", "isnan": "IsNan", "log": "Log",
    "log1p": "Log1p", "neg": "Neg", "relu": "ReLU", "relu6": "ReLU6", "round": "Round", "sigmoid": "Sigmoid",
    "sin": "Sin", "sinh": "Sinh", "softsign": "Softsign", "sqrt": "Sqrt", "square": "Square", "tan": "Tan",
    "tanh": "Tanh",
}


def _of_values(name: str, operator: str, layout: type) -> Any:
    def function(x: Any) -> Any:
        values = REGISTRY[operator](of_layout(name, x, layout).values)
        return x.with_values(values)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{operator}` of the values that a {layout.__name__} holds."
    return function


_ELEMENTWISE = {f"{prefix}_{name}": _of_values(f"{prefix}_{name}", operator, layout)
                for name, operator in _OF_VALUES.items()
                for prefix, layout in (("coo", COOTensor), ("csr", CSRTensor))}
globals().update(_ELEMENTWISE)

__all__ = [
    "coo_add", "coo_concat", "csr_add", "csr_div", "csr_gather", "csr_mm", "csr_mul", "csr_mv",
    "csr_reduce_sum", "csr_softmax", "csr_to_coo", "csr_to_dense", "dense_to_sparse_coo",
    "dense_to_sparse_csr", "make_row_tensor", "make_sparse_tensor", *_ELEMENTWISE,
]
METHODS = {"to_coo": dense_to_sparse_coo, "to_csr": dense_to_sparse_csr}
