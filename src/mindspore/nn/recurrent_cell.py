"""One step of recurrent layers."""
from __future__ import annotations

from math import sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check, log
from mindspore.core.dtype import DType, float32
from mindspore.eager.automatic import affine
from mindspore.eager.initializer import Uniform
from mindspore.eager.tensor import is_tensor
from mindspore.operators.activation import sigmoid, tanh

from .cell import Cell


def _gru_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The new state of a gated recurrent unit; biases may be None."""
    i_reset, i_update, i_new = ops.split(affine(inputs, w_ih, b_ih), hidden.shape[-1], 1)
    h_reset, h_update, h_new = ops.split(affine(hidden, w_hh, b_hh), hidden.shape[-1], 1)
    update = sigmoid(i_update + h_update)
    new = tanh(i_new + sigmoid(i_reset + h_reset) * h_new)
    return new + update * (hidden - new)


def _lstm_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> tuple[Any, Any]:
    """The new states (h, c) of long short-term memory; biases may be None."""
    h, c = hidden
    enter, forget, cell, leave = ops.split(affine(inputs, w_ih, b_ih) + affine(h, w_hh, b_hh), h.shape[-1], 1)
    c = sigmoid(forget) * c + sigmoid(enter) * tanh(cell)
    return sigmoid(leave) * tanh(c), c


def _rnn_tanh_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The new state of an Elman network with tanh; biases may be None."""
    return tanh(affine(inputs, w_ih, b_ih) + affine(hidden, w_hh, b_hh))


def _rnn_relu_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The new state of an Elman network with ReLU; biases may be None."""
    return ops.relu(affine(inputs, w_ih, b_ih) + affine(hidden, w_hh, b_hh))


class RNNCellBase(Cell):
    """The parameters of one step: `num_chunks` times hidden_size rows.

    Programs derive steps of their own from it.

    Args:
        input_size: Length of the input I.
        hidden_size: Length of the state H.
        has_bias: Whether there are biases; without them `bias_ih` and `bias_hh` are None.
        num_chunks: Number of gates: `weight_ih` is (num_chunks * H, I), `weight_hh` is (num_chunks * H, H).
        dtype: Element type of the parameters.
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool, num_chunks: int, dtype: DType = float32):
        super().__init__()
        self.input_size = check.positive_int(self, "input_size", input_size)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        rows, bound = check.positive_int(self, "num_chunks", num_chunks) * hidden_size, Uniform(1 / sqrt(hidden_size))
        self.weight_ih = self.parameter("weight_ih", (rows, input_size), bound, dtype)
        self.weight_hh = self.parameter("weight_hh", (rows, hidden_size), bound, dtype)
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih = self.parameter("bias_ih", (rows,), bound, dtype)
            self.bias_hh = self.parameter("bias_hh", (rows,), bound, dtype)


class _RecurrentCell(RNNCellBase):
    """A step that checks what it is given."""

    gates = 1

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: DType = float32):
        super().__init__(input_size, hidden_size, has_bias, self.gates, dtype)

    def _check(self, name: str, value: Any, size: int) -> None:
        if not is_tensor(value):
            raise TypeError(f"For '{self.cls_name}', the '{name}' must be a Tensor, but got "
                            f"{type(value).__name__}.")
        if value.ndim != 2 or value.shape[-1] != size:
            raise ValueError(f"For '{self.cls_name}', the '{name}' must have the shape (N, {size}), but "
                             f"got {value.shape}.")

    def _step(self, step: Any, x: Any, hx: Any) -> Any:
        self._check("x", x, self.input_size)
        self._check("hx", hx[0] if isinstance(hx, tuple) else hx, self.hidden_size)
        return step(x, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


class RNNCell(_RecurrentCell):
    """h' = tanh(w_ih x + b_ih + w_hh h + b_hh), Elman 1990.

    Args:
        input_size: Length of the input I.
        hidden_size: Length of the state H.
        has_bias: Whether there are biases.
        nonlinearity: "tanh" or "relu".
        dtype: Element type of the parameters.

    Inputs:
        x: (N, I).
        hx: (N, H).

    Outputs:
        The new state (N, H).

    Examples:
        >>> cell = nn.RNNCell(3, 4)
        >>> state = cell(ops.ones((2, 3)), ops.zeros((2, 4)))
        >>> state.shape, bool((abs(state) < 1).all())
        ((2, 4), True)
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True,
                 nonlinearity: str = "tanh", dtype: DType = float32):
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self.nonlinearity = check.option(self, "nonlinearity", nonlinearity, ("tanh", "relu"))

    def construct(self, x, hx):
        return self._step(_rnn_tanh_cell if self.nonlinearity == "tanh" else _rnn_relu_cell, x, hx)


class GRUCell(_RecurrentCell):
    """One step of a gated recurrent unit, Cho et al. 2014; gates in the order reset, update, new.

    Args:
        input_size: Length of the input I.
        hidden_size: Length of the state H.
        has_bias: Whether there are biases.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, I).
        hx: (N, H).

    Outputs:
        The new state (N, H).

    Examples:
        >>> nn.GRUCell(3, 4)(ops.ones((2, 3)), ops.zeros((2, 4))).shape
        (2, 4)
    """

    gates = 3

    def construct(self, x, hx):
        return self._step(_gru_cell, x, hx)


class LSTMCell(_RecurrentCell):
    """One step of long short-term memory, Hochreiter and Schmidhuber 1997.

    Gates in the order input, forget, cell, output.

    Args:
        input_size: Length of the input I.
        hidden_size: Length of the state H.
        has_bias: Whether there are biases.
        dtype: Element type of the parameters.
        batch_first, dropout, bidirectional: Arguments of releases before 1.6.  With any of them the cell is what it was
            there: one layer over a whole sequence without parameters of its own, which is called with x (T, N, I),
            or (N, T, I) for `batch_first`, the states h and c, (1 or 2, N, H), and all weights in one tensor in the
            order of `ops.LSTM`, and gives the outputs, h, c and two tensors that hold nothing.  `dropout` is that
            between layers, so that it does nothing.

    Inputs:
        x: (N, I).
        hx: The states (h, c), both (N, H).

    Outputs:
        The new states (h, c).

    Examples:
        >>> h, c = nn.LSTMCell(3, 4)(ops.ones((2, 3)), (ops.zeros((2, 4)), ops.zeros((2, 4))))
        >>> h.shape, c.shape
        ((2, 4), (2, 4))
    """

    gates = 4

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: DType = float32,
                 dropout: float | None = None, bidirectional: bool | None = None, batch_first: bool | None = None):
        if type(dtype) is bool:                                     # the fourth place of before 1.6
            batch_first, dtype = dtype, float32
        if (batch_first, dropout, bidirectional) == (None, None, None):
            super().__init__(input_size, hidden_size, has_bias, dtype)
            return
        if type(self) is not LSTMCell or dtype is not float32:
            raise TypeError(f"For '{type(self).__name__}', the arguments of releases before 1.6 go neither with a "
                            f"'dtype' nor with a class that derives from 'nn.LSTMCell'; use 'ops.LSTM'.")
        me: Any = self
        me.__class__ = _LSTMLayer                                   # a class here must serve to be derived from
        me.__init__(input_size, hidden_size, has_bias, bool(batch_first), dropout or 0, bool(bidirectional))

    def construct(self, x, hx):
        if not isinstance(hx, tuple) or len(hx) != 2:
            raise TypeError(f"For 'LSTMCell', the 'hx' must be a tuple of two tensors, but got "
                            f"{len(hx) if isinstance(hx, tuple) else type(hx).__name__}.")
        self._check("c", hx[1], self.hidden_size)
        return self._step(_lstm_cell, x, hx)


class _LSTMLayer(Cell):
    """`LSTMCell` of releases before 1.6: one layer over a sequence, with weights that it is given."""

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, batch_first: bool = False,
                 dropout: float = 0, bidirectional: bool = False):
        super().__init__()
        owner = "LSTMCell"
        self.batch_first = check.boolean(owner, "batch_first", batch_first)
        if check.number(owner, "dropout", dropout, 0.0, 1.0):
            log.warn_once("For 'LSTMCell', the 'dropout' stands between layers; a cell is one layer, so that it does "
                          "nothing.")
        self.lstm = ops.LSTM(check.positive_int(owner, "input_size", input_size),
                             check.positive_int(owner, "hidden_size", hidden_size), 1,
                             check.boolean(owner, "has_bias", has_bias),
                             check.boolean(owner, "bidirectional", bidirectional), float(dropout))

    def construct(self, x, h, c, w):
        out, *rest = self.lstm(x.swapaxes(0, 1) if self.batch_first else x, h, c, w)
        return (out.swapaxes(0, 1) if self.batch_first else out, *rest)
