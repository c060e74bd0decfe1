"""Layers at the beginning of a network that are not trained in some steps."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mindspore import nn
from mindspore.core import check
from mindspore.core.dtype import int32
from mindspore.eager.parameter import Parameter
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.nn.wrap.gradient import loss_and_gradients
from mindspore.nn.wrap.reducer import DistributedGradReducer

from .accumulation import GradientAccumulation


class FreezeOpt(nn.Cell):
    """An optimizer for each number of groups that are frozen.

    Args:
        opt: The optimizer of all parameters.
        train_parameter_groups: Groups of parameters, the first layers first. The i-th optimizer trains all groups from
            the i-th on. Default: one group.
        train_strategy: Which optimizer each step uses: integers. Default: the first one always.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If there is no group, or the strategy names an optimizer that does not exist.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
        >>> groups = [net[0].trainable_params(), net[1].trainable_params()]
        >>> opt = mindspore.boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1), groups, [0, 1, 1])
        >>> [len(o.parameters) for o in opt.opts]
        [4, 2]
    """

    def __init__(self, opt: nn.Optimizer, train_parameter_groups: Any = None, train_strategy: Any = None):
        super().__init__()
        self.single_opt = check.instance(self, "opt", opt, nn.Optimizer)
        groups = [list(opt.parameters)] if train_parameter_groups is None else check.instance(
            self, "train_parameter_groups", train_parameter_groups, (list, tuple))
        if not groups:
            raise ValueError("For 'FreezeOpt', the 'train_parameter_groups' must have a group.")
        steps = np.asarray([0] if train_strategy is None else train_strategy, np.int32).ravel()
        if steps.min() < 0 or steps.max() >= len(groups):
            raise ValueError(f"For 'FreezeOpt', the 'train_strategy' must be of numbers below {len(groups)}, but got "
                             f"{steps.tolist()}.")
        self.opts = [opt, *[opt.remade([p for g in groups[i:] for p in g]) for i in range(1, len(groups))]]
        self.opt_index, self.parameters = len(self.opts), opt.parameters
        self.train_strategy = Tensor(steps, int32)


class GradientFreeze:
    """Freezes the first layers of a network in some steps.

    Args:
        param_groups: Into how many groups the parameters are cut.
        freeze_type: 0: in turn all groups are trained for some steps, then in one step each all but the first one, two,
            ...; 1: steps that train all groups alternate with steps that freeze a random number of them.
        freeze_p: Share of the steps that train all groups, between 0 and 1.
        total_steps: Number of steps.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of range.

    Examples:
        >>> freeze = mindspore.boost.GradientFreeze(3, 0, 0.5, 8)
        >>> freeze.generate_freeze_index_sequence(3, 0, 0.5, 8)
        [0, 0, 1, 2, 0, 0, 1, 2]
    """

    def __init__(self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int):
        self._param_groups = check.integer(self, "param_groups", param_groups, 2)
        self._freeze_type = check.option(self, "freeze_type", freeze_type, (0, 1))
        self._freeze_p = check.number(self, "freeze_p", freeze_p, 0.0, 1.0, True, True)
        self._total_steps = check.positive_int(self, "total_steps", total_steps)

    def split_parameters_groups(self, net: nn.Cell, freeze_para_groups_number: int) -> list[list[Parameter]]:
        """Cut the parameters of a network into groups, the parameters of one layer in the same.

        Args:
            net: The network.
            freeze_para_groups_number: How many groups.

        Returns:
            The groups, the first layers first.

        Raises:
            ValueError: If there are fewer layers than groups.
        """
        layers = [own for _, cell in net.cells_and_names()
                  if (own := [p for p in cell._params.values() if p.requires_grad])]
        count = check.positive_int("split_parameters_groups", "freeze_para_groups_number", freeze_para_groups_number)
        if len(layers) < count:
            raise ValueError("For 'split_parameters_groups', the 'freeze_para_groups_number' must be at most the "
                             f"number of layers with parameters, {len(layers)}, but got {count}.")
        ends = [round(len(layers) * i / count) for i in range(count + 1)]
        return [[p for layer in layers[a:b] for p in layer] for a, b in pairwise(ends)]

    def generate_freeze_index_sequence(self, parameter_groups_number: int, freeze_strategy: int, freeze_p: float,
                                       total_steps: int) -> list[int]:
        """How many groups are frozen in each step.

        Args:
            parameter_groups_number: Number of groups.
            freeze_strategy: As `freeze_type` of the class.
            freeze_p: As in the class.
            total_steps: Number of steps; the sequence ends with a whole turn.

        Returns:
            The numbers.
        """
        if freeze_strategy == 0:
            turn = [0] * int((parameter_groups_number - 1) * freeze_p / (1 - freeze_p)) + [
                *range(1, parameter_groups_number)]
            return turn * -(-total_steps // len(turn))
        found, zeros = [], 0
        for i in range(total_steps):
            whole = not i or zeros / i < freeze_p
            found.append(0 if whole else int(np.random.randint(1, parameter_groups_number)))
            zeros += whole
        return found

    def freeze_generate(self, network: nn.Cell, optimizer: nn.Optimizer) -> tuple[nn.Cell, FreezeOpt]:
        """The network and an optimizer that freezes its layers.

        Args:
            network: The network.
            optimizer: The optimizer of all its parameters.

        Returns:
            The network, and a `FreezeOpt`.
        """
        groups = self.split_parameters_groups(network, self._param_groups)
        steps = self.generate_freeze_index_sequence(self._param_groups, self._freeze_type, self._freeze_p,
                                                    self._total_steps)
        return network, FreezeOpt(optimizer, groups, steps)


class _FrozenStep(nn.Cell):
    """A step of training of some of the parameters."""

    takes_batches = True

    def __init__(self, network: nn.Cell, optimizer: Any, sens: Any, reducer: nn.Cell, accumulated: int):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.sens = network, optimizer, sens
        self.weights = ParameterTuple(optimizer.parameters)
        self.grad_reducer = reducer
        self.accumulate = GradientAccumulation(accumulated, optimizer) if accumulated > 1 else None

    def construct(self, *inputs):
        loss, grads = loss_and_gradients(self.network, inputs, self.weights, self.sens)
        grads = self.grad_reducer(grads)
        if self.accumulate is not None:
            return self.accumulate(loss, grads)
        self.optimizer(grads)
        return loss


def freeze_cell(reducer_flag: bool, network: nn.Cell, optimizer: FreezeOpt, sens: float, grad: Any,
                use_grad_accumulation: bool, mean: bool | None = None, degree: int | None = None,
                max_accumulation_step: int = 1) -> list[nn.Cell]:
    """A step of training for each number of frozen groups.

    Args:
        reducer_flag: Whether gradients are reduced over the processes.
        network: The network; its output is the loss.
        optimizer: The optimizers.
        sens: What the loss is multiplied by before it is differentiated.
        grad: A `GradOperation(get_by_list=True, sens_param=True)`, which says what is differentiated.
        use_grad_accumulation: Whether gradients are accumulated.
        mean, degree: Arguments of `nn.DistributedGradReducer`, with `reducer_flag`.
        max_accumulation_step: Over how many steps gradients are accumulated.

    Returns:
        The steps.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
        >>> opt = mindspore.boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1))
        >>> len(mindspore.boost.freeze_cell(False, net, opt, 1.0, ops.GradOperation(True, sens_param=True), False))
        1
    """
    check.boolean("freeze_cell", "reducer_flag", reducer_flag)
    check.boolean("freeze_cell", "use_grad_accumulation", use_grad_accumulation)
    check.instance("freeze_cell", "optimizer", optimizer, FreezeOpt)
    check.callable_("freeze_cell", "grad", grad)
    count = check.positive_int("freeze_cell", "max_accumulation_step", max_accumulation_step)

    def reducer(weights: Sequence[Any]) -> nn.Cell:
        return DistributedGradReducer(weights, mean, degree) if reducer_flag else nn.Identity()

    return [_FrozenStep(network, opt, sens, reducer(opt.parameters), count if use_grad_accumulation else 1)
            for opt in optimizer.opts]
