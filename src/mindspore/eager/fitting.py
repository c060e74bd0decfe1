"""Gradients that a program wrote, in the shape and the dtype of what they belong to."""
from __future__ import annotations

from typing import Any

from mindspore.operators.structure import cast, sum_to


def fitted(owner: str, gradient: Any, like: Any) -> Any:
    """A gradient for the tensor `like`: summed over what a broadcast made of it, and cast to its float dtype.

    Args:
        owner: The function or cell that gave the gradient, for errors.
        gradient: A tensor, or None where there is none.
        like: The tensor that it is the gradient of.

    Raises:
        RuntimeError: If the gradient's shape is neither that of `like` nor one that `like` broadcasts to.
    """
    if gradient is None:
        return None
    found, wanted = tuple(gradient.shape), tuple(like.shape)
    if found != wanted and all(isinstance(n, int) for n in (*found, *wanted)):
        if not _broadcasts(wanted, found):
            raise RuntimeError(f"For '{owner}', the grad tensor should be broadcast to an input of shape {wanted} by "
                               f"summing, but it has the shape {found}, which that input does not broadcast to.")
        gradient = sum_to(gradient, shape=wanted)
    if gradient.dtype is like.dtype or not like.dtype.is_floating or gradient.dtype.is_complex:
        return gradient         # integers may have gradients of floats
    return cast(gradient, dtype=like.dtype)


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether a tensor of one shape broadcasts to another."""
    return len(shape) <= len(to) and all(n in (1, m) for n, m in zip(reversed(shape), reversed(to), strict=False))


__all__ = ["fitted"]
