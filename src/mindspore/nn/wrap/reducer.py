"""What happens to gradients between the reverse pass and the optimizer."""
from __future__ import annotations

from typing import Any

from mindspore.core import check, context, log
from mindspore.core.parallel_modes import need_init
from mindspore.distributed import get_group_size
from mindspore.distributed.groups import WORLDS
from mindspore.operators.communication import all_reduce_together, broadcast
from mindspore.parallel import running

from ..cell import Cell

MESSAGE = 32 * 2 ** 20          # bytes of gradients that travel together, where the context says nothing


class DistributedGradReducer(Cell):
    """The gradients summed, or averaged, over the processes of a group.

    Those of parameters with `layerwise_parallel`, or that a parameter server keeps, are left alone. In a program of one
    process all are returned unchanged.

    Args:
        parameters: The parameters that the gradients belong to.
        mean: Whether the sum is divided by `degree`. Default: `gradients_mean` of the context.
        degree: What a mean divides by. Default: the number of processes of the group.
        fusion_type: Number of the group of collectives that are merged; messages are made up by size, or by
            `all_reduce_fusion_config` of the context, all the same.
        group: Name of the communication group.

    Inputs:
        grads: The gradients, a tuple of tensors.

    Outputs:
        A tuple of tensors.

    Raises:
        TypeError: If `degree` is no int or `mean` no bool.
        ValueError: If `degree` is not positive, or there are not as many gradients as parameters.

    Examples:
        >>> reduce = nn.DistributedGradReducer(nn.Dense(3, 2).trainable_params())
        >>> [gradient.tolist() for gradient in reduce((Tensor([1.0]), Tensor([2.0])))]
        [[1.0], [2.0]]
    """

    def __init__(self, parameters: Any, mean: bool | None = None, degree: int | None = None,
                 fusion_type: int = 1, group: str = "hccl_world_group"):
        super().__init__(auto_prefix=False)
        self.mean = context.parallel.gradients_mean if mean is None else check.boolean(self, "mean", mean)
        self.processes = get_group_size(group)
        need_init(type(self).__name__, self.processes if group in WORLDS else 0)
        self.degree = self.processes if degree is None else check.positive_int(self, "degree", degree)
        self.group, self.fusion_type = group, check.integer(self, "fusion_type", fusion_type)
        self.own = [not getattr(p, "layerwise_parallel", False) and not getattr(p, "is_param_ps", False)
                    for p in parameters]

    def construct(self, grads: Any) -> Any:
        if self.processes == 1:
            return grads
        if len(grads) != len(self.own):
            raise ValueError(f"For 'DistributedGradReducer', there must be a gradient for each of the {len(self.own)} "
                             f"parameters, but got {len(grads)}.")
        found = list(grads)
        for places in _fused([k for k, own in enumerate(self.own) if own]):
            mean = self.mean and self.degree == self.processes and all([grads[k].dtype.is_floating for k in places])
            summed = all_reduce_together(*[grads[k] for k in places], op="avg" if mean else "sum", group=self.group,
                                         most=_most())
            for k, value in zip(places, summed, strict=True):
                found[k] = value * (1.0 / self.degree) if self.mean and not mean else value
        return tuple(found)


def _fused(places: list[int]) -> list[list[int]]:
    """The gradients that the context cuts into messages of their own, by `all_reduce_fusion_config`."""
    ends = context.parallel.all_reduce_fusion_config
    found: list[list[int]] = []
    for k in places:
        if not found or any(found[-1][-1] <= end < k for end in ends):
            found.append([])
        found[-1].append(k)
    return found


def _most() -> int:
    """How many bytes a message may have, by `comm_fusion` of the context."""
    fusion = context.parallel.comm_fusion
    config = fusion["allreduce"]["config"] if fusion["allreduce"]["mode"] == "size" else None
    if not fusion["openstate"]:
        return 1
    return config * 2 ** 20 if config else MESSAGE


def broadcast_parameters(parameters: Any, root: int = 0, group: str = "hccl_world_group") -> None:
    """Give the parameters of all processes of a group the values of one; those with `layerwise_parallel` keep theirs.

    Args:
        parameters: The parameters, in the same order in all processes.
        root: The process whose values count.
        group: Name of the communication group.
    """
    for parameter in parameters:
        if not parameter.layerwise_parallel and not parameter.is_param_ps:
            parameter.set_data(broadcast(parameter.value(), root_rank=root, group=group)[0])


def tell_unlike(parameters: Any) -> None:
    """A warning if the processes train parameters that differ; all of them call this together."""
    shared = [p._data for p in parameters if not p.layerwise_parallel and not p.is_param_ps]
    if not running.alike(running.digest_of(shared)):
        log.warning("The processes begin to train with different parameters, and stay apart: only their gradients are "
                    "summed. Call set_seed before the network is made, load the same checkpoint, or set "
                    "parameter_broadcast=True in set_auto_parallel_context.")


class PipelineGradReducer(Cell):
    """The gradients of a pipeline of stages; in a program of one process they are returned unchanged.

    Args:
        parameters: The parameters that the gradients belong to.
        scale_sense: What the gradients are divided by.
        opt_shard: Must be None or False: no state is split in one process.

    Inputs:
        grads: The gradients, a tuple of tensors.

    Raises:
        ValueError: If `opt_shard` is True.

    Examples:
        >>> reduce = nn.PipelineGradReducer(nn.Dense(3, 2).trainable_params(), scale_sense=2.0)
        >>> [gradient.tolist() for gradient in reduce((Tensor([1.0]), Tensor([2.0])))]
        [[0.5], [1.0]]
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
