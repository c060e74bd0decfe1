"""Recurrent layers over whole sequences (T, N, size)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32, int32
from mindspore.core.errors import show
from mindspore.core.kinds import is_tuple
from mindspore.ir import RESIDUAL, Aval

from .exported import Exported
from .labels import Whole, whole
from .registry import operator
from .rules import floating
from .torch_private import recurrent
from .torch_reverse import tracked
from .values import Value

aten = torch.ops.aten
_LSTM = 2                  # the number by which torch's kernel knows the cell


def has_layer_kernel(dtype: Any, device: str) -> bool:
    """Whether `lstm_layer` runs for that dtype and kind of device; else use `lstm`."""
    return dtype is float32 and device == "cpu" and torch.backends.mkldnn.is_available()


def _gates(name: str, count: int, x: Aval, w_ih: Aval, w_hh: Aval, h: Aval) -> int:
    floating(name)(x)
    size = w_hh.shape[-1]
    if len(x.shape) != 3 or w_ih.shape != (count * size, x.shape[2]) or w_hh.shape != (count * size, size):
        raise ValueError(f"For '{name}', the input must be (T, N, I) and the weights ({count} H, I) and "
                         f"({count} H, H), but got {show(x)}, {show(w_ih)} and {show(w_hh)}.")
    if h.shape[-2:] != (x.shape[1], size):
        raise ValueError(f"For '{name}', the state must be ({x.shape[1]}, {size}), but got {show(h)}.")
    return size


# ---------------------------------------------------------------------- one layer, one direction

def _states(count: int, weights: Sequence[Any]) -> str:
    """Labels of so many states and of weights; the samples can be cut."""
    states = ", ".join(["l! n h!"] * count)
    line = [" ".join([f"w{k}_{i}!" for i in range(len(w.shape))]) for k, w in enumerate(weights)]
    return f"t! n i!, {states}, n, {', '.join(line)} -> t! n y!, {states}"


@operator(hidden=True, samples=[], dims=whole("what its reverse needs is one block of the kernel's memory"))
def lstm_layer(x: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor, h: Tensor, c: Tensor, *,
               reverse: bool = False):
    """Hidden states (T, N, H) of an LSTM from state `h`, `c` (N, H), its last `h` and `c`, and what
    its reverse needs.  Gates in the order input, forget, cell, output.  Hochreiter, Schmidhuber 1997.
    """
    size = h.shape[-1]
    rows = (4 * size,)
    if not (w_ih.shape == (*rows, x.shape[-1]) and w_hh.shape == (*rows, size) and b_ih.shape == rows
            and b_hh.shape == rows and h.shape == c.shape == (x.shape[1], size)):
        raise ValueError("For 'LSTM', weights and states do not fit the input.")    # torch would not look
    # the kernel reads its operands as if they were contiguous
    return aten.mkldnn_rnn_layer.default(x.contiguous(), w_ih.contiguous(), w_hh.contiguous(), b_ih, b_hh,
                                         h.contiguous(), c.contiguous(), reverse, [], _LSTM, size, 1, True,
                                         False, False, True)


@lstm_layer.shape
def _(x: Aval, w_ih: Aval, w_hh: Aval, b_ih: Aval, b_hh: Aval, h: Aval, c: Aval, *, reverse: bool = False):
    size = _gates("LSTM", 4, x, w_ih, w_hh, h)
    if not (b_ih.shape == b_hh.shape == (4 * size,) and h.shape == c.shape == (x.shape[1], size)):
        raise ValueError(f"For 'LSTM', the biases must be ({4 * size},) and the states ({x.shape[1]}, "
                         f"{size}), but got {show(b_ih)}, {show(b_hh)}, {show(h)} and {show(c)}.")
    return Aval((*x.shape[:2], size), x.dtype), h, c, RESIDUAL


_ORDERS = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN": (0,)}        # of gates in ONNX, by their places in torch


def _exported_gates(g: Exported, kind: str, w: str) -> str:
    """Weights or biases of a layer in one direction, their gates in the order of ONNX."""
    order, rows = _ORDERS[kind], g.avals[w].shape[0]
    if len(order) == 1:
        return w
    parts = g.add("Split", w, g.integers([rows // len(order)] * len(order)), axis=0, results=len(order))
    return g.add("Concat", *[parts[k] for k in order], axis=0)


def _exported_layer(g: Exported, kind: str, x: str, states: Sequence[str], lengths: str | None,
                    weights: Sequence[Sequence[str]], direction: str, **more: Any) -> Any:
    """One layer, with weights for each of its directions: all hidden states (T, N, directions * H), the last states."""
    def joined(names: Sequence[str]) -> str:
        first = g.integers((0,))
        return g.add("Concat", *[g.add("Unsqueeze", n, first) for n in names], axis=0)
    w_ih, w_hh = [joined([_exported_gates(g, kind, one[k]) for one in weights]) for k in (0, 1)]
    biases = None
    if len(weights[0]) > 2:
        biases = joined([g.add("Concat", *[_exported_gates(g, kind, b) for b in one[2:]], axis=0) for one in weights])
    size = g.avals[weights[0][1]].shape[-1]
    y, *last = g.add(kind, x, w_ih, w_hh, biases, lengths and g.cast(lengths, int32), *states, hidden_size=size,
                     direction=direction, results=len(states) + 1, **more)
    y = g.add("Transpose", y, perm=(0, 2, 1, 3))
    return g.add("Reshape", y, g.integers((0, 0, -1))), last


def _exported_stack(g: Exported, kind: str, x: str, states: Sequence[str], lengths: str | None,
                    weights: Sequence[str], layers: int, has_bias: bool, bidirectional: bool, **more: Any) -> Any:
    """A stack of layers: the states of all layers are cut and joined along the first dimension."""
    count, directions = 4 if has_bias else 2, 2 if bidirectional else 1
    every = [weights[k:k + count] for k in range(0, len(weights), count)]
    ends: list[list[str]] = []
    for k in range(layers):
        at = [g.integers((n,)) for n in (k * directions, (k + 1) * directions, 0)]
        own = [g.add("Slice", s, *at) for s in states] if layers > 1 else states
        x, last = _exported_layer(g, kind, x, own, lengths, every[k * directions:(k + 1) * directions],
                                  "bidirectional" if bidirectional else "forward", **more)
        ends.append(last)
    return x, *[g.add("Concat", *one, axis=0) if layers > 1 else one[0] for one in zip(*ends, strict=True)]


@lstm_layer.onnx
def _(g: Exported, x: str, w_ih: str, w_hh: str, b_ih: str, b_hh: str, h: str, c: str, *, reverse: bool = False):
    """What the reverse needs has no value."""
    first = g.integers((0,))
    y, last = _exported_layer(g, "LSTM", x, [g.add("Unsqueeze", s, first) for s in (h, c)], None,
                              [(w_ih, w_hh, b_ih, b_hh)], "reverse" if reverse else "forward")
    return y, *[g.add("Squeeze", s, first) for s in last], g.fresh()


@lstm_layer.grad(needs="x w_ih w_hh b_ih b_hh h c out")
def _(x: Value, w_ih: Value, w_hh: Value, b_ih: Value, b_hh: Value, h: Value, c: Value, out: tuple[Value, ...],
      dout: tuple[Value | None, ...], *, reverse: bool = False):
    return lstm_layer_grad(*dout[:3], x, w_ih, w_hh, b_ih, b_hh, h, c, *out, reverse=reverse)


@operator(hidden=True, grad="torch", samples=[],
          dims=whole("what its reverse needs is one block of the kernel's memory"))
def lstm_layer_grad(dy: Tensor | None, dh: Tensor | None, dc: Tensor | None, x: Tensor, w_ih: Tensor, w_hh: Tensor,
                    b_ih: Tensor, b_hh: Tensor, h: Tensor, c: Tensor, y: Tensor, h_last: Tensor, c_last: Tensor,
                    kept: Tensor, *, reverse: bool):
    """The cotangents of the seven operands of `LstmLayer`."""
    if dy is None:
        dy = torch.zeros_like(y)
    if tracked(dy, dh, dc, x, w_ih, w_hh, b_ih, b_hh, h, c):
        return _plain_grad((dy, dh, dc), (x, w_ih, w_hh, b_ih, b_hh, h, c), reverse)
    dy, dh, dc = [None if d is None else d.contiguous() for d in (dy, dh, dc)]
    return aten.mkldnn_rnn_layer_backward.default(
        x.contiguous(), w_ih.contiguous(), w_hh.contiguous(), b_ih, b_hh, h.contiguous(), c.contiguous(), y,
        h_last, c_last, dy, dh, dc, reverse, _LSTM, h.shape[-1], 1, True, True, False, [], False, kept)


def _plain_grad(douts: Any, operands: Any, reverse: bool) -> Any:
    """The same by a composition that torch can differentiate again."""
    values = [v if v.requires_grad else v.detach().requires_grad_() for v in operands]
    x, w_ih, w_hh, b_ih, b_hh, h, c = values
    steps, found = (reversed(range(len(x))) if reverse else range(len(x))), {}
    for t in steps:
        gates = torch.addmm(b_ih, x[t], w_ih.t()) + torch.addmm(b_hh, h, w_hh.t())
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = found[t] = torch.sigmoid(o) * torch.tanh(c)
    outs = (torch.stack([found[t] for t in range(len(x))]), h, c)
    pairs = [(o, d) for o, d in zip(outs, douts, strict=True) if d is not None]
    return torch.autograd.grad([o for o, _ in pairs], values, [d for _, d in pairs], create_graph=True)


@lstm_layer_grad.shape
def _(dy: Aval, dh: Aval, dc: Aval, x: Aval, w_ih: Aval, w_hh: Aval, b_ih: Aval, b_hh: Aval, h: Aval, c: Aval, *_: Any,
      reverse: bool):
    return x, w_ih, w_hh, b_ih, b_hh, h, c


# ---------------------------------------------------------------------- stacks of layers

def _stack(kernel: Any, x: Any, state: Any, lengths: Any, weights: Any, layers: int, has_bias: bool,
           bidirectional: bool) -> Any:
    """torch's stack of layers; sequences shorter than T are given by their lengths."""
    if lengths is None:
        return kernel(x, state, weights, has_bias, layers, 0.0, False, bidirectional, False)
    rnn = torch.nn.utils.rnn
    packed = rnn.pack_padded_sequence(x, lengths.cpu().long(), enforce_sorted=False)
    order = packed.sorted_indices

    def pick(s: Tensor) -> Tensor:
        return s if order is None else s.index_select(1, order)
    sorted_state = tuple([pick(s) for s in state]) if is_tuple(state) else pick(state)
    data, *last = kernel(packed.data, packed.batch_sizes, sorted_state, weights, has_bias, layers, 0.0,
                         False, bidirectional)
    y, _ = rnn.pad_packed_sequence(packed._replace(data=data), total_length=x.shape[0])
    back = packed.unsorted_indices
    return (y, *[s if back is None else s.index_select(1, back) for s in last])


def _stacked(name: str, count: int, x: Aval, h: Aval, weights: Any, layers: int,
             bidirectional: bool) -> tuple[Aval, Aval]:
    directions = 2 if bidirectional else 1
    size = _gates(name, count, x, weights[0], weights[1], h)
    if h.shape != (layers * directions, x.shape[1], size):
        raise ValueError(f"For '{name}', the state must be ({layers * directions}, {x.shape[1]}, {size}), "
                         f"but got {show(h)}.")
    return Aval((*x.shape[:2], size * directions), x.dtype), h


@operator(hidden=True, grad="torch",
          samples=[((4, 2, 3), (1, 2, 5), (1, 2, 5), None, (20, 3), (20, 5), (20,), (20,))])
def lstm(x: Tensor, h: Tensor, c: Tensor, lengths: Tensor | None, *weights: Tensor, layers: int = 1,
         has_bias: bool = True, bidirectional: bool = False):
    """A stack of LSTM layers: hidden states (T, N, H), last `h` and `c` (layers, N, H)."""
    return _stack(recurrent.lstm, x, (h, c), lengths, weights, layers, has_bias, bidirectional)


@lstm.layout
def _(x: Aval, h: Aval, c: Aval, lengths: Aval | None, *weights: Aval, **_: Any) -> str | Whole:
    return _states(2, weights)


@lstm.shape
def _(x: Aval, h: Aval, c: Aval, lengths: Aval | None, *weights: Aval, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False):
    y, last = _stacked("LSTM", 4, x, h, weights, layers, bidirectional)
    return y, last, last


@lstm.onnx
def _(g: Exported, x: str, h: str, c: str, lengths: str | None, *weights: str, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False):
    return _exported_stack(g, "LSTM", x, (h, c), lengths, weights, layers, has_bias, bidirectional)


@operator(hidden=True, grad="torch", samples=[((4, 2, 3), (1, 2, 5), None, (15, 3), (15, 5), (15,), (15,))])
def gru(x: Tensor, h: Tensor, lengths: Tensor | None, *weights: Tensor, layers: int = 1, has_bias: bool = True,
        bidirectional: bool = False):
    """A stack of gated recurrent layers, gates reset, update, new.  Cho et al. 2014."""
    return _stack(recurrent.gru, x, h, lengths, weights, layers, has_bias, bidirectional)


@gru.layout
def _(x: Aval, h: Aval, lengths: Aval | None, *weights: Aval, **_: Any) -> str | Whole:
    return _states(1, weights)


@gru.shape
def _(x: Aval, h: Aval, lengths: Aval | None, *weights: Aval, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False):
    return _stacked("GRU", 3, x, h, weights, layers, bidirectional)


@gru.onnx
def _(g: Exported, x: str, h: str, lengths: str | None, *weights: str, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False):
    return _exported_stack(g, "GRU", x, (h,), lengths, weights, layers, has_bias, bidirectional, linear_before_reset=1)


@operator(hidden=True, grad="torch", samples=[((4, 2, 3), (1, 2, 5), None, (5, 3), (5, 5), (5,), (5,)),
                                              ((4, 2, 3), (2, 2, 5), None, (5, 3), (5, 5), (5, 3), (5, 5),
                                               {"nonlinearity": "relu", "bidirectional": True,
                                                "has_bias": False})])
def rnn(x: Tensor, h: Tensor, lengths: Tensor | None, *weights: Tensor, layers: int = 1, has_bias: bool = True,
        bidirectional: bool = False, nonlinearity: str = "tanh"):
    """A stack of layers h <- nonlinearity(W x + b + U h + d).  Elman 1990."""
    kernel = recurrent.rnn_tanh if nonlinearity == "tanh" else recurrent.rnn_relu
    return _stack(kernel, x, h, lengths, weights, layers, has_bias, bidirectional)


@rnn.layout
def _(x: Aval, h: Aval, lengths: Aval | None, *weights: Aval, **_: Any) -> str | Whole:
    return _states(1, weights)


@rnn.shape
def _(x: Aval, h: Aval, lengths: Aval | None, *weights: Aval, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False, nonlinearity: str = "tanh"):
    if nonlinearity not in ("tanh", "relu"):
        raise ValueError(f"For 'RNN', the 'nonlinearity' must be 'tanh' or 'relu', but got "
                         f"{nonlinearity!r}.")
    return _stacked("RNN", 1, x, h, weights, layers, bidirectional)


@rnn.onnx
def _(g: Exported, x: str, h: str, lengths: str | None, *weights: str, layers: int = 1, has_bias: bool = True,
      bidirectional: bool = False, nonlinearity: str = "tanh"):
    return _exported_stack(g, "RNN", x, (h,), lengths, weights, layers, has_bias, bidirectional,
                           activations=[nonlinearity.capitalize()] * (2 if bidirectional else 1))


# ---------------------------------------------------------------------- cells with all gates as results

@operator(hidden=True, grad="torch",
          samples=[((3, 2, 4), (9, 20), (20,), (1, 2, 5), (1, 2, 5), {"forget_bias": 1.0, "clip": 0.8})],
          dims="t! n i!, a! b!, b!, 1 n h!, 1 n h! -> * t! n h!")
def dynamic_lstm(x: Tensor, w: Tensor, b: Tensor, h: Tensor, c: Tensor, *, forget_bias: float = 0.0,
                 clip: float = -1.0):
    """An LSTM of weights (I + H, 4 H), gates input, new, forget, output, and all that it computes.

    Per step (T, N, H): the output, `h`, `c`, the four gates and tanh(c).  A positive `clip` limits c.
    """
    h, c = h[0], c[0]
    steps: list[tuple[Tensor, ...]] = []
    for inputs in x:
        i, j, f, o = (torch.cat([inputs, h], 1) @ w + b).chunk(4, 1)
        i, j, f, o = torch.sigmoid(i), torch.tanh(j), torch.sigmoid(f + forget_bias), torch.sigmoid(o)
        c = f * c + i * j
        c = c.clamp(-clip, clip) if clip > 0 else c
        t = torch.tanh(c)
        h = o * t
        steps.append((h, h, c, i, j, f, o, t))
    return tuple([torch.stack(values) for values in zip(*steps, strict=True)])


@dynamic_lstm.shape
def _(x: Aval, w: Aval, b: Aval, h: Aval, c: Aval, *, forget_bias: float = 0.0, clip: float = -1.0):
    floating("DynamicRNN")(x)
    size = h.shape[-1]
    wanted = (x.shape[-1] + size, 4 * size)
    if len(x.shape) != 3 or w.shape != wanted or b.shape != wanted[1:] or (
            h.shape != (1, x.shape[1], size) or c.shape != h.shape):
        raise ValueError(f"For 'DynamicRNN', input (T, N, I), weight (I + H, 4 H), bias (4 H,) and states "
                         f"(1, N, H) are needed, but got {show(x)}, {show(w)}, {show(b)}, {show(h)} and "
                         f"{show(c)}.")
    return (Aval((*x.shape[:2], size), x.dtype),) * 8


@operator(hidden=True, grad="torch",
          samples=[((3, 2, 4), (4, 15), (5, 15), (15,), (15,), (2, 5)),
                   ((3, 2, 4), (4, 15), (5, 15), (15,), (15,), (2, 5), {"order": "zrh", "reset_after": False})],
          dims="t! n i!, i! a!, h! a!, a!, a!, n h! -> * t! n h!")
def dynamic_gru(x: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor, h: Tensor, *, order: str = "rzh",
                reset_after: bool = True):
    """A gated recurrent unit of weights (I, 3 H) and (H, 3 H), and all that it computes.

    Per step (T, N, H): the output, `h`, the gates update, reset and new, and the state's part of new.
    """
    size, at = h.shape[-1], {"r": order.index("r"), "z": order.index("z")}
    steps: list[tuple[Tensor, ...]] = []
    for inputs in x:
        gx, gh = inputs @ w_ih + b_ih, h @ w_hh + b_hh
        r, z = [torch.sigmoid(gx[:, at[k] * size:(at[k] + 1) * size] + gh[:, at[k] * size:(at[k] + 1) * size])
                for k in "rz"]
        part = gh[:, 2 * size:] if reset_after else (r * h) @ w_hh[:, 2 * size:] + b_hh[2 * size:]
        new = torch.tanh(gx[:, 2 * size:] + (r * part if reset_after else part))
        h = new + z * (h - new)
        steps.append((h, h, z, r, new, part))
    return tuple([torch.stack(values) for values in zip(*steps, strict=True)])


@dynamic_gru.shape
def _(x: Aval, w_ih: Aval, w_hh: Aval, b_ih: Aval, b_hh: Aval, h: Aval, *, order: str = "rzh",
      reset_after: bool = True):
    floating("DynamicGRUV2")(x)
    size = h.shape[-1]
    if len(x.shape) != 3 or w_ih.shape != (x.shape[2], 3 * size) or w_hh.shape != (size, 3 * size) or (
            b_ih.shape != (3 * size,) or b_hh.shape != b_ih.shape or h.shape != (x.shape[1], size)):
        raise ValueError(f"For 'DynamicGRUV2', input (T, N, I), weights (I, 3 H) and (H, 3 H), biases "
                         f"(3 H,) and state (N, H) are needed, but got {show(x)}, {show(w_ih)}, "
                         f"{show(w_hh)}, {show(b_ih)}, {show(b_hh)} and {show(h)}.")
    return (Aval((*x.shape[:2], size), x.dtype),) * 6
