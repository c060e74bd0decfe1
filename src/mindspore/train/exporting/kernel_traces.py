"""What kernels of operators compute, as graphs of torch's core operators."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Aval, Node, avals_of
from mindspore.ir.sizes import symbolic, symbols_of, valued

aten = torch.ops.aten
# What torch counts as core operators, and formats of models do not have.
_FURTHER = [aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_trilinear3d, aten.upsample_bicubic2d,
            aten.upsample_nearest1d, aten.upsample_nearest2d, aten.upsample_nearest3d, aten.linalg_vector_norm,
            aten._adaptive_avg_pool2d, aten._adaptive_avg_pool3d, aten.grid_sampler_2d, aten.native_batch_norm,
            aten.im2col, aten.col2im, aten.xlogy, aten.logaddexp2, aten.slice_scatter, aten.select_scatter,
            aten.isfinite, aten.unfold, aten.diagonal_scatter, aten._cdist_forward]
_PRIMES = (17, 19, 23, 29, 31, 37, 41, 43)


def trace(node: Node, given: Sequence[Any], why: NotImplementedError) -> tuple[Any, bool]:
    """The kernel of a node's operator as a graph, and whether it holds for any sizes.

    Args:
        given: Avals in place of tensors among the inputs.
        why: What is raised, with more said, if the kernel cannot be traced.
    """
    op: Any = node.op
    if op.effect or symbolic((tuple(x for x in given if type(x) is not Aval), node.attrs)):
        raise why
    if any([symbolic(a.shape) for a in (*avals_of(node), *[x for x in given if type(x) is Aval])]):
        found, other = [_traced(op, _sized(given, primes), node.attrs) for primes in (_PRIMES, _PRIMES[::-1])]
        if isinstance(found, str) or isinstance(other, str) or _says(found) != _says(other):
            raise NotImplementedError(f"{str(why).removesuffix('.')} for sizes that only a run tells")
        return found, True
    found = _traced(op, given, node.attrs)
    if isinstance(found, str):
        raise NotImplementedError(f"{str(why).removesuffix('.')}, and its kernel does not consist of operators that "
                                  f"have one ({found})")
    return found, False


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
