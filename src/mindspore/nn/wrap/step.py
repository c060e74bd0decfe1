"""One step of training as a cell."""
from __future__ import annotations

from typing import Any

from mindspore.core import context
from mindspore.distributed import get_group_size, meeting
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.ir.runtime import runtime
from mindspore.ops.gradients import GradOperation
from mindspore.parallel import running

from ..cell import Cell
from ..linear import Identity
from .gradient import loss_and_gradients
from .reducer import DistributedGradReducer, broadcast_parameters, tell_unlike


def _said() -> tuple[bool, bool, int]:
    """What the context says of gradients: whether they are summed, or averaged, and over how many processes."""
    given = context.parallel
    return given.parallel_mode in ("data_parallel", "hybrid_parallel"), given.gradients_mean, get_group_size()


class TrainOneStepCell(Cell):
    """Computes the loss and its gradients, and lets the optimizer update the parameters.

    Subclasses that write `construct` find `network`, `optimizer`, `weights`, `grad` (a
    `GradOperation` whose last input is the scale of the loss), `grad_no_sens`, `grad_reducer`,
    `reducer_flag` and `sens`. The context may also be told after the cell was made how gradients are summed over
    processes; a `grad_reducer` that a program set itself stays.

    Args:
        network: The network; its output is the loss.
        optimizer: The optimizer, whose parameters are trained.
        sens: What the loss is multiplied by before it is differentiated. Default: 1.
        return_grad: Whether the gradients are returned, too, as {parameter name: gradient}.

    Outputs:
        The network's output; (output, gradients) with `return_grad`.

    Raises:
        ValueError: If `sens` is 0.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "zeros", "zeros"), nn.MSELoss())
        >>> step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        >>> [round(float(step(ops.ones((1, 2)), ops.ones((1, 1)))), 4) for _ in range(3)]
        [1.0, 0.16, 0.0256]
    """

    takes_batches = True
    _equal = True                   # for steps of programs that make their own members, and leave `__init__` out
    _reduced: tuple[bool, bool, int] | None = None
    _reducer: Any = None

    def __init__(self, network: Cell, optimizer: Any, sens: Any = None, return_grad: bool = False):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = ParameterTuple(optimizer.parameters)
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        if isinstance(sens, (int, float)) and sens == 0:
            raise ValueError(f"For '{type(self).__name__}', the 'sens' must not be 0.")
        self.sens = 1.0 if sens is None else sens
        self.sense_flag = not (isinstance(self.sens, (int, float)) and self.sens == 1)
        self.return_grad = return_grad
        self._reduce(_said())

    def _reduce(self, said: tuple[bool, bool, int]) -> None:
        """Sum up gradients over the processes as the context says."""
        self.parallel_mode = context.get_auto_parallel_context("parallel_mode")
        self.reducer_flag = said[0]
        self.grad_reducer = DistributedGradReducer(self.weights) if self.reducer_flag else Identity()
        self.__dict__["_reducer"], self.__dict__["_reduced"] = self.grad_reducer, said
        self.__dict__["_equal"] = not (said[0] and said[2] > 1)        # whether all processes have the same weights

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if running.active() and context.state.mode == context.PYNATIVE_MODE and not runtime.building:
            raise RuntimeError(
                f"With parallel_mode={context.parallel.parallel_mode!r} the network is split when it is compiled: call "
                "set_context(mode=GRAPH_MODE), or train in 'data_parallel' mode.")
        if meeting.role():
            self.optimizer.attend()
        if self._reduced is not None and self._reduced != _said() and self.grad_reducer is self._reducer:
            self._reduce(_said())                   # the context came later
        if not self._equal and context.parallel.parameter_broadcast:
            broadcast_parameters(self.get_parameters())
        elif not self._equal:
            tell_unlike(self.weights)
        self.__dict__["_equal"] = True
        return super().__call__(*inputs, **kwargs)

    def construct(self, *inputs: Any) -> Any:
        loss, grads = loss_and_gradients(self.network, inputs, self.weights, self.sens)
        grads = self.grad_reducer(grads)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {p.name: g for p, g in zip(self.weights, grads, strict=True)}
        return loss
