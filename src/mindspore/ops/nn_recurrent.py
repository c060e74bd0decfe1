"""The recurrent primitives of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.operators import recurrent
from mindspore.operators.structure import full

from .arguments import tensor
from .primitive import composed


def _only(owner: str, **options: tuple[Any, Any]) -> None:
    """ValueError for an option that has no other value than one."""
    for name, (value, only) in options.items():
        if value != only:
            raise check.fail(ValueError, owner, name, repr(only), value)


def _zeros(x: Any, *shape: int) -> Any:
    return full(shape=shape, value=0, dtype=x.dtype)


@composed("DynamicRNN(cell_type='LSTM', direction='UNIDIRECTIONAL', cell_depth=1, use_peephole=False, "
          "keep_prob=1.0, cell_clip=-1.0, num_proj=0, time_major=True, activation='tanh', forget_bias=0.0, "
          "is_training=True)(x, w, b, seq_length=None, init_h=None, init_c=None)")
def _dynamic_rnn(x: Any, w: Any, b: Any, seq_length: Any = None, init_h: Any = None, init_c: Any = None, *,
                 cell_type: str = "LSTM", direction: str = "UNIDIRECTIONAL", cell_depth: int = 1,
                 use_peephole: bool = False, keep_prob: float = 1.0, cell_clip: float = -1.0,
                 num_proj: int = 0, time_major: bool = True, activation: str = "tanh",
                 forget_bias: float = 0.0, is_training: bool = True) -> tuple[Any, ...]:
    """An LSTM over (T, N, I): outputs, h, c, the gates input, new, forget, output, and tanh(c).

    The weight is (I + H, 4 H), its gates in the order input, new, forget, output.
    """
    _only("DynamicRNN", cell_type=(cell_type, "LSTM"), direction=(direction, "UNIDIRECTIONAL"),
          cell_depth=(cell_depth, 1), use_peephole=(use_peephole, False), keep_prob=(keep_prob, 1.0),
          num_proj=(num_proj, 0), time_major=(time_major, True), activation=(activation, "tanh"),
          seq_length=(seq_length, None))
    check.boolean("DynamicRNN", "is_training", is_training)
    size = tensor("DynamicRNN", "w", w).shape[-1] // 4
    shape = (1, tensor("DynamicRNN", "x", x).shape[1], size)
    return recurrent.dynamic_lstm(
        x, w, b, _zeros(x, *shape) if init_h is None else init_h, _zeros(x, *shape) if init_c is None else init_c,
        forget_bias=float(check.number("DynamicRNN", "forget_bias", forget_bias)),
        clip=float(check.number("DynamicRNN", "cell_clip", cell_clip)))


@composed("DynamicGRUV2(direction='UNIDIRECTIONAL', cell_depth=1, keep_prob=1.0, cell_clip=-1.0, num_proj=0, "
          "time_major=True, activation='tanh', gate_order='rzh', reset_after=True, is_training=True)"
          "(x, weight_input, weight_hidden, bias_input=None, bias_hidden=None, seq_length=None, init_h=None)")
def _dynamic_gru(x: Any, weight_input: Any, weight_hidden: Any, bias_input: Any = None,
                 bias_hidden: Any = None, seq_length: Any = None, init_h: Any = None, *,
                 direction: str = "UNIDIRECTIONAL", cell_depth: int = 1, keep_prob: float = 1.0,
                 cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True,
                 activation: str = "tanh", gate_order: str = "rzh", reset_after: bool = True,
                 is_training: bool = True) -> tuple[Any, ...]:
    """A gated recurrent unit over (T, N, I): outputs, h, update, reset, new, and the state's part of new."""
    owner = "DynamicGRUV2"
    _only(owner, direction=(direction, "UNIDIRECTIONAL"), cell_depth=(cell_depth, 1),
          keep_prob=(keep_prob, 1.0), cell_clip=(cell_clip, -1.0), num_proj=(num_proj, 0),
          time_major=(time_major, True), activation=(activation, "tanh"), seq_length=(seq_length, None))
    check.option(owner, "gate_order", gate_order, ("rzh", "zrh"))
    check.boolean(owner, "reset_after", reset_after)
    check.boolean(owner, "is_training", is_training)
    rows = tensor(owner, "weight_hidden", weight_hidden).shape[-1]
    biases = [_zeros(x, rows) if b is None else b for b in (bias_input, bias_hidden)]
    h = _zeros(x, tensor(owner, "x", x).shape[1], rows // 3) if init_h is None else init_h
    return recurrent.dynamic_gru(x, weight_input, weight_hidden, *biases, h, order=gate_order,
                                 reset_after=reset_after)
