"""Functions of sparse tensors: conversions, products with ordinary tensors, arithmetic."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import rounding
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
from .sparse_layouts import COOTensor, CSRTensor, RowTensor, of_layout, places_of


def dense_to_sparse_coo(tensor: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with their places, int32.

    Args:
        tensor: A matrix.

    Returns:
        A COOTensor.

    Raises:
        ValueError: If `tensor` has not two dimensions.

    Examples:
        >>> x = ops.dense_to_sparse_coo(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> x.indices.tolist(), x.values.tolist()
        ([[0, 1], [1, 0]], [2.0, 3.0])
    """
    return places_of("dense_to_sparse_coo", tensor)


def dense_to_sparse_csr(tensor: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, in compressed rows.

    Args:
        tensor: A matrix.

    Returns:
        A CSRTensor.

    Raises:
        ValueError: If `tensor` has not two dimensions.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> x.indptr.tolist(), x.indices.tolist(), x.values.tolist()
        ([0, 1, 2], [1, 0], [2.0, 3.0])
    """
    return places_of("dense_to_sparse_csr", tensor).to_csr()


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """Places and values of a matrix in compressed rows.

    Args:
        tensor: A CSRTensor.

    Returns:
        A COOTensor.

    Raises:
        TypeError: If `tensor` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_to_coo(x).indices.tolist()
        [[0, 1], [1, 0]]
    """
    return of_layout("csr_to_coo", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> Any:
    """An ordinary tensor of a matrix in compressed rows.

    Args:
        csr_tensor: A CSRTensor.

    Returns:
        A tensor of its shape, with zeros at the places that are not held.

    Raises:
        TypeError: If `csr_tensor` is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_to_dense(x).tolist()
        [[0.0, 2.0], [3.0, 0.0]]
    """
    return of_layout("csr_to_dense", csr_tensor, CSRTensor).to_dense()


def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> RowTensor:
    """A RowTensor; the name of 1.x.

    Args:
        indices: The rows that are held, a tensor of ints (n,).
        values: These rows, a tensor whose first dimension has the extent n.
        dense_shape: The shape of the whole, a tuple.

    Returns:
        A RowTensor.

    Examples:
        >>> x = ops.make_row_tensor(Tensor([1]), Tensor([[5.0, 6.0]]), (3, 2))
        >>> x.values.tolist(), x.dense_shape
        ([[5.0, 6.0]], (3, 2))
    """
    return RowTensor(indices, values, dense_shape)


def make_sparse_tensor(indices: Any, values: Any, dense_shape: Any) -> COOTensor:
    """A COOTensor; the name of 1.x.

    Args:
        indices: The places, a tensor of ints (n, 2).
        values: Their values, a tensor (n,).
        dense_shape: The shape, a tuple of two ints.

    Returns:
        A COOTensor.

    Examples:
        >>> ops.make_sparse_tensor(Tensor([[0, 1]]), Tensor([5.0]), (2, 2)).to_dense().tolist()
        [[0.0, 5.0], [0.0, 0.0]]
    """
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
    """The sum of two matrices, without sums of two values whose absolute value is below `thresh`.

    Args:
        x1, x2: COOTensors of one shape.
        thresh: A tensor with one element; sums of two values whose absolute value is smaller are left out.

    Returns:
        A COOTensor.

    Raises:
        TypeError: If `x1` is no COOTensor.

    Examples:
        >>> x = mindspore.COOTensor(Tensor([[0, 1]], mindspore.int64), Tensor([5.0]), (2, 2))
        >>> ops.coo_add(x, x, Tensor(0.0)).to_dense().tolist()
        [[0.0, 10.0], [0.0, 0.0]]
    """
    return of_layout("coo_add", x1, COOTensor).add(x2, thresh)


def coo_concat(sp_input: Any, concat_dim: Any = 0) -> COOTensor:
    """Matrices one after the other along a dimension, sorted by places.

    Args:
        sp_input: A list or tuple of COOTensors.
        concat_dim: The dimension, 0 or 1; None lays them upon each other.

    Returns:
        A COOTensor.

    Raises:
        TypeError: If one of them is no COOTensor.

    Examples:
        >>> x = mindspore.COOTensor(Tensor([[0, 1]], mindspore.int64), Tensor([5.0]), (1, 2))
        >>> ops.coo_concat((x, x)).to_dense().tolist()
        [[0.0, 5.0], [0.0, 5.0]]
    """
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


def csr_mm(a: CSRTensor, b: CSRTensor, trans_a: bool = False, trans_b: bool = False,
           adjoint_a: bool = False, adjoint_b: bool = False) -> CSRTensor:
    """The product of two matrices in compressed rows, transposed or conjugated and transposed first.

    Args:
        a, b: CSRTensors, (m, k) and (k, n) once transposed.
        trans_a, trans_b: Whether to transpose them first.
        adjoint_a, adjoint_b: Whether to transpose and conjugate them first.

    Returns:
        A CSRTensor (m, n).

    Raises:
        TypeError: If one of them is no CSRTensor.

    Examples:
        >>> x = ops.dense_to_sparse_csr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
        >>> ops.csr_mm(x, x, trans_b=True).to_dense().tolist()
        [[4.0, 0.0], [0.0, 9.0]]
    """
    x, y = of_layout("csr_mm", a, CSRTensor).to_dense(), of_layout("csr_mm", b, CSRTensor).to_dense()

    def turned(m: Any, trans: bool, adjoint: bool) -> Any:
        m = REGISTRY["Conj"](m) if adjoint and m.dtype.kind == "c" else m
        return transpose(m, perm=(1, 0)) if trans or adjoint else m
    return dense_to_sparse_csr(turned(x, trans_a, adjoint_a) @ turned(y, trans_b, adjoint_b))


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
    given = "Tensor([[0, 1]])" if layout is COOTensor else "Tensor([0, 1, 1]), Tensor([1])"
    function.__doc__ = _DOC.format(name=name, short=name[4:], layout=layout.__name__, given=given)
    return function


_DOC = """The result of `ops.{short}` for each value that a sparse matrix holds; what it does not hold stays unchanged.

Args:
    x: A {layout} with values that `ops.{short}` takes.

Returns:
    A {layout} of the shape and with the places of `x`.

Raises:
    TypeError: If `x` is no {layout}.

Examples:
    >>> x = mindspore.{layout}({given}, Tensor([1.0]), (2, 2))
    >>> bool((ops.{name}(x).values == ops.{short}(x.values)).all())
    True
"""


_ELEMENTWISE = {f"{prefix}_{name}": _of_values(f"{prefix}_{name}", operator, layout)
                for name, operator in _OF_VALUES.items()
                for prefix, layout in (("coo", COOTensor), ("csr", CSRTensor))}
globals().update(_ELEMENTWISE)

__all__ = [
    "coo_add", "coo_concat", "csr_mm", "csr_to_coo", "csr_to_dense", "dense_to_sparse_coo",
    "dense_to_sparse_csr", "make_row_tensor", "make_sparse_tensor", *_ELEMENTWISE,
]
METHODS = {"to_coo": dense_to_sparse_coo, "to_csr": dense_to_sparse_csr}
