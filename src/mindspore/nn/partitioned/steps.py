"""One layer of an encoder and one of a decoder."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.parameter import Parameter, assign

from ..cell import Cell
from .attention import MultiHeadAttention
from .configuration import divides, parts
from .experts import FeedForward, MoE, MoEConfig
from .layers import _LayerNorm, normalised


class _Layer(Cell):
    """What encoder and decoder layers share: the last part, and what is kept of earlier tokens."""

    def _last(self, hidden_size: int, ffn_hidden_size: int, dropout: float, act: Any, dtype: DType, moe_config: Any,
              parallel_config: Any) -> None:
        config = MoEConfig() if moe_config is None else check.instance(self, "moe_config", moe_config, MoEConfig)
        self.use_moe = config.expert_num > 1
        options = {"hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size, "dropout_rate": dropout,
                   "hidden_act": act, "param_init_type": dtype, "parallel_config": parallel_config}
        self.output = MoE(moe_config=config, **options) if self.use_moe else FeedForward(**options)

    def _pasts(self, shape: tuple[Any, int, int], size: int, dtype: DType) -> None:
        """Parameters for keys and values: (batch, heads, tokens) and the size of a head."""
        batch, heads, tokens = shape
        for name, wide in (("key", (batch, heads, size, tokens)), ("value", (batch, heads, tokens, size))):
            start = ops.zeros(wide, dtype)
            setattr(self, f"{name}_past", Parameter(start, name=f"{name}_past", requires_grad=False))

    def _keep(self, present: tuple[Any, Any]) -> None:
        """Write keys and values where the next call finds them."""
        for past, new in zip((self.key_past, self.value_past), present, strict=True):
            assign(past, new.astype(past.dtype))

    def _norm(self, norm: Cell, x: Any) -> Any:
        return normalised(norm, x, self.layernorm_dtype)

    def _fed(self, x: Any, norm: Cell) -> tuple[Any, Any]:
        """The last part with its residual, and the auxiliary loss or None."""
        y = self._norm(norm, x)
        found, loss = self.output(y) if self.use_moe else (self.output(y), None)
        return (y if self.post_layernorm_residual else x) + found.astype(x.dtype), loss

    def _checked(self, x: Any) -> None:
        if x.shape[-1] != self.hidden_size:
            raise ValueError(f"For '{self.cls_name}', the last axis of the input must have the length "
                             f"{self.hidden_size}, but got {tuple(x.shape)}.")


class TransformerEncoderLayer(_Layer):
    """Attention to the layer's own input, then a `FeedForward` or a `MoE`, each behind a normalisation.

    Args:
        batch_size: Size of the batch; None if it is not known and `use_past` is False.
        hidden_size: Length of a token's vector.
        ffn_hidden_size: Length between the maps of the last part.
        num_heads: Number of heads.
        seq_length: Number of tokens.
        attention_dropout_rate, hidden_dropout_rate: Probabilities of dropout.
        post_layernorm_residual: Whether the residual is what comes out of the normalisation, not what goes in.
        layernorm_compute_type, softmax_compute_type, param_init_type: Element types.
        hidden_act: The activation.
        use_past: See `MultiHeadAttention`.
        moe_config: A `MoEConfig`.
        parallel_config: How batch and features are split; an `OpParallelConfig`.

    Inputs:
        x: (batch, seq, hidden) or (batch * seq, hidden).
        input_mask: (batch, seq, seq), 1 where there is attention; None for all.
        init_reset: Whether keys and values of earlier calls are forgotten; a first iteration always forgets them, a
            later one never, so that this changes nothing.
        batch_valid_length: (batch,) int32, with `use_past`.

    Outputs:
        The result in the shape of x, (keys, values), and with experts the auxiliary loss.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or does not divide what it cuts.

    Examples:
        >>> from mindspore.nn.transformer import TransformerEncoderLayer
        >>> layer = TransformerEncoderLayer(2, hidden_size=8, ffn_hidden_size=64, num_heads=2, seq_length=16)
        >>> y, (keys, values) = layer(ops.ones((2, 16, 8)), ops.ones((2, 16, 16)))
        >>> y.shape, keys.shape, values.shape
        ((2, 16, 8), (2, 2, 4, 16), (2, 2, 16, 4))
    """

    def __init__(self, batch_size: int | None, hidden_size: int, ffn_hidden_size: int, num_heads: int, seq_length: int,
                 attention_dropout_rate: float = 0.1, hidden_dropout_rate: float = 0.1,
                 post_layernorm_residual: bool = False, layernorm_compute_type: DType = float32,
                 softmax_compute_type: DType = float32, param_init_type: DType = float32, hidden_act: Any = "gelu",
                 use_past: bool = False, moe_config: Any = None, parallel_config: Any = None):
        super().__init__()
        dp, _ = parts(self, parallel_config)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.use_past = check.boolean(self, "use_past", use_past)
        self.post_layernorm_residual = check.boolean(self, "post_layernorm_residual", post_layernorm_residual)
        self.layernorm_dtype = check.instance(self, "layernorm_compute_type", layernorm_compute_type, DType)
        self.is_first_iteration = True
        self.layernorm1 = _LayerNorm((hidden_size,), param_init_type=param_init_type)
        self.layernorm2 = _LayerNorm((hidden_size,), param_init_type=param_init_type)
        if dp > 1 and batch_size is not None:
            divides(self, "batch_size", batch_size, "data_parallel", dp)
        self.attention = MultiHeadAttention(
            batch_size, seq_length, seq_length, hidden_size, num_heads, hidden_dropout_rate, attention_dropout_rate,
            softmax_compute_type=softmax_compute_type, param_init_type=param_init_type, use_past=use_past,
            parallel_config=parallel_config)
        self._last(hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act, param_init_type, moe_config,
                   parallel_config)
        if use_past:
            check.positive_int(self, "batch_size", batch_size)
            self._pasts((batch_size, num_heads, seq_length), hidden_size // num_heads, self.attention.dtype)

    def construct(self, x, input_mask=None, init_reset=True, batch_valid_length=None):
        self._checked(x)
        y = self._norm(self.layernorm1, x)
        past = (self.key_past, self.value_past, batch_valid_length) if self.use_past else ()
        found, present = self.attention(y, y, y, input_mask, *past)
        if self.use_past:
            self._keep(present)
        x = (y if self.post_layernorm_residual else x) + found.astype(x.dtype)
        out, loss = self._fed(x, self.layernorm2)
        return (out, present, loss) if self.use_moe else (out, present)


class TransformerDecoderLayer(_Layer):
    """Attention to the layer's own input and to what an encoder made, then a `FeedForward` or a `MoE`.

    Args:
        hidden_size, ffn_hidden_size, num_heads, batch_size: As in `TransformerEncoderLayer`.
        src_seq_length: Number of the encoder's tokens.
        tgt_seq_length: Number of the decoder's tokens.

    The other arguments are those of `TransformerEncoderLayer`.

    Inputs:
        hidden_stats: (batch, tgt, hidden) or (batch * tgt, hidden).
        decoder_mask: (batch, tgt, tgt), 1 where there is attention.
        encoder_output: (batch, src, hidden) or (batch * src, hidden); None for none.
        memory_mask: (batch, tgt, src), 1 where there is attention to the encoder's tokens.
        init_reset, batch_valid_length: As for `TransformerEncoderLayer`.

    Outputs:
        The result in the shape of `hidden_stats`; keys and values of the own tokens and of the encoder's; and with
        experts the auxiliary loss.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or does not divide what it cuts.

    Examples:
        >>> from mindspore.nn.transformer import TransformerDecoderLayer
        >>> layer = TransformerDecoderLayer(64, 64, num_heads=2, batch_size=2, src_seq_length=20, tgt_seq_length=10)
        >>> y, kept = layer(ops.ones((2, 10, 64)), ops.ones((2, 10, 10)), ops.ones((2, 20, 64)), ops.ones((2, 10, 20)))
        >>> y.shape, [k.shape for k in kept]
        ((2, 10, 64), [(2, 2, 32, 10), (2, 2, 10, 32), (2, 2, 32, 20), (2, 2, 20, 32)])
    """

    def __init__(self, hidden_size: int, ffn_hidden_size: int, num_heads: int, batch_size: int | None,
                 src_seq_length: int, tgt_seq_length: int, attention_dropout_rate: float = 0.1,
                 hidden_dropout_rate: float = 0.1, post_layernorm_residual: bool = False, use_past: bool = False,
                 layernorm_compute_type: DType = float32, softmax_compute_type: DType = float32,
                 param_init_type: DType = float32, hidden_act: Any = "gelu", moe_config: Any = None,
                 parallel_config: Any = None):
        super().__init__()
        parts(self, parallel_config)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.use_past = check.boolean(self, "use_past", use_past)
        self.post_layernorm_residual = check.boolean(self, "post_layernorm_residual", post_layernorm_residual)
        self.layernorm_dtype = check.instance(self, "layernorm_compute_type", layernorm_compute_type, DType)
        self.is_first_iteration = True
        for name in ("layernorm1", "cross_attention_layernorm", "layernorm2"):
            setattr(self, name, _LayerNorm((hidden_size,), param_init_type=param_init_type))
        options = {"hidden_size": hidden_size, "num_heads": num_heads, "hidden_dropout_rate": hidden_dropout_rate,
                   "attention_dropout_rate": attention_dropout_rate, "softmax_compute_type": softmax_compute_type,
                   "param_init_type": param_init_type, "parallel_config": parallel_config}
        self.attention = MultiHeadAttention(batch_size, tgt_seq_length, tgt_seq_length, use_past=use_past, **options)
        self.cross_attention = MultiHeadAttention(batch_size, tgt_seq_length, src_seq_length, **options)
        self._last(hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act, param_init_type, moe_config,
                   parallel_config)
        if use_past:
            check.positive_int(self, "batch_size", batch_size)
            self._pasts((batch_size, num_heads, tgt_seq_length), hidden_size // num_heads, self.attention.dtype)

    def construct(self, hidden_stats, decoder_mask, encoder_output=None, memory_mask=None, init_reset=True,
                  batch_valid_length=None):
        x = hidden_stats
        self._checked(x)
        y = self._norm(self.layernorm1, x)
        past = (self.key_past, self.value_past, batch_valid_length) if self.use_past else ()
        found, present = self.attention(y, y, y, decoder_mask, *past)
        if self.use_past:
            self._keep(present)
        x = (y if self.post_layernorm_residual else x) + found.astype(x.dtype)
        if encoder_output is not None:
            y = self._norm(self.cross_attention_layernorm, x)
            found, seen = self.cross_attention(y, encoder_output, encoder_output, memory_mask)
            present = (*present, *seen)
            x = (y if self.post_layernorm_residual else x) + found.astype(x.dtype)
        out, loss = self._fed(x, self.layernorm2)
        return (out, present, loss) if self.use_moe else (out, present)
