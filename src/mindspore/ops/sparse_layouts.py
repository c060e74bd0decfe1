"""Matrices of which most elements are zero: places and values (COO), compressed rows (CSR), whole rows.

They are plain holders of ordinary tensors, so both modes and gradients by `values` need nothing of
their own.  Source of the layouts: Saad, Iterative Methods for Sparse Linear Systems (2003), section 3.4.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype, int16, int32, int64
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import scatter as scattering
from mindspore.operators.compressed import csr_ends, csr_rows
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.registry import REGISTRY
from mindspore.operators.segments import unsorted_segment_sum
from mindspore.operators.structure import cast, expand_dims, ones_like, transpose

from .array import reshape

_INTEGERS = (int16, int32, int64)


def of_rank(owner: str, name: str, x: Any, rank: int, whole: bool = False) -> Any:
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
    shape: tuple[int, ...] = ()
    _held: tuple[str, ...] = ()

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
        return (*[getattr(self, name) for name in self._held], self.shape)

    def with_values(self, values: Any) -> Any:
        """The same places with other values."""
        return type(self)(*[getattr(self, name) for name in self._held[:-1]], values, self.shape)

    def astype(self, dtype: Any) -> Any:
        """The values in another dtype."""
        return self.with_values(cast(self.values, dtype=as_dtype(dtype)))

    def abs(self) -> Any:
        """The absolute values."""
        return self.with_values(REGISTRY["Abs"](self.values))

    def __neg__(self) -> Any:
        return self.with_values(-self.values)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={_shown(getattr(self, name))}" for name in self._held)
        return f"{type(self).__name__}(shape={list(self.shape)}, dtype={self.dtype}, {parts})"


def _shown(x: Any) -> str:
    """The text of a tensor within that of a sparse one: numbers without commas."""
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

    _held = ("indices", "values")

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None,
                 coo_tensor: Any = None):
        if coo_tensor is not None:
            indices, values, shape = _parts("coo_tensor", coo_tensor, COOTensor)
        self.indices = of_rank("COOTensor", "indices", indices, 2, whole=True)
        self.values = of_rank("COOTensor", "values", values, 1)
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
        """The sum of two matrices, without sums of two values whose absolute value is below `thresh`."""
        every = self.over(of_layout("coo_add", other, COOTensor))
        total = every.coalesce()
        alone = COOTensor(every.indices, ones_like(every.values), self.shape).coalesce().values < 2
        kept = REGISTRY["LogicalOr"](REGISTRY["Abs"](total.values) >= thresh, alone)
        kept = reshape(REGISTRY["NonZero"](kept), shape=(-1,))
        return COOTensor(gather(total.indices, kept, axis=0), gather(total.values, kept, axis=0), self.shape)

    def over(self, other: COOTensor) -> COOTensor:
        """Both matrices upon each other: places that both have stand there twice."""
        indices = concat(self.indices, other.indices, axis=0)
        return COOTensor(indices, concat(self.values, other.values, axis=0), self.shape)

    def elements_of(self, y: Any, does: str) -> Any:
        """The elements of a matrix of the same shape at the places of this one."""
        if not is_tensor(y):
            raise TypeError(f"A COOTensor cannot be {does} {kind(y)}, but by a Tensor of its shape only.")
        self._need_shape(y)
        return REGISTRY["GatherNd"](y, self.indices)

    def _need_shape(self, other: Any) -> None:
        if tuple(other.shape) != tuple(self.shape):
            raise ValueError(f"For 'COOTensor', both operands must have one shape, but got {self.shape} and "
                             f"{tuple(other.shape)}.")

    def __add__(self, other: Any) -> Any:
        if not is_tensor(other):
            return self.add(other, 0)
        self._need_shape(other)
        return other + self.to_dense()

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> COOTensor:
        return self.with_values(self.values * self.elements_of(other, "multiplied by"))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> COOTensor:
        return self.with_values(self.values / self.elements_of(other, "divided by"))


class CSRTensor(_Sparse):
    """A matrix in compressed rows: row i holds `values[indptr[i]:indptr[i + 1]]` in the columns `indices`.

    Args:
        indptr: Where the rows begin, and the end of the last (rows + 1,).
        indices: The columns (N,).
        values: The elements (N,).
        shape: (rows, columns).
        csr_tensor: Another CSRTensor to take them from instead.
    """

    _held = ("indptr", "indices", "values")

    def __init__(self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None,
                 csr_tensor: Any = None):
        if csr_tensor is not None:
            indptr, indices, values, shape = _parts("csr_tensor", csr_tensor, CSRTensor)
        self.indptr = of_rank("CSRTensor", "indptr", indptr, 1, whole=True)
        self.indices = of_rank("CSRTensor", "indices", indices, 1, whole=True)
        self.values = of_rank("CSRTensor", "values", values, getattr(values, "ndim", 1) or 1)
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
            return places_of("csr_mm", self.mm(matrix.to_dense())).to_csr()
        products = gather(matrix, self.indices, axis=0) * expand_dims(self.values, axis=-1)
        return unsorted_segment_sum(products, self.rows(), num_segments=self.shape[0])

    def sum(self, axis: int) -> Any:
        """The sums of the rows (axis 1 or -1), as a column."""
        if axis not in (1, -1):
            raise ValueError(f"For 'CSRTensor.sum', the 'axis' must be 1 or -1, but got {axis}.")
        total = unsorted_segment_sum(self.values, self.rows(), num_segments=self.shape[0])
        return expand_dims(total, axis=1)

    def add(self, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
        """alpha * self + beta * b; values that cancel stay as zeros."""
        x, y = self.to_coo(), of_layout("csr_add", b, CSRTensor).to_coo()
        scaled = x.with_values(x.values * alpha).over(y.with_values(y.values * beta))
        return scaled.coalesce().to_csr()

    def combined(self, function: Any, y: Any) -> Any:
        """A function of the values and the elements of `y` at their places, in rows again; of the values and a number
        the new values alone."""
        if not is_tensor(y) or not y.ndim:
            return function(self.values, y)
        whole = REGISTRY["BroadcastTo"](y, shape=self.shape)
        return self.with_values(function(self.values, at_places(self.indptr, self.indices, whole)))

    def __add__(self, other: CSRTensor) -> CSRTensor:
        return self.add(other, 1, 1)

    def __sub__(self, other: CSRTensor) -> CSRTensor:
        return self.add(other, 1, -1)

    def __mul__(self, y: Any) -> Any:
        return self.combined(operator.mul, y)

    def __truediv__(self, y: Any) -> Any:
        return self.combined(operator.truediv, y)


class RowTensor(_Sparse):
    """A tensor of which only some rows are not 0: row `indices[i]` is `values[i]`.

    Args:
        indices: The rows (N,).
        values: Their elements (N, ...).
        shape: The shape of the whole tensor.
        row_tensor: Another RowTensor to take them from instead.
    """

    _held = ("indices", "values")

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None,
                 row_tensor: Any = None):
        if row_tensor is not None:
            indices, values, shape = _parts("row_tensor", row_tensor, RowTensor)
        self.indices = of_rank("RowTensor", "indices", indices, 1, whole=True)
        self.values = of_rank("RowTensor", "values", values, getattr(values, "ndim", 1))
        self.shape = _extents("RowTensor", shape)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The shape of the whole tensor."""
        return self.shape


def _parts(name: str, other: Any, layout: type) -> tuple[Any, ...]:
    """The parts of another matrix, which must be of the same layout."""
    if not isinstance(other, layout):
        raise TypeError(f"For '{layout.__name__}', the '{name}' must be a {layout.__name__}, but got {kind(other)}.")
    return other.to_tuple()


SparseTensor = COOTensor      # its name until 1.7


def places_of(owner: str, x: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with their places, int32."""
    places = REGISTRY["NonZero"](of_rank(owner, "tensor", x, 2))
    values = REGISTRY["GatherNd"](x, places)
    return COOTensor(cast(places, dtype=int32), values, tuple(x.shape))


def of_layout(owner: str, x: Any, layout: type) -> Any:
    """A matrix, which must be of that layout."""
    if not isinstance(x, layout):
        raise TypeError(f"For '{owner}', the input must be a {layout.__name__}, but got {kind(x)}.")
    return x


def at_places(indptr: Any, indices: Any, dense: Any) -> Any:
    """The elements of a matrix at the places of compressed rows."""
    rows = csr_rows(indptr, count=indices.shape[0])
    return REGISTRY["GatherNd"](dense, concat(expand_dims(rows, axis=1), expand_dims(indices, axis=1), axis=1))
