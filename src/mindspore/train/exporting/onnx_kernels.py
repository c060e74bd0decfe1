"""Operators without a form of their own in ONNX: what their kernels compute, as torch's core operators."""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from mindspore.core.dtype import from_torch
from mindspore.ir import Aval, Node, avals_of
from mindspore.ir.sizes import symbolic, symbols_of, valued
from mindspore.operators.exported import Exported

from . import onnx_aten_sums as _sums  # noqa: F401  # registers its forms
from .onnx_aten import FORMS, SIZED, Values

aten = torch.ops.aten
# What torch counts as core operators, and ONNX does not have.
_FURTHER = [aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_trilinear3d, aten.upsample_bicubic2d,
            aten.upsample_nearest1d, aten.upsample_nearest2d, aten.upsample_nearest3d, aten.linalg_vector_norm,
            aten._adaptive_avg_pool2d, aten._adaptive_avg_pool3d, aten.grid_sampler_2d, aten.native_batch_norm,
            aten.im2col, aten.col2im, aten.xlogy, aten.logaddexp2, aten.slice_scatter, aten.select_scatter,
            aten.isfinite, aten.unfold, aten.diagonal_scatter, aten._cdist_forward]


def write_kernel(g: Exported, node: Node, inputs: Sequence[Any], why: NotImplementedError) -> Any:
    """Write what the kernel of an operator computes; the names of its results.

    Raises:
        NotImplementedError: `why`, if that has no form, either.
    """
    op: Any = node.op
    if op.effect or symbolic((inputs, node.attrs)):
        raise why
    names = [x for x in inputs if isinstance(x, str)]
    given = [g.avals[x] if isinstance(x, str) else x for x in inputs]
    if any([symbolic(a.shape) for a in (*avals_of(node), *[g.avals[x] for x in names])]):
        traced, other = [_traced(op, _sized(given, primes), node.attrs) for primes in (_PRIMES, _PRIMES[::-1])]
        if isinstance(traced, str) or isinstance(other, str) or _says(traced) != _says(other):
            raise NotImplementedError(f"{str(why).removesuffix('.')} for sizes that only a run tells")
        return _written(g, traced, names, any_size=True)
    traced = _traced(op, given, node.attrs)
    if isinstance(traced, str):
        raise NotImplementedError(f"{str(why).removesuffix('.')}, and its kernel does not consist of operators that "
                                  f"have one ({traced})")
    return _written(g, traced, names)


_PRIMES = (17, 19, 23, 29, 31, 37, 41, 43)


def _sized(given: Sequence[Any], primes: Sequence[int]) -> list[Any]:
    """The same avals with numbers in place of sizes that only a run tells."""
    symbols = sorted({s for x in given if type(x) is Aval for s in symbols_of(x.shape, set())}, key=lambda s: s.serial)
    if len(symbols) > len(primes):
        return []
    values = dict(zip(symbols, primes, strict=False))
    return [Aval(valued(x.shape, values.__getitem__), x.dtype) if type(x) is Aval else x for x in given]


def _says(traced: Any) -> list[Any]:
    """What a graph applies, and to which numbers: the same for two sizes if it depends on none."""
    return [(n.op, str(n.target), str(n.args), str(n.kwargs)) for n in traced.graph.nodes]


@functools.cache
def _decompositions() -> dict[Any, Any]:
    from torch._decomp import core_aten_decompositions, get_decompositions
    return {**dict(core_aten_decompositions().items()), **get_decompositions(_FURTHER)}


def _traced(op: Any, inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """The kernel as a graph of torch's core operators; a text if it cannot be traced."""
    from torch.fx.experimental.proxy_tensor import make_fx
    examples = [torch.zeros(x.shape, dtype=x.dtype.torch) for x in inputs if type(x) is Aval]

    def run(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = iter(tensors)
        found = op.kernel(*[next(given) if type(x) is Aval else x for x in inputs], **attrs)
        return (found,) if isinstance(found, torch.Tensor) else tuple(found)
    table = _decompositions()
    try:        # what decompositions change in place is undone by the second pass
        first = make_fx(torch.func.functionalize(run), table, tracing_mode="fake")(*examples)
        return make_fx(torch.func.functionalize(first), table, tracing_mode="fake")(*examples)
    except Exception as error:  # any: kernels that look at elements or at memory fail in many ways
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def _written(g: Exported, traced: Any, names: Sequence[str], any_size: bool = False) -> list[str]:
    values = Values(g, any_size)
    given = iter(names)
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            values.names[node] = next(given)
        elif node.op == "get_attr":
            values.names[node] = values.constant(getattr(traced, node.target))
        elif node.op == "output":
            return [values.name(x) for x in node.args[0]]
        else:
            values.names[node] = _one(g, values, node)
    raise AssertionError("a graph has an output")


def _one(g: Exported, values: Values, node: Any) -> Any:
    """Write one of torch's operators, or compute it if its inputs are constant."""
    if node.target is operator.getitem:
        return values.names[node.args[0]][node.args[1]]
    inputs = node.all_input_nodes
    if all([isinstance(values.names[x], str) and values.names[x] in g.constants for x in inputs]):
        return _computed(values, node)
    kind = node.target.overloadpacket.__name__
    form: Callable[..., Any] | None = FORMS.get(kind)
    if form is None:
        raise NotImplementedError(f"it has no form in ONNX, nor has torch's '{kind}', of which its kernel consists")
    if values.any_size and kind in SIZED:
        raise NotImplementedError(f"torch's '{kind}', of which its kernel consists, needs sizes that only a run tells")
    found = form(values, node.meta["val"], *node.args, **node.kwargs)
    outs = node.meta["val"] if isinstance(node.meta["val"], (tuple, list)) else (node.meta["val"],)
    for name, out in zip((found,) if isinstance(found, str) else found, outs, strict=False):
        g.avals[name] = Aval(tuple(out.shape), from_torch(out.dtype))
    return found


def _computed(values: Values, node: Any) -> Any:
    def real(x: Any) -> Any:
        name = values.names[x]
        return torch.from_numpy(np.array(values.g.constants[name])).to(values.g.avals[name].dtype.torch)
    args, kwargs = torch.fx.map_arg((node.args, dict(node.kwargs)), real)
    found = node.target(*args, **{k: v for k, v in kwargs.items() if k != "device"})
    return [values.constant(v) for v in found] if isinstance(found, (tuple, list)) else values.constant(found)



