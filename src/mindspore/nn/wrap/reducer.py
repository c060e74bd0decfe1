"""What happens to gradients between the reverse pass and the optimizer."""
from __future__ import annotations

from typing import Any

from mindspore.core import check

from ..cell import Cell


class DistributedGradReducer(Cell):
    """The gradients summed, or averaged, over the processes of a group.

    In a program of one process they are returned unchanged.

    Args:
        parameters: The parameters that the gradients belong to.
        mean: Whether the sum is divided by `degree`. Default: that of the context.
        degree: The number of processes. Default: that of the group, here 1.
        fusion_type: Number of the group of collectives that are merged.
        group: Name of the communication group.

    Inputs:
        grads: The gradients, a tuple of tensors.

    Outputs:
        A tuple of tensors.

    Raises:
        TypeError: If `degree` is no int or `mean` no bool.
        ValueError: If `degree` is not positive, or more than the processes that run.

    Examples:
        >>> reduce = nn.DistributedGradReducer(nn.Dense(3, 2).trainable_params())
        >>> [gradient.tolist() for gradient in reduce((Tensor([1.0]), Tensor([2.0])))]
        [[1.0], [2.0]]
    """

    def __init__(self, parameters: Any, mean: bool | None = None, degree: int | None = None,
                 fusion_type: int = 1, group: str = "hccl_world_group"):
        super().__init__(auto_prefix=False)
        if mean is not None:
            check.boolean(self, "mean", mean)
        self.degree = 1 if degree is None else check.positive_int(self, "degree", degree)
        if self.degree != 1:
            raise ValueError("For 'DistributedGradReducer', the 'degree' must be 1, since this program "
                             f"runs in one process, but got {degree}.")
        self.mean, self.group, self.fusion_type = mean, group, fusion_type

    def construct(self, grads: Any) -> Any:
        return grads


class PipelineGradReducer(Cell):
    """The gradients of a pipeline of stages; in a program of one process they are returned unchanged.

    Args:
        parameters: The parameters that the gradients belong to.
        scale_sense: What the gradients are divided by.
        opt_shard: Must be None or False: no state is split in one process.

    Raises:
        ValueError: If `opt_shard` is True.
    """

    def __init__(self, parameters: Any, scale_sense: Any = 1.0, opt_shard: Any = None):
        super().__init__(auto_prefix=False)
        if opt_shard:
            raise ValueError("For 'PipelineGradReducer', the 'opt_shard' must be None or False, since this "
                             "program runs in one process.")
        self.scale_sense = scale_sense

    def construct(self, grads: Any) -> Any:
        if isinstance(self.scale_sense, (int, float)) and self.scale_sense == 1:
            return grads
        return tuple([g * (1.0 / self.scale_sense) for g in grads])
