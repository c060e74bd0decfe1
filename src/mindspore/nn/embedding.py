"""Tables of vectors, looked up by index."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32, int32
from mindspore.distributed import meeting
from mindspore.eager.initializer import initializer
from mindspore.eager.tensor import Tensor
from mindspore.operators.served import pull_rows

from .cell import Cell


class Embedding(Cell):
    """The rows of a trained table at the given indices.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        use_one_hot: Whether to look up by a product with one-hot vectors; an index out of range then
            gives zeros.
        embedding_table: Initial table.
        dtype: Element type of the one-hot vectors.
        padding_idx: Row that starts as zeros.

    Inputs:
        ids: Integers of any shape.

    Outputs:
        (*ids.shape, embedding_size).

    Examples:
        >>> nn.Embedding(10, 4)(Tensor([[1, 2, 2]])).shape
        (1, 3, 4)
    """

    def __init__(self, vocab_size: int, embedding_size: int, use_one_hot: bool = False,
                 embedding_table: Any = "normal", dtype: DType = float32,
                 padding_idx: int | None = None):
        super().__init__()
        self.vocab_size = check.positive_int(self, "vocab_size", vocab_size)
        self.embedding_size = check.positive_int(self, "embedding_size", embedding_size)
        self.use_one_hot = check.boolean(self, "use_one_hot", use_one_hot)
        self.dtype, self.padding_idx = check.instance(self, "dtype", dtype, DType), padding_idx
        if padding_idx is not None:
            if isinstance(padding_idx, bool) or not isinstance(padding_idx, int):
                raise TypeError(f"For 'Embedding', the 'padding_idx' must be an int, but got "
                                f"{padding_idx!r}.")
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"For 'Embedding', the 'padding_idx' must be in range of [0, "
                                 f"{vocab_size}), but got {padding_idx}.")
            values = initializer(embedding_table, (vocab_size, embedding_size), float32).asnumpy().copy()
            values[padding_idx] = 0
            embedding_table = Tensor(values)
        self.embedding_table = self.parameter("embedding_table", (vocab_size, embedding_size),
                                              embedding_table)

    def construct(self, ids):
        _need_indices(self, "ids", ids)
        if not self.use_one_hot:
            return ops.gather(self.embedding_table, ids, 0)
        hot = ops.one_hot(ids.reshape((-1,)), self.vocab_size, Tensor(1.0, self.dtype),
                          Tensor(0.0, self.dtype))
        return ops.matmul(hot, self.embedding_table).reshape((*ids.shape, self.embedding_size))

    def extend_repr(self) -> str:
        return (f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, "
                f"use_one_hot={self.use_one_hot}, embedding_table={self.embedding_table}, "
                f"dtype={self.dtype}, padding_idx={self.padding_idx}")


def _need_indices(owner: Cell, name: str, value: Any) -> None:
    dtype = getattr(value, "dtype", None)
    if not isinstance(dtype, DType) or dtype.kind not in "iu":
        raise TypeError(f"For '{owner.cls_name}', the '{name}' must be a Tensor of integers, but got "
                        f"{dtype or type(value).__name__}.")


_SLICE_MODES = ("batch_slice", "field_slice", "table_row_slice", "table_column_slice")


class EmbeddingLookup(Cell):
    """The rows of a trained table at the given indices; zeros for indices out of range.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        param_init: Initial table.
        target: "CPU" or "DEVICE", where the original keeps the table; here it is on the device.
        slice_mode: How automatic parallelism splits the table.
        manual_shapes: Rows per field, for "field_slice".
        max_norm: Rows are scaled down to at most this norm.
        sparse: Whether the gradient may be sparse; it is dense here.
        dtype: Element type of the table.
        vocab_cache_size: With `set_ps_context(enable_ps=True)`: the parameter servers keep the table, each of them a
            part of its rows, and a worker so many rows, those that it used last. A batch must not ask for more. 0: the
            table is a parameter like others.

    Inputs:
        indices: Integers of any shape.

    Examples:
        >>> table = nn.EmbeddingLookup(3, 2, Tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
        >>> table(Tensor([2, 0], mindspore.int32)).tolist()
        [[4.0, 5.0], [0.0, 1.0]]
    """

    BATCH_SLICE, FIELD_SLICE, TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = _SLICE_MODES

    def __init__(self, vocab_size: int, embedding_size: int, param_init: Any = "normal",
                 target: str = "CPU", slice_mode: str = "batch_slice", manual_shapes: Any = None,
                 max_norm: float | None = None, sparse: bool = True, dtype: DType = float32, *,
                 vocab_cache_size: int = 0):
        super().__init__()
        self.vocab_size = check.positive_int(self, "vocab_size", vocab_size)
        self.embedding_size = check.positive_int(self, "embedding_size", embedding_size)
        self.target = check.option(self, "target", target, ("CPU", "DEVICE"))
        self.sparse = check.boolean(self, "sparse", sparse)
        self.vocab_cache_size = check.integer(self, "vocab_cache_size", vocab_cache_size, 0)
        if vocab_cache_size and not meeting.role():
            raise ValueError(f"For '{self.cls_name}', the 'vocab_cache_size' must be 0 without a parameter server, but "
                             f"got {vocab_cache_size}: the whole table is on the device. Call "
                             "set_ps_context(enable_ps=True) before.")
        self.slice_mode = check.option(self, "slice_mode", slice_mode, _SLICE_MODES)
        self.manual_shapes = manual_shapes
        self.max_norm = max_norm
        if max_norm is not None:
            check.positive_float(self, "max_norm", max_norm)
        self.embedding_table = self.parameter("embedding_table", (vocab_size, embedding_size),
                                              param_init, dtype)
        if vocab_cache_size:
            self.embedding_table.set_param_ps()
            self.embedding_table.table = vocab_size, vocab_cache_size
            if meeting.role() == "worker":         # the first row represents the table
                self.embedding_table.set_data(self.embedding_table[:1], slice_shape=True)

    def construct(self, indices):
        _need_indices(self, "indices", indices)
        inside = (indices >= 0).logical_and(indices < self.vocab_size)
        safe = ops.where(inside, indices, ops.zeros_like(indices))
        if self.vocab_cache_size:
            rows = pull_rows(safe, self.embedding_table, table=self.embedding_table.name, rows=self.vocab_size,
                             room=self.vocab_cache_size)
        else:
            rows = ops.gather(self.embedding_table, safe, 0)
        rows = rows * inside.expand_dims(-1).astype(rows.dtype)
        if self.max_norm is not None:
            norm = (rows * rows).sum(-1, keepdims=True) ** 0.5
            limit = ops.maximum(norm, Tensor(self.max_norm, rows.dtype))
            rows = rows * self.max_norm / limit
        return rows


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """The rows of a table, weighted and combined by field.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        field_size: Number of fields.
        feature_num_list: Of earlier releases; kept.
        operator: "SUM", "MEAN" or "MAX" combines the rows of a field.
        param_init, target, slice_mode, max_norm, sparse, dtype: As for `EmbeddingLookup`.

    Inputs:
        input_indices: Rows (N, K).
        input_values: Their weights (N, K).
        field_ids: Their fields (N, K), in [0, field_size).

    Outputs:
        (N, field_size, embedding_size).

    Examples:
        >>> table = nn.MultiFieldEmbeddingLookup(3, 2, 2, Tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
        >>> rows, fields = Tensor([[0, 1, 2]], mindspore.int32), Tensor([[0, 1, 1]], mindspore.int32)
        >>> table(rows, Tensor([[1.0, 1.0, 0.5]]), fields).tolist()
        [[[0.0, 1.0], [4.0, 5.5]]]
    """

    OPERATOR_SUM, OPERATOR_MEAN, OPERATOR_MAX = "SUM", "MEAN", "MAX"

    def __init__(self, vocab_size: int, embedding_size: int, field_size: int,
                 param_init: Any = "normal", target: str = "CPU", slice_mode: str = "batch_slice",
                 feature_num_list: Any = None, max_norm: float | None = None, sparse: bool = True,
                 operator: str = "SUM", dtype: DType = float32):
        super().__init__(vocab_size, embedding_size, param_init, target, slice_mode,
                         feature_num_list, max_norm, sparse, dtype)
        self.field_size = check.positive_int(self, "field_size", field_size)
        self.operator = check.option(self, "operator", operator, ("SUM", "MAX", "MEAN"))

    def construct(self, input_indices, input_values, field_ids):
        _need_indices(self, "field_ids", field_ids)
        rows = super().construct(input_indices) * input_values.expand_dims(-1)
        fields = Tensor(np.arange(self.field_size), int32).reshape((1, self.field_size, 1))
        belongs = field_ids.expand_dims(1) == fields                      # (N, fields, K)
        weights = belongs.astype(rows.dtype)
        if self.operator == "MAX":                   # a weight of zero marks padding
            belongs = belongs.logical_and((input_values != 0).expand_dims(1))
            weights = belongs.astype(rows.dtype)
            lowest = ops.where(belongs.expand_dims(-1), rows.expand_dims(1),
                               ops.full_like(rows.expand_dims(1), -3e38))
            return ops.amax(lowest, 2) * ops.amax(weights, -1, True)
        total = ops.matmul(weights, rows)
        if self.operator == "SUM":
            return total
        # The original divides by the sum of the weights of a field, not by their number.
        share = ops.matmul(weights, input_values.expand_dims(-1).astype(rows.dtype))
        return total / ops.where(share == 0, ops.ones_like(share), share)
