"""Kernels that graph mode generates for single operators, for training steps of PyNative mode that repeat themselves.

A step knows that it does where a program did the sweep before (`eager.steady`).  The code is mostly made with that
program, beside the first steps.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from mindspore.core.errors import UnknownExtent
from mindspore.ir import ITEM, Graph, Node, param, recording
from mindspore.operators.choices import choices
from mindspore.operators.convolution import convolution
from mindspore.operators.fused import generated
from mindspore.operators.im2col_convolution import samples_innermost
from mindspore.operators.matmul import batched_matmul, dense, mat_mul
from mindspore.operators.normalisation import batch_norm_train
from mindspore.operators.registry import Operator, aval_of
from mindspore.operators.stages import INNERMOST
from mindspore.operators.torch_private import has_no_storage

_PRODUCTS = {dense, mat_mul, batched_matmul}
OPERATORS = {convolution, batch_norm_train, *_PRODUCTS}       # and those that `use` adds
_LIMIT = 10_000             # distinct applications before the memo starts anew

_known: dict[Any, tuple[Any, list[int]] | None] = {}
_table: list[Any] = []      # the choices for which they hold
_planes: set[Operator] = set()
_passes: list[Callable[[Graph], Graph]] = []


def use(planes: Iterable[Operator], *passes: Callable[[Graph], Graph]) -> None:
    """Let kernels be what these passes put in place of the one operator of a graph.

    For those on `planes` it matters which images have their samples innermost in memory.
    """
    _passes[:] = passes
    _planes.update(planes)
    OPERATORS.update(planes)


def computed(op: Operator, raw: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """What the operator gives, by a generated kernel; None where there is none."""
    if not _table or _table[0] is not choices():
        _table[:] = [choices()]
        _known.clear()
    for x in raw:
        if type(x) is not torch.Tensor and x is not None:
            return None
    inner = op in _planes and samples_innermost(raw[0])
    key = op, inner, *[None if x is None else (x.shape, x.dtype) for x in raw], *attrs.items()
    try:
        found = _known[key]
    except KeyError:
        if len(_known) > _LIMIT:
            _known.clear()
        found = _known[key] = _made(op, raw, attrs, inner)
    except TypeError:        # an attribute that cannot be hashed
        return None
    if found is None or not all(x is None or (x.is_cpu and not has_no_storage(x)) for x in raw):
        return None
    kernel, places = found
    outs = kernel(*[raw[k] for k in places])
    return outs if len(outs) > 1 else outs[0]


def _few_rows(op: Operator, raw: Sequence[Any]) -> bool:
    """Whether a product has too few rows for what is packed in every call."""
    return op in _PRODUCTS and min([n for x in raw if x is not None and x.dim() > 1
                                    for n in (x.numel() // max(x.shape[-1], 1), x.shape[-1])]) < choices().split_edge


def _made(op: Operator, raw: Sequence[Any], attrs: dict[str, Any], inner: bool) -> tuple[Any, list[int]] | None:
    if _few_rows(op, raw):
        return None
    params = [None if x is None else param(aval_of(x)) for x in raw]
    graph = Graph(op.name, [p for p in params if p is not None])
    if inner:
        graph.params[0].attrs = {INNERMOST: True}
    with recording(graph.nodes):
        try:
            op.emit(tuple(params), attrs)
        except (TypeError, ValueError, UnknownExtent):        # the kernel will say it better
            return None
    graph.outs = [graph.nodes[-1]] if len(graph.nodes) == 1 else [*graph.nodes[0].items]
    for one in _passes:
        graph = one(graph)
    owner = graph.nodes[0]
    if len([n for n in graph.nodes if n.op is not ITEM]) > 1 or owner.op is not generated:
        return None
    places = [next(k for k, p in enumerate(params) if p is x) for x in owner.inputs if type(x) is Node]
    return owner.attrs["kernel"], places
