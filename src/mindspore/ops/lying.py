"""Tensors that lie over processes as strategies say, in programs that are split."""
from __future__ import annotations

from typing import Any

from mindspore.eager.tensor import is_tensor
from mindspore.ir import tree
from mindspore.ir.build import noted
from mindspore.ir.runtime import runtime
from mindspore.operators.pieces import lie_as
from mindspore.parallel import running
from mindspore.parallel.layout import Layout


def lying(name: str, tensor: Any, strategy: Any) -> Any:
    """A tensor as a strategy says; elsewhere unchanged.

    Raises:
        ValueError: The strategy is for another number of dimensions.
    """
    rank = len(strategy.parts() if isinstance(strategy, Layout) else strategy)
    if rank != len(tensor.shape):
        raise ValueError(f"For '{name}', a strategy must have as many dimensions as its tensor, but got {strategy} for "
                         f"the shape {tuple(tensor.shape)}.")
    if not (runtime.building and running.noting()):
        return tensor
    return noted({"in_strategy": (strategy,)}, lambda: lie_as(tensor))


def all_lying(name: str, values: Any, strategies: tuple[Any, ...]) -> Any:
    """The tensors among some values, each as a strategy says; None leaves one as it is.

    Args:
        name: The argument that has the strategies, for errors.

    Raises:
        ValueError: There is no strategy for each tensor, or one does not fit.
    """
    tensors = tree.leaves(values, is_tensor)
    if len(tensors) != len(strategies):
        raise ValueError(f"For 'shard', the '{name}' must have a strategy for each of the {len(tensors)} tensors, but "
                         f"got {len(strategies)}.")
    found = [x if s is None else lying("shard", x, s) for x, s in zip(tensors, strategies, strict=True)]
    return tree.rebuild(values, is_tensor, iter(found))


def with_notes(notes: dict[str, Any], compute: Any) -> Any:
    """What an operator gives, whose nodes carry notes; in programs that are split it lies as an `out_strategy` says."""
    out = noted(notes, compute)
    if "out_strategy" not in notes or not (runtime.building and running.noting()):
        return out
    return all_lying("out_strategy", out, notes["out_strategy"])
