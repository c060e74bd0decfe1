"""Recurrent layers over whole sequences: RNN, GRU, LSTM."""
from __future__ import annotations

from math import sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check, context
from mindspore.core.dtype import DType, float32
from mindspore.eager.initializer import Uniform
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import is_tensor
from mindspore.operators import recurrent as kernels

from .cell import Cell


class _Recurrent(Cell):
    """What the recurrent layers share: parameters in the order of checkpoints, layers, directions."""

    gates = 1

    def _configure(self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
                   batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                   dtype: DType = float32) -> None:
        self.input_size = check.positive_int(self, "input_size", input_size)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.num_layers = check.count(self, "num_layers", num_layers)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        self.batch_first = check.boolean(self, "batch_first", batch_first)
        self.dropout = check.number(self, "dropout", dropout, 0, 1, open_high=True)
        self.bidirectional = check.boolean(self, "bidirectional", bidirectional)
        self.num_directions = 2 if bidirectional else 1
        self._groups = self._make_parameters(dtype)

    def _make_parameters(self, dtype: DType) -> list[list[str]]:
        """Make the parameters; return their names by layer and direction, in the kernels' order."""
        rows, bound = self.gates * self.hidden_size, Uniform(1 / sqrt(self.hidden_size))
        places = [(layer, side) for layer in range(self.num_layers)
                  for side in ("", "_reverse")[:self.num_directions]]
        groups: list[list[str]] = [[] for _ in places]
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")[:4 if self.has_bias else 2]:
            for (layer, side), group in zip(places, groups, strict=True):
                shape: tuple[int, ...] = (rows,)
                if kind == "weight_ih":
                    below = self.hidden_size * self.num_directions if layer else self.input_size
                    shape = (rows, below)
                elif kind == "weight_hh":
                    shape = (rows, self.hidden_size)
                name = f"{kind}_l{layer}{side}"
                self.insert_param_to_cell(name, self.parameter(name, shape, bound, dtype))
                group.append(name)
        return groups

    def _listed(self, kind: int) -> ParameterTuple:
        return ParameterTuple([getattr(self, group[kind]) for group in self._groups if kind < len(group)])

    @property
    def w_ih_list(self) -> ParameterTuple:
        """The weights of the inputs, by layer and direction."""
        return self._listed(0)

    @property
    def w_hh_list(self) -> ParameterTuple:
        """The weights of the states."""
        return self._listed(1)

    @property
    def b_ih_list(self) -> ParameterTuple:
        """The biases of the inputs; empty without biases."""
        return self._listed(2)

    @property
    def b_hh_list(self) -> ParameterTuple:
        """The biases of the states; empty without biases."""
        return self._listed(3)

    # ------------------------------------------------------------------ running

    def construct(self, x, hx=None, seq_length=None):
        self._check_tensor("x", x)
        if x.ndim != 3 or x.shape[2] != self.input_size:
            raise ValueError(f"For '{self.cls_name}', the 'x' must have three dimensions, the last of "
                             f"length {self.input_size}, but got the shape {x.shape}.")
        if self.batch_first:
            x = x.transpose(1, 0, 2)
        state = self._state(x, hx)
        y, last = self._run(x, state, seq_length)
        return (y.transpose(1, 0, 2) if self.batch_first else y), self._returned(last)

    def _run(self, x: Any, state: Any, lengths: Any) -> Any:
        """All layers at once, or one by one where dropout lies between them."""
        if not (self.training and self.dropout and self.num_layers > 1):
            return self._stack(x, state, lengths, 0, self.num_layers)
        lasts = []
        for layer in range(self.num_layers):
            if layer:
                x = ops.dropout(x, float(self.dropout), True)
            at = slice(layer * self.num_directions, (layer + 1) * self.num_directions)
            x, last = self._stack(x, tuple([s[at] for s in state]), lengths, layer, 1)
            lasts.append(last)
        return x, tuple([ops.concat(parts, 0) for parts in zip(*lasts, strict=True)])

    def _weights(self, x: Any, first: int, count: int) -> list[Any]:
        n = self.num_directions
        used = [self._params[name] for group in self._groups[first * n:(first + count) * n]
                for name in group]
        return [w if w.dtype is x.dtype else w.astype(x.dtype) for w in used]

    def _attrs(self, count: int) -> dict[str, Any]:
        return {"layers": count, "has_bias": self.has_bias, "bidirectional": self.bidirectional}

    def _stack(self, x: Any, state: tuple[Any, ...], lengths: Any, first: int, count: int) -> Any:
        raise NotImplementedError

    def _check_tensor(self, name: str, value: Any) -> None:
        if not is_tensor(value):
            raise TypeError(f"For '{self.cls_name}', the '{name}' must be a Tensor, but got "
                            f"{type(value).__name__}.")

    def _state(self, x: Any, hx: Any) -> tuple[Any, ...]:
        """The initial states as a tuple."""
        if hx is None:
            return (self._zeros(x),)
        self._check_tensor("hx", hx)
        return (self._checked(x, hx),)

    def _shape(self, x: Any) -> tuple[int, ...]:
        return (self.num_layers * self.num_directions, x.shape[1], self.hidden_size)

    def _zeros(self, x: Any) -> Any:
        return ops.zeros(self._shape(x), x.dtype)

    def _checked(self, x: Any, state: Any) -> Any:
        if tuple(state.shape) != self._shape(x):
            raise ValueError(f"For '{self.cls_name}', the 'hx' must have the shape {self._shape(x)}, but "
                             f"got {state.shape}.")
        return state if state.dtype is x.dtype else state.astype(x.dtype)

    def _returned(self, last: tuple[Any, ...]) -> Any:
        return last[0]


class RNN(_Recurrent):
    """Layers h <- nonlinearity(w_ih x + b_ih + w_hh h + b_hh) along a sequence, Elman 1990.

    Args:
        input_size: Length of the input I.
        hidden_size: Length of the state H.
        num_layers: Number of layers.
        has_bias: Whether there are biases.
        batch_first: Whether input and output are (N, T, *) instead of (T, N, *).
        dropout: Probability of dropout between the layers, in training.
        bidirectional: Whether every layer also runs backwards.
        dtype: Element type of the parameters.
        nonlinearity: "tanh" or "relu".
        args: Those from `input_size` to `dtype`, in this order.
        kwargs: The same, or `nonlinearity`, by name.

    Inputs:
        x: (T, N, I).
        hx: (layers * directions, N, H). Default: zeros.
        seq_length: Lengths of the sequences (N,). Default: all have length T.

    Outputs:
        The states of the last layer (T, N, directions * H) and the last states of all.

    Examples:
        >>> y, h = nn.RNN(3, 4, num_layers=2, bidirectional=True)(ops.ones((5, 2, 3)))
        >>> y.shape, h.shape
        ((5, 2, 8), (4, 2, 4))
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"For 'RNN', the 'nonlinearity' must be in ['tanh', 'relu'], but got "
                             f"{self.nonlinearity}.")
        self._configure(*args, **kwargs)

    def _stack(self, x: Any, state: tuple[Any, ...], lengths: Any, first: int, count: int) -> Any:
        y, h = kernels.rnn(x, *state, lengths, *self._weights(x, first, count),
                           nonlinearity=self.nonlinearity, **self._attrs(count))
        return y, (h,)


class GRU(_Recurrent):
    """Layers of gated recurrent units along a sequence, Cho et al. 2014; gates in the order reset, update, new.

    Args:
        input_size, hidden_size: Length of the input I, and of the state H.
        num_layers: Number of layers. Default: 1.
        has_bias: Whether there are biases. Default: True.
        batch_first: Whether input and output are (N, T, *) instead of (T, N, *). Default: False.
        dropout: Probability of dropout between the layers, in training. Default: 0.
        bidirectional: Whether every layer also runs backwards. Default: False.
        dtype: Element type of the parameters. Default: float32.
        args: These, in the order in which they stand above.
        kwargs: The same by name.

    Inputs:
        x: (T, N, I).
        hx: (layers * directions, N, H). Default: zeros.
        seq_length: Lengths of the sequences (N,). Default: all have length T.

    Outputs:
        The states of the last layer (T, N, directions * H) and the last states of all.

    Examples:
        >>> y, h = nn.GRU(3, 4, batch_first=True)(ops.ones((2, 5, 3)))
        >>> y.shape, h.shape
        ((2, 5, 4), (1, 2, 4))
        >>> bool((y[:, -1] == h[0]).all())
        True
    """

    gates = 3

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        self._configure(*args, **kwargs)

    def _stack(self, x: Any, state: tuple[Any, ...], lengths: Any, first: int, count: int) -> Any:
        y, h = kernels.gru(x, *state, lengths, *self._weights(x, first, count), **self._attrs(count))
        return y, (h,)


class LSTM(_Recurrent):
    """Layers of long short-term memory along a sequence, Hochreiter and Schmidhuber 1997.

    Gates in the order input, forget, cell, output.

    Args:
        input_size, hidden_size: Length of the input I, and of the state H.
        num_layers: Number of layers. Default: 1.
        has_bias: Whether there are biases. Default: True.
        batch_first: Whether input and output are (N, T, *) instead of (T, N, *). Default: False.
        dropout: Probability of dropout between the layers, in training. Default: 0.
        bidirectional: Whether every layer also runs backwards. Default: False.
        dtype: Element type of the parameters. Default: float32.
        args: These, in the order in which they stand above.
        kwargs: The same by name.

    Inputs:
        x: (T, N, I).
        hx: The pair (h, c), each (layers * directions, N, H). Default: zeros.
        seq_length: Lengths of the sequences (N,). Default: all have length T.

    Outputs:
        The states h of the last layer (T, N, directions * H), and the pair of the last states of all.

    Examples:
        >>> y, (h, c) = nn.LSTM(3, 4, num_layers=2)(ops.ones((5, 2, 3)))
        >>> y.shape, h.shape, c.shape
        ((5, 2, 4), (2, 2, 4), (2, 2, 4))
    """

    gates = 4

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        self._configure(*args, **kwargs)

    def _state(self, x: Any, hx: Any) -> tuple[Any, ...]:
        if hx is None:
            return self._zeros(x), self._zeros(x)
        if not isinstance(hx, tuple):
            raise TypeError(f"For 'LSTM', the 'hx' must be a tuple, but got {type(hx).__name__}.")
        if len(hx) != 2:
            raise TypeError(f"For 'LSTM', the length of 'hx' must be '2', but got '{len(hx)}'.")
        for state in hx:
            self._check_tensor("hx", state)
        return self._checked(x, hx[0]), self._checked(x, hx[1])

    def _returned(self, last: tuple[Any, ...]) -> Any:
        return tuple(last)

    def _stack(self, x: Any, state: tuple[Any, ...], lengths: Any, first: int, count: int) -> Any:
        fused = lengths is None and self.has_bias and kernels.has_layer_kernel(
            x.dtype, context.torch_device().type)
        if not fused:
            y, h, c = kernels.lstm(x, *state, lengths, *self._weights(x, first, count),
                                   **self._attrs(count))
            return y, (h, c)
        lasts, weights = [], self._weights(x, first, count)
        for layer in range(count):
            outs = []
            for side in range(self.num_directions):
                at = layer * self.num_directions + side
                y, h, c, _ = kernels.lstm_layer(x, *weights[4 * at:4 * at + 4], state[0][at], state[1][at],
                                                reverse=bool(side))
                outs.append(y)
                lasts.append((h, c))
            x = outs[0] if len(outs) == 1 else ops.concat(outs, -1)
        return x, tuple([ops.stack(parts, 0) for parts in zip(*lasts, strict=True)])
