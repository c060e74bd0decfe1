"""Steps of training with what `AutoBoost` chose."""
from __future__ import annotations

from typing import Any

from mindspore import nn
from mindspore.distributed import get_group_size
from mindspore.ir.runtime import runtime
from mindspore.nn.wrap.adaptive_sum import of_all
from mindspore.nn.wrap.gradient import loss_and_gradients

from .accumulation import GradientAccumulation
from .freezing import FreezeOpt, freeze_cell


class _Boosted:
    """What both kinds of steps share: which boosts the network was given, and which step of the strategy is next."""

    network: nn.Cell
    optimizer: Any
    grad: Any
    grad_reducer: Any
    sens: Any
    reducer_flag: bool
    auto_boost: Any                  # the `AutoBoost` of the network, or None
    freeze: bool
    freeze_nets: Any                 # the steps that freeze 0, 1, ... groups
    train_strategy: list[int]
    use_grad_accumulation: bool
    max_accumulation_step: int
    enable_adasum: bool
    _accumulate: Any
    _done: int

    def _boost(self, optimizer: Any) -> None:
        own = self.__dict__
        own["auto_boost"] = auto = _chosen(self.network)
        own["freeze"] = isinstance(optimizer, FreezeOpt)
        own["use_grad_accumulation"] = bool(auto and auto.boost_config["grad_accumulation"])
        own["max_accumulation_step"] = auto.grad_accumulation_step if self.use_grad_accumulation else 1
        own["enable_adasum"] = self.check_adasum_enable()
        own["_done"], own["freeze_nets"] = 0, None
        own["_accumulate"] = None
        if self.use_grad_accumulation and self.max_accumulation_step > 1 and not self.freeze:
            own["_accumulate"] = GradientAccumulation(self.max_accumulation_step, self.optimizer)
        if self.freeze:
            own["freeze_nets"] = freeze_cell(
                self.reducer_flag, self.network, optimizer, self.sens, self.grad, self.use_grad_accumulation,
                max_accumulation_step=self.max_accumulation_step)
            own["train_strategy"] = optimizer.train_strategy.tolist()

    def check_adasum_enable(self) -> bool:
        """Whether gradients are combined adaptively over several processes."""
        auto = self.auto_boost
        return bool(auto and auto.boost_config["adasum"]) and self.reducer_flag and get_group_size() > 1

    def check_dim_reduce_enable(self) -> bool:
        """Whether training takes place in a space of fewer dimensions: never."""
        return False

    def gradient_freeze_process(self, *inputs: Any) -> Any:
        """The step that the strategy has next.

        Raises:
            RuntimeError: In a function that is compiled, which cannot count its calls.
        """
        if runtime.building:
            raise RuntimeError("A training step that freezes layers counts its calls: call it from Python, not from a "
                               "function that is compiled.")
        index = self.train_strategy[self._done % len(self.train_strategy)]
        self.__dict__["_done"] += 1
        return self.freeze_nets[index](*inputs)

    def gradient_accumulation_process(self, loss: Any, grads: Any, sens: Any, *inputs: Any) -> Any:
        """Accumulate the gradients, and update the parameters when there are enough."""
        return self._accumulate(loss, grads)

    def adasum_process(self, loss: Any, grads: Any) -> Any:
        """Update the parameters by the adaptive sum of the gradients of all processes."""
        self.optimizer(tuple([of_all(g, get_group_size()) for g in grads]))
        return loss

    def _updated(self, loss: Any, grads: Any, inputs: tuple[Any, ...]) -> Any:
        if self.enable_adasum:
            return self.adasum_process(loss, grads)
        grads = self.grad_reducer(grads)
        if self._accumulate is not None:
            return self.gradient_accumulation_process(loss, grads, self.sens, *inputs)
        self.optimizer(grads)
        return loss


def _chosen(network: nn.Cell) -> Any:
    """The `AutoBoost` that a network, or one in it, was processed by."""
    return next((c.__dict__["auto_boost"] for _, c in network.cells_and_names() if "auto_boost" in c.__dict__), None)


class BoostTrainOneStepCell(_Boosted, nn.TrainOneStepCell):
    """A training step with the boosts that `AutoBoost` chose for the network.

    Args:
        network: The network; its output is the loss.
        optimizer: The optimizer, or a `FreezeOpt`.
        sens: What the loss is multiplied by before it is differentiated. Default: 1.

    Inputs:
        inputs: Those of the network.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "zeros", "zeros"), nn.MSELoss())
        >>> step = mindspore.boost.BoostTrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        >>> [round(float(step(ops.ones((1, 2)), ops.ones((1, 1)))), 4) for _ in range(3)]
        [1.0, 0.16, 0.0256]
    """

    def __init__(self, network: nn.Cell, optimizer: Any, sens: Any = None):
        single = optimizer.single_opt if isinstance(optimizer, FreezeOpt) else optimizer
        nn.TrainOneStepCell.__init__(self, network, single, sens)
        self._boost(optimizer)

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.gradient_freeze_process(*inputs) if self.freeze else super().__call__(*inputs, **kwargs)

    def construct(self, *inputs):
        loss, grads = loss_and_gradients(self.network, inputs, self.weights, self.sens)
        return self._updated(loss, grads, inputs)


class BoostTrainOneStepWithLossScaleCell(_Boosted, nn.TrainOneStepWithLossScaleCell):
    """A training step with a scaled loss and the boosts that `AutoBoost` chose for the network.

    Steps whose gradients are not finite are dropped, as by `nn.TrainOneStepWithLossScaleCell`; layers are not frozen.

    Args:
        network: The network; its output is the loss.
        optimizer: The optimizer; of a `FreezeOpt` that of all parameters.
        scale_sense: As in `nn.TrainOneStepWithLossScaleCell`.

    Inputs:
        inputs: Those of the network.

    Outputs:
        (loss, whether the step overflowed, the scale that it used).

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "zeros", "zeros"), nn.MSELoss())
        >>> optimizer = nn.SGD(net.trainable_params(), 0.1)
        >>> step = mindspore.boost.BoostTrainOneStepWithLossScaleCell(net, optimizer, Tensor(8.0))
        >>> float(step(ops.ones((1, 2)), ops.ones((1, 1)))[0])
        1.0
    """

    def __init__(self, network: nn.Cell, optimizer: Any, scale_sense: Any):
        optimizer = optimizer.single_opt if isinstance(optimizer, FreezeOpt) else optimizer
        nn.TrainOneStepWithLossScaleCell.__init__(self, network, optimizer, scale_sense)
        self._boost(optimizer)
        if self._accumulate is not None:
            self.optimizer = _Accumulating(self._accumulate)
        elif self.enable_adasum:
            self.grad_reducer = _Combining()


class _Accumulating(nn.Cell):
    """An optimizer that accumulates gradients."""

    def __init__(self, accumulate: GradientAccumulation):
        super().__init__(auto_prefix=False)
        self.accumulate = accumulate
        self.parameters = accumulate.weights

    def construct(self, grads):
        return self.accumulate(True, grads)


class _Combining(nn.Cell):
    """A reducer of gradients: their adaptive sum over the processes."""

    def construct(self, grads):
        return tuple([of_all(g, get_group_size()) for g in grads])
