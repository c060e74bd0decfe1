"""Dropout of elements and of whole channels."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.operators.dropout import dropout

from .cell import Cell


class Dropout(Cell):
    """Zero for every element with probability `p` in training, the others divided by 1 - p.

    Srivastava et al. 2014.  Outside training the input is returned unchanged.

    Args:
        keep_prob: 1 - p, the first argument of earlier releases; `p` overrules it.
        p: Probability of zero, in [0, 1).
        dtype: Accepted for earlier releases; the result has the type of the input.
        seed0, seed1: If one is not 0: seeds of a generator for this layer alone, of earlier releases.

    Examples:
        >>> net = nn.Dropout(p=0.25).set_train()
        >>> sorted(set(net(3 * ops.ones(100)).tolist()))
        [0.0, 4.0]
        >>> net.set_train(False)(Tensor([1.0])).tolist()
        [1.0]
    """

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: DType = float32,
                 seed0: int = 0, seed1: int = 0):
        super().__init__()
        if isinstance(p, bool) or (p is not None and not isinstance(p, (int, float))):
            raise TypeError(f"For 'Dropout', the type of 'p' should be one of '['float', 'int']', but "
                            f"got type '{type(p).__name__}'.")
        if p is None:
            check.floating(self, "keep_prob", keep_prob, 0, 1, open_low=True)
        else:
            check.number(self, "p", p, 0, 1, open_high=True)
        if not isinstance(dtype, DType):
            raise TypeError(f"For 'Dropout', the 'dtype' must be a mindspore dtype, but got {dtype!r}.")
        self.seed0 = check.non_negative_int(self, "seed0", seed0)
        self.seed1 = check.non_negative_int(self, "seed1", seed1)
        self.keep_prob, self.p, self.dtype = keep_prob, p, dtype
        self._kept = float(keep_prob if p is None else 1 - p)

    def construct(self, x):
        if not self.training or self._kept == 1.0:
            return x
        return dropout(x, keep_prob=self._kept, seed=self.seed0, seed2=self.seed1)[0]

    def extend_repr(self) -> str:
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class _ChannelDropout(Cell):
    """Zero for every channel with probability `p` in training, the others divided by 1 - p."""

    ranks: tuple[int, ...] = ()

    def __init__(self, p: float = 0.5):
        super().__init__()
        self.prob = check.floating(self, "p", p, 0.0, 1.0)
        self.keep_prob = 1.0 - p

    def construct(self, x):
        if not self.training or not self.prob:
            return x
        if x.ndim not in self.ranks:
            raise ValueError(f"For '{self.cls_name}', the input must have "
                             f"{' or '.join(map(str, self.ranks))} dimensions, but got {x.ndim}.")
        return self._drop(x)

    def extend_repr(self) -> str:
        return f"p={self.prob}"


class Dropout1d(_ChannelDropout):
    """Zero for every channel of (N, C, L) or (C, L) with probability `p` in training.

    Args:
        p: The probability with which a channel becomes zero.

    Inputs:
        x: (C, L) or (N, C, L).

    Examples:
        >>> nn.Dropout1d(0.5).set_train(False)(ops.ones((2, 3))).shape
        (2, 3)
    """

    ranks = (2, 3)

    def _drop(self, x: Any) -> Any:
        return ops.dropout1d(x, self.prob, True)


class Dropout2d(_ChannelDropout):
    """Zero for every channel of (N, C, H, W) with probability `p` in training.

    Args:
        p: The probability with which a channel becomes zero.

    Inputs:
        x: (N, C, H, W).

    Examples:
        >>> nn.Dropout2d(0.5).set_train(False)(ops.ones((1, 2, 3, 3))).shape
        (1, 2, 3, 3)
    """

    ranks = (4,)

    def _drop(self, x: Any) -> Any:
        return ops.dropout2d(x, self.prob, True)


class Dropout3d(_ChannelDropout):
    """Zero for every channel of (N, C, D, H, W) with probability `p` in training.

    Args:
        p: The probability with which a channel becomes zero.

    Inputs:
        x: (N, C, D, H, W).

    Examples:
        >>> nn.Dropout3d(0.5).set_train(False)(ops.ones((1, 2, 3, 3, 3))).shape
        (1, 2, 3, 3, 3)
    """

    ranks = (5,)

    def _drop(self, x: Any) -> Any:
        return ops.dropout3d(x, self.prob, True)
