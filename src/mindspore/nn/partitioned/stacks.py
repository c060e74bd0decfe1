"""Stacks of layers, and a whole transformer."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32

from ..cell import Cell
from ..container import CellList
from .configuration import TransformerOpParallelConfig
from .experts import MoEConfig
from .steps import TransformerDecoderLayer, TransformerEncoderLayer


def _configured(owner: Any, config: Any) -> TransformerOpParallelConfig:
    given = TransformerOpParallelConfig() if config is None else config
    return check.instance(owner, "parallel_config", given, TransformerOpParallelConfig)


def _placed(layer: Cell, index: int, offset: int, config: TransformerOpParallelConfig, layers: int) -> None:
    """Say in which stage a layer is, and whether it is computed again in the reverse pass."""
    if config.pipeline_stage > 1:
        layer.pipeline_stage = min((index + offset) * config.pipeline_stage // layers, config.pipeline_stage - 1)
    again = config.recompute
    if again is True:
        layer.recompute()
    elif again is not False and again.recompute:
        layer.recompute(mp_comm_recompute=again.mp_comm_recompute,
                        parallel_optimizer_comm_recompute=again.parallel_optimizer_comm_recompute,
                        recompute_slice_activation=again.recompute_slice_activation)


class _Stack(Cell):
    """Layers one after the other."""

    def _layers(self, num_layers: int, offset: int, config: TransformerOpParallelConfig, place: Any,
                make: Callable[[], Cell]) -> None:
        check.count(self, "num_layers", num_layers)
        check.non_negative_int(self, "offset", offset)
        place = _placed if place is None else check.callable_(self, "lambda_func", place)
        self.num_layers = num_layers
        self.blocks = CellList()
        for i in range(num_layers):
            layer = make()
            place(layer, i, offset, config, num_layers)
            self.blocks.append(layer)

    def _run(self, x: Any, *more: Any) -> Any:
        """The result, what every layer keeps, and with experts the sum of the auxiliary losses."""
        kept, total = [], 0.0
        for layer in self.blocks:
            x, present, *loss = layer(x, *more)
            kept.append(present)
            total = total + loss[0] if self.use_moe else 0.0
        return (x, tuple(kept), total) if self.use_moe else (x, tuple(kept))


class TransformerEncoder(_Stack):
    """A stack of `TransformerEncoderLayer`.

    Args:
        batch_size: Size of the batch; None if it is not known and `use_past` is False.
        num_layers: Number of layers.
        hidden_size, ffn_hidden_size, seq_length, num_heads, attention_dropout_rate, hidden_dropout_rate, hidden_act,
        post_layernorm_residual, layernorm_compute_type, softmax_compute_type, param_init_type, use_past, moe_config:
            As in `TransformerEncoderLayer`.
        lambda_func: Called with (layer, its number, offset, parallel_config, num_layers) for every layer. Default: it
            sets the stage of the pipeline and what is computed again.
        offset: Number of layers before these, for the stages.
        parallel_config: A `TransformerOpParallelConfig`.

    Inputs:
        hidden_states: (batch, seq, hidden) or (batch * seq, hidden).
        attention_mask: (batch, seq, seq), 1 where there is attention.
        init_reset, batch_valid_length: As for `TransformerEncoderLayer`.

    Outputs:
        The result, (keys, values) of every layer, and with experts the sum of the auxiliary losses.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or does not divide what it cuts.

    Examples:
        >>> from mindspore.nn.transformer import TransformerEncoder
        >>> encoder = TransformerEncoder(2, 2, hidden_size=8, ffn_hidden_size=64, seq_length=16, num_heads=2)
        >>> y, kept = encoder(ops.ones((2, 16, 8)), ops.ones((2, 16, 16)))
        >>> y.shape, len(kept)
        ((2, 16, 8), 2)
    """

    def __init__(self, batch_size: int | None, num_layers: int, hidden_size: int, ffn_hidden_size: int,
                 seq_length: int, num_heads: int, attention_dropout_rate: float = 0.1,
                 hidden_dropout_rate: float = 0.1, hidden_act: Any = "gelu", post_layernorm_residual: bool = False,
                 layernorm_compute_type: DType = float32, softmax_compute_type: DType = float32,
                 param_init_type: DType = float32, lambda_func: Any = None, offset: int = 0, use_past: bool = False,
                 moe_config: Any = None, parallel_config: Any = None):
        super().__init__()
        config = _configured(self, parallel_config)
        moe_config = MoEConfig() if moe_config is None else moe_config
        self.use_moe = moe_config.expert_num > 1
        self._layers(num_layers, offset, config, lambda_func, lambda: TransformerEncoderLayer(
            batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length, attention_dropout_rate,
            hidden_dropout_rate, post_layernorm_residual, layernorm_compute_type, softmax_compute_type,
            param_init_type, hidden_act, use_past, moe_config, config.dp_mp_config))

    def construct(self, hidden_states, attention_mask, init_reset=True, batch_valid_length=None):
        return self._run(hidden_states, attention_mask, init_reset, batch_valid_length)


class TransformerDecoder(_Stack):
    """A stack of `TransformerDecoderLayer`.

    Args:
        num_layers: Number of layers.
        batch_size, hidden_size, ffn_hidden_size, src_seq_length, tgt_seq_length, num_heads, attention_dropout_rate,
        hidden_dropout_rate, post_layernorm_residual, layernorm_compute_type, softmax_compute_type, param_init_type,
        hidden_act, use_past, moe_config: As in `TransformerDecoderLayer`.
        lambda_func, offset, parallel_config: As in `TransformerEncoder`.

    Inputs:
        hidden_states: (batch, tgt, hidden) or (batch * tgt, hidden).
        attention_mask: (batch, tgt, tgt), 1 where there is attention.
        encoder_output, memory_mask, init_reset, batch_valid_length: As for `TransformerDecoderLayer`.

    Outputs:
        The result, what every layer keeps, and with experts the sum of the auxiliary losses.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or does not divide what it cuts.

    Examples:
        >>> from mindspore.nn.transformer import TransformerDecoder
        >>> decoder = TransformerDecoder(1, 2, hidden_size=16, ffn_hidden_size=8, src_seq_length=20,
        ...                              tgt_seq_length=10, num_heads=2)
        >>> x, memory = ops.ones((2, 10, 16)), ops.ones((2, 20, 16))
        >>> y, kept = decoder(x, ops.ones((2, 10, 10)), memory, ops.ones((2, 10, 20)))
        >>> y.shape, len(kept)
        ((2, 10, 16), 1)
    """

    def __init__(self, num_layers: int, batch_size: int | None, hidden_size: int, ffn_hidden_size: int,
                 src_seq_length: int, tgt_seq_length: int, num_heads: int, attention_dropout_rate: float = 0.1,
                 hidden_dropout_rate: float = 0.1, post_layernorm_residual: bool = False,
                 layernorm_compute_type: DType = float32, softmax_compute_type: DType = float32,
                 param_init_type: DType = float32, hidden_act: Any = "gelu", lambda_func: Any = None,
                 use_past: bool = False, offset: int = 0, moe_config: Any = None, parallel_config: Any = None):
        super().__init__()
        config = _configured(self, parallel_config)
        moe_config = MoEConfig() if moe_config is None else moe_config
        self.use_moe = moe_config.expert_num > 1
        self._layers(num_layers, offset, config, lambda_func, lambda: TransformerDecoderLayer(
            hidden_size, ffn_hidden_size, num_heads, batch_size, src_seq_length, tgt_seq_length,
            attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual, use_past, layernorm_compute_type,
            softmax_compute_type, param_init_type, hidden_act, moe_config, config.dp_mp_config))

    def construct(self, hidden_states, attention_mask, encoder_output=None, memory_mask=None, init_reset=True,
                  batch_valid_length=None):
        return self._run(hidden_states, attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length)


class Transformer(Cell):
    """An encoder and a decoder, or one of them.

    Args:
        hidden_size, batch_size, ffn_hidden_size, src_seq_length, tgt_seq_length: As in `TransformerDecoder`.
        encoder_layers: Number of layers of the encoder, 0 for none.
        decoder_layers: Number of layers of the decoder, 0 for none.
        num_heads, attention_dropout_rate, hidden_dropout_rate, hidden_act, post_layernorm_residual,
        layernorm_compute_type, softmax_compute_type, param_init_type, lambda_func, use_past, moe_config,
        parallel_config: As in `TransformerEncoder`.

    Inputs:
        encoder_inputs: (batch, src, hidden) or (batch * src, hidden); None without an encoder.
        encoder_masks: (batch, src, src).
        decoder_inputs: (batch, tgt, hidden) or (batch * tgt, hidden); None without a decoder.
        decoder_masks: (batch, tgt, tgt).
        memory_mask: (batch, tgt, src).
        init_reset, batch_valid_length: As for `TransformerEncoderLayer`.

    Outputs:
        The decoder's result (the encoder's without a decoder), what the encoder's layers keep, what the decoder's
        layers keep (None for a part that is not there), and with experts the sum of the auxiliary losses.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If there is neither an encoder nor a decoder, or a decoder is to use the past of an encoder.

    Examples:
        >>> from mindspore.nn.transformer import Transformer
        >>> model = Transformer(64, 2, 64, src_seq_length=20, tgt_seq_length=10, encoder_layers=1, decoder_layers=2)
        >>> x, y = ops.ones((2, 20, 64)), ops.ones((2, 10, 64))
        >>> out, encoded, decoded = model(x, ops.ones((2, 20, 20)), y, ops.ones((2, 10, 10)), ops.ones((2, 10, 20)))
        >>> out.shape, len(encoded), len(decoded)
        ((2, 10, 64), 1, 2)
    """

    def __init__(self, hidden_size: int, batch_size: int | None, ffn_hidden_size: int, src_seq_length: int,
                 tgt_seq_length: int, encoder_layers: int = 3, decoder_layers: int = 3, num_heads: int = 2,
                 attention_dropout_rate: float = 0.1, hidden_dropout_rate: float = 0.1, hidden_act: Any = "gelu",
                 post_layernorm_residual: bool = False, layernorm_compute_type: DType = float32,
                 softmax_compute_type: DType = float32, param_init_type: DType = float32, lambda_func: Any = None,
                 use_past: bool = False, moe_config: Any = None, parallel_config: Any = None):
        super().__init__()
        check.non_negative_int(self, "encoder_layers", encoder_layers)
        check.non_negative_int(self, "decoder_layers", decoder_layers)
        if not encoder_layers + decoder_layers:
            raise ValueError("For 'Transformer', 'encoder_layers' and 'decoder_layers' must not both be 0.")
        if encoder_layers and decoder_layers and use_past:
            raise ValueError("For 'Transformer', 'use_past' needs an encoder or a decoder alone.")
        moe_config = MoEConfig() if moe_config is None else moe_config
        self.use_moe = moe_config.expert_num > 1
        both = encoder_layers + decoder_layers

        def place(layer: Cell, index: int, offset: int, config: Any, _: int) -> None:
            _placed(layer, index, offset, config, both)

        shared = {"batch_size": batch_size, "hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size,
                  "num_heads": num_heads, "attention_dropout_rate": attention_dropout_rate,
                  "hidden_dropout_rate": hidden_dropout_rate, "hidden_act": hidden_act,
                  "post_layernorm_residual": post_layernorm_residual, "layernorm_compute_type": layernorm_compute_type,
                  "softmax_compute_type": softmax_compute_type, "param_init_type": param_init_type,
                  "lambda_func": lambda_func or place, "use_past": use_past, "moe_config": moe_config,
                  "parallel_config": parallel_config}
        self.encoder = self.decoder = None
        if encoder_layers:
            self.encoder = TransformerEncoder(num_layers=encoder_layers, seq_length=src_seq_length, **shared)
        if decoder_layers:
            self.decoder = TransformerDecoder(num_layers=decoder_layers, src_seq_length=src_seq_length,
                                              tgt_seq_length=tgt_seq_length, offset=encoder_layers, **shared)

    def construct(self, encoder_inputs, encoder_masks, decoder_inputs=None, decoder_masks=None, memory_mask=None,
                  init_reset=True, batch_valid_length=None):
        out, encoded, decoded, total = None, None, None, 0.0
        more = (init_reset, batch_valid_length)
        if self.encoder is not None:
            out, encoded, *loss = self.encoder(encoder_inputs, encoder_masks, *more)
            total = total + loss[0] if self.use_moe else 0.0
        if self.decoder is not None:
            out, decoded, *loss = self.decoder(decoder_inputs, decoder_masks, out, memory_mask, *more)
            total = total + loss[0] if self.use_moe else 0.0
        return (out, encoded, decoded, total) if self.use_moe else (out, encoded, decoded)
