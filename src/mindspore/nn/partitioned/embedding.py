"""Embeddings, masks and the loss at the two ends of a transformer."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float16, float32
from mindspore.eager.tensor import Tensor

from ..cell import Cell
from .configuration import EmbeddingOpParallelConfig, OpParallelConfig, divides, parts


class VocabEmbedding(Cell):
    """The rows of a table for indices.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        parallel_config: How the table is split; an `EmbeddingOpParallelConfig`.
        param_init: Initial table.

    Inputs:
        input_ids: (batch, seq), integers.

    Outputs:
        The rows (batch, seq, embedding_size), and the table.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or the table cannot be split so.

    Examples:
        >>> from mindspore.nn.transformer import VocabEmbedding
        >>> rows, table = VocabEmbedding(vocab_size=30, embedding_size=8)(ops.ones((2, 5), mindspore.int32))
        >>> rows.shape, table.shape
        ((2, 5, 8), (30, 8))
    """

    def __init__(self, vocab_size: int, embedding_size: int, parallel_config: Any = None, param_init: Any = "normal"):
        super().__init__()
        self.vocab_size = check.positive_int(self, "vocab_size", vocab_size)
        self.embedding_size = check.positive_int(self, "embedding_size", embedding_size)
        config = EmbeddingOpParallelConfig() if parallel_config is None else parallel_config
        dp, mp = parts(self, check.instance(self, "parallel_config", config, EmbeddingOpParallelConfig))
        self.embedding_table = self.parameter("embedding_table", (vocab_size, embedding_size), param_init, float32)
        self.gather = ops.Gather()
        if not config.vocab_emb_dp:
            divides(self, "vocab_size", vocab_size, "model_parallel", mp)
        if dp * mp > 1:
            self.gather.shard(((1, 1) if config.vocab_emb_dp else (mp, 1), (dp, 1)))

    def construct(self, input_ids):
        return self.gather(self.embedding_table, input_ids, 0), self.embedding_table.value()


class AttentionMask(Cell):
    """Which tokens each token attends to: those at and before it that are no padding.

    Args:
        seq_length: Number of tokens.
        parallel_config: Into how many parts the batch is cut; an `OpParallelConfig`.

    Inputs:
        input_mask: (batch, seq_length), 1 for tokens and 0 for padding.

    Outputs:
        (batch, seq_length, seq_length), 1 where the second axis is attended to by the first, else 0.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `seq_length` is not positive, or the mask has another length.

    Examples:
        >>> from mindspore.nn.transformer import AttentionMask
        >>> AttentionMask(seq_length=3)(Tensor([[1.0, 1.0, 0.0]])).tolist()
        [[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]
    """

    def __init__(self, seq_length: int, parallel_config: Any = None):
        super().__init__()
        self.seq_length = check.positive_int(self, "seq_length", seq_length)
        dp, _ = parts(self, parallel_config)
        self.lower_triangle_mask = Tensor(np.tril(np.ones((seq_length, seq_length), np.float32)))
        self.multiply = ops.Mul()
        if dp > 1:
            self.multiply.shard(((dp, 1, 1), (1, 1, 1)))

    def construct(self, input_mask):
        if input_mask.ndim != 2 or input_mask.shape[1] != self.seq_length:
            raise ValueError(f"For 'AttentionMask', the 'input_mask' must have the shape (batch, {self.seq_length}), "
                             f"but got {tuple(input_mask.shape)}.")
        kept = (input_mask != 0).astype(float16)
        both = kept.reshape((-1, self.seq_length, 1)) * kept.reshape((-1, 1, self.seq_length))
        return self.multiply(both, self.lower_triangle_mask.expand_dims(0))


class CrossEntropyLoss(Cell):
    """The mean of -log softmax(logits)[label] over the tokens of a mask.

    Args:
        parallel_config: How rows and classes are split; an `OpParallelConfig`.

    Inputs:
        logits: (tokens, classes).
        label: (tokens,), integers.
        input_mask: (tokens,), weights; 0 for padding.

    Outputs:
        The loss, float32 of shape (1,) as in the original.

    Raises:
        TypeError: If `parallel_config` is none.

    Examples:
        >>> from mindspore.nn.transformer import CrossEntropyLoss
        >>> loss = CrossEntropyLoss()(ops.zeros((2, 4)), Tensor([1, 3]), Tensor([1.0, 0.0]))
        >>> loss.shape, round(float(loss), 4)
        ((1,), 1.3863)
    """

    def __init__(self, parallel_config: Any = None):
        super().__init__()
        dp, mp = parts(self, OpParallelConfig() if parallel_config is None else parallel_config)
        self.log_softmax = ops.LogSoftmax(-1)
        if dp * mp > 1:
            self.log_softmax.shard(((dp * mp, 1),))

    def construct(self, logits, label, input_mask):
        losses = -ops.gather_elements(self.log_softmax(logits.astype(float32)), 1, label.reshape((-1, 1)))
        weights = input_mask.reshape((-1,)).astype(float32)
        return (losses.reshape((-1,)) * weights).sum().reshape((1,)) / (weights.sum() + 1e-8)
