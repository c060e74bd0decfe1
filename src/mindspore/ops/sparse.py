"""Matrices of which most elements are zero: places and values (COO), compressed rows (CSR), whole rows.

They are plain holders of ordinary tensors, so both modes and gradients by `values` need nothing of
their own.  Source of the layouts: Saad, Iterative Methods for Sparse Linear Systems (2003), section 3.4.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, int16, int32, int64
from mindspore.core.errors import kind
from mindspore.core.tensor import Tensor, is_tensor
from mindspore.operators import reduction, rounding
from mindspore.operators import scatter as scattering
from mindspore.operators.compressed import csr_ends, csr_rows
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.logical import logical_and
from mindspore.operators.registry import REGISTRY
from mindspore.operators.segments import unsorted_segment_sum
from mindspore.operators.structure import cast, expand_dims, transpose

from .array import reshape
from .primitive import composed
from .signatures import plain

_INTEGERS = (int16, int32, int64)


def _checked(owner: str, name: str, x: Any, rank: int, whole: bool = False) -> Any:
    """A tensor with `rank` dimensions, of integers if `whole`."""
    if not is_tensor(x):
        raise TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {kind(x)}.")
    if whole and x.dtype not in _INTEGERS:
        raise TypeError(f"For '{owner}', the '{name}' must be of type int16, int32 or int64, but got {x.dtype}.")
    if x.ndim != rank:
        raise ValueError(f"For '{owner}', the '{name}' must have {rank} dimensions, but got {x.ndim}.")
    return x


def _extents(owner: str, shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, tuple):
        raise TypeError(f"For '{owner}', the 'shape' must be a tuple, but got {kind(shape)}.")
    if any([n <= 0 for n in shape]):
        raise ValueError(f"For '{owner}', the extents of 'shape' must be positive, but got {shape}.")
    return shape


class _Sparse:
    """What the layouts share: `values` hold the elements, the dtype is theirs."""

    __init__: Callable[..., None]        # of the tensors, and the shape
    values: Any
    shape: tuple[int, ...]
    _fields: tuple[str, ...] = ()

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of values that are held."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return self.values.itemsize

    def to_tuple(self) -> tuple[Any, ...]:
        """The tensors that are held, and the shape."""
        return (*[getattr(self, name) for name in self._fields], self.shape)

    def with_values(self, values: Any) -> Any:
        """The same places with other values."""
        return type(self)(*[getattr(self, name) for name in self._fields[:-1]], values, self.shape)

    def astype(self, dtype: Any) -> Any:
        """The values in another dtype."""
        return self.with_values(cast(self.values, dtype=as_dtype(dtype)))

    def abs(self) -> Any:
        """The absolute values."""
        return self.with_values(REGISTRY["Abs"](self.values))

    def __neg__(self) -> Any:
        return self.with_values(-self.values)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={_shown(getattr(self, name))}" for name in self._fields)
        return f"{type(self).__name__}(shape={list(self.shape)}, dtype={self.dtype}, {parts})"


def _shown(x: Any) -> str:
    """A tensor as it is written within a sparse one: numbers without commas."""
    head, numbers = repr(x).split("value=", 1)
    return f"{head}value={numbers.removeprefix(' ').replace(',', '')}"


class COOTensor(_Sparse):
    """A matrix as places and values: element `indices[i]` is `values[i]`, all others are 0.

    Args:
        indices: The places (N, 2), int16, int32 or int64.
        values: The elements (N,).
        shape: (rows, columns).
        coo_tensor: Another COOTensor to take them from instead.
    """

    _fields = ("indices", "values")

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None,
                 coo_tensor: Any = None):
        if coo_tensor is not None:
            if not isinstance(coo_tensor, COOTensor):
                raise TypeError(f"For 'COOTensor', the 'coo_tensor' must be a COOTensor, but got "
                                f"{kind(coo_tensor)}.")
            indices, values, shape = coo_tensor.to_tuple()
        self.indices = _checked("COOTensor", "indices", indices, 2, whole=True)
        self.values = _checked("COOTensor", "values", values, 1)
        self.shape = _extents("COOTensor", shape)
        if len(shape) != 2 or indices.shape[1] != 2:
            raise ValueError(f"For 'COOTensor', the 'shape' and the places must be pairs, but got {shape} and "
                             f"places of {indices.shape[1]} numbers.")
        if indices.shape[0] != values.shape[0]:
            raise ValueError(f"For 'COOTensor', there must be as many places as values, but got "
                             f"{indices.shape[0]} and {values.shape[0]}.")

    def to_dense(self) -> Any:
        """The matrix as an ordinary tensor; values of one place are added."""
        return scattering.scatter_nd(self.indices, self.values, shape=self.shape)

    def to_csr(self) -> CSRTensor:
        """The matrix in compressed rows; the places must be sorted by rows."""
        rows, columns = self.indices[:, 0], self.indices[:, 1]
        return CSRTensor(csr_ends(rows, count=self.shape[0]), columns, self.values, self.shape)

    def coalesce(self) -> COOTensor:
        """The same matrix with sorted places, each of them once."""
        places, values, _ = REGISTRY["Coalesce"](transpose(self.indices, perm=(1, 0)), self.values,
                                                 Tensor(list(self.shape), int64))
        return COOTensor(cast(transpose(places, perm=(1, 0)), dtype=self.indices.dtype), values, self.shape)

    def add(self, other: COOTensor, thresh: Any) -> COOTensor:
        """The sum of two matrices, without values below `thresh`."""
        return coo_add(self, other, thresh)

    def __add__(self, other: COOTensor) -> COOTensor:
        return coo_add(self, other, 0)


class CSRTensor(_Sparse):
    """A matrix in compressed rows: row i holds `values[indptr[i]:indptr[i + 1]]` in the columns `indices`.

    Args:
        indptr: Where the rows begin, and the end of the last (rows + 1,).
        indices: The columns (N,).
        values: The elements (N,).
        shape: (rows, columns).
        csr_tensor: Another CSRTensor to take them from instead.
    """

    _fields = ("indptr", "indices", "values")

    def __init__(self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None,
                 csr_tensor: Any = None):
        if csr_tensor is not None:
            if not isinstance(csr_tensor, CSRTensor):
                raise TypeError(f"For 'CSRTensor', the 'csr_tensor' must be a CSRTensor, but got "
                                f"{kind(csr_tensor)}.")
            indptr, indices, values, shape = csr_tensor.to_tuple()
        self.indptr = _checked("CSRTensor", "indptr", indptr, 1, whole=True)
        self.indices = _checked("CSRTensor", "indices", indices, 1, whole=True)
        self.values = _checked("CSRTensor", "values", values, getattr(values, "ndim", 1) or 1)
        self.shape = _extents("CSRTensor", shape)
        if indptr.shape[0] != shape[0] + 1:
            raise ValueError(f"For 'CSRTensor', the 'indptr' must have {shape[0] + 1} elements for the shape "
                             f"{shape}, but got {indptr.shape[0]}.")
        if indices.shape[0] != values.shape[0]:
            raise ValueError(f"For 'CSRTensor', there must be as many columns as values, but got "
                             f"{indices.shape[0]} and {values.shape[0]}.")

    def rows(self) -> Any:
        """The row of each value."""
        return csr_rows(self.indptr, count=self.values.shape[0])

    def to_coo(self) -> COOTensor:
        """The matrix as places and values."""
        places = [expand_dims(self.rows(), axis=1), expand_dims(self.indices, axis=1)]
        return COOTensor(concat(*places, axis=1), self.values, self.shape)

    def to_dense(self) -> Any:
        """The matrix as an ordinary tensor."""
        return self.to_coo().to_dense()

    def mv(self, dense_vector: Any) -> Any:
        """The matrix times a column (columns, 1)."""
        return self.mm(dense_vector)

    def mm(self, matrix: Any) -> Any:
        """The matrix times another one; compressed rows if the other has them."""
        if isinstance(matrix, CSRTensor):
            return dense_to_sparse_csr(self.mm(matrix.to_dense()))
        products = gather(matrix, self.indices, axis=0) * expand_dims(self.values, axis=-1)
        return unsorted_segment_sum(products, self.rows(), num_segments=self.shape[0])

    def sum(self, axis: int) -> Any:
        """The sums of the rows (axis 1 or -1), as a column."""
        if axis not in (1, -1):
            raise ValueError(f"For 'CSRTensor.sum', the 'axis' must be 1 or -1, but got {axis}.")
        total = unsorted_segment_sum(self.values, self.rows(), num_segments=self.shape[0])
        return expand_dims(total, axis=1)

    def add(self, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
        """alpha * self + beta * b."""
        return csr_add(self, b, alpha, beta)

    def __add__(self, other: CSRTensor) -> CSRTensor:
        return csr_add(self, other, 1, 1)

    def __sub__(self, other: CSRTensor) -> CSRTensor:
        return csr_add(self, other, 1, -1)

    def __mul__(self, y: Any) -> Any:
        return csr_mul(self, y)

    def __truediv__(self, y: Any) -> Any:
        return csr_div(self, y)


class RowTensor(_Sparse):
    """A tensor of which only some rows are not 0: row `indices[i]` is `values[i]`.

    Args:
        indices: The rows (N,).
        values: Their elements (N, ...).
        shape: The shape of the whole tensor.
        row_tensor: Another RowTensor to take them from instead.
    """

    _fields = ("indices", "values")

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None,
                 row_tensor: Any = None):
        if row_tensor is not None:
            indices, values, shape = row_tensor.to_tuple()
        self.indices = _checked("RowTensor", "indices", indices, 1, whole=True)
        self.values = _checked("RowTensor", "values", values, getattr(values, "ndim", 1))
        self.shape = _extents("RowTensor", shape)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The shape of the whole tensor."""
        return self.shape


SparseTensor = COOTensor      # its name until 1.7


# ---------------------------------------------------------------------- conversions

def dense_to_sparse_coo(tensor: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with their places, int32."""
    return _places("dense_to_sparse_coo", tensor)


def dense_to_sparse_csr(tensor: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, in compressed rows."""
    return _places("dense_to_sparse_csr", tensor).to_csr()


def _places(owner: str, x: Any) -> COOTensor:
    places = REGISTRY["NonZero"](_checked(owner, "tensor", x, 2))
    values = REGISTRY["GatherNd"](x, places)
    return COOTensor(cast(places, dtype=int32), values, tuple(x.shape))


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """Places and values of a matrix in compressed rows."""
    return _layout("csr_to_coo", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> Any:
    """An ordinary tensor of a matrix in compressed rows."""
    return _layout("csr_to_dense", csr_tensor, CSRTensor).to_dense()


def _layout(owner: str, x: Any, layout: type) -> Any:
    if not isinstance(x, layout):
        raise TypeError(f"For '{owner}', the input must be a {layout.__name__}, but got {kind(x)}.")
    return x


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


# ---------------------------------------------------------------------- products with ordinary tensors

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


# ---------------------------------------------------------------------- arithmetic

def coo_add(x1: COOTensor, x2: COOTensor, thresh: Any) -> COOTensor:
    """The sum of two matrices, without values whose absolute value is below `thresh`."""
    both = coo_concat((_layout("coo_add", x1, COOTensor), _layout("coo_add", x2, COOTensor)), None)
    total = both.coalesce()
    kept = reshape(REGISTRY["NonZero"](REGISTRY["Abs"](total.values) >= thresh), shape=(-1,))
    return COOTensor(gather(total.indices, kept, axis=0), gather(total.values, kept, axis=0), x1.shape)


def coo_concat(sp_input: Any, concat_dim: Any = 0) -> COOTensor:
    """Matrices one after the other along a dimension, sorted by places; upon each other for None."""
    places, shape = [], list(sp_input[0].shape)
    before = 0
    for x in sp_input:
        _layout("coo_concat", x, COOTensor)
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
    x, y = _layout("csr_add", a, CSRTensor).to_coo(), _layout("csr_add", b, CSRTensor).to_coo()
    scaled = (x.with_values(x.values * alpha), y.with_values(y.values * beta))
    return coo_concat(scaled, None).coalesce().to_csr()


def csr_mv(csr_tensor: CSRTensor, dense: Any) -> Any:
    """A matrix in compressed rows times a column (columns, 1)."""
    return _layout("csr_mv", csr_tensor, CSRTensor).mv(dense)


def csr_mm(a: CSRTensor, b: CSRTensor, trans_a: bool = False, trans_b: bool = False,
           adjoint_a: bool = False, adjoint_b: bool = False) -> CSRTensor:
    """The product of two matrices in compressed rows, transposed or conjugated and transposed first."""
    x, y = _layout("csr_mm", a, CSRTensor).to_dense(), _layout("csr_mm", b, CSRTensor).to_dense()

    def turned(m: Any, trans: bool, adjoint: bool) -> Any:
        m = REGISTRY["Conj"](m) if adjoint and m.dtype.kind == "c" else m
        return transpose(m, perm=(1, 0)) if trans or adjoint else m
    return dense_to_sparse_csr(turned(x, trans_a, adjoint_a) @ turned(y, trans_b, adjoint_b))


def csr_mul(x: CSRTensor, y: Any) -> Any:
    """The values times the elements of `y` at their places; `y` may be a number."""
    return _layout("csr_mul", x, CSRTensor).values * _at_places(x, y)


def csr_div(x: CSRTensor, y: Any) -> Any:
    """The values divided by the elements of `y` at their places; `y` may be a number."""
    return _layout("csr_div", x, CSRTensor).values / _at_places(x, y)


def _at_places(x: CSRTensor, y: Any) -> Any:
    if not is_tensor(y) or not y.ndim:
        return y
    return csr_gather(x.indptr, x.indices, REGISTRY["BroadcastTo"](y, shape=x.shape), x.shape)


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: Any) -> Any:
    """The elements of a matrix at the places of compressed rows."""
    rows = csr_rows(indptr, count=indices.shape[0])
    return REGISTRY["GatherNd"](dense, concat(expand_dims(rows, axis=1), expand_dims(indices, axis=1), axis=1))


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> Any:
    """The sums of the rows (axis 1 or -1), as a column."""
    return _layout("csr_reduce_sum", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The values of each row as probabilities; places that are not held count as minus infinity."""
    x = _layout("csr_softmax", logits, CSRTensor).astype(dtype)
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
        values = REGISTRY[operator](_layout(name, x, layout).values)
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
