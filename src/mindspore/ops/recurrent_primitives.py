"""Recurrent primitives whose weights stand in one tensor."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators import dropout as dropouts
from mindspore.operators import structure
from mindspore.operators.activation import sigmoid, tanh
from mindspore.operators.joining import concat, slice_axis, split
from mindspore.operators.matmul import dense
from mindspore.operators.recurrent import lstm

from .primitive import composed


@composed("LSTM(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0)(x, h, c, w)")
def _lstm(x: Any, h: Any, c: Any, w: Any, *, input_size: int, hidden_size: int, num_layers: int, has_bias: bool,
          bidirectional: bool, dropout: float, proj_size: int = 0) -> tuple[Any, ...]:
    """A stack of LSTM layers over (T, N, input_size): outputs, last h and c, and two tensors that hold nothing.

    `w` holds, one after the other, the weights of the input, (4 hidden_size, ...) for each layer and direction, those
    of the state, and the biases; gates in the order input, forget, cell, output. What stands behind counts nothing.
    """
    check.number("LSTM", "dropout", dropout, 0.0, 1.0)
    if proj_size:
        raise ValueError(f"For 'LSTM', the 'proj_size' must be 0, but got {proj_size}.")
    if dropout and num_layers > 1:
        raise ValueError("For 'LSTM', the 'dropout' must be 0 for several layers; 'nn.LSTM' drops between layers.")
    ways = 2 if bidirectional else 1
    below = [input_size if layer == 0 else hidden_size * ways for layer in range(num_layers) for _ in range(ways)]
    shapes = [(4 * hidden_size, n) for n in below] + [(4 * hidden_size, hidden_size)] * len(below)
    shapes += [(4 * hidden_size,)] * (len(below) if has_bias else 0)
    parts = _cut(w, shapes)
    weights: list[Any] = []
    for i in range(len(below)):
        weights += parts[i::len(below)]
        if has_bias:
            weights.append(structure.zeros_like(weights[-1]))
    y, last, cell = lstm(x, h, c, None, *weights, layers=num_layers, has_bias=has_bias, bidirectional=bidirectional)
    nothing = structure.full(shape=(1,), value=0, dtype=x.dtype)
    return y, last, cell, nothing, nothing


def _cut(w: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    """The first elements of a tensor as tensors of those shapes."""
    line = structure.reshape(w, shape=(-1,))
    found, at = [], 0
    for shape in shapes:
        end = at + shape[0] * (shape[1] if len(shape) > 1 else 1)
        if end > line.shape[0]:
            raise ValueError(f"For 'LSTM', the weights {show(w)} are too few for its layers.")
        found.append(structure.reshape(slice_axis(line, axis=0, start=at, stop=end), shape=shape))
        at = end
    return found


@composed("BasicLSTMCell(keep_prob=1.0, forget_bias=1.0, state_is_tuple=True, activation='tanh')(x, h, c, w, b)")
def _basic_cell(x: Any, h: Any, c: Any, w: Any, b: Any, *, keep_prob: float = 1.0, forget_bias: float = 1.0,
                state_is_tuple: bool = True, activation: str = "tanh") -> tuple[Any, ...]:
    """One step of an LSTM: c, h, and the gates input, cell, forget, output, and tanh(c).

    `w` is (4 H, I + H), gates in the order input, cell, forget, output; Hochreiter and Schmidhuber 1997.
    """
    check.option("BasicLSTMCell", "activation", activation, ("tanh",))
    check.number("BasicLSTMCell", "keep_prob", keep_prob, 0.0, 1.0)
    rows = structure.reshape(w, shape=tuple(w.shape[:2]))
    joined = dense(concat(x, h, axis=1), rows, structure.reshape(b, shape=(-1,)))
    i, j, f, o = split(joined, axis=1, output_num=4)
    i, j, f, o = sigmoid(i), tanh(j), sigmoid(f + forget_bias), sigmoid(o)
    cell = c * f + i * j
    bounded = tanh(cell)
    out = bounded * o
    if keep_prob < 1:
        out = dropouts.dropout(out, keep_prob=keep_prob)[0]
    return cell, out, i, j, f, o, bounded


__all__: list[str] = []
