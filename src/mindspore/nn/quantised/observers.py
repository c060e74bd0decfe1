"""Cells that round to quantised numbers, and keep or learn the range of these."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.core.quant_dtype import QuantDtype
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.operators import masking, structure
from mindspore.ops.quantisation import (
    fake_quantised,
    learned,
    steps,
    update_per_channel,
    update_per_layer,
)

MODES = ("DEFAULT", "LEARNED_SCALE")


class Partial:
    """A class with some of its arguments: what a configuration gives the layers to make their observers with."""

    def __init__(self, cls: Callable[..., Any], **kwargs: Any):
        self.p = partial(cls, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.p(*args, **kwargs)

    def partial_init(self, **kwargs: Any) -> Partial:
        """The same with further arguments."""
        return Partial(self.p.func, **{**self.p.keywords, **kwargs})

    def __repr__(self) -> str:
        return repr(self.p)


class UniformQuantObserver(Cell):
    """What observers share: the type of the numbers, and whether there is a range for each channel.

    Args:
        quant_dtype: The number of bits.
        per_channel: Whether each channel has a range of its own.
        symmetric: Whether the range is as wide below 0 as above.
        narrow_range: Whether the least whole number is left out, so that there are as many on both sides.
        num_channels: The number of channels.

    Raises:
        TypeError: If an argument has another type.
    """

    min_max_map = {QuantDtype[f"INT{bits}"]: (1 - 2 ** (bits - 1), 2 ** (bits - 1) - 1) for bits in range(2, 9)}
    min_max_map |= {QuantDtype[f"UINT{bits}"]: (0, 2**bits - 1) for bits in range(2, 9)}

    def __init__(self, quant_dtype: QuantDtype = QuantDtype.INT8, per_channel: bool = False,
                 symmetric: bool = False, narrow_range: bool = False, num_channels: int = 1):
        super().__init__()
        self.quant_dtype = check.instance(self, "quant_dtype", quant_dtype, QuantDtype)
        self.num_bits = check.integer(self, "quant_dtype.num_bits", quant_dtype.num_bits, 2, 16)
        self.per_channel = check.boolean(self, "per_channel", per_channel)
        self.symmetric = check.boolean(self, "symmetric", symmetric)
        self.narrow_range = check.boolean(self, "narrow_range", narrow_range)
        self.num_channels = check.positive_int(self, "num_channels", num_channels)

    @classmethod
    def partial_init(cls, **kwargs: Any) -> Partial:
        """The class with some of its arguments, for a configuration of quantisation.

        Args:
            kwargs: The arguments.
        """
        return Partial(cls, **kwargs)


class FakeQuantWithMinMaxObserver(UniformQuantObserver):
    """Rounds to quantised numbers; the derivative is that of the range: 1 inside, 0 outside.

    In training the range is that of the input and 0, or with `ema` a moving mean of it; else it is the last one. In
    the mode "LEARNED_SCALE" it is a parameter, which is trained.

    Args:
        min_init: The lower end at first, or one for each channel; in "LEARNED_SCALE" the ends at first are
            `max_init` on both sides.
        max_init: The upper end at first, likewise.
        ema: Whether the range is a moving mean.
        ema_decay: The weight of the old range in it.
        per_channel: Whether each channel has a range of its own.
        channel_axis: The axis of channels, 0 or 1.
        num_channels: The number of channels.
        quant_dtype: The number of bits, 2 to 16 (8 in "LEARNED_SCALE").
        symmetric: Whether the range is as wide below 0 as above; needed in "LEARNED_SCALE".
        narrow_range: Whether the least whole number is left out; needed in "LEARNED_SCALE".
        quant_delay: After how many training steps rounding begins; 0 in "LEARNED_SCALE".
        neg_trunc: Whether what is negative becomes 0, in "LEARNED_SCALE".
        mode: "DEFAULT" or "LEARNED_SCALE".

    Inputs:
        x: A tensor of any shape.

    Outputs:
        Of the same shape.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a value is out of its range, or does not go with the mode.

    Examples:
        >>> quantise = nn.FakeQuantWithMinMaxObserver()
        >>> print(quantise(Tensor([[1.0, 2, 1], [-2, 0, -1]])))
        [[ 0.9882355  1.9764705  0.9882355]
         [-1.9764705  0.        -0.9882355]]
    """

    def __init__(self, min_init: Any = -6, max_init: Any = 6, ema: bool = False, ema_decay: float = 0.999,
                 per_channel: bool = False, channel_axis: int = 1, num_channels: int = 1,
                 quant_dtype: QuantDtype = QuantDtype.INT8, symmetric: bool = False, narrow_range: bool = False,
                 quant_delay: int = 0, neg_trunc: bool = False, mode: str = "DEFAULT"):
        super().__init__(quant_dtype, per_channel, symmetric, narrow_range, num_channels)
        self.ema = check.boolean(self, "ema", ema)
        self.ema_decay = check.number(self, "ema_decay", ema_decay, 0.0, 1.0)
        self.channel_axis = check.integer(self, "channel_axis", channel_axis, 0, 1)
        self.quant_delay = check.non_negative_int(self, "quant_delay", quant_delay)
        self.neg_trunc = check.boolean(self, "neg_trunc", neg_trunc)
        self.mode = check.option(self, "mode", mode, MODES)
        self.is_learned = mode == "LEARNED_SCALE"
        if self.is_learned and (quant_delay or ema or not (symmetric and narrow_range)):
            raise ValueError(f"For '{self.cls_name}', the mode 'LEARNED_SCALE' needs 'symmetric' and 'narrow_range' "
                             f"to be True, 'ema' to be False and 'quant_delay' to be 0.")
        self._axis = self.channel_axis if per_channel else None
        self._start(min_init, max_init)

    def _start(self, min_init: Any, max_init: Any) -> None:
        """The parameters of the range, in the order of checkpoints."""
        self.min_init, self.max_init = min_init, max_init
        low, high = self._ends("min_init", min_init), self._ends("max_init", max_init)
        if np.any(low > high):
            raise ValueError(f"For '{self.cls_name}', the 'min_init' must not be above the 'max_init', but got "
                             f"{min_init} and {max_init}.")
        if self.is_learned:
            most = 2 ** (self.num_bits - 1 + int(self.neg_trunc)) - 1
            self.quant_max = Parameter(Tensor([float(most)], float32), name="quant_max", requires_grad=False)
            self.scale = Parameter(Tensor(np.maximum(np.abs(low), np.abs(high))), name="scale")
            return
        self.minq = Parameter(Tensor(low), name="quant_min", requires_grad=False)
        self.maxq = Parameter(Tensor(high), name="quant_max", requires_grad=False)
        if self.quant_delay:
            self.step = Parameter(Tensor([0], int32), name="step", requires_grad=False)

    def _ends(self, name: str, value: Any) -> np.ndarray:
        count = self.num_channels if self.per_channel else 1
        found = np.asarray(value, np.float32).reshape(-1)
        if found.size not in (1, count):
            raise ValueError(f"For '{self.cls_name}', the '{name}' must have one entry or {count}, but got {value!r}.")
        return np.array(np.broadcast_to(found, (count,)))

    def reset(self, quant_dtype: QuantDtype = QuantDtype.INT8, min_init: Any = -6, max_init: Any = 6) -> Self:
        """Begin anew with other bits and another range.

        Args:
            quant_dtype: The number of bits.
            min_init: The lower end, or one for each channel.
            max_init: The upper end, likewise.

        Returns:
            The cell.

        Examples:
            >>> nn.FakeQuantWithMinMaxObserver().reset(mindspore.QuantDtype.INT4, -1, 1).maxq.tolist()
            [1.0]
        """
        self.quant_dtype = check.instance(self, "quant_dtype", quant_dtype, QuantDtype)
        self.num_bits = check.integer(self, "quant_dtype.num_bits", quant_dtype.num_bits, 2, 16)
        self._start(min_init, max_init)
        return self

    def construct(self, x):
        if self.is_learned:
            return learned(x, self.scale, self.quant_max, self.neg_trunc, self._axis)
        if self.training:
            self._observe(x)
        y = fake_quantised(x, self.minq, self.maxq, steps(self.num_bits, self.narrow_range), self.symmetric,
                           self._axis)
        return self._late(x, y) if self.quant_delay else y

    def _observe(self, x: Any) -> None:
        old = self.minq, self.maxq
        if self._axis is None:
            low, high = update_per_layer(x, *old, ema=self.ema, ema_decay=self.ema_decay)
        else:
            low, high = update_per_channel(x, *old, ema=self.ema, ema_decay=self.ema_decay, channel_axis=self._axis)
        assign(self.minq, structure.stop_gradient(low))
        assign(self.maxq, structure.stop_gradient(high))

    def _late(self, x: Any, y: Any) -> Any:
        """The rounded elements once enough training steps are done; this is one of them in training."""
        late = structure.reshape(self.step, shape=()) >= self.quant_delay
        if self.training:
            assign(self.step, self.step + 1)
        return masking.select(late, y, x)

    def extend_repr(self) -> str:
        return (f"quant_dtype={self.quant_dtype}, symmetric={self.symmetric}, narrow_range={self.narrow_range}, "
                f"ema={self.ema}({self.ema_decay}), per_channel={self.per_channel}({self.channel_axis}, "
                f"{self.num_channels}), quant_delay={self.quant_delay}, min_init={self.min_init}, "
                f"max_init={self.max_init}")


def FakeQuantWithMinMax(min_init: Any = -6, max_init: Any = 6, ema: bool = False, ema_decay: float = 0.999,
                        per_channel: bool = False, channel_axis: int = 1, num_channels: int = 1, num_bits: int = 8,
                        symmetric: bool = False, narrow_range: bool = False, quant_delay: int = 0) -> Cell:
    """The `FakeQuantWithMinMaxObserver` of 1.0, which is given a number of bits.

    Args:
        num_bits: The number of bits, 2 to 16.

    The other arguments are those of `FakeQuantWithMinMaxObserver`.
    """
    bits = check.integer("FakeQuantWithMinMax", "num_bits", num_bits, 2, 16)
    return FakeQuantWithMinMaxObserver(min_init, max_init, ema, ema_decay, per_channel, channel_axis, num_channels,
                                       QuantDtype[f"INT{bits}"], symmetric, narrow_range, quant_delay)


class QuantConfig(NamedTuple):
    """What makes the observers of weights and of activations."""

    weight: Callable[..., Any]
    activation: Callable[..., Any]


def create_quant_config(quant_observer: Any = (FakeQuantWithMinMaxObserver, FakeQuantWithMinMaxObserver),
                        quant_delay: Any = (0, 0), quant_dtype: Any = (QuantDtype.INT8, QuantDtype.INT8),
                        per_channel: Any = (False, False), symmetric: Any = (False, False),
                        narrow_range: Any = (False, False), mode: str = "DEFAULT") -> QuantConfig:
    """How weights and activations of a layer are quantised.

    Every argument but `mode` is a pair, for weights and for activations, or one value for both.

    Args:
        quant_observer: The class of the observer.
        quant_delay: After how many steps rounding begins.
        quant_dtype: The number of bits.
        per_channel: Whether each channel has a range of its own.
        symmetric: Whether ranges are as wide below 0 as above.
        narrow_range: Whether the least whole number is left out.
        mode: "DEFAULT" or "LEARNED_SCALE".

    Returns:
        A pair (weight, activation) of what makes observers.

    Raises:
        ValueError: If `mode` is none of these, or activations have ranges per channel.

    Examples:
        >>> config = mindspore.compression.quant.create_quant_config(per_channel=(True, False))
        >>> config.weight(num_channels=3).per_channel
        True
    """
    names = ("quant_observer", "quant_delay", "quant_dtype", "per_channel", "symmetric", "narrow_range")
    given = (quant_observer, quant_delay, quant_dtype, per_channel, symmetric, narrow_range)
    pairs = dict(zip(names, [_pair(n, v) for n, v in zip(names, given, strict=True)], strict=True))
    if pairs["per_channel"][1]:
        raise ValueError("For 'create_quant_config', the second 'per_channel' must be False: activations have one "
                         "range.")
    check.option("create_quant_config", "mode", mode, MODES)
    made = []
    for i in range(2):
        options = {name: values[i] for name, values in pairs.items()}
        made.append(options.pop("quant_observer").partial_init(mode=mode, **options))
    return QuantConfig(*made)


def _pair(name: str, value: Any) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)):
        return value, value
    if len(value) not in (1, 2):
        raise ValueError(f"For 'create_quant_config', the '{name}' must be a pair, but got {value!r}.")
    return value[0], value[-1]


DEFAULT = create_quant_config()
