"""Attention with several heads."""
from __future__ import annotations

from math import sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, bool_, float32
from mindspore.eager.automatic import affine
from mindspore.eager.initializer import XavierNormal, XavierUniform
from mindspore.operators.attention import attention

from .cell import Cell
from .linear import Dense


class MultiheadAttention(Cell):
    """softmax(Q K^T / sqrt(size)) V in `num_heads` parts, Vaswani et al. 2017.

    Args:
        embed_dim: Length of query and result.
        num_heads: Number of heads; divides `embed_dim`.
        dropout: Probability of dropout of the weights, in training.
        has_bias: Whether the projections have biases.
        add_bias_kv: Whether a trained key and value are added to the sequence.
        add_zero_attn: Whether a key and a value of zeros are added.
        kdim: Length of the keys. Default: `embed_dim`.
        vdim: Length of the values. Default: `embed_dim`.
        batch_first: Whether the batch is axis 0 instead of axis 1.
        dtype: Element type of the parameters.

    Inputs:
        query: (L, N, embed_dim) or (L, embed_dim).
        key: (S, N, kdim) or (S, kdim).
        value: (S, N, vdim) or (S, vdim).
        key_padding_mask: (N, S) or (S,), True (or -inf) for keys that count nothing.
        need_weights: Whether to return the weights, too.
        attn_mask: (L, S) or (N * num_heads, L, S), True (or -inf) for pairs that count nothing.
        average_attn_weights: Whether the returned weights are the mean over the heads.

    Outputs:
        The result in the shape of the query, and with `need_weights` the weights (N, L, S).

    Examples:
        >>> attend = nn.MultiheadAttention(4, 2, batch_first=True)
        >>> y, weights = attend(ops.ones((1, 3, 4)), ops.ones((1, 5, 4)), ops.ones((1, 5, 4)))
        >>> y.shape, weights.shape, round(float(weights[0, 0, 0]), 4)
        ((1, 3, 4), (1, 3, 5), 0.2)
    """

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, has_bias: bool = True,
                 add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | None = None,
                 vdim: int | None = None, batch_first: bool = False, dtype: DType = float32):
        super().__init__()
        self.embed_dim = check.positive_int(self, "embed_dim", embed_dim)
        self.num_heads = check.positive_int(self, "num_heads", num_heads)
        if embed_dim % num_heads:
            raise ValueError(f"For 'MultiheadAttention', the 'embed_dim' must be a multiple of "
                             f"'num_heads', but got {embed_dim} and {num_heads}.")
        self.dropout = check.number(self, "dropout", dropout, 0, 1)
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads
        self._same = self.kdim == embed_dim and self.vdim == embed_dim
        self._make_projections(has_bias, add_bias_kv, dtype)

    def _make_projections(self, has_bias: bool, add_bias_kv: bool, dtype: DType) -> None:
        size, even = self.embed_dim, XavierUniform()
        if self._same:
            self.in_proj_weight = self.parameter("in_proj_weight", (3 * size, size), even, dtype)
        else:
            self.q_proj_weight = self.parameter("q_proj_weight", (size, size), even, dtype)
            self.k_proj_weight = self.parameter("k_proj_weight", (size, self.kdim), even, dtype)
            self.v_proj_weight = self.parameter("v_proj_weight", (size, self.vdim), even, dtype)
        self.in_proj_bias = None
        if has_bias:
            self.in_proj_bias = self.parameter("in_proj_bias", (3 * size,), "zeros", dtype)
        self.out_proj = Dense(size, size, has_bias=has_bias, dtype=dtype)
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k = self.parameter("bias_k", (1, 1, size), XavierNormal(), dtype)
            self.bias_v = self.parameter("bias_v", (1, 1, size), XavierNormal(), dtype)

    def construct(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                  average_attn_weights=True):
        batched = query.ndim == 3
        if query.ndim not in (2, 3) or key.ndim != query.ndim or value.ndim != query.ndim:
            raise ValueError(f"For 'MultiheadAttention', query, key and value must all have 2 or 3 "
                             f"dimensions, but got {query.ndim}, {key.ndim} and {value.ndim}.")
        same = (query is key, key is value)
        parts = [x if batched else x.expand_dims(0) for x in (query, key, value)]
        if batched and not self.batch_first:
            parts = [x.swapaxes(0, 1) for x in parts]
        if same == (True, True):
            parts = [parts[0]] * 3
        n, length = parts[0].shape[:2]
        q, k, v = self._project(*parts)
        k, v, added = self._extended(k, v, n)
        mask = self._mask(attn_mask, key_padding_mask, (n, length, k.shape[1]), q.dtype, added)
        y, weights = self._attend(self._heads(q), self._heads(k), self._heads(v), mask, need_weights)
        y = self.out_proj(y.transpose(0, 2, 1, 3).reshape((n, length, self.embed_dim)))
        if batched and not self.batch_first:
            y = y.swapaxes(0, 1)
        if weights is not None:
            weights = weights.mean(1) if average_attn_weights else weights
            weights = weights if batched else weights.squeeze(0)
        y = y if batched else y.squeeze(0)
        return (y, weights) if need_weights else (y,)

    def _project(self, q: Any, k: Any, v: Any) -> Any:
        size, bias = self.embed_dim, self.in_proj_bias
        if self._same and q is k and k is v:
            return ops.split(affine(q, self.in_proj_weight, bias), size, -1)
        if self._same:
            weights = ops.split(self.in_proj_weight, size, 0)
        else:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        biases = (None,) * 3 if bias is None else ops.split(bias, size, 0)
        return [affine(x, w, b) for x, w, b in zip((q, k, v), weights, biases, strict=True)]

    def _extended(self, k: Any, v: Any, n: int) -> tuple[Any, Any, int]:
        """Keys and values with the trained and the zero one, and how many these are."""
        added, size = 0, self.embed_dim
        if self.bias_k is not None and self.bias_v is not None:
            k = ops.concat((k, ops.broadcast_to(self.bias_k.astype(k.dtype), (n, 1, size))), 1)
            v = ops.concat((v, ops.broadcast_to(self.bias_v.astype(v.dtype), (n, 1, size))), 1)
            added += 1
        if self.add_zero_attn:
            zero = ops.zeros((n, 1, size), k.dtype)
            k, v, added = ops.concat((k, zero), 1), ops.concat((v, zero), 1), added + 1
        return k, v, added

    def _heads(self, x: Any) -> Any:
        return x.reshape((x.shape[0], x.shape[1], self.num_heads, self.head_dim)).transpose(0, 2, 1, 3)

    def _mask(self, attn_mask: Any, padding: Any, extents: tuple[int, ...], dtype: DType,
              added: int) -> Any:
        """The sum of the masks, broadcast to (N, heads, L, S), or None."""
        n, length, keys = extents
        total = None
        if attn_mask is not None:
            own = (length, keys - added)
            if tuple(attn_mask.shape) not in (own, (n * self.num_heads, *own), (1, *own)):
                raise ValueError(f"For 'MultiheadAttention', the 'attn_mask' must have the shape {own} or "
                                 f"{(n * self.num_heads, *own)}, but got {attn_mask.shape}.")
            total = _additive(attn_mask, dtype, added)
            if total.ndim == 3 and total.shape[0] != 1:
                total = total.reshape((n, self.num_heads, length, keys))
        if padding is not None:
            padding = padding if padding.ndim == 2 else padding.expand_dims(0)
            if tuple(padding.shape) != (n, keys - added):
                raise ValueError(f"For 'MultiheadAttention', the 'key_padding_mask' must have the shape "
                                 f"{(n, keys - added)}, but got {padding.shape}.")
            own = _additive(padding, dtype, added).reshape((n, 1, 1, keys))
            total = own if total is None else total + own
        return total

    def _attend(self, q: Any, k: Any, v: Any, mask: Any, need_weights: bool) -> Any:
        dropping = self.training and self.dropout
        if not need_weights and not dropping:
            return attention(q, k, v, mask, scale=1 / sqrt(self.head_dim))[0], None
        scores = ops.matmul(q * (1 / sqrt(self.head_dim)), k.swapaxes(-1, -2))
        weights = ops.softmax(scores if mask is None else scores + mask, -1)
        if dropping:
            weights = ops.dropout(weights, float(self.dropout), True)
        return ops.matmul(weights, v), (weights if need_weights else None)


def _additive(mask: Any, dtype: DType, added: int) -> Any:
    """A mask as numbers to add, with zeros for the added keys."""
    if mask.dtype is bool_:
        mask = ops.where(mask, ops.full_like(mask, float("-inf"), dtype=dtype),
                         ops.zeros_like(mask, dtype=dtype))
    elif mask.dtype is not dtype:
        mask = mask.astype(dtype)
    return ops.pad(mask, (0, added)) if added else mask
