"""Attention functions of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.operators import dropout
from mindspore.operators.attention import attention
from mindspore.operators.masking import select
from mindspore.operators.matmul import batch_mat_mul
from mindspore.operators.powers import exp
from mindspore.operators.reduction import reduce_max, reduce_sum
from mindspore.operators.softmaxes import softmax
from mindspore.operators.structure import broadcast_to, cast, full, reshape, transpose

from .arguments import tensor
from .primitive import composed

_LAYOUTS = ("BSH", "SBH", "BNSD", "BSND")
_MASKED = -1e30            # added to scores that a mask excludes; finite, so that no row is undefined


def _heads(owner: str, x: Any, layout: str, count: int) -> Any:
    """(batch, heads, length, size) from a layout."""
    rank = 3 if layout in ("BSH", "SBH") else 4
    if x.ndim != rank:
        raise ValueError(f"For '{owner}', the layout '{layout}' has {rank} dimensions, but got {show(x)}.")
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return transpose(x, perm=(0, 2, 1, 3))
    if x.shape[2] % count:
        raise ValueError(f"For '{owner}', the last extent must be a multiple of the {count} heads, but got "
                         f"{show(x)}.")
    split = reshape(x, shape=(*x.shape[:2], count, x.shape[2] // count))
    return transpose(split, perm=(0, 2, 1, 3) if layout == "BSH" else (1, 2, 0, 3))


def _joined(y: Any, layout: str) -> Any:
    """The layout from (batch, heads, length, size)."""
    if layout == "BNSD":
        return y
    b, n, s, d = y.shape
    if layout == "SBH":
        return reshape(transpose(y, perm=(2, 0, 1, 3)), shape=(s, b, n * d))
    rows = transpose(y, perm=(0, 2, 1, 3))
    return rows if layout == "BSND" else reshape(rows, shape=(b, s, n * d))


def _repeated(x: Any, heads: int) -> Any:
    """Keys or values whose heads each serve several heads of queries."""
    b, n, s, d = x.shape
    if n == heads:
        return x
    wide = broadcast_to(reshape(x, shape=(b, n, 1, s, d)), shape=(b, n, heads // n, s, d))
    return reshape(wide, shape=(b, heads, s, d))


def _bias(like: Any, masked: Any, shift: Any) -> Any:
    """What is added to the scores: `shift`, and a large negative number where `masked`."""
    if masked is None:
        return shift
    hidden = cast(masked, dtype=like.dtype) * _MASKED if masked.dtype.kind != "b" else select(
        masked, full(shape=(), value=_MASKED, dtype=like.dtype), full(shape=(), value=0.0, dtype=like.dtype))
    return hidden if shift is None else hidden + shift


def _refuse(owner: str, **options: Any) -> None:
    for name, (value, default) in options.items():
        if value is not default and value != default:
            raise ValueError(f"For '{owner}', the '{name}' must be {default}, but got {show(value)}; put "
                             "what it means into 'attn_mask' or 'real_shift'.")


def flash_attention_score(query: Any, key: Any, value: Any, head_num: int, real_shift: Any = None,
                          drop_mask: Any = None, padding_mask: Any = None, attn_mask: Any = None,
                          prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None,
                          keep_prob: float = 1.0, scalar_value: float = 1.0, pre_tokens: int = 2147483647,
                          next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = "BSH",
                          sparse_mode: int = 0) -> Any:
    """softmax(scalar_value * query @ key^T + real_shift, without attn_mask) @ value, with dropout.

    Args:
        query: A floating-point tensor in the `input_layout`: B batch, S sequence, H = N * D all heads, N heads, D
            their size.
        key, value: Likewise, of another length perhaps.
        head_num: Number of heads of the query; keys and values may have fewer, in the layouts that tell their
            heads.
        real_shift: What is added to the scores (B, N, S, S'), or None.
        drop_mask: Which weights dropout keeps; drawn at random if None and `keep_prob` < 1.
        padding_mask, prefix, actual_seq_qlen, actual_seq_kvlen: None; other values are refused.
        attn_mask: True (or 1) where a key is hidden from a query.
        keep_prob: The probability of keeping a weight, in (0, 1].
        scalar_value: The factor of the scores.
        pre_tokens, next_tokens: 2147483647; other values are refused.
        inner_precise: 0 or 1, which devices of the original trade precision by; the sums are precise in both.
        input_layout: "BSH", "SBH", "BNSD" or "BSND".
        sparse_mode: 0; other values are refused.

    Returns:
        A tensor in the layout of the query.

    Raises:
        ValueError: If something is refused, or the layout is another one.

    Examples:
        >>> x = Tensor([[[1.0, 2.0]]])
        >>> ops.flash_attention_score(x, x, Tensor([[[5.0, 7.0]]]), 1).tolist()
        [[[5.0, 7.0]]]
    """
    owner = "flash_attention_score"
    check.option(owner, "input_layout", input_layout, _LAYOUTS)
    _refuse(owner, padding_mask=(padding_mask, None), prefix=(prefix, None), sparse_mode=(sparse_mode, 0),
            actual_seq_qlen=(actual_seq_qlen, None), actual_seq_kvlen=(actual_seq_kvlen, None),
            pre_tokens=(pre_tokens, 2147483647), next_tokens=(next_tokens, 2147483647))
    check.number(owner, "keep_prob", keep_prob, 0.0, 1.0, open_low=True)
    check.option(owner, "inner_precise", inner_precise, (0, 1))
    check.positive_int(owner, "head_num", head_num)
    q, k, v = [_heads(owner, tensor(owner, n, x), input_layout, head_num)
               for n, x in (("query", query), ("key", key), ("value", value))]
    return _joined(_attended(q, k, v, attn_mask, real_shift, float(scalar_value), keep_prob, drop_mask),
                   input_layout)


@composed("FlashAttentionScore(head_num, keep_prob=1.0, scale_value=1.0, pre_tokens=2147483647, "
          "next_tokens=2147483647, inner_precise=0, input_layout='BSH', sparse_mode=0)(query, key, value, "
          "real_shift=None, drop_mask=None, padding_mask=None, attn_mask=None, prefix=None, actual_seq_qlen=None, "
          "actual_seq_kvlen=None)")
def _flash_score(query: Any, key: Any, value: Any, real_shift: Any = None, drop_mask: Any = None,
                 padding_mask: Any = None, attn_mask: Any = None, prefix: Any = None, actual_seq_qlen: Any = None,
                 actual_seq_kvlen: Any = None, *, head_num: int, keep_prob: float = 1.0, scale_value: float = 1.0,
                 pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0,
                 input_layout: str = "BSH", sparse_mode: int = 0) -> tuple[Any, Any, Any, Any]:
    """The maxima and the sums of the scores' rows, eight times each, nothing, and the result of the attention."""
    out = flash_attention_score(query, key, value, head_num, real_shift, drop_mask, padding_mask, attn_mask, prefix,
                                actual_seq_qlen, actual_seq_kvlen, keep_prob, scale_value, pre_tokens, next_tokens,
                                inner_precise, input_layout, sparse_mode)
    q, k = [_heads("FlashAttentionScore", x, input_layout, head_num) for x in (query, key)]
    bias = _bias(q, attn_mask, real_shift)
    scores = batch_mat_mul(q, _repeated(k, q.shape[1]), transpose_b=True) * float(scale_value)
    scores = cast(scores if bias is None else scores + bias, dtype=float32)
    most = reduce_max(scores, axis=-1, keep_dims=True)
    total = reduce_sum(exp(scores - most), axis=-1, keep_dims=True)
    wide = (*scores.shape[:3], 8)
    return broadcast_to(most, shape=wide), broadcast_to(total, shape=wide), full(shape=(1,), value=0,
                                                                                dtype=float32), out


def _attended(q: Any, k: Any, v: Any, masked: Any, shift: Any, scale: float, keep_prob: float = 1.0,
              kept: Any = None) -> Any:
    k, v = _repeated(k, q.shape[1]), _repeated(v, q.shape[1])
    bias = _bias(q, masked, shift)
    if keep_prob == 1.0 and kept is None:
        return attention(q, k, v, bias, scale=scale)[0]
    scores = batch_mat_mul(q, k, transpose_b=True) * scale
    weights = softmax(scores if bias is None else scores + bias, axis=-1)
    if kept is not None:
        weights = weights * cast(kept, dtype=weights.dtype) / keep_prob
    else:
        weights = dropout.dropout(weights, keep_prob=keep_prob)[0]
    return batch_mat_mul(weights, v)


def prompt_flash_attention(query: Any, key: Any, value: Any, attn_mask: Any = None,
                           actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None,
                           pse_shift: Any = None, deq_scale1: Any = None, quant_scale1: Any = None,
                           deq_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None,
                           num_heads: int = 1, scale_value: float = 1.0, pre_tokens: int = 2147483647,
                           next_tokens: int = 0, input_layout: str = "BSH", num_key_value_heads: int = 0,
                           sparse_mode: int = 0, inner_precise: int = 1) -> Any:
    """softmax(scale_value * query @ key^T + pse_shift, without attn_mask) @ value, for inference.

    `next_tokens` = 0 with the other defaults leaves the choice of keys to `attn_mask`.

    Args:
        query: A floating-point tensor in the `input_layout`: B batch, S sequence, H = N * D all heads, N heads, D
            their size.
        key, value: Likewise, of another length perhaps.
        attn_mask: True (or 1) where a key is hidden from a query.
        actual_seq_lengths, actual_seq_lengths_kv: None; other values are refused.
        pse_shift: What is added to the scores (B, N, S, S'), or None.
        deq_scale1, quant_scale1, deq_scale2, quant_scale2, quant_offset2: None; other values are refused.
        num_heads: Number of heads of the query.
        scale_value: The factor of the scores.
        pre_tokens: 2147483647; other values are refused.
        next_tokens: 0 or 2147483647.
        input_layout: "BSH" or "BNSD".
        num_key_value_heads: Number of heads of keys and values; 0 for that of the query.
        sparse_mode: 0; other values are refused.
        inner_precise: 0 or 1; the sums are precise in both.

    Returns:
        A tensor in the layout of the query.

    Raises:
        ValueError: If something is refused, or the layout is another one.

    Examples:
        >>> x = Tensor([[[1.0, 2.0]]])
        >>> ops.prompt_flash_attention(x, x, Tensor([[[5.0, 7.0]]])).tolist()
        [[[5.0, 7.0]]]
    """
    owner = "prompt_flash_attention"
    check.option(owner, "input_layout", input_layout, ("BSH", "BNSD"))
    _refuse(owner, actual_seq_lengths=(actual_seq_lengths, None), deq_scale1=(deq_scale1, None),
            actual_seq_lengths_kv=(actual_seq_lengths_kv, None), quant_scale1=(quant_scale1, None),
            deq_scale2=(deq_scale2, None), quant_scale2=(quant_scale2, None),
            quant_offset2=(quant_offset2, None), sparse_mode=(sparse_mode, 0),
            pre_tokens=(pre_tokens, 2147483647))
    check.option(owner, "inner_precise", inner_precise, (0, 1))
    check.option(owner, "next_tokens", next_tokens, (0, 2147483647))
    heads_kv = check.non_negative_int(owner, "num_key_value_heads", num_key_value_heads) or num_heads
    q = _heads(owner, tensor(owner, "query", query), input_layout, num_heads)
    k, v = [_heads(owner, x, input_layout, heads_kv) for x in (key, value)]
    return _joined(_attended(q, k, v, attn_mask, pse_shift, float(scale_value)), input_layout)


__all__ = ["flash_attention_score", "prompt_flash_attention"]
