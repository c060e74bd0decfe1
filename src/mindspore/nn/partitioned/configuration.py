"""How transformers are split over devices."""
from __future__ import annotations

from typing import Any

from mindspore.core import check


class _Config:
    """Named options that are checked when they are set."""

    _ints: tuple[str, ...] = ()
    _bools: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._ints:
            check.positive_int(self, name, value)
        elif name in self._bools:
            check.boolean(self, name, value)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


class OpParallelConfig(_Config):
    """Into how many parts batches and features are cut.

    Args:
        data_parallel: Parts of the batch.
        model_parallel: Parts of the features.

    Raises:
        TypeError: If a number is no int.
        ValueError: If a number is not positive.

    Examples:
        >>> from mindspore.nn.transformer import OpParallelConfig
        >>> OpParallelConfig(data_parallel=2)
        OpParallelConfig(data_parallel=2, model_parallel=1)
    """

    _ints = ("data_parallel", "model_parallel")
    data_parallel = model_parallel = 1

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1):
        self.data_parallel, self.model_parallel = data_parallel, model_parallel


class EmbeddingOpParallelConfig(OpParallelConfig):
    """How tables of embeddings are split.

    Args:
        data_parallel: Parts of the batch.
        model_parallel: Parts of the features.
        vocab_emb_dp: Whether every device holds the whole table; if not, its rows are cut into `model_parallel` parts.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive.

    Examples:
        >>> from mindspore.nn.transformer import EmbeddingOpParallelConfig
        >>> EmbeddingOpParallelConfig(2, 2, vocab_emb_dp=False).dp_mp_config
        OpParallelConfig(data_parallel=2, model_parallel=2)
    """

    _bools = ("vocab_emb_dp",)
    vocab_emb_dp = True

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, vocab_emb_dp: bool = True):
        super().__init__(data_parallel, model_parallel)
        self.vocab_emb_dp = vocab_emb_dp

    @property
    def dp_mp_config(self) -> OpParallelConfig:
        """The numbers of parts alone."""
        return OpParallelConfig(self.data_parallel, self.model_parallel)


class TransformerRecomputeConfig(_Config):
    """What is computed again in the reverse pass to hold less memory.

    Args:
        recompute: Whether layers are.
        parallel_optimizer_comm_recompute, mp_comm_recompute, recompute_slice_activation: Options of `Cell.recompute`
            about communication between devices.

    Raises:
        TypeError: If an option is no bool.

    Examples:
        >>> from mindspore.nn.transformer import TransformerRecomputeConfig
        >>> TransformerRecomputeConfig(recompute=True).recompute
        True
    """

    _bools = ("recompute", "parallel_optimizer_comm_recompute", "mp_comm_recompute", "recompute_slice_activation")
    recompute = parallel_optimizer_comm_recompute = recompute_slice_activation = False
    mp_comm_recompute = True

    def __init__(self, recompute: bool = False, parallel_optimizer_comm_recompute: bool = False,
                 mp_comm_recompute: bool = True, recompute_slice_activation: bool = False):
        self.recompute = recompute
        self.parallel_optimizer_comm_recompute = parallel_optimizer_comm_recompute
        self.mp_comm_recompute = mp_comm_recompute
        self.recompute_slice_activation = recompute_slice_activation


class TransformerOpParallelConfig(EmbeddingOpParallelConfig):
    """How a whole transformer is split.

    Args:
        data_parallel: Parts of the batch.
        model_parallel: Parts of the features.
        expert_parallel: Parts of the experts, where there are some.
        pipeline_stage: Number of stages; layers are spread evenly over them.
        pipeline_segment: Number of pieces of a stage that take turns.
        micro_batch_num: Number of pieces of a batch that pass the stages one after the other.
        recompute: A `TransformerRecomputeConfig`, or whether layers are computed again in the reverse pass.
        optimizer_shard: Whether the state of the optimizer is split.
        gradient_aggregation_group: Into how many groups gradients are joined before they are sent.
        vocab_emb_dp: Whether every device holds whole tables of embeddings.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive.

    Examples:
        >>> from mindspore.nn.transformer import TransformerOpParallelConfig
        >>> TransformerOpParallelConfig(data_parallel=2, model_parallel=4).dp_mp_config
        OpParallelConfig(data_parallel=2, model_parallel=4)
    """

    _ints = ("data_parallel", "model_parallel", "expert_parallel", "pipeline_stage", "pipeline_segment",
             "micro_batch_num", "gradient_aggregation_group")
    _bools = ("vocab_emb_dp", "optimizer_shard")
    expert_parallel = pipeline_stage = pipeline_segment = micro_batch_num = 1
    recompute: TransformerRecomputeConfig | bool = False
    optimizer_shard, gradient_aggregation_group = False, 4

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1,
                 pipeline_stage: int = 1, pipeline_segment: int = 1, micro_batch_num: int = 1, recompute: Any = None,
                 optimizer_shard: bool = False, gradient_aggregation_group: int = 4, vocab_emb_dp: bool = True):
        super().__init__(data_parallel, model_parallel, vocab_emb_dp)
        self.expert_parallel, self.pipeline_stage = expert_parallel, pipeline_stage
        self.pipeline_segment, self.micro_batch_num = pipeline_segment, micro_batch_num
        self.recompute = TransformerRecomputeConfig() if recompute is None else recompute
        self.optimizer_shard, self.gradient_aggregation_group = optimizer_shard, gradient_aggregation_group

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "recompute":
            check.instance(self, name, value, (TransformerRecomputeConfig, bool))
        super().__setattr__(name, value)

    @property
    def embedding_dp_mp_config(self) -> EmbeddingOpParallelConfig:
        """How tables of embeddings are split."""
        return EmbeddingOpParallelConfig(self.data_parallel, self.model_parallel, self.vocab_emb_dp)

    @property
    def moe_parallel_config(self) -> OpParallelConfig:
        """How experts are split: batches, features."""
        return OpParallelConfig(self.data_parallel, self.model_parallel)


def parts(owner: Any, config: Any) -> tuple[int, int]:
    """(parts of the batch, parts of the features) of a configuration."""
    if config is None:
        return 1, 1
    check.instance(owner, "parallel_config", config, OpParallelConfig)
    return config.data_parallel, config.model_parallel


def divides(owner: Any, name: str, value: int, by_name: str, by: int) -> None:
    """ValueError unless a length can be cut into so many parts."""
    if value % by:
        raise ValueError(f"For '{check.name_of(owner)}', the '{name}' must be a multiple of the '{by_name}', but got "
                         f"{value} and {by}.")
