"""Attention: of several heads, with what was computed for earlier tokens, and of few pairs of tokens."""
from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float16, float32
from mindspore.eager.tensor import Tensor

from ..cell import Cell
from ..dropout import Dropout
from .configuration import divides, parts
from .layers import _Linear

_FAR = -10000.0                       # added to the scores of pairs that are masked


class MultiHeadAttention(Cell):
    """Scaled dot-product attention of several heads (Vaswani et al. 2017).

    Args:
        batch_size: Size of the batch, for inputs of two axes and for `use_past`.
        src_seq_length: Number of query tokens.
        tgt_seq_length: Number of key tokens.
        hidden_size: Length of a token's vector.
        num_heads: Number of heads.
        hidden_dropout_rate: Probability of dropout of the result.
        attention_dropout_rate: Probability of dropout of the weights.
        compute_dtype: Element type of the products.
        softmax_compute_type: Element type of the softmax.
        param_init_type: Element type of the parameters.
        use_past: Whether keys and values of earlier tokens are kept: in the first call, with the flag
            `is_first_iteration` True, those before `batch_valid_length`; in later calls one token comes, and its key
            and value stand at `batch_valid_length`.
        parallel_config: How batch and heads are split; an `OpParallelConfig`.

    Inputs:
        query_tensor: (batch, src, hidden) or (batch * src, hidden).
        key_tensor, value_tensor: (batch, tgt, hidden) or (batch * tgt, hidden).
        attention_mask: (batch, src, tgt), 1 where there is attention and 0 where not; None for all.
        key_past: (batch, heads, hidden / heads, tgt), with `use_past` after the first call.
        value_past: (batch, heads, tgt, hidden / heads).
        batch_valid_length: (batch,) int32, see `use_past`.

    Outputs:
        The result in the shape of `query_tensor`, and (keys, values) in the shapes of the past ones.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the heads do not divide `hidden_size`, or the parts do not divide what they cut.

    Examples:
        >>> from mindspore.nn.transformer import MultiHeadAttention
        >>> attend = MultiHeadAttention(2, 20, 20, hidden_size=15, num_heads=3)
        >>> x = ops.ones((2, 20, 15))
        >>> y, (keys, values) = attend(x, x, x, ops.ones((2, 20, 20)))
        >>> y.shape, keys.shape, values.shape
        ((2, 20, 15), (2, 3, 5, 20), (2, 3, 20, 5))
    """

    def __init__(self, batch_size: int | None, src_seq_length: int, tgt_seq_length: int, hidden_size: int,
                 num_heads: int, hidden_dropout_rate: float = 0.1, attention_dropout_rate: float = 0.1,
                 compute_dtype: DType = float16, softmax_compute_type: DType = float32,
                 param_init_type: DType = float32, use_past: bool = False, parallel_config: Any = None):
        super().__init__()
        self.batch_size = check.optional(check.positive_int, self, "batch_size", batch_size)
        self.src_seq_length = check.positive_int(self, "src_seq_length", src_seq_length)
        self.tgt_seq_length = check.positive_int(self, "tgt_seq_length", tgt_seq_length)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.n_head = check.positive_int(self, "num_heads", num_heads)
        divides(self, "hidden_size", hidden_size, "num_heads", num_heads)
        for name, dtype in (("compute_dtype", compute_dtype), ("softmax_compute_type", softmax_compute_type)):
            check.instance(self, name, dtype, DType)
        self.dtype, self.softmax_dtype = compute_dtype, softmax_compute_type
        self.use_past = check.boolean(self, "use_past", use_past)
        self.is_first_iteration = True
        self.size_per_head = hidden_size // num_heads
        types: dict[str, Any] = {"param_init_type": param_init_type, "compute_dtype": compute_dtype}
        self.projection = _Linear(hidden_size, hidden_size, transpose_b=False, **types)
        self.dense1, self.dense2, self.dense3 = (_Linear(hidden_size, hidden_size, **types) for _ in range(3))
        self.dropout, self.prob_dropout = Dropout(p=hidden_dropout_rate), Dropout(p=attention_dropout_rate)
        self.scores, self.mixed = ops.BatchMatMul(), ops.BatchMatMul()
        self._split(*parts(self, parallel_config))

    def _split(self, dp: int, mp: int) -> None:
        divides(self, "num_heads", self.n_head, "model_parallel", mp)
        if self.batch_size is not None:
            divides(self, "batch_size", self.batch_size, "data_parallel", dp)
        if dp * mp == 1:
            return
        for product in (self.scores, self.mixed):
            product.shard(((dp, mp, 1, 1), (dp, mp, 1, 1)))
        for dense in (self.dense1, self.dense2, self.dense3):
            dense.shard(((dp, 1), (mp, 1)), ((dp, mp), (mp,)))
        self.projection.shard(((dp, mp), (mp, 1)), ((dp, 1), (1,)))

    def _heads(self, x: Any, length: int) -> Any:
        """(batch, heads, tokens, size of a head)."""
        batch = x.shape[0] if x.ndim == 3 else -1
        length = x.shape[1] if x.ndim == 3 else length
        return x.reshape((batch, length, self.n_head, self.size_per_head)).transpose((0, 2, 1, 3))

    def construct(self, query_tensor, key_tensor, value_tensor, attention_mask, key_past=None, value_past=None,
                  batch_valid_length=None):
        shape = query_tensor.shape
        one = self.use_past and not self.is_first_iteration
        query = self._heads(self.dense1(query_tensor), 1 if one else self.src_seq_length)
        key = self._heads(self.dense2(key_tensor), 1 if one else self.tgt_seq_length)
        value = self._heads(self.dense3(value_tensor), 1 if one else self.tgt_seq_length)
        key = key.transpose((0, 1, 3, 2))
        if self.use_past:
            key, value = self._kept(key, value, key_past, value_past, batch_valid_length)
        out = self._attended(query, key, value, attention_mask)
        out = out.transpose((0, 2, 1, 3)).reshape(shape)
        return self.dropout(self.projection(out)), (key, value)

    def _kept(self, key: Any, value: Any, key_past: Any, value_past: Any, valid: Any) -> tuple[Any, Any]:
        """Keys and values with those of earlier tokens."""
        places = ops.arange(self.tgt_seq_length).reshape((1, 1, 1, -1)).astype(valid.dtype)
        valid = valid.reshape((-1, 1, 1, 1))
        if self.is_first_iteration:
            held = (places < valid).astype(key.dtype)
            return key * held, value * held.transpose((0, 1, 3, 2))
        now = places == valid
        return (ops.where(now, key, key_past.astype(key.dtype)),
                ops.where(now.transpose((0, 1, 3, 2)), value, value_past.astype(value.dtype)))

    def _attended(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        half = sqrt(sqrt(self.size_per_head))                 # both factors are scaled, so that half floats suffice
        scores = self.scores(query / half, key / half).astype(self.softmax_dtype)
        if mask is not None:
            mask = mask.astype(scores.dtype)
            mask = mask.expand_dims(1) if mask.ndim == 3 else mask
            scores = scores + (1 - mask) * _FAR
        weights = self.prob_dropout(ops.softmax(scores, -1).astype(value.dtype))
        return self.mixed(weights, value)


class FixedSparseAttention(Cell):
    """Attention of each token to the tokens before it in its window, and to one block of every earlier window, which
    differs from head to head: the fixed pattern of Child et al. 2019.

    A window is `num_different_global_patterns` blocks. Head h sees the block number -1 - h of every window, counted
    from its end and again from the start after the last pattern.

    Args:
        batch_size: Size of the batch.
        num_heads: Number of heads.
        size_per_head: Length of a head's vectors.
        block_size: Number of tokens of a block.
        seq_length: Number of tokens.
        num_different_global_patterns: Number of blocks of a window.
        parallel_config: How batch and heads are split; an `OpParallelConfig`.

    Inputs:
        q, k, v: (batch, seq_length, num_heads * size_per_head).
        attention_mask: (batch, seq_length, seq_length), 1 where there may be attention and 0 where not.

    Outputs:
        (batch, seq_length, num_heads * size_per_head) in the type of `v`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or the windows do not divide `seq_length`.

    Examples:
        >>> from mindspore.nn.transformer import FixedSparseAttention
        >>> attend = FixedSparseAttention(1, 2, 4, block_size=2, seq_length=8, num_different_global_patterns=2)
        >>> attend(*[ops.ones((1, 8, 8))] * 3, ops.ones((1, 8, 8))).shape
        (1, 8, 8)
    """

    def __init__(self, batch_size: int, num_heads: int, size_per_head: int, block_size: int, seq_length: int = 1024,
                 num_different_global_patterns: int = 4, parallel_config: Any = None):
        super().__init__()
        self.batch_size = check.positive_int(self, "batch_size", batch_size)
        self.num_heads = check.positive_int(self, "num_heads", num_heads)
        self.size_per_head = check.positive_int(self, "size_per_head", size_per_head)
        self.block_size = check.positive_int(self, "block_size", block_size)
        self.seq_length = check.positive_int(self, "seq_length", seq_length)
        patterns = check.positive_int(self, "num_different_global_patterns", num_different_global_patterns)
        divides(self, "seq_length", seq_length, "block_size * num_different_global_patterns", block_size * patterns)
        dp, mp = parts(self, parallel_config)
        divides(self, "num_heads", num_heads, "model_parallel", mp)
        self.pattern = Tensor(_fixed_pattern(num_heads, seq_length, block_size, patterns))
        self.scores, self.mixed = ops.BatchMatMul(), ops.BatchMatMul()
        if dp * mp > 1:
            for product in (self.scores, self.mixed):
                product.shard(((dp, mp, 1, 1), (dp, mp, 1, 1)))

    def construct(self, q, k, v, attention_mask):
        shape = (-1, self.seq_length, self.num_heads, self.size_per_head)
        query, key, value = [x.reshape(shape).transpose((0, 2, 1, 3)) for x in (q, k, v)]
        scores = self.scores(query / sqrt(self.size_per_head), key.transpose((0, 1, 3, 2))).astype(float32)
        seen = self.pattern * (attention_mask.expand_dims(1) != 0).astype(float32)
        weights = ops.softmax(scores + (1 - seen) * _FAR, -1).astype(v.dtype)
        return self.mixed(weights, value).transpose((0, 2, 1, 3)).reshape(q.shape)


def _fixed_pattern(heads: int, length: int, block: int, patterns: int) -> np.ndarray:
    """(1, heads, length, length): 1 where a token sees another one."""
    at = np.arange(length)
    window, place = at // (block * patterns), at // block % patterns
    before = at[:, None] >= at
    near = before & (window[:, None] == window)
    seen = [near | (before & (place == (patterns - 1 - h) % patterns)) for h in range(heads)]
    return np.stack(seen)[None].astype(np.float32)
