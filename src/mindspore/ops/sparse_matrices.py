"""Primitives of sparse matrices in compressed rows: a shape, ends of batches, ends of rows, columns and values.

Ends of rows are counted within their batch. A matrix without a batch is one batch.
"""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import int64
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.compressed import csr_ends, csr_rows
from mindspore.operators.creation import arange
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.registry import REGISTRY
from mindspore.operators.scatter import scatter_nd
from mindspore.operators.segments import unsorted_segment_max, unsorted_segment_sum
from mindspore.operators.structure import cast, expand_dims

from .array import reshape
from .primitive import composed

MATRIX = "{0}_dense_shape, {0}_batch_pointers, {0}_row_pointers, {0}_col_indices, {0}_values"


def sizes(shape: Any) -> tuple[int, ...]:
    """A shape, given as a tensor or as a tuple, in numbers."""
    return tuple([int(n) for n in (shape.tolist() if is_tensor(shape) else shape)])


def keys(indices: Any, shape: tuple[int, ...]) -> Any:
    """The number of each place (n, dimensions) in rows of all elements."""
    strides = [1]
    for extent in shape[:0:-1]:
        strides.insert(0, strides[0] * extent)
    return (cast(indices, dtype=int64) * Tensor(strides, int64)).sum(1)


def at(numbers: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """The places (n, dimensions) of numbers in rows of all elements."""
    columns = []
    for extent in shape[:0:-1]:
        columns.insert(0, numbers % extent)
        numbers = numbers // extent
    return cast(concat(*[expand_dims(c, axis=1) for c in (numbers, *columns)], axis=1), dtype=dtype)


def merged(numbers: Any, values: Any) -> tuple[Any, Any]:
    """Numbers in order, each of them once, and the sum of its values."""
    order = numbers.argsort(stable=True)
    numbers = gather(numbers, order, axis=0)
    first = concat(numbers[:1] == numbers[:1], numbers[1:] != numbers[:-1], axis=0)
    kept = reshape(REGISTRY["NonZero"](first), shape=(-1,))
    group = cast(first, dtype=int64).cumsum(0) - 1
    return gather(numbers, kept, axis=0), unsorted_segment_sum(gather(values, order, axis=0), group,
                                                               num_segments=kept.shape[0])


def span(count: int) -> Any:
    """0, 1, ..., before `count`."""
    return arange(start=0, stop=count, step=1, dtype=int64)


class Rows:
    """The values of a matrix, with the row of each counted over all batches."""

    def __init__(self, shape: Any, batches: Any, rows: Any, columns: Any, values: Any):
        self.shape, self.dtype = sizes(shape), columns.dtype
        self.columns, self.values = columns, values
        self.count = (self.shape[0] if len(self.shape) == 3 else 1) * self.shape[-2]
        own = reshape(rows, shape=(-1, self.shape[-2] + 1))
        counts = reshape(own[:, 1:] - own[:, :-1], shape=(-1,))
        ends = concat(counts[:1] * 0, cast(counts.cumsum(0), dtype=counts.dtype), axis=0)
        self.rows = csr_rows(ends, count=columns.shape[0])

    def numbers(self) -> Any:
        """The number of each place among all elements."""
        return cast(self.rows, dtype=int64) * self.shape[-1] + self.columns

    def places(self) -> Any:
        """The place (n, dimensions) of each value."""
        return at(self.numbers(), self.shape, self.dtype)

    def turned(self) -> tuple[tuple[int, ...], Any]:
        """The shape of the transposed matrix, and the number of each place there."""
        *batch, rows, columns = self.shape
        outer, row = self.rows // rows, self.rows % rows
        return (*batch, columns, rows), cast((outer * columns + self.columns) * rows + row, dtype=int64)


def compressed(shape: tuple[int, ...], numbers: Any, values: Any, dtype: Any) -> tuple[Any, ...]:
    """The parts of a matrix whose values have these numbers, which rise."""
    batches, rows = (shape[0] if len(shape) == 3 else 1), shape[-2]
    ends = csr_ends(cast(numbers // shape[-1], dtype=dtype), count=batches * rows)
    starts = ends[::rows]
    own = reshape(ends[1:], shape=(batches, rows)) - expand_dims(starts[:-1], axis=1)
    own = concat(own[:, :1] * 0, own, axis=1)
    columns = cast(numbers % shape[-1], dtype=dtype)
    return Tensor(list(shape), dtype), starts, reshape(own, shape=(-1,)), columns, values


def ordered(shape: tuple[int, ...], numbers: Any, values: Any, dtype: Any) -> tuple[Any, ...]:
    """The parts of a matrix whose values have these numbers, in any order."""
    order = numbers.argsort(stable=True)
    return compressed(shape, gather(numbers, order, axis=0), gather(values, order, axis=0), dtype)


@composed(f"CSRSparseMatrixToDense()({MATRIX.format('x')})")
def _to_dense(x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any,
              x_values: Any) -> Any:
    """The matrix with all its elements."""
    found = Rows(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return scatter_nd(found.places(), x_values, shape=found.shape)


@composed(f"CSRSparseMatrixToSparseTensor()({MATRIX.format('x')})")
def _to_places(x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any,
               x_values: Any) -> tuple[Any, Any, Any]:
    """The places, the values, and the shape."""
    found = Rows(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return found.places(), x_values, x_dense_shape


@composed("DenseToCSRSparseMatrix()(dense_input, indices)")
def _of_dense(dense_input: Any, indices: Any) -> tuple[Any, ...]:
    """The elements at places (n, dimensions) that are in order, as a matrix in compressed rows."""
    return compressed(dense_input.shape, keys(indices, dense_input.shape), REGISTRY["GatherNd"](dense_input, indices),
                      indices.dtype)


@composed("SparseTensorToCSRSparseMatrix()(x_indices, x_values, x_dense_shape)")
def _of_places(x_indices: Any, x_values: Any, x_dense_shape: Any) -> tuple[Any, ...]:
    """The values at places that are in order, as a matrix in compressed rows."""
    shape = sizes(x_dense_shape)
    return compressed(shape, keys(x_indices, shape), x_values, x_indices.dtype)


@composed(f"SparseMatrixNNZ()({MATRIX.format('x')})")
def _count(x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any, x_values: Any) -> Any:
    """How many values each batch has."""
    return x_batch_pointers[1:] - x_batch_pointers[:-1]


@composed(f"SparseMatrixTranspose(conjugate=False)({MATRIX.format('x')})")
def _transpose(x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any, x_values: Any, *,
               conjugate: bool = False) -> tuple[Any, ...]:
    """Each matrix with rows and columns exchanged; with `conjugate`, of conjugated values."""
    found = Rows(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    shape, numbers = found.turned()
    return ordered(shape, numbers, _conjugated(x_values, conjugate), found.dtype)


@composed(f"SparseMatrixAdd()({MATRIX.format('x1')}, {MATRIX.format('x2')}, alpha, beta)")
def _add(x1_dense_shape: Any, x1_batch_pointers: Any, x1_row_pointers: Any, x1_col_indices: Any, x1_values: Any,
         x2_dense_shape: Any, x2_batch_pointers: Any, x2_row_pointers: Any, x2_col_indices: Any, x2_values: Any,
         alpha: Any, beta: Any) -> tuple[Any, ...]:
    """alpha * x1 + beta * x2."""
    first = Rows(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values)
    second = Rows(x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values)
    same_shape("SparseMatrixAdd", first.shape, second.shape)
    numbers, values = merged(concat(first.numbers(), second.numbers(), axis=0),
                             concat(x1_values * alpha, x2_values * beta, axis=0))
    return compressed(first.shape, numbers, values, first.dtype)


def same_shape(owner: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """ValueError unless two sparse tensors have one shape."""
    if first != second:
        raise ValueError(f"For '{owner}', the shapes must be equal, but got {first} and {second}.")


def _conjugated(x: Any, wanted: bool) -> Any:
    return REGISTRY["Conj"](x) if wanted and x.is_complex() else x


@composed(f"SparseMatrixMatMul(transpose_x1=False, transpose_x2=False, adjoint_x1=False, adjoint_x2=False, "
          f"transpose_output=False, conjugate_output=False)({MATRIX.format('x1')}, x2_dense)")
def _multiply(x1_dense_shape: Any, x1_batch_pointers: Any, x1_row_pointers: Any, x1_col_indices: Any, x1_values: Any,
              x2_dense: Any, *, transpose_x1: bool = False, transpose_x2: bool = False, adjoint_x1: bool = False,
              adjoint_x2: bool = False, transpose_output: bool = False, conjugate_output: bool = False) -> Any:
    """Each matrix times an ordinary one; flags exchange rows and columns, or conjugate, before or after it."""
    found = Rows(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices,
                 _conjugated(x1_values, adjoint_x1))
    shape, numbers = found.turned() if transpose_x1 or adjoint_x1 else (found.shape, found.numbers())
    dense = _conjugated(x2_dense.swapaxes(-1, -2) if transpose_x2 or adjoint_x2 else x2_dense, adjoint_x2)
    *batch, rows, inner = shape
    lines = reshape(dense, shape=(-1, dense.shape[-1]))
    row = numbers // inner
    taken = gather(lines, row // rows * inner + numbers % inner, axis=0)
    count = rows * (batch[0] if batch else 1)
    product = unsorted_segment_sum(taken * expand_dims(found.values, axis=1), row, num_segments=count)
    product = _conjugated(reshape(product, shape=(*batch, rows, dense.shape[-1])), conjugate_output)
    return product.swapaxes(-1, -2) if transpose_output else product


@composed(f"SparseMatrixSparseMatMul(transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False)"
          f"({MATRIX.format('x1')}, {MATRIX.format('x2')})")
def _product(x1_dense_shape: Any, x1_batch_pointers: Any, x1_row_pointers: Any, x1_col_indices: Any, x1_values: Any,
             x2_dense_shape: Any, x2_batch_pointers: Any, x2_row_pointers: Any, x2_col_indices: Any, x2_values: Any, *,
             transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
             adjoint_b: bool = False) -> tuple[Any, ...]:
    """The product of two sparse matrices, with a value wherever a row meets a column."""
    parts = [(Rows(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices,
                   _conjugated(x1_values, adjoint_a)), transpose_a or adjoint_a),
             (Rows(x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices,
                   _conjugated(x2_values, adjoint_b)), transpose_b or adjoint_b)]
    (left, a), (right, b) = [m.turned() if turn else (m.shape, m.numbers()) for m, turn in parts]
    order = b.argsort(stable=True)
    b, weights = gather(b, order, axis=0), gather(parts[1][0].values, order, axis=0)
    inner, columns = right[-2:]
    line = a // inner // left[-2] * inner + a % inner                  # the row of the second that each value meets
    ends = csr_ends(b // columns, count=inner * (right[0] if len(right) == 3 else 1))
    begin = gather(ends, line, axis=0)
    counts = gather(ends, line + 1, axis=0) - begin
    which = csr_rows(concat(counts[:1] * 0, counts.cumsum(0), axis=0), count=int(counts.sum().item()))
    before = gather(counts.cumsum(0) - counts, which, axis=0)
    met = gather(begin, which, axis=0) + span(which.shape[0]) - before
    products = gather(parts[0][0].values, which, axis=0) * gather(weights, met, axis=0)
    numbers = gather(a // inner, which, axis=0) * columns + gather(b, met, axis=0) % columns
    return compressed((*left[:-1], columns), *merged(numbers, products), parts[0][0].dtype)


def softmax_of_rows(values: Any, rows: Any, count: int) -> Any:
    """Exponentials of values, divided by their sum in their row."""
    greatest = gather(unsorted_segment_max(values, rows, num_segments=count), rows, axis=0)
    powers = REGISTRY["Exp"](values - greatest)
    return powers / gather(unsorted_segment_sum(powers, rows, num_segments=count), rows, axis=0)


@composed(f"SparseMatrixSoftmax(dtype)({MATRIX.format('x')})")
def _softmax(x_dense_shape: Any, x_batch_pointers: Any, x_row_pointers: Any, x_col_indices: Any, x_values: Any, *,
             dtype: Any) -> tuple[Any, ...]:
    """The matrix with the softmax of the values of each row; elements that have no value count for nothing."""
    found = Rows(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, softmax_of_rows(x_values, found.rows,
                                                                                           found.count)
