"""Quantised values that still train: ranges that are observed or learned, rounding that gradients pass through.

A quantised number is a whole number of steps away from the lower end of a range. What is computed here has the value of
that number and the derivative of the clipped one (Bengio et al. 2013; Jacob et al. 2018; for learned ranges Esser et
al. 2020).
"""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.eager.parameter import assign
from mindspore.operators import masking, rounding, structure
from mindspore.operators.arithmetic import mul
from mindspore.operators.powers import abs_, sqrt

from .elementwise import clamp
from .extremes import amax, amin
from .primitive import composed


def straight_through(value: Any, clipped: Any) -> Any:
    """`value`, with the derivative of `clipped`: what is added is exactly 0."""
    return structure.stop_gradient(value) + (clipped - structure.stop_gradient(clipped))


def _rounded(x: Any) -> Any:
    return rounding.floor(x + 0.5)


def along(x: Any, numbers: Any, axis: int | None) -> Any:
    """A number for each slice of `x` along an axis, in the shape that broadcasts; one for all for None."""
    shape = (1,) * x.ndim if axis is None else tuple([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
    return structure.reshape(numbers, shape=shape)


def steps(num_bits: int, narrow_range: bool = False) -> tuple[int, int]:
    """The least and the greatest whole number of so many bits; a narrow range leaves out the least."""
    return int(narrow_range), 2**num_bits - 1


def _scaled(low: Any, high: Any, ends: tuple[int, int], symmetric: bool) -> tuple[Any, Any, Any]:
    """The step, and the range moved so that 0 is a whole number of steps."""
    if symmetric:
        high = rounding.maximum(abs_(low), high)
        low = -high
    empty = high <= low
    width, count = masking.select(empty, 1.0, high - low), float(ends[1] - ends[0])
    zero = clamp(_rounded(ends[0] - low / width * count), float(ends[0]), float(ends[1]))    # halves stay halves
    step = masking.select(empty, 0.0, width / count)
    return step, (ends[0] - zero) * step, (ends[1] - zero) * step


def fake_quantised(x: Any, low: Any, high: Any, ends: tuple[int, int], symmetric: bool, axis: int | None) -> Any:
    """`x` rounded to the quantised numbers of a range; the derivative is 1 within the range and 0 outside."""
    step, bottom, top = _scaled(along(x, low, axis), along(x, high, axis), ends, symmetric)
    inside = clamp(x, structure.stop_gradient(bottom), structure.stop_gradient(top))
    some = masking.select(step <= 0, 1.0, step)
    return straight_through(_rounded((inside - bottom) / some) * step + bottom, inside)


def _observed(owner: str, x: Any, low: Any, high: Any, ema: bool, decay: float, axis: int | None) -> tuple[Any, Any]:
    check.boolean(owner, "ema", ema)
    check.number(owner, "ema_decay", decay, 0.0, 1.0)
    rest = None if axis is None else tuple([i for i in range(x.ndim) if i != axis % x.ndim])
    found = [structure.reshape(f(x, rest), shape=tuple(low.shape)) for f in (amin, amax)]
    if ema:
        found = [old * decay + new * (1.0 - decay) for old, new in zip((low, high), found, strict=True)]
    return rounding.minimum(found[0], 0.0), rounding.maximum(found[1], 0.0)


@composed("MinMaxUpdatePerLayer(ema=False, ema_decay=0.999)(x, min, max)")
def update_per_layer(x: Any, min: Any, max: Any, *, ema: bool = False, ema_decay: float = 0.999) -> tuple[Any, Any]:
    """The range of a tensor's elements and 0; with `ema` the moving mean of the ends of ranges."""
    return _observed("MinMaxUpdatePerLayer", x, min, max, ema, ema_decay, None)


@composed("MinMaxUpdatePerChannel(ema=False, ema_decay=0.999, channel_axis=1)(x, min, max)")
def update_per_channel(x: Any, min: Any, max: Any, *, ema: bool = False, ema_decay: float = 0.999,
                       channel_axis: int = 1) -> tuple[Any, Any]:
    """The range of each channel's elements and 0; with `ema` the moving mean of the ends of ranges."""
    return _observed("MinMaxUpdatePerChannel", x, min, max, ema, ema_decay, channel_axis)


def _fake(owner: str, x: Any, ends: tuple[Any, Any], axis: int | None, bits: tuple[int, bool, bool], delay: int,
          moving: tuple[bool, bool, float]) -> Any:
    num_bits, symmetric, narrow_range = bits
    training, ema, decay = moving
    check.integer(owner, "num_bits", num_bits, 2, 16)
    if check.non_negative_int(owner, "quant_delay", delay):
        raise ValueError(f"For '{owner}', the 'quant_delay' must be 0: an operator counts no steps. "
                         f"'nn.FakeQuantWithMinMaxObserver' does.")
    if axis is not None and tuple(ends[0].shape) != (x.shape[axis],):
        raise ValueError(f"For '{owner}', the range must have an entry for each of the {x.shape[axis]} channels, "
                         f"but got {show(ends[0])}.")
    if training:
        ends = _observed(owner, x, *ends, ema, decay, axis)
    return fake_quantised(x, *ends, steps(num_bits, narrow_range), symmetric, axis)


@composed("FakeQuantPerLayer(num_bits=8, ema=False, ema_decay=0.999, quant_delay=0, symmetric=False, "
          "narrow_range=False, training=True)(x, min, max)")
def _per_layer(x: Any, min: Any, max: Any, *, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999,
               quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False,
               training: bool = True) -> Any:
    """The elements rounded to the quantised numbers of one range, which in training is that of the elements."""
    return _fake("FakeQuantPerLayer", x, (min, max), None, (num_bits, symmetric, narrow_range), quant_delay,
                 (training, ema, ema_decay))


@composed("FakeQuantPerChannel(num_bits=8, ema=False, ema_decay=0.999, quant_delay=0, symmetric=False, "
          "narrow_range=False, training=True, channel_axis=1)(x, min, max)")
def _per_channel(x: Any, min: Any, max: Any, *, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999,
                 quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False, training: bool = True,
                 channel_axis: int = 1) -> Any:
    """The elements rounded to the quantised numbers of a range for each channel."""
    return _fake("FakeQuantPerChannel", x, (min, max), channel_axis, (num_bits, symmetric, narrow_range), quant_delay,
                 (training, ema, ema_decay))


@composed("FakeQuantWithMinMaxVars(num_bits=8, narrow_range=False)(x, min, max)")
def _with_vars(x: Any, min: Any, max: Any, *, num_bits: int = 8, narrow_range: bool = False) -> Any:
    """The elements rounded to the quantised numbers of a given range."""
    return fake_quantised(x, min, max, steps(num_bits, narrow_range), False, None)


@composed("FakeQuantWithMinMaxVarsPerChannel(num_bits=8, narrow_range=False)(x, min, max)")
def _with_vars_per_channel(x: Any, min: Any, max: Any, *, num_bits: int = 8, narrow_range: bool = False) -> Any:
    """The elements rounded to the quantised numbers of a given range for each index of the last axis."""
    return fake_quantised(x, min, max, steps(num_bits, narrow_range), False, -1)


# ---------------------------------------------------------------------- learned ranges

def learned(x: Any, alpha: Any, quant_max: Any, neg_trunc: bool, axis: int | None) -> Any:
    """`x` rounded to `quant_max` steps on each side of 0, up to `alpha`, which has a derivative, too."""
    alpha, count = along(x, alpha, axis), along(x, quant_max, None if tuple(quant_max.shape) == (1,) else axis)
    inside = clamp(x / alpha, 0.0 if neg_trunc else -1.0, 1.0)
    whole = structure.stop_gradient(_rounded(inside * count) / count)
    slope = mul(inside + structure.stop_gradient(whole - inside), alpha)
    return straight_through(whole * alpha, slope)


@composed("FakeLearnedScaleQuantPerLayer(quant_delay=0, neg_trunc=False, training=True)(input_x, alpha, quant_max)")
def _learned_per_layer(input_x: Any, alpha: Any, quant_max: Any, *, quant_delay: int = 0, neg_trunc: bool = False,
                       training: bool = True) -> Any:
    """The elements rounded to steps of one learned range."""
    _no_delay("FakeLearnedScaleQuantPerLayer", quant_delay)
    return learned(input_x, alpha, quant_max, neg_trunc, None)


@composed("FakeLearnedScaleQuantPerChannel(quant_delay=0, neg_trunc=False, training=True, channel_axis=1)"
          "(input_x, alpha, quant_max)")
def _learned_per_channel(input_x: Any, alpha: Any, quant_max: Any, *, quant_delay: int = 0, neg_trunc: bool = False,
                         training: bool = True, channel_axis: int = 1) -> Any:
    """The elements rounded to steps of a learned range for each channel."""
    _no_delay("FakeLearnedScaleQuantPerChannel", quant_delay)
    return learned(input_x, alpha, quant_max, neg_trunc, channel_axis)


def _no_delay(owner: str, quant_delay: int) -> None:
    if check.non_negative_int(owner, "quant_delay", quant_delay):
        raise ValueError(f"For '{owner}', the 'quant_delay' must be 0: an operator counts no steps.")


# ---------------------------------------------------------------------- folded batch normalisation

@composed("CorrectionMul(channel_axis=0)(x, batch_std, running_std)")
def corrected(x: Any, batch_std: Any, running_std: Any, *, channel_axis: int = 0) -> Any:
    """`x * batch_std / running_std` for each channel."""
    return x * along(x, batch_std / running_std, channel_axis)


@composed("BatchNormFold(momentum=0.9, epsilon=1e-5, is_training=True, freeze_bn=0)(x, mean, variance, global_step)")
def folding(x: Any, mean: Any, variance: Any, global_step: Any, *, momentum: float = 0.9, epsilon: float = 1e-5,
            is_training: bool = True, freeze_bn: int = 0) -> tuple[Any, Any, Any, Any]:
    """Mean and deviation of the batch, moving mean and deviation, per channel of (N, C, H, W).

    In training before the step `freeze_bn`, `mean` and `variance` become `momentum * old + (1 - momentum) * new`; else
    those of the batch are 0 and 1.
    """
    if x.ndim != 4:
        raise ValueError(f"For 'BatchNormFold', the input must be (N, C, H, W), but got {show(x)}.")
    if not is_training:
        return structure.zeros_like(mean), structure.ones_like(mean), mean, sqrt(variance + epsilon)
    size = x.shape[0] * x.shape[2] * x.shape[3]
    of_batch = x.mean((0, 2, 3))
    spread = ((x - along(x, of_batch, 1)) ** 2).mean((0, 2, 3))
    live = _before(global_step, freeze_bn)
    for old, new in ((mean, of_batch), (variance, spread * (size / max(size - 1, 1)))):
        moved = old * momentum + structure.stop_gradient(new) * (1.0 - momentum)
        assign(old, masking.select(live, moved, old))
    return (masking.select(live, of_batch, 0.0), masking.select(live, sqrt(spread + epsilon), 1.0), mean * 1.0,
            sqrt(variance + epsilon))


def _before(step: Any, freeze: int) -> Any:
    return structure.reshape(step, shape=()) < check.non_negative_int("BatchNormFold", "freeze_bn", freeze)


@composed("BatchNormFold2(freeze_bn=0)(x, beta, gamma, batch_std, batch_mean, running_std, running_mean, global_step)")
def folded(x: Any, beta: Any, gamma: Any, batch_std: Any, batch_mean: Any, running_std: Any, running_mean: Any,
           global_step: Any, *, freeze_bn: int = 0) -> Any:
    """What is left of a batch normalisation behind a convolution whose weights were multiplied by gamma / running_std.

    Before the step `freeze_bn`: x * running_std / batch_std + beta - gamma * batch_mean /
    batch_std; after it x + beta - gamma * running_mean / running_std.
    """
    live = _before(global_step, freeze_bn)
    factor = masking.select(live, running_std / batch_std, 1.0)
    shift = gamma * masking.select(live, batch_mean / batch_std, running_mean / running_std)
    return x * along(x, factor, 1) + along(x, beta - shift, 1)


__all__: list[str] = []
