"""Pooling over windows in one, two and three dimensions."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators.padding import pad_constant
from mindspore.operators.pooling import avg_pool, max_pool

from .cell import Cell


class _Pool(Cell):
    """What the pooling layers share: checks, padding, text.  `n` is the number of spatial axes."""

    n = 2

    def _windows(self, kernel_size: Any, stride: Any, pad_mode: str) -> None:
        self.kernel_size, self.stride = kernel_size, stride
        self._window = self._extents("kernel_size", kernel_size)
        self._step = self._extents("stride", stride)
        check.instance(self, "pad_mode", pad_mode, str)
        self.pad_mode = pad_mode.upper()
        if self.pad_mode not in ("SAME", "VALID", "PAD"):
            raise ValueError(f"For '{self.cls_name}', the 'pad_mode' must be one of 'same', 'valid' and "
                             f"'pad', but got {pad_mode!r}.")

    def _extents(self, name: str, value: Any, low: int = 1) -> tuple[int, ...]:
        """One int per axis of the operator, which pools in at least two dimensions."""
        if self.n == 1 and name != "padding":
            value = check.integer(self, name, value)
        if name == "padding" and isinstance(value, list):
            value = tuple(value)
        if isinstance(value, bool) or not isinstance(value, (int, tuple)):
            raise TypeError(f"For '{self.cls_name}', the type of '{name}' should be one of '['int', "
                            f"'tuple']', but got type '{type(value).__name__}'.")
        if isinstance(value, int):
            value = (value,) * self.n
        if len(value) == 1:
            value = value * self.n
        if len(value) != self.n or any(not isinstance(v, int) or v < low for v in value):
            raise ValueError(f"For '{self.cls_name}', the '{name}' must be an int not below {low}, or a "
                             f"tuple of {self.n} such ints, but got {value}.")
        return (low, *value) if self.n == 1 else value

    def _same(self, extents: tuple[int, ...]) -> list[tuple[int, int]]:
        """(begin, end) per axis that make ceil(extent / stride) results, the odd one at the end."""
        ends = []
        for extent, k, s in zip(extents, self._window, self._step, strict=True):
            total = max((-(-extent // s) - 1) * s + k - extent, 0)
            ends.append((total // 2, total - total // 2))
        return ends

    def _run(self, x: Any, **attrs: Any) -> Any:
        return self._pool(x.expand_dims(-2), **attrs) if self.n == 1 else self._pool(x, **attrs)

    def construct(self, x):
        if self.pad_mode == "SAME":
            lifted = x.expand_dims(-2) if self.n == 1 else x
            y = self._pool_same(lifted, self._same(tuple(lifted.shape[-len(self._window):])))
        else:
            y = self._run(x, **self._attrs)
        if self.n != 1:
            return y
        return tuple([part.squeeze(-2) for part in y]) if isinstance(y, tuple) else y.squeeze(-2)

    def _pool_same(self, x: Any, ends: list[tuple[int, int]]) -> Any:
        begins = tuple([begin for begin, _ in ends])
        if all(b == e or s > 1 for (b, e), s in zip(ends, self._step, strict=True)):
            # The last window may reach one element too far, which "ceil" permits and leaves out.
            return self._pool(x, padding=begins, ceil_mode=True)
        lead = ((0, 0),) * (x.ndim - len(ends))
        return self._pool_padded(x, (*lead, *ends))

    def _pool(self, x: Any, **attrs: Any) -> Any:
        raise NotImplementedError

    def _pool_padded(self, x: Any, pads: Any) -> Any:
        raise NotImplementedError

    def extend_repr(self) -> str:
        window, step = self.kernel_size, self.stride
        if self.n == 1:
            window, step = (1, window), (1, step)
        return f"kernel_size={window}, stride={step}, pad_mode={self.pad_mode}"


class _MaxPool(_Pool):
    """The maximum over windows."""

    def _configure(self, padding: Any, dilation: Any, return_indices: bool, ceil_mode: bool) -> None:
        self.padding, self.dilation = padding, dilation
        self.return_indices = check.boolean(self, "return_indices", return_indices)
        self.ceil_mode = check.boolean(self, "ceil_mode", ceil_mode)
        if self.pad_mode != "PAD" and (padding != 0 or dilation != 1 or return_indices or ceil_mode):
            raise ValueError(f"For {self.cls_name}, the parameter 'padding', 'dilation', "
                             "'return_indices', 'ceil_mode' can not be set to non-default value when "
                             f"pad_mode is not 'pad', but got pad_mode:{self.pad_mode.lower()}.")
        self._attrs = {"padding": self._extents("padding", padding, 0),
                       "dilation": self._extents("dilation", dilation), "ceil_mode": ceil_mode}

    def _pool(self, x: Any, **attrs: Any) -> Any:
        y, indices = max_pool(x, window=self._window, stride=self._step, **attrs)
        return (y, indices) if self.return_indices else y

    def _pool_padded(self, x: Any, pads: Any) -> Any:
        return self._pool(pad_constant(x, pads=pads, value=float("-inf")))


class _AvgPool(_Pool):
    """The mean over windows."""

    def _configure(self, padding: Any, ceil_mode: bool, count_include_pad: bool,
                   divisor_override: int | None = None) -> None:
        self.padding = padding
        self.ceil_mode = check.boolean(self, "ceil_mode", ceil_mode)
        self.count_include_pad = check.boolean(self, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override
        if divisor_override is not None and check.integer(self, "divisor_override", divisor_override) <= 0:
            raise ValueError(f"For '{self.cls_name}', the 'divisor_override' must be > 0, but got "
                             f"{divisor_override}.")
        ends = self._extents("padding", padding, 0)
        if self.pad_mode != "PAD" and any(ends):
            raise ValueError(f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not "
                             f"'pad', but got 'padding': {padding} and 'pad_mode': "
                             f"{self.pad_mode.lower()}.")
        self._attrs = {"padding": ends, "ceil_mode": ceil_mode, "include_pad": count_include_pad}

    def _pool(self, x: Any, **attrs: Any) -> Any:
        attrs.setdefault("include_pad", False)
        return avg_pool(x, window=self._window, stride=self._step, divisor=self.divisor_override, **attrs)

    def _pool_same(self, x: Any, ends: list[tuple[int, int]]) -> Any:
        if self.n == 3 or not (self.ceil_mode and self.count_include_pad):
            return super()._pool_same(x, ends)
        padded = pad_constant(x, pads=((0, 0),) * (x.ndim - len(ends)) + tuple(ends), value=0.0)
        return self._pool(padded, include_pad=True)

    def _pool_padded(self, x: Any, pads: Any) -> Any:
        total = self._pool(pad_constant(x, pads=pads, value=0.0), include_pad=True)
        if self.divisor_override is not None:
            return total
        ones = pad_constant(ops.ones(tuple(x.shape), x.dtype), pads=pads, value=0.0)
        return total / self._pool(ones, include_pad=True)


class MaxPool1d(_MaxPool):
    """The maximum over windows of (N, C, L) or (C, L).

    Args:
        kernel_size: Length of the window.
        stride: Step of the window.
        pad_mode: "same" (ceil(L / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Elements at both ends that never are the maximum, for "pad".
        dilation: Distance of the window's elements, for "pad".
        return_indices: Whether to return the places of the maxima, too, for "pad".
        ceil_mode: Whether a window may reach behind the end, for "pad".

    Inputs:
        x: (C, L) or (N, C, L), floating point.

    Outputs:
        The input's shape with L' in the place of L; with `return_indices` a pair of it and the places.

    Examples:
        >>> nn.MaxPool1d(2, 2)(Tensor([[[1.0, 3.0, 5.0, 4.0]]])).tolist()
        [[[3.0, 5.0]]]
        >>> y, places = nn.MaxPool1d(2, 2, pad_mode="pad", return_indices=True)(Tensor([[[1.0, 3.0, 5.0, 4.0]]]))
        >>> places.tolist()
        [[[1, 2]]]
    """

    n = 1

    def __init__(self, kernel_size: int = 1, stride: int = 1, pad_mode: str = "valid",
                 padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
                 ceil_mode: bool = False):
        super().__init__()
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, dilation, return_indices, ceil_mode)


class MaxPool2d(_MaxPool):
    """The maximum over windows of (N, C, H, W) or (C, H, W).

    Args:
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window, likewise.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Elements at the borders that never are the maximum, for "pad".
        dilation: Distance of the window's elements, for "pad".
        return_indices: Whether to return the places of the maxima, too, for "pad".
        ceil_mode: Whether a window may reach behind the end, for "pad".
        data_format: "NCHW", or "NHWC" for channels last.  Earlier releases had it in the place of
            `padding`.

    Inputs:
        x: (C, H, W) or (N, C, H, W), floating point.

    Examples:
        >>> nn.MaxPool2d(2, stride=2)(ops.ones((1, 3, 8, 8))).shape
        (1, 3, 4, 4)
    """

    def __init__(self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid",
                 padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
                 ceil_mode: bool = False, data_format: str = "NCHW"):
        super().__init__()
        if isinstance(padding, str):
            padding, data_format = 0, padding
        self.data_format = check.option(self, "data_format", data_format, ("NCHW", "NHWC"))
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, dilation, return_indices, ceil_mode)

    def construct(self, x):
        return _with_format(super().construct, self.data_format, x)


class MaxPool3d(_MaxPool):
    """The maximum over windows of (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size: Extents of the window, one int or (depth, height, width).
        stride: Steps of the window, likewise.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Elements at the borders that never are the maximum, for "pad".
        dilation: Distance of the window's elements, for "pad".
        return_indices: Whether to return the places of the maxima, too, for "pad".
        ceil_mode: Whether a window may reach behind the end, for "pad".

    Inputs:
        x: (C, D, H, W) or (N, C, D, H, W), floating point.

    Examples:
        >>> nn.MaxPool3d(2, 2)(Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))).tolist()
        [[[[[7.0]]]]]
    """

    n = 3

    def __init__(self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid",
                 padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
                 ceil_mode: bool = False):
        super().__init__()
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, dilation, return_indices, ceil_mode)


class AvgPool1d(_AvgPool):
    """The mean over windows of (N, C, L) or (C, L).

    Args:
        kernel_size: Length of the window.
        stride: Step of the window.
        pad_mode: "same" (ceil(L / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Zeros at both ends, for "pad".
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.

    Inputs:
        x: (C, L) or (N, C, L), floating point.

    Outputs:
        The input's shape with L' in the place of L.

    Examples:
        >>> nn.AvgPool1d(2, 2)(Tensor([[[1.0, 3.0, 5.0, 9.0]]])).tolist()
        [[[2.0, 7.0]]]
    """

    n = 1

    def __init__(self, kernel_size: int = 1, stride: int = 1, pad_mode: str = "valid",
                 padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True):
        super().__init__()
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    """The mean over windows of (N, C, H, W) or (C, H, W).

    Args:
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window, likewise.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Zeros at the borders, for "pad".
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.
        divisor_override: What the sum is divided by, instead of the number of elements.
        data_format: "NCHW", or "NHWC" for channels last.  Earlier releases had it in the place of
            `padding`.

    Inputs:
        x: (C, H, W) or (N, C, H, W), floating point.

    Outputs:
        The input's shape with H' and W' in the place of H and W.

    Examples:
        >>> nn.AvgPool2d(2)(Tensor([[[[1.0, 2.0], [3.0, 6.0]]]])).tolist()
        [[[[3.0]]]]
    """

    def __init__(self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid",
                 padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,
                 divisor_override: int | None = None, data_format: str = "NCHW"):
        super().__init__()
        if isinstance(padding, str):
            padding, data_format = 0, padding
        self.data_format = check.option(self, "data_format", data_format, ("NCHW", "NHWC"))
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, ceil_mode, count_include_pad, divisor_override)

    def construct(self, x):
        return _with_format(super().construct, self.data_format, x)


class AvgPool3d(_AvgPool):
    """The mean over windows of (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size: Extents of the window, one int or (depth, height, width).
        stride: Steps of the window, likewise.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (whole windows) or "pad" (`padding`).
        padding: Zeros at the borders, for "pad".
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.
        divisor_override: What the sum is divided by, instead of the number of elements.

    Inputs:
        x: (C, D, H, W) or (N, C, D, H, W), floating point.

    Examples:
        >>> nn.AvgPool3d(2, 2)(Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))).tolist()
        [[[[[3.5]]]]]
    """

    n = 3

    def __init__(self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid",
                 padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,
                 divisor_override: int | None = None):
        super().__init__()
        self._windows(kernel_size, stride, pad_mode)
        self._configure(padding, ceil_mode, count_include_pad, divisor_override)

    def _pool_same(self, x: Any, ends: list[tuple[int, int]]) -> Any:
        if not self.count_include_pad:
            return super()._pool_same(x, ends)
        pads = (*((0, 0),) * (x.ndim - len(ends)), *ends)
        return self._pool(pad_constant(x, pads=pads, value=0.0))


def _with_format(pool: Any, data_format: str, x: Any) -> Any:
    """Pool with the channels where `data_format` has them."""
    if data_format == "NCHW":
        return pool(x)
    y = pool(x.transpose(0, 3, 1, 2))
    if isinstance(y, tuple):
        return tuple([part.transpose(0, 2, 3, 1) for part in y])
    return y.transpose(0, 2, 3, 1)
