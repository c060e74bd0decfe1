"""Attention with several heads as one function of its weights."""
from __future__ import annotations

from math import sqrt
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, bool_, float32
from mindspore.core.errors import show
from mindspore.eager.automatic import affine
from mindspore.operators import dropout, masking, structure
from mindspore.operators.joining import concat, split
from mindspore.operators.matmul import batch_mat_mul
from mindspore.operators.softmaxes import softmax

_OWNER = "multi_head_attention_forward"


def multi_head_attention_forward(
        query: Any, key: Any, value: Any, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any,
        in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float, out_proj_weight: Any,
        out_proj_bias: Any, training: bool = True, key_padding_mask: Any = None, attn_mask: Any = None,
        use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None,
        v_proj_weight: Any = None, static_k: Any = None, static_v: Any = None, average_attn_weights: bool = True,
        is_causal: bool = False, k_is_v: bool = False, q_is_k: bool = False, dtype: DType = float32) -> tuple[Any, Any]:
    """softmax(Q K^T / sqrt(size)) V in `num_heads` parts, Vaswani et al. 2017; see `nn.MultiheadAttention`.

    Args:
        query: (L, N, E) or (L, E).
        key, value: (S, N, ...) or (S, ...).
        embed_dim_to_check: E.
        num_heads: Number of heads; divides E.
        in_proj_weight, in_proj_bias: (3 E, E) and (3 E,), of queries, keys and values.
        bias_k, bias_v: A key and a value (1, 1, E) that are added to the sequence, or None.
        add_zero_attn: Whether a key and a value of zeros are added.
        dropout_p: Probability of dropout of the weights, in training.
        out_proj_weight, out_proj_bias: (E, E) and (E,), of the result.
        training: Whether weights are dropped.
        key_padding_mask: (N, S), True or -inf for keys that count nothing.
        attn_mask: (L, S) or (N * num_heads, L, S), True or -inf for pairs that count nothing.
        use_separate_proj_weight: Whether the next three take the place of `in_proj_weight`.
        q_proj_weight, k_proj_weight, v_proj_weight: (E, E), (E, size of a key) and (E, size of a value).
        static_k, static_v: Keys and values (N * num_heads, S, E / num_heads) in place of projected ones.
        average_attn_weights: Whether the weights are the mean over the heads.
        is_causal: Whether later keys count nothing; without `attn_mask`.
        k_is_v, q_is_k: Whether these are one tensor; the result is the same.
        dtype: Element type of masks.

    Returns:
        The result in the shape of the query, and the weights (N, L, S).

    Raises:
        ValueError: If shapes do not fit.

    Examples:
        >>> x, eye = Tensor([[1.0, 2.0]]), ops.eye(2)
        >>> out, weights = ops.multi_head_attention_forward(
        ...     x, x, x, 2, 1, ops.concat([eye, eye, eye]), None, None, None, False, 0.0, eye, None)
        >>> out.tolist(), weights.tolist()
        ([[1.0, 2.0]], [[1.0]])
    """
    check.boolean(_OWNER, "k_is_v", k_is_v)
    check.boolean(_OWNER, "q_is_k", q_is_k)
    batched = query.ndim == 3
    q, k, v = [x if batched else structure.expand_dims(x, axis=1) for x in (query, key, value)]
    length, n, size = q.shape
    if size != embed_dim_to_check or size % num_heads:
        raise ValueError(f"For '{_OWNER}', the last extent of the query must be {embed_dim_to_check}, a multiple of "
                         f"{num_heads}, but got {show(query)}.")
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    weights = separate if use_separate_proj_weight else split(in_proj_weight, axis=0, output_num=3)
    biases = (None,) * 3 if in_proj_bias is None else split(in_proj_bias, axis=0, output_num=3)
    q, k, v = [affine(x, w, b) for x, w, b in zip((q, k, v), weights, biases, strict=True)]
    if bias_k is not None and bias_v is not None:
        k, v = [concat(x, structure.broadcast_to(b, shape=(1, n, size)), axis=0) for x, b in ((k, bias_k), (v, bias_v))]
    q, k, v = [_heads(x, num_heads) for x in (q, k, v)]
    k, v = k if static_k is None else static_k, v if static_v is None else static_v
    if add_zero_attn:
        k, v = [concat(x, structure.full(shape=(x.shape[0], 1, x.shape[2]), value=0, dtype=x.dtype), axis=1)
                for x in (k, v)]
    scores = batch_mat_mul(q * (1 / sqrt(size // num_heads)), k, transpose_b=True)
    for mask in _masks(attn_mask, key_padding_mask, is_causal, (n, num_heads, length, k.shape[1]), dtype):
        scores = scores + mask
    shares = softmax(scores, axis=-1)
    kept = dropout.dropout(shares, keep_prob=1.0 - dropout_p)[0] if training and dropout_p else shares
    y = structure.transpose(batch_mat_mul(kept, v), perm=(1, 0, 2))
    y = affine(structure.reshape(y, shape=(length, n, size)), out_proj_weight, out_proj_bias)
    shares = structure.reshape(shares, shape=(n, num_heads, length, k.shape[1]))
    shares = shares.mean(1) if average_attn_weights else shares
    return (y, shares) if batched else (y.squeeze(1), shares.squeeze(0))


def _heads(x: Any, count: int) -> Any:
    """(N * heads, S, size) from (S, N, heads * size)."""
    s, n, e = x.shape
    return structure.transpose(structure.reshape(x, shape=(s, n * count, e // count)), perm=(1, 0, 2))


def _masks(attn: Any, padding: Any, causal: bool, extents: tuple[int, ...], dtype: DType) -> list[Any]:
    """What is added to the scores (N * heads, L, S)."""
    n, heads, length, keys = extents
    found = []
    if causal and attn is None:
        later = structure.full(shape=(length, keys), value=1, dtype=dtype).triu(1)
        attn = structure.cast(later, dtype=bool_)
    if attn is not None:
        found.append(_additive(attn, keys, dtype))
    if padding is not None:
        own = structure.reshape(_additive(padding, keys, dtype), shape=(n, 1, 1, keys))
        wide = structure.broadcast_to(own, shape=(n, heads, 1, keys))
        found.append(structure.reshape(wide, shape=(n * heads, 1, keys)))
    return found


def _additive(mask: Any, keys: int, dtype: DType) -> Any:
    """A mask as numbers to add, with zeros for added keys."""
    if mask.dtype is bool_:
        hidden = structure.full(shape=(), value=float("-inf"), dtype=dtype)
        mask = masking.select(mask, hidden, structure.full(shape=(), value=0.0, dtype=dtype))
    missing = keys - mask.shape[-1]
    if missing:
        mask = concat(mask, structure.full(shape=(*mask.shape[:-1], missing), value=0, dtype=mask.dtype), axis=-1)
    return structure.cast(mask, dtype=dtype)


__all__ = ["multi_head_attention_forward"]
