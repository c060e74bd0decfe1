"""Parts of attention that programs compose: projections of queries, keys and values, and checks of extents."""
from __future__ import annotations

from typing import Any

from mindspore.eager.automatic import affine
from mindspore.operators.joining import split

from .nn_random import dropout
from .padding import pad


def _in_projection(q: Any, k: Any, v: Any, w_q: Any, w_k: Any, w_v: Any, b_q: Any = None, b_k: Any = None,
                   b_v: Any = None) -> tuple[Any, ...]:
    """Queries, keys and values, each times a weight (out, in) of its own."""
    return tuple([affine(x, w, b) for x, w, b in ((q, w_q, b_q), (k, w_k, b_k), (v, w_v, b_v))])


def _in_projection_packed(q: Any, k: Any, v: Any, w: Any, b: Any, k_is_v: bool, q_is_k: bool) -> tuple[Any, ...]:
    """Queries, keys and values, each times a third of the weight (3 * out, in)."""
    keys = q if k_is_v and q_is_k else k
    values = keys if k_is_v else v
    biases = (None,) * 3 if b is None else split(b, axis=0, output_num=3)
    return _in_projection(q, keys, values, *split(w, axis=0, output_num=3), *biases)


def _inner_dropout(x: Any, p: float, training: bool) -> Any:
    """Zeros with the probability `p`, the rest times 1 / (1 - p); in training."""
    return dropout(x, p=p, training=training) if training and p else x


def _inner_pad(x: Any, padding: Any, value: Any = None) -> Any:
    """A tensor with borders of `value`, zero unless given."""
    return pad(x, padding, value=value)


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Whether queries, keys and values have an axis of a batch.

    Raises:
        ValueError: If they have neither 2 nor 3 dimensions all.
    """
    if query_ndim not in (2, 3) or not query_ndim == key_ndim == value_ndim:
        raise ValueError(f"For attention, the query, key and value must have 3 dimensions all, or 2 without a batch, "
                         f"but got {query_ndim}, {key_ndim} and {value_ndim}.")
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """Refuse a mask of keys that has not one dimension less than the query.

    Raises:
        ValueError: If it has not.
    """
    if kmp_ndim != query_ndim - 1:
        raise ValueError(f"For attention with a query of {query_ndim} dimensions, the 'key_padding_mask' must have "
                         f"{query_ndim - 1}, but got {kmp_ndim}.")


def _check_attn_mask_shape(query_ndim: int, query_shape: tuple[int, ...], key_shape: tuple[int, ...],
                           attn_mask_ndim: int, attn_mask_shape: tuple[int, ...], num_heads: int) -> None:
    """Refuse a mask that is neither (L, S) nor (N * heads, L, S).

    Raises:
        ValueError: If it is not.
    """
    places = (query_shape[0], key_shape[0])
    heads = num_heads * (query_shape[1] if query_ndim == 3 else 1)
    wanted = {2: places, 3: (heads, *places)}.get(attn_mask_ndim)
    if wanted is None or tuple(attn_mask_shape) != wanted:
        raise ValueError(f"For attention, the 'attn_mask' must have the shape {places} or {(heads, *places)}, but got "
                         f"{tuple(attn_mask_shape)}.")


__all__ = ["_check_attn_mask_shape", "_check_kpm_shape", "_check_qkv_shape", "_in_projection", "_in_projection_packed",
           "_inner_dropout", "_inner_pad"]
