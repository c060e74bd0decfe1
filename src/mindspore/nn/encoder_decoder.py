"""The transformer of Vaswani et al. 2017 and its parts."""
from __future__ import annotations

import copy
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, bool_, float32
from mindspore.eager.initializer import XavierUniform, initializer
from mindspore.ops.linearised import invoke

from .attention import MultiheadAttention
from .cell import Cell
from .container import CellList
from .dropout import Dropout
from .linear import Dense
from .normalisation import LayerNorm

_ACTIVATIONS = {"relu": ops.relu, "gelu": ops.gelu}


def _activation(owner: Cell, activation: Any) -> Any:
    if isinstance(activation, str):
        if activation not in _ACTIVATIONS:
            raise ValueError(f"For '{owner.cls_name}', the 'activation' must be 'relu' or 'gelu', but got "
                             f"{activation!r}.")
        return _ACTIVATIONS[activation]
    if not callable(activation):
        raise TypeError(f"For '{owner.cls_name}', the 'activation' must be a name, a cell or a function, "
                        f"but got {type(activation).__name__}.")
    return activation


class _Layer(Cell):
    """What encoder and decoder layers share: two dense layers behind the attention."""

    def _feed(self, d_model: int, dim_feedforward: int, dropout: float, dtype: DType) -> None:
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)

    def _fed(self, x: Any, last: Cell) -> Any:
        return last(self.dense2(self.dropout(invoke(self.activation, (self.dense1(x),)))))

    def _after(self, x: Any, branch: Any, norm: Cell) -> Any:
        """x + branch(x), normalised after or before."""
        return x + branch(norm(x)) if self.norm_first else norm(x + branch(x))


class TransformerEncoderLayer(_Layer):
    """Self-attention and two dense layers, each with a residual connection and normalisation.

    Args:
        d_model: Length of the elements.
        nhead: Number of heads.
        dim_feedforward: Length between the dense layers.
        dropout: Probability of dropout.
        activation: Between the dense layers: "relu", "gelu", a cell or a function.
        layer_norm_eps: Epsilon of the normalisations.
        batch_first: Whether the batch is axis 0 instead of axis 1.
        norm_first: Whether to normalise before attention and dense layers instead of after them.
        dtype: Element type of the parameters.

    Inputs:
        src: (L, N, d_model), or (N, L, d_model) for `batch_first`.
        src_mask: (L, L), True (or -inf) for pairs that count nothing.
        src_key_padding_mask: (N, L), True (or -inf) for elements that count nothing.

    Examples:
        >>> layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16)
        >>> layer(ops.ones((5, 3, 8))).shape
        (5, 3, 8)
    """

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Any = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, dtype: DType = float32):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first,
                                            dtype=dtype)
        self._feed(d_model, dim_feedforward, dropout, dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.activation = _activation(self, activation)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        _check_mask(self, "src_key_padding_mask", src_key_padding_mask)

        def attend(x: Any) -> Any:
            y = self.self_attn(x, x, x, src_key_padding_mask, False, src_mask)[0]
            return self.dropout1(y)

        x = self._after(src, attend, self.norm1)
        return self._after(x, lambda x: self._fed(x, self.dropout2), self.norm2)


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's result, and two dense layers.

    Args:
        d_model: Length of the elements.
        nhead: Number of heads.
        dim_feedforward: Length between the dense layers.
        dropout: Probability of dropout.
        activation: Between the dense layers: "relu", "gelu", a cell or a function.
        layer_norm_eps: Epsilon of the normalisations.
        batch_first: Whether the batch is axis 0 instead of axis 1.
        norm_first: Whether to normalise before attention and dense layers instead of after them.
        dtype: Element type of the parameters.

    Inputs:
        tgt: (L, N, d_model), or (N, L, d_model) for `batch_first`.
        memory: The encoder's result, (S, N, d_model), or (N, S, d_model) for `batch_first`.
        tgt_mask, memory_mask: (L, L) and (L, S), True (or -inf) for pairs that count nothing.
        tgt_key_padding_mask, memory_key_padding_mask: (N, L) and (N, S), True (or -inf) for elements that count
            nothing.

    Examples:
        >>> layer = nn.TransformerDecoderLayer(8, 2, dim_feedforward=16)
        >>> layer(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape
        (4, 3, 8)
    """

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Any = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, dtype: DType = float32):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first,
                                            dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout,
                                                 batch_first=batch_first, dtype=dtype)
        self._feed(d_model, dim_feedforward, dropout, dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm3 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.dropout3 = Dropout(p=dropout)
        self.activation = _activation(self, activation)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        def attend(x: Any) -> Any:
            y = self.self_attn(x, x, x, tgt_key_padding_mask, False, tgt_mask)[0]
            return self.dropout1(y)

        def look_up(x: Any) -> Any:
            y = self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, memory_mask)[0]
            return self.dropout2(y)

        x = self._after(tgt, attend, self.norm1)
        x = self._after(x, look_up, self.norm2)
        return self._after(x, lambda x: self._fed(x, self.dropout3), self.norm3)


def _check_mask(owner: Cell, name: str, mask: Any) -> None:
    if mask is not None and not (mask.dtype is bool_ or mask.dtype.is_floating):
        raise ValueError(f"For '{owner.cls_name}', the '{name}' must be a bool or floating-point tensor, "
                         f"but got {mask.dtype}.")


class _Stack(Cell):
    """Copies of one layer, and what is applied to the result."""

    def __init__(self, layer: Cell, num_layers: int, norm: Cell | None):
        super().__init__()
        self.num_layers = check.count(self, "num_layers", num_layers)
        self.layers = CellList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.norm = norm


class TransformerEncoder(_Stack):
    """A stack of encoder layers.

    Args:
        encoder_layer: The layer, which is copied.
        num_layers: Number of layers.
        norm: Applied to the result.

    Inputs:
        src: (L, N, d_model), or (N, L, d_model) for `batch_first`.
        src_mask: (L, L), True (or -inf) for pairs that count nothing.
        src_key_padding_mask: (N, L), True (or -inf) for elements that count nothing.

    Examples:
        >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, dim_feedforward=16), 2)
        >>> encoder(ops.ones((5, 3, 8))).shape
        (5, 3, 8)
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        _check_mask(self, "src_key_padding_mask", src_key_padding_mask)
        for layer in self.layers:
            src = layer(src, src_mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(_Stack):
    """A stack of decoder layers.

    Args:
        decoder_layer: The layer, which is copied.
        num_layers: Number of layers.
        norm: Applied to the result.

    Inputs:
        tgt: (L, N, d_model), or (N, L, d_model) for `batch_first`.
        memory: The encoder's result, (S, N, d_model), or (N, S, d_model) for `batch_first`.
        tgt_mask, memory_mask: (L, L) and (L, S), True (or -inf) for pairs that count nothing.
        tgt_key_padding_mask, memory_key_padding_mask: (N, L) and (N, S), True (or -inf) for elements that count
            nothing.

    Examples:
        >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, dim_feedforward=16), 2)
        >>> decoder(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape
        (4, 3, 8)
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                        memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """Encoder and decoder.

    Args:
        d_model: Length of the elements.
        nhead: Number of heads.
        num_encoder_layers: Number of encoder layers.
        num_decoder_layers: Number of decoder layers.
        dim_feedforward: Length between the dense layers.
        dropout: Probability of dropout.
        activation: Between the dense layers: "relu", "gelu", a cell or a function.
        custom_encoder: A cell in the place of the encoder.
        custom_decoder: A cell in the place of the decoder.
        layer_norm_eps: Epsilon of the normalisations.
        batch_first: Whether the batch is axis 0 instead of axis 1.
        norm_first: Whether to normalise before attention and dense layers instead of after them.
        dtype: Element type of the parameters.
        earlier: With the arguments that it had in release 1, by name (`hidden_size`, `batch_size`, `ffn_hidden_size`,
            `src_seq_length`, `tgt_seq_length`, ...), the cell is a `nn.transformer.Transformer`.

    Inputs:
        src: (S, N, d_model), or (N, S, d_model) for `batch_first`.
        tgt: (L, N, d_model), or (N, L, d_model) for `batch_first`.
        src_mask, tgt_mask, memory_mask: (S, S), (L, L) and (L, S), True (or -inf) for pairs that count nothing.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask: (N, S), (N, L) and (N, S), True
            (or -inf) for elements that count nothing.

    Examples:
        >>> net = nn.Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
        >>> net(ops.ones((5, 3, 8)), ops.ones((4, 3, 8))).shape
        (4, 3, 8)
    """

    def __init__(self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6,
                 num_decoder_layers: int = 6, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Any = "relu", custom_encoder: Cell | None = None,
                 custom_decoder: Cell | None = None, layer_norm_eps: float = 1e-5,
                 batch_first: bool = False, norm_first: bool = False, dtype: DType = float32, **earlier: Any):
        if earlier:
            if type(self) is not Transformer or "hidden_size" not in earlier:
                raise TypeError(f"{type(self).__name__}.__init__() got unexpected keyword arguments {sorted(earlier)}; "
                                f"those of release 1 are taken by 'nn.transformer.Transformer'.")
            from . import partitioned  # which is made of cells of this package

            me: Any = self
            me.__class__ = partitioned.Transformer                  # a class here must serve to be derived from
            me.__init__(**earlier)
            return
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
                   norm_first, dtype)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        if custom_encoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_encoder = TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers,
                                                norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_decoder = TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers,
                                                norm)
        self.decoder = custom_decoder
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer(XavierUniform(), parameter.shape, parameter.dtype))

    def construct(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None,
                  src_key_padding_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None):
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise ValueError(f"For 'Transformer', the batches of 'src' and 'tgt' must be equal, but got "
                             f"{src.shape[batch]} and {tgt.shape[batch]}.")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(f"For 'Transformer', the last axes of 'src' and 'tgt' must have the length "
                             f"{self.d_model}, but got {src.shape} and {tgt.shape}.")
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                            memory_key_padding_mask)
