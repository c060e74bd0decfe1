"""Scaled dot-product attention as one operator."""
from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.ir import Aval

from .choices import choices
from .exported import Exported
from .labels import mirrored
from .registry import operator
from .rules import broadcast, fit, floating
from .torch_private import softmax_backward
from .torch_reverse import tracked
from .values import Value

aten = torch.ops.aten


def is_blocked(q: Any, k: Any) -> bool:
    """Whether the blocked kernel is used, for tensors as for avals."""
    return k.shape[-2] >= choices().attention_keys and q.shape[-2] > 1


def _weights(q: torch.Tensor, k: torch.Tensor, mask: Any, scale: float) -> torch.Tensor:
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale)
    if mask is not None:
        scores = scores.add_(mask) if scores.dim() >= mask.dim() else scores + mask
    return torch.softmax(scores, -1)


def _dims(q: Any, k: Any, v: Any, mask: Any = None, *, scale: float = 1.0, scores: bool = False) -> str:
    """Labels; the blocked kernel is chosen by the number of queries, so that these stay whole there."""
    rows = "l!" if is_blocked(q, k) else "l"
    mask = " ".join(["n", "h", rows, "s!"][4 - len(getattr(mask, "shape", ())):])
    ins = f"n h {rows} e!, n h s! e!, n h s! v!, {mask}"
    if scores:
        return f"n h {rows} v!, {ins} -> n h {rows} s!"
    return f"{ins} -> n h {rows} v!, n h {rows}{'' if is_blocked(q, k) else ' s!'}"


@operator(hidden=True, samples=[], dims=_dims)
def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, *, scale: float):
    """softmax(q @ k^T * scale + mask) @ v for (N, heads, length, size), and what its reverse needs.

    That is the weights, or for long sequences the logarithm of their denominators.  Vaswani et al.
    2017; Dao et al. 2022.
    """
    if is_blocked(q, k):
        if mask is not None and mask.dim() not in (2, 4):
            mask = mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
        return _blocked(q, k, v, mask, scale)
    weights = _weights(q, k, mask, scale)
    return torch.matmul(weights, v), weights


def _blocked(q: Any, k: Any, v: Any, mask: Any, scale: float) -> Any:
    if q.device.type == "cpu":
        return aten._scaled_dot_product_flash_attention_for_cpu.default(
            q, k, v, 0.0, False, attn_mask=mask, scale=scale)
    weights = _weights(q, k, mask, scale)
    scores = torch.matmul(q, k.transpose(-1, -2)).mul_(scale)
    total = torch.logsumexp((scores if mask is None else scores + mask).float(), -1)
    return torch.matmul(weights, v), total


@attention.shape
def _(q: Aval, k: Aval, v: Aval, mask: Aval | None = None, *, scale: float):
    floating("Attention")(q)
    if not (len(q.shape) == len(k.shape) == len(v.shape) == 4 and q.shape[:2] == k.shape[:2]
            and k.shape[:3] == v.shape[:3] and q.shape[3] == k.shape[3]):
        raise ValueError(f"For 'Attention', query, key and value must be (N, heads, length, size) with "
                         f"equal sizes and keys for every value, but got {show(q)}, {show(k)} and "
                         f"{show(v)}.")
    weights = (*q.shape[:3], k.shape[2])
    if mask is not None and broadcast(weights, mask.shape, name="Attention") != weights:
        raise ValueError(f"For 'Attention', the mask must broadcast to {weights}, but got {show(mask)}.")
    kept = Aval(q.shape[:3], _denominators(q)) if is_blocked(q, k) else Aval(weights, q.dtype)
    return Aval((*q.shape[:3], v.shape[3]), q.dtype), kept


@attention.cost
def _(q: Aval, k: Aval, v: Aval, mask: Aval | None = None, *, scale: float) -> int:
    return _flops(q, k, q, v)


def _flops(q: Aval, k: Aval, *sizes: Aval) -> int:
    """Those of a product for each of some tensors, whose elements per row it adds up or gives."""
    return 2 * prod(q.shape[:3]) * k.shape[2] * sum([x.shape[3] for x in sizes])


def _denominators(q: Aval) -> Any:
    return q.dtype if q.dtype.itemsize > 2 else float32


@attention.mindir
def _(g: Exported, q: str, k: str, v: str, mask: str | None = None, *, scale: float):
    if is_blocked(g.avals[q], g.avals[k]):
        raise NotImplementedError("MindIR has no attention that keeps the denominators of its weights.")
    scores = g.add("Mul", g.add("BatchMatMul", q, k, transpose_b=True), g.constant(scale, g.avals[q].dtype))
    weights = g.add("Softmax", scores if mask is None else g.add("Add", scores, mask), axis=-1)
    return g.add("BatchMatMul", weights, v), weights


@attention.onnx
def _(g: Exported, q: str, k: str, v: str, mask: str | None = None, *, scale: float):
    scores = g.add("MatMul", q, g.add("Transpose", k, perm=(0, 1, 3, 2)))
    scores = g.add("Mul", scores, g.constant(scale, g.avals[q].dtype))
    scores = scores if mask is None else g.add("Add", scores, mask)
    weights = g.add("Softmax", scores, axis=-1)
    if len(g.results[1].shape) == 4:
        return g.add("MatMul", weights, v), weights
    return g.add("MatMul", weights, v), g.add("ReduceLogSumExp", scores, g.integers((-1,)), keepdims=0)


@attention.grad(needs="q k v mask out")
def _(q: Value, k: Value, v: Value, mask: Value | None, out: tuple[Value, ...], dout: tuple[Value | None, ...], *,
      scale: float):
    """What is kept for the reverse is not differentiated."""
    if dout[0] is None:
        return None, None, None, None
    dq, dk, dv = attention_grad(dout[0], q, k, v, mask, *out, scale=scale)
    return dq, dk, dv, lambda: fit(attention_mask_grad(dout[0], q, k, v, mask, scale=scale), mask)


@operator(hidden=True, grad="torch", samples=[],
          dims=mirrored(attention, "out0 q k v mask out0 out1 -> q k v"))
def attention_grad(dout: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, y: Tensor, kept: Tensor, *,
                   scale: float):
    """The cotangents of query, key and value."""
    again = tracked(dout, q, k, v, mask)          # torch differentiates this kernel
    if is_blocked(q, k) and q.device.type == "cpu" and not again:
        if mask is not None and mask.dim() not in (2, 4):
            mask = mask.expand(*q.shape[:3], k.shape[2])
        return aten._scaled_dot_product_flash_attention_for_cpu_backward.default(
            dout, q, k, v, y, kept, 0.0, False, attn_mask=mask, scale=scale)
    fresh = again or is_blocked(q, k)
    weights = _weights(q, k, mask, scale) if fresh else kept
    dv = torch.matmul(weights.transpose(-1, -2), dout)
    ds = _scores_grad(dout, v, weights) * scale if fresh else _scores_grad(dout, v, weights).mul_(scale)
    return torch.matmul(ds, k), torch.matmul(ds.transpose(-1, -2), q), dv


def _scores_grad(dout: torch.Tensor, v: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    dweights = torch.matmul(dout, v.transpose(-1, -2))
    return softmax_backward(dweights, weights, -1, weights.dtype)


@attention_grad.shape
def _(dout: Aval, q: Aval, k: Aval, v: Aval, *_: Any, scale: float):
    return q, k, v


@attention_grad.cost
def _(dout: Aval, q: Aval, k: Aval, v: Aval, *_: Any, scale: float) -> int:
    """Two products for each of the two; without weights that were kept their product again."""
    return _flops(q, k, q, q, v, v, *((q,) if is_blocked(q, k) else ()))


@operator(hidden=True, grad="torch", samples=[],
          dims=lambda dout, q, k, v, mask, scale: _dims(q, k, v, mask, scores=True))
def attention_mask_grad(dout: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor, *, scale: float):
    """The cotangent of the mask, before it is reduced to the mask's shape."""
    return _scores_grad(dout, v, _weights(q, k, mask, scale))


@attention_mask_grad.shape
def _(dout: Aval, q: Aval, k: Aval, v: Aval, mask: Aval, *, scale: float) -> Aval:
    return Aval((*q.shape[:3], k.shape[2]), q.dtype)
