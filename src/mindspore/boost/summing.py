"""Steps of several servers combined adaptively."""
from __future__ import annotations

from typing import Any

from mindspore import nn
from mindspore.core import check
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import assign
from mindspore.nn.wrap.adaptive_sum import combined, gathered


class AdaSum(nn.Cell):
    """Moves parameters by the adaptive sum of the steps of all servers (Maleki et al. 2020).

    The steps of the processes of one server are averaged. In one process the step is what it is.

    Args:
        rank: Number of this process.
        device_number: Number of processes of a server.
        group_number: Number of servers, a power of two.
        parameter_tuple: The parameters.

    Inputs:
        delta_weights: The steps of this process: old minus new values, one per parameter.
        parameters: The parameters to move.
        old_parameters: Their values before the step.

    Outputs:
        The new values.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the numbers are not those of the processes that run.

    Examples:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> adasum = mindspore.boost.AdaSum(0, 1, 1, (weight,))
        >>> adasum((Tensor([0.25]),), (weight,), (Tensor([2.0]),))[0].tolist()
        [1.75]
    """

    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple: Any):
        super().__init__()
        self.device_number = check.positive_int(self, "device_number", device_number)
        self.group_number = check.positive_int(self, "group_number", group_number)
        count = device_number * group_number
        self.rank = check.integer(self, "rank", rank, 0, count - 1)
        if group_number & (group_number - 1):
            raise ValueError(f"For 'AdaSum', the 'group_number' must be a power of two, but got {group_number}.")
        if count != get_group_size():
            raise ValueError(f"For 'AdaSum', 'device_number' * 'group_number' must be the number of processes, "
                             f"{get_group_size()}, but got {device_number} * {group_number}.")
        self.parameter_tuple = parameter_tuple

    def construct(self, delta_weights, parameters, old_parameters):
        moved = []
        for delta, p, old in zip(delta_weights, parameters, old_parameters, strict=True):
            n = self.device_number
            parts = gathered(delta, n * self.group_number)
            servers = [sum(parts[i + 1:i + n], parts[i]) / n for i in range(0, len(parts), n)]
            moved.append(assign(p, old - combined(servers)))
        return tuple(moved)
