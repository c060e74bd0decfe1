"""The computations that are timed: the vendor's kernel and the generated one, at sizes that are common."""
from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

import mindspore.ops  # the operators
from mindspore.compiler.kernels import generated
from mindspore.compiler.kernels.multiplication import (
    Attention,
    AttentionReverse,
    LstmLayer,
    LstmLayerReverse,
    MatrixProduct,
    WindowConvolution,
    WindowWeight,
    split,
)
from mindspore.compiler.kernels.normalisation import BatchNorm
from mindspore.core.dtype import float32
from mindspore.ir import Aval
from mindspore.operators.attention import attention as attention_op
from mindspore.operators.attention import attention_grad
from mindspore.operators.choices import choices
from mindspore.operators.convolution import convolution, convolution_weight_grad
from mindspore.operators.loops import Element, exp
from mindspore.operators.normalisation import batch_norm_train
from mindspore.operators.recurrent import lstm_layer, lstm_layer_grad

from .timing import Pair, timed

assert mindspore.ops
Case = Callable[[], Pair]
TYPICAL = 1          # the place of the case that tells what an operation costs
_PAUSE = 0.0005      # seconds between kernels, in which threads that do not spin fall asleep


def drawn(*shape: int) -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def _aval(x: torch.Tensor) -> Aval:
    return Aval(tuple(x.shape), float32)


def counted(name: str, size: float) -> float:
    """The operations by which the cost of generated code is counted, of those by which it is chosen."""
    return size / 2.25 * 2 if name == "window" else size / 2 if name == "attention" else size


def product() -> list[Case]:
    """Products (m, k) (k, n) of layers, large and small, and of their gradients."""
    sizes = [(64, 256, 256), (256, 256, 256), (128, 512, 512), (64, 784, 512), (256, 512, 512), (512, 512, 512),
             (1024, 256, 256), (1024, 256, 1024), (1024, 1024, 256), (1024, 1024, 1024)]
    return [partial(_product, *s, turned) for s in sizes for turned in ((False, True), (True, False))]


def _product(m: int, k: int, n: int, turned: tuple[bool, bool], tiles: bool = False) -> Pair:
    x, y = drawn(*((k, m) if turned[0] else (m, k))), drawn(*((n, k) if turned[1] else (k, n)))
    made, plain = [MatrixProduct(_aval(x), _aval(y), *turned, Aval((m, n), float32)) for _ in range(2)]
    made.split, plain.split = tiles, False
    a, b = x.t() if turned[0] else x, y.t() if turned[1] else y
    size = 2.0 * m * n * k
    other: Any = (lambda: plain(x, y)) if tiles and size >= choices().product_least else lambda: torch.mm(a, b)
    return timed(size, other, lambda: made(x, y), 0.25)


def tiles_by_edge() -> list[Case]:
    """Products of few rows by tiles of 16-bit floats, against what is taken otherwise; their size is the edge."""
    def case(edge: int) -> Pair:
        return _product(edge, 512, 512, (False, True), tiles=True)._replace(size=edge)
    return [partial(case, edge) for edge in (16, 32, 64, 128, 256)] if split.available() else []


def tiles() -> list[Case]:
    """The products, by tiles of 16-bit floats, against what is taken otherwise."""
    cases: list[Any] = product() if split.available() else []
    return [partial(_product, *c.args, tiles=True) for c in cases if min(c.args[:3]) >= choices().split_edge]


def attention() -> list[Case]:
    """Attention and its reverse: samples, heads, rows, elements of a head."""
    sizes = [(2, 2, 32, 16), (4, 4, 64, 32), (4, 4, 128, 32), (8, 4, 128, 64), (8, 8, 192, 64)]
    return [partial(_attention, *s) for s in sizes]


def _attention(n: int, h: int, t: int, d: int) -> Pair:
    q, k, v, dy = [drawn(n, h, t, d) + i for i in range(4)]
    scale, mask = d**-0.5, torch.triu(torch.full((t, t), -1e9), 1)
    shape, aval = (n, h, t, t, d, d), _aval(q)
    forward = Attention(shape, scale, (aval, Aval((n, h, t, t), float32)))
    reverse = AttentionReverse(shape, scale, (aval, aval, aval))

    def vendor() -> Any:
        y, kept = attention_op.kernel(q, k, v, mask, scale=scale)
        return attention_grad.kernel(dy, q, k, v, mask, y, kept, scale=scale)

    def own() -> Any:
        _, kept = forward(q, k, v, mask)
        return reverse(dy, q, k, v, kept)
    # what a pass compares is that of the forward direction; both together are three times as many
    return _over(timed(4.0 * n * h * t * t * d, vendor, own), 3.0)


def _over(pair: Pair, times: float) -> Pair:
    return pair._replace(first=pair.first / times, second=pair.second / times)


def window() -> list[Case]:
    """Convolutions of three by three: images, channels, size."""
    return [partial(_window, *s) for s in _WINDOWS]


def window_weight() -> list[Case]:
    """The cotangents of their weights."""
    return [partial(_window, *s, True) for s in _WINDOWS]


_WINDOWS = [(4, 32, 16), (8, 64, 14), (16, 64, 32), (8, 64, 56), (8, 128, 28), (32, 128, 16), (8, 256, 14)]


def _window(n: int, c: int, size: int, of_weight: bool = False) -> Pair:
    x = drawn(n, c, size, size).contiguous(memory_format=torch.channels_last)
    w = drawn(c, c, 3, 3).contiguous(memory_format=torch.channels_last)
    dout = x + 1.0
    forward = WindowConvolution(_aval(x), _aval(w), _aval(x), (1, 1), False)
    reverse = WindowWeight(_aval(x), _aval(x), (_aval(w),), (1, 1))
    given: dict[str, Any] = {"stride": (1, 1), "padding": (1, 1), "dilation": (1, 1)}

    def vendor() -> Any:
        return convolution_weight_grad.kernel(dout, x, w, **given) if of_weight else convolution.kernel(x, w, **given)
    return timed(18.0 * n * c * c * size * size, vendor, lambda: reverse(dout, x) if of_weight else forward(x, w), 0.5)


def norm() -> list[Case]:
    """Normalisations over the batch with a ReLU, by elements: images, channels, size."""
    sizes = [(1, 16, 8), (2, 16, 16), (4, 32, 16), (4, 32, 32), (8, 64, 32), (8, 64, 56)]
    return [partial(_norm, *s) for s in sizes]


def _norm(n: int, c: int, size: int) -> Pair:
    x = drawn(n, c, size, size).contiguous(memory_format=torch.channels_last)
    given = drawn(c), drawn(c), drawn(c), drawn(c).abs()
    made = BatchNorm(_aval(x), (0.0, float("inf")), (_aval(x), *map(_aval, given)), 0.1, 1e-5)
    return timed(x.numel(), lambda: torch.relu_(batch_norm_train.kernel(x, *given)[0]), lambda: made(x, *given), 0.25)


def lstm() -> list[Case]:
    """Layers with their reverse: steps, samples, units."""
    sizes = [(8, 4, 64), (16, 16, 128), (32, 32, 128), (64, 32, 128), (32, 32, 256), (16, 32, 512)]
    return [partial(_lstm, *s) for s in sizes]


def _lstm(t: int, n: int, h: int) -> Pair:
    x, w_ih, w_hh, b = drawn(t, n, h), drawn(4 * h, h) / h**0.5, drawn(4 * h, h) / h**0.5, drawn(4 * h)
    state, dy = drawn(n, h), drawn(t, n, h)
    avals = (_aval(x), _aval(state), _aval(state), Aval((6 * t * n * h,), float32))
    forward = LstmLayer((t, n, h, h), False, avals)
    reverse = LstmLayerReverse((t, n, h, h), False, (avals[0],) * 7, (True, False, False))

    def vendor() -> Any:
        given = (x, w_ih, w_hh, b, b, state, state)
        return lstm_layer_grad.kernel(dy, None, None, *given, *lstm_layer.kernel(*given), reverse=False)

    def own() -> Any:
        *_, kept = forward(x, w_ih, w_hh, b, b, state, state)
        return reverse(dy, x, w_ih, w_hh, state, kept)
    return _over(timed(16.0 * t * n * h * h, vendor, own), 3.0)


def costly() -> list[Case]:
    """An exponential of elements, alone: what a kernel at O1 must at least save."""
    return [partial(_costly, 1 << p) for p in (12, 14, 16, 18, 20)]


def _costly(count: int) -> Pair:
    x = drawn(count)
    made: Any = generated([exp(Element("input", (), (count,), float32, 0))])
    return timed(count, lambda: torch.exp(x), lambda: made(x), 0.2)


def shared_streaming(threads: int) -> list[Pair]:
    """Sums of two tensors on one thread and on all, with pauses before them."""
    def case(count: int) -> Pair:
        x, y = drawn(count), drawn(count)
        out = torch.empty(count)
        return _on_all(threads, count, lambda: torch.add(x, y, out=out))
    return [case(1 << p) for p in range(14, 23)]


def shared_product(threads: int) -> list[Pair]:
    """Products of square matrices on one thread and on all, with pauses before them."""
    def case(n: int) -> Pair:
        x, y, out = drawn(n, n), drawn(n, n) + 1.0, torch.empty(n, n)
        return _on_all(threads, 2.0 * n**3, lambda: torch.mm(x, y, out=out))
    return [case(n) for n in (64, 96, 128, 192, 256, 320, 384, 512)]


def _on_all(threads: int, size: float, run: Callable[[], Any]) -> Pair:
    times: dict[int, list[int]] = {1: [], threads: []}
    try:
        for _ in range(31):
            for count, taken in times.items():
                torch.set_num_threads(count)
                time.sleep(_PAUSE)
                start = time.perf_counter_ns()
                run()
                taken.append(time.perf_counter_ns() - start)
    finally:
        torch.set_num_threads(threads)
    return Pair(size, *[float(sorted(t)[len(t) // 2]) for t in times.values()])
