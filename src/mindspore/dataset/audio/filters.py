"""Filters with coefficients of any number."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.biquads import filtered
from mindspore.dataset.audio.signal import AudioOperation, like, real


class LFilter(AudioOperation):
    """The filter with difference equation sum_i a[i] y[n-i] = sum_i b[i] x[n-i], limited to [-1, 1] if `clamp`.

    Args:
        a_coeffs: Coefficients of the output, that of no delay first.
        b_coeffs: Coefficients of the input, as many.
        clamp: Whether to limit the result.

    Examples:
        >>> audio.LFilter([1.0, -0.5], [1.0, 0.0])(np.array([0.5, 0.0, 0.0], np.float32)).tolist()
        [0.5, 0.25, 0.125]
    """

    only_floats = True

    def __init__(self, a_coeffs: Any, b_coeffs: Any, clamp: bool = True):
        self.a_coeffs = _coefficients(self, "a_coeffs", a_coeffs)
        self.b_coeffs = _coefficients(self, "b_coeffs", b_coeffs)
        if len(a_coeffs) != len(b_coeffs):
            raise check.fail(ValueError, self, "b_coeffs", "as long as 'a_coeffs'", list(b_coeffs))
        self.clamp = check.boolean(self, "clamp", clamp)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return like(filtered(audio, self.b_coeffs, self.a_coeffs, self.clamp), audio)


class Filtfilt(LFilter):
    """LFilter forwards and then backwards in time, so that the phase stays.

    Args:
        a_coeffs, b_coeffs, clamp: As for LFilter.

    Examples:
        >>> audio.Filtfilt([1.0, 0.0], [0.5, 0.5])(np.array([0.0, 1.0, 0.0], np.float32)).tolist()
        [0.25, 0.5, 0.25]
    """

    def signal(self, audio: np.ndarray) -> np.ndarray:
        forward = filtered(audio, self.b_coeffs, self.a_coeffs, False)
        backward = filtered(forward[..., ::-1], self.b_coeffs, self.a_coeffs, self.clamp)
        return like(backward[..., ::-1], audio)


def _coefficients(owner: Any, name: str, value: Any) -> list[float]:
    check.instance(owner, name, value, (list, tuple))
    if not value:
        raise check.fail(ValueError, owner, name, "not empty", value)
    return [real(owner, name, v) for v in value]
