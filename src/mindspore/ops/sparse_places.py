"""Primitives of sparse tensors given by places (n, dimensions), values (n,) and a shape."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, int64
from mindspore.eager.tensor import Tensor
from mindspore.operators import dynamic_sets, structure
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.registry import REGISTRY
from mindspore.operators.segments import unsorted_segment_sum

from .array import reshape
from .creation import full
from .primitive import composed
from .sparse_matrices import at, keys, merged, same_shape, sizes, softmax_of_rows, span


def _chosen(mask: Any) -> Any:
    return reshape(REGISTRY["NonZero"](mask), shape=(-1,))


def _axis(owner: str, axis: Any, rank: int) -> int:
    check.instance(owner, "concat_dim", axis, int)
    if not -rank <= axis < rank:
        raise check.fail(ValueError, owner, "concat_dim", f"in [{-rank}, {rank})", axis)
    return axis % rank


def _sorted(indices: Any, values: Any, shape: tuple[int, ...]) -> tuple[Any, Any]:
    order = keys(indices, shape).argsort(stable=True)
    return gather(indices, order, axis=0), gather(values, order, axis=0)


@composed("SparseReorder()(indices, values, shape)")
def _reorder(indices: Any, values: Any, shape: Any) -> tuple[Any, Any]:
    """The places in the order of rows, with their values."""
    return _sorted(indices, values, sizes(shape))


@composed("SparseReshape()(indices, shape, new_shape)")
def _reshape(indices: Any, shape: Any, new_shape: Any) -> tuple[Any, Any]:
    """The places of the same elements in another shape, of which one extent may be -1, and that shape."""
    before, wanted = sizes(shape), sizes(new_shape)
    count, known = 1, 1
    for n in before:
        count *= n
    for n in wanted:
        known *= n if n >= 0 else 1
    if wanted.count(-1) > 1 or any(n < -1 for n in wanted) or (count % known if -1 in wanted else count != known):
        raise ValueError(f"For 'SparseReshape', the 'new_shape' must hold {count} elements and at most one -1, but got "
                         f"{wanted}.")
    made = tuple([count // known if n == -1 else n for n in wanted])
    return at(keys(indices, before), made, indices.dtype), Tensor(list(made), new_shape.dtype)


@composed("SparseSoftmax()(indices, values, shape)")
def _softmax(indices: Any, values: Any, shape: Any) -> Any:
    """The softmax of the values of each row of the last dimension; elements without a value count for nothing."""
    extents = sizes(shape)
    count = 1
    for n in extents[:-1]:
        count *= n
    return softmax_of_rows(values, keys(indices, extents) // extents[-1], count)


@composed("SparseSplit(num_split=1)(split_dim, indices, values, shape)")
def _split(split_dim: Any, indices: Any, values: Any, shape: Any, *, num_split: int = 1) -> tuple[Any, Any, Any]:
    """The tensor cut along a dimension: places, values and shapes of the pieces; the first are longer by one."""
    check.positive_int("SparseSplit", "num_split", num_split)
    extents = sizes(shape)
    dim = int(split_dim.item())
    size, more = divmod(extents[dim], num_split)
    found, begin = [], 0
    for piece in range(num_split):
        end = begin + size + (piece < more)
        column = indices[:, dim]
        kept = _chosen(REGISTRY["LogicalAnd"](column >= begin, column < end))
        shift = Tensor([begin if n == dim else 0 for n in range(len(extents))], indices.dtype)
        found.append((gather(indices, kept, axis=0) - shift, gather(values, kept, axis=0),
                      Tensor([end - begin if n == dim else e for n, e in enumerate(extents)], int64)))
        begin = end
    return tuple(zip(*found, strict=True))  # pyright: ignore[reportReturnType]  # three of them


@composed("SparseConcat(concat_dim=0)(sp_input_indices, sp_input_values, sp_input_shapes)")
def _concat(sp_input_indices: Any, sp_input_values: Any, sp_input_shapes: Any, *,
            concat_dim: int = 0) -> tuple[Any, Any, Any]:
    """Sparse tensors one after the other along a dimension, in the order of rows."""
    shapes = [sizes(s) for s in sp_input_shapes]
    dim = _axis("SparseConcat", concat_dim, len(shapes[0]))
    moved, before = [], 0
    for indices, shape in zip(sp_input_indices, shapes, strict=True):
        moved.append(indices + Tensor([before if n == dim else 0 for n in range(len(shape))], indices.dtype))
        before += shape[dim]
    made = (*shapes[0][:dim], before, *shapes[0][dim + 1:])
    indices, values = _sorted(concat(*moved, axis=0), concat(*sp_input_values, axis=0), made)
    return indices, values, Tensor(list(made), sp_input_shapes[0].dtype)


@composed("SparseAdd()(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, thresh)")
def _add(x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any,
         thresh: Any) -> tuple[Any, Any, Any]:
    """The sum, without sums of two values whose absolute value is below `thresh`."""
    shape = sizes(x1_shape)
    same_shape("SparseAdd", shape, sizes(x2_shape))
    every = concat(keys(x1_indices, shape), keys(x2_indices, shape), axis=0)
    numbers, values = merged(every, concat(x1_values, x2_values, axis=0))
    alone = merged(every, structure.ones_like(every))[1] < 2
    kept = _chosen(REGISTRY["LogicalOr"](values.abs() >= thresh, alone))
    return at(gather(numbers, kept, axis=0), shape, x1_indices.dtype), gather(values, kept, axis=0), x1_shape


@composed("SparseAddmm()(indices, values, sparse_shape, x2_dense, x3_dense, alpha, beta)")
def _addmm(indices: Any, values: Any, sparse_shape: Any, x2_dense: Any, x3_dense: Any, alpha: Any, beta: Any) -> Any:
    """alpha * (the sparse matrix times `x2_dense`) + beta * `x3_dense`."""
    return _product(indices[:, 0], indices[:, 1], values, sizes(sparse_shape)[0], x2_dense) * alpha + x3_dense * beta


def _product(rows: Any, columns: Any, values: Any, count: int, dense: Any) -> Any:
    return unsorted_segment_sum(gather(dense, columns, axis=0) * structure.expand_dims(values, axis=1), rows,
                                num_segments=count)


@composed("Sspaddmm()(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, x3_dense, alpha, beta)")
def _sspaddmm(x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any,
              x3_dense: Any, alpha: Any, beta: Any) -> tuple[Any, Any, Any]:
    """beta * x1 + alpha * (x2 times `x3_dense`), with places (2, n): those of x1, then those of the rows of x2."""
    product = _product(x2_indices[0], x2_indices[1], x2_values, sizes(x2_shape)[0], x3_dense)
    width = x3_dense.shape[1]
    rows = merged(structure.cast(x2_indices[0], dtype=int64), x2_values)[0]
    numbers = (structure.expand_dims(rows, axis=1) * width + span(width)).reshape(-1)
    places = at(numbers, (product.shape[0], width), x1_indices.dtype).swapaxes(0, 1)
    return (concat(x1_indices, places, axis=1),
            concat(x1_values * beta, gather(product.reshape(-1), numbers, axis=0) * alpha, axis=0), x1_shape)


def _at_places(name: str, sign: str) -> Any:
    @composed(f"SparseDenseCwise{name}()(x1_indices, x1_values, x1_shape, x2)")
    def run(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
        """The values, each combined with the element of an ordinary tensor, repeated to the shape, at its place."""
        wide = structure.broadcast_to(x2, shape=sizes(x1_shape))
        return REGISTRY[sign](x1_values, REGISTRY["GatherNd"](wide, x1_indices))
    return run


_added, _divided, _multiplied = [_at_places(*row) for row in (("Add", "Add"), ("Div", "RealDiv"), ("Mul", "Mul"))]


@composed("SparseFillEmptyRows()(indices, values, dense_shape, default_value)")
def _fill(indices: Any, values: Any, dense_shape: Any, default_value: Any) -> tuple[Any, Any, Any, Any]:
    """With a value at the begin of each row that had none: places, values, which rows those are, and where each value
    went."""
    rows, width = sizes(dense_shape)[0], indices.shape[1]
    ones = structure.ones_like(indices[:, 0])
    empty = unsorted_segment_sum(ones, indices[:, 0], num_segments=rows) == 0
    missing = structure.expand_dims(structure.cast(_chosen(empty), dtype=indices.dtype), axis=1)
    added = concat(missing, structure.broadcast_to(missing[:, :1] * 0, shape=(missing.shape[0], width - 1)), axis=1)
    every = concat(indices, added, axis=0)
    order = every[:, 0].argsort(stable=True)
    weights = structure.broadcast_to(structure.cast(default_value, dtype=values.dtype), shape=(added.shape[0],))
    where = structure.cast(order.argsort()[:indices.shape[0]], dtype=indices.dtype)
    return gather(every, order, axis=0), gather(concat(values, weights, axis=0), order, axis=0), empty, where


@composed("SparseToDenseV2(validate_indices=True)(indices, output_shape, values, default_value)")
def _to_dense(indices: Any, output_shape: Any, values: Any, default_value: Any, *,
              validate_indices: bool = True) -> Any:
    """A tensor of `default_value`, with values at places; a vector of places belongs to a tensor of one dimension."""
    shape = sizes(output_shape)
    places = structure.reshape(indices, shape=(-1, len(shape)))
    if validate_indices:
        _check_order(keys(places, shape))
    values = structure.broadcast_to(values, shape=(places.shape[0],))
    start = structure.broadcast_to(structure.cast(default_value, dtype=values.dtype), shape=shape)
    return REGISTRY["TensorScatterUpdate"](start, places, values)


def _check_order(numbers: Any) -> None:
    if numbers.shape[0] > 1 and not bool((numbers[1:] > numbers[:-1]).all()):
        raise ValueError("For 'SparseToDenseV2', the 'indices' must be in order and without repetition; give "
                         "validate_indices=False for others.")


# ---------------------------------------------------------------------- sets, counts, rows of any length

@composed("DenseToDenseSetOperation(set_operation='a-b', validate_indices=True)(x1, x2)")
def _sets(x1: Any, x2: Any, *, set_operation: str = "a-b", validate_indices: bool = True) -> tuple[Any, Any, Any]:
    """Of the sets in the rows of two tensors: places, members in order, and the shape of the longest."""
    return dynamic_sets.set_operation(x1, x2, kind=_operation("DenseToDenseSetOperation", set_operation))


@composed("DenseToSparseSetOperation(set_operation='', validate_indices=True)(x1, x2_indices, x2_values, x2_shape)")
def _sets_with_sparse(x1: Any, x2_indices: Any, x2_values: Any, x2_shape: Any, *, set_operation: str = "",
                      validate_indices: bool = True) -> tuple[Any, Any, Any]:
    """The same, where the second sets are the values of the rows of a sparse tensor."""
    owner = "DenseToSparseSetOperation"
    if validate_indices:
        numbers = keys(x2_indices, sizes(x2_shape))
        if numbers.shape[0] > 1 and not bool((numbers[1:] > numbers[:-1]).all()):
            raise ValueError(f"For '{owner}', the 'x2_indices' must be in order, or give validate_indices=False.")
    return dynamic_sets.set_operation_sparse(x1, x2_indices, x2_values, kind=_operation(owner, set_operation))


def _operation(owner: str, name: str) -> str:
    return check.option(owner, "set_operation", name, ("a-b", "b-a", "intersection", "union"))


@composed("SetSize(validate_indices=True)(set_indices, set_values, set_shape)")
def _set_size(set_indices: Any, set_values: Any, set_shape: Any, *, validate_indices: bool = True) -> Any:
    """How many different values each row of the last dimension has."""
    return dynamic_sets.set_size(set_indices, set_values, shape=sizes(set_shape))


@composed("SparseCountSparseOutput(binary_output=False, minlength=-1, maxlength=-1)"
          "(indices, values, dense_shape, weights)")
def _counts(indices: Any, values: Any, dense_shape: Any, weights: Any, *, binary_output: bool = False,
            minlength: int = -1, maxlength: int = -1) -> tuple[Any, Any, Any]:
    """How often each number is among the values of each row, or the sum of its weights, as a sparse tensor."""
    return dynamic_sets.counts(indices, values, weights, shape=sizes(dense_shape), binary=binary_output,
                               least=minlength, most=maxlength)


@composed("RaggedTensorToSparse(Tsplits)(rt_nested_splits, rt_dense_values)")
def _ragged_to_sparse(rt_nested_splits: Any, rt_dense_values: Any, *, Tsplits: Any) -> tuple[Any, Any, Any]:
    """Rows of any length, given by where they begin, as places, values and the shape of the longest."""
    as_dtype(Tsplits)
    places, shape = dynamic_sets.ragged_places(*rt_nested_splits, inner=tuple(rt_dense_values.shape[1:]))
    return places, rt_dense_values.reshape(-1), shape


@composed("RaggedTensorToTensor(row_partition_types)(shape, values, default_value, row_partition_tensors)")
def _ragged_to_tensor(shape: Any, values: Any, default_value: Any, row_partition_tensors: Any, *,
                      row_partition_types: Any) -> Any:
    """Rows of any length as a tensor of a shape (-1: the longest): rows are cut, or `default_value` fills them."""
    parts = [check.option("RaggedTensorToTensor", "row_partition_types", t, _PARTS) for t in row_partition_types]
    given = list(row_partition_tensors)
    if parts[0] == "FIRST_DIM_SIZE":
        parts, rows, given = parts[1:], int(given[0].item()), given[1:]
    else:
        rows = given[0].shape[0] - 1
    splits = []
    for part, numbers in zip(parts, given, strict=True):
        splits.append(numbers if part == "ROW_SPLITS" else _splits(numbers, rows))
        rows = numbers.shape[0] if part == "VALUE_ROWIDS" else int(numbers[-1].item())
    places, longest = dynamic_sets.ragged_places(*splits, inner=())
    wanted, whole = sizes(shape), sizes(longest)
    made = [w if w >= 0 else n for w, n in zip(wanted, [*whole, *values.shape[1:]], strict=True)]
    inside = _chosen((places < Tensor(made[:len(whole)], places.dtype)).all(1))
    start = full(tuple(made), 0, dtype=values.dtype) + structure.cast(default_value, dtype=values.dtype)
    return REGISTRY["TensorScatterUpdate"](start, gather(places, inside, axis=0), gather(values, inside, axis=0))


_PARTS = ("ROW_SPLITS", "VALUE_ROWIDS", "FIRST_DIM_SIZE")


def _splits(rows: Any, count: int) -> Any:
    counts = unsorted_segment_sum(structure.ones_like(rows), rows, num_segments=count)
    return concat(counts[:1] * 0, structure.cast(counts.cumsum(0), dtype=rows.dtype), axis=0)
