"""Fourier transforms under the names of NumPy: `mindspore.numpy.fft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.ops.signatures import named

from .arguments import cast, tensor

_SECTIONS = """{what}

    Args:
        a: A tensor, or what makes one.
        {more}
        norm: "backward" divides the inverse by the number of elements, "forward" the transform, "ortho" both by its
            root; None is "backward".

    Returns:
        A {kind} tensor.

    Raises:
        ValueError: If an axis does not exist, a length is not positive, or `norm` is another word.

    Source: Cooley and Tukey 1965; lengths and norms as in NumPy.

    Examples:
        >>> mindspore.numpy.fft.{name}(Tensor({given})){shown}.tolist()
        {want}
    """
_MORE = {
    "one": """n: Length that `a` is cut or padded with zeros to along the axis; of the result for `irfft` and `hfft`.
        axis: The axis.""",
    "two": """s: Lengths that `a` is cut or padded with zeros to along the axes; of the result where it is real.
        axes: The two axes; the last one is that of which only half is kept of real numbers.""",
    "many": """s: Lengths that `a` is cut or padded with zeros to along the axes; of the result where it is real.
        axes: The axes; None: the last `len(s)`, or all.""",
}


def _explained(name: str, what: str, form: str) -> str:
    """The docstring of a transform."""
    one, two = ([1.0, 3.0], [4.0, -2.0]) if form == "one" else ([[1.0, 3.0]], [[4.0, -2.0]])
    back = name.startswith("i")
    real = name.startswith(("irfft", "hfft"))
    given, want = (two, one) if back else (one, two)
    return _SECTIONS.format(what=what, more=_MORE[form], kind="real" if real else "complex", name=name, given=given,
                            shown="" if real else ".real()", want=want)


def _one(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
        return function(tensor(a), n, axis, norm)

    return named(apply, name, _explained(name, doc, "one"))


def _two(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
        return function(tensor(a), s, axes, norm)

    return named(apply, name, _explained(name, doc, "two"))


def _many(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
        return function(tensor(a), s, axes, norm)

    return named(apply, name, _explained(name, doc, "many"))


fft = _one(ops.fft, "fft", "Discrete Fourier transform along an axis.")
ifft = _one(ops.ifft, "ifft", "Inverse of fft.")
rfft = _one(ops.rfft, "rfft", "Transform of real numbers: the frequencies from 0 on.")
irfft = _one(ops.irfft, "irfft", "Inverse of rfft.")
hfft = _one(
    ops.hfft, "hfft", "Transform of a signal that is symmetric and conjugate: real numbers."
)
ihfft = _one(ops.ihfft, "ihfft", "Inverse of hfft.")
fft2 = _two(ops.fft2, "fft2", "Transform along two axes.")
ifft2 = _two(ops.ifft2, "ifft2", "Inverse of fft2.")
rfft2 = _two(ops.rfft2, "rfft2", "Transform of real numbers along two axes.")
irfft2 = _two(ops.irfft2, "irfft2", "Inverse of rfft2.")
hfft2 = _two(ops.hfft2, "hfft2", "hfft along two axes.")
ihfft2 = _two(ops.ihfft2, "ihfft2", "Inverse of hfft2.")
fftn = _many(ops.fftn, "fftn", "Transform along several axes.")
ifftn = _many(ops.ifftn, "ifftn", "Inverse of fftn.")
rfftn = _many(ops.rfftn, "rfftn", "Transform of real numbers along several axes.")
irfftn = _many(ops.irfftn, "irfftn", "Inverse of rfftn.")
hfftn = _many(ops.hfftn, "hfftn", "hfft along several axes.")
ihfftn = _many(ops.ihfftn, "ihfftn", "Inverse of hfftn.")


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Any:
    """Frequencies of `fft`, in cycles per unit of `d`.

    Args:
        n: Number of samples.
        d: Distance of two samples.
        dtype: Type of the result; None: float32.

    Returns:
        A tensor (n,): 0, 1, ..., and then the negative ones, over n d.

    Raises:
        ValueError: If `n` is not positive or `d` is 0.

    Examples:
        >>> mindspore.numpy.fft.fftfreq(4, 0.5).tolist()
        [0.0, 0.5, -1.0, -0.5]
    """
    return cast(ops.fftfreq(n, d), dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Any:
    """Frequencies of `rfft`, in cycles per unit of `d`.

    Args:
        n: Number of samples.
        d: Distance of two samples.
        dtype: Type of the result; None: float32.

    Returns:
        A tensor (n // 2 + 1,): 0, 1, ... over n d.

    Raises:
        ValueError: If `n` is not positive or `d` is 0.

    Examples:
        >>> mindspore.numpy.fft.rfftfreq(4, 0.5).tolist()
        [0.0, 0.5, 1.0]
    """
    return cast(ops.rfftfreq(n, d), dtype)


def fftshift(x: Any, axes: Any = None) -> Any:
    """The halves of each axis exchanged, so that frequency 0 comes to stand in the middle.

    Args:
        x: A tensor, or what makes one.
        axes: An axis or several; None: all.

    Returns:
        A tensor of the same shape.

    Raises:
        ValueError: If an axis does not exist.

    Examples:
        >>> mindspore.numpy.fft.fftshift(Tensor([0, 1, 2, -2, -1])).tolist()
        [-2, -1, 0, 1, 2]
    """
    return ops.fftshift(tensor(x), axes)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """Inverse of `fftshift`.

    Args:
        x: A tensor, or what makes one.
        axes: An axis or several; None: all.

    Returns:
        A tensor of the same shape.

    Raises:
        ValueError: If an axis does not exist.

    Examples:
        >>> mindspore.numpy.fft.ifftshift(Tensor([-2, -1, 0, 1, 2])).tolist()
        [0, 1, 2, -2, -1]
    """
    return ops.ifftshift(tensor(x), axes)


__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]
