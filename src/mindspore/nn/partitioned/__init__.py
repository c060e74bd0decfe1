"""Transformers whose operators say how they are split over devices: `mindspore.nn.transformer` of 1.x, and since 2.0
`mindspore.parallel._transformer`. On one device the configurations change nothing but what they say they do."""

from .attention import FixedSparseAttention, MultiHeadAttention
from .configuration import (
    EmbeddingOpParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
)
from .embedding import AttentionMask, CrossEntropyLoss, VocabEmbedding
from .experts import FeedForward, MoE, MoEConfig, Router
from .layers import _Dropout, _LayerNorm, _Linear
from .stacks import Transformer, TransformerDecoder, TransformerEncoder
from .steps import TransformerDecoderLayer, TransformerEncoderLayer
from .validators import _args_type_validator_check, _valid_type_checks, _valid_value_checks

__all__ = ["AttentionMask", "CrossEntropyLoss", "EmbeddingOpParallelConfig", "FeedForward", "FixedSparseAttention",
           "MoE", "MoEConfig", "MultiHeadAttention", "OpParallelConfig", "Router", "Transformer", "TransformerDecoder",
           "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerOpParallelConfig",
           "TransformerRecomputeConfig", "VocabEmbedding", "_Dropout", "_LayerNorm", "_Linear",
           "_args_type_validator_check", "_valid_type_checks", "_valid_value_checks"]
