"""Cells that return gradients."""
from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from mindspore.core import check
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import tree
from mindspore.operators.structure import full
from mindspore.ops.gradients import GradOperation
from mindspore.ops.linearised import Linearised, detached

from ..cell import Cell
from .loss import WithLossCell


def loss_and_gradients(network: Any, inputs: tuple[Any, ...], weights: Any,
                       sens: Any = 1.0) -> tuple[Any, tuple[Any, ...]]:
    """The network's output and, of the output times `sens`, the gradients of the weights."""
    line = Linearised(network, list(inputs), {}, (), list(weights))
    outs = tree.leaves(line.out, is_tensor)
    grads = line.pull(outs, [seed(out, sens) for out in outs])
    return detached(line.out), tuple(line.split(grads)[1])


def seed(out: Any, sens: Any) -> Any:
    """The cotangent of an output that multiplies its gradients by `sens`."""
    if not is_tensor(sens):
        return full(shape=tuple(out.shape), value=float(sens), dtype=out.dtype)
    ones = full(shape=tuple(out.shape), value=1.0, dtype=out.dtype)
    scaled = ones * sens.astype(out.dtype)
    return scaled if tuple(scaled.shape) == tuple(out.shape) else scaled.reshape(tuple(out.shape))


class WithGradCell(Cell):
    """The gradients of a network's loss with respect to its trainable parameters.

    Args:
        network: The network; with its loss, if `loss_fn` is None.
        loss_fn: The loss.
        sens: What the output is multiplied by before it is differentiated. Default: 1.

    Inputs:
        *inputs: Those of the network with its loss.

    Examples:
        >>> net = nn.Dense(2, 1, "zeros", "zeros")
        >>> gradients = nn.WithGradCell(net, nn.MSELoss())(Tensor([[1.0, 2.0]]), Tensor([[1.0]]))
        >>> [gradient.tolist() for gradient in gradients]
        [[[-2.0, -4.0]], [-2.0]]
    """

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None):
        super().__init__(auto_prefix=False)
        self.network, self.loss_fn = network, loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs: Any) -> tuple[Any, ...]:
        sens = 1.0 if self.sens is None else self.sens
        return loss_and_gradients(self.network_with_loss, inputs, self.weights, sens)[1]


class ForwardValueAndGrad(Cell):
    """The output of a network and its gradients.

    Args:
        network: The cell or function.
        weights: The parameters that are differentiated, for `get_by_list`.
        get_all: Whether all inputs are differentiated; without it and `get_by_list`, the first is.
        get_by_list: Whether the parameters are differentiated.
        sens_param: Whether the last input of the call multiplies the output.

    Inputs:
        *inputs: Those of `network`, and behind them the factor of the output with `sens_param`.

    Outputs:
        (output, gradients); the gradients are (inputs, weights) if both are asked for.

    Raises:
        TypeError: If an option is no bool, the network cannot be called, or parameters are missing.

    Examples:
        >>> value, gradient = nn.ForwardValueAndGrad(lambda x: x * x)(Tensor([3.0]))
        >>> value.tolist(), gradient.tolist()
        ([9.0], [6.0])
    """

    def __init__(self, network: Any, weights: Any = None, get_all: bool = False,
                 get_by_list: bool = False, sens_param: bool = False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, (Cell, FunctionType, MethodType)):
            raise check.fail(TypeError, self, "network", "a cell, a function or a method", network)
        if get_by_list and not isinstance(weights, (tuple, list)):
            raise check.fail(TypeError, self, "weights", "Parameters, as 'get_by_list' is True", weights)
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.weights = ParameterTuple(weights) if get_by_list else weights
        self.get_all = check.boolean(self, "get_all", get_all)
        self.get_by_list = check.boolean(self, "get_by_list", get_by_list)
        self.sens_param = check.boolean(self, "sens_param", sens_param)
        self.grad = GradOperation(get_all, get_by_list, sens_param)

    def construct(self, *inputs: Any) -> tuple[Any, Any]:
        sens = 1.0
        if self.sens_param:
            inputs, sens = inputs[:-1], inputs[-1]
        tensors = [i for i, value in enumerate(inputs) if tree.leaves(value, is_tensor)]
        positions = tensors if self.get_all else [] if self.get_by_list else tensors[:1]
        line = Linearised(self.network, list(inputs), {}, positions,
                          list(self.weights) if self.get_by_list else [])
        outs = tree.leaves(line.out, is_tensor)
        douts = self._cotangents(outs, sens)
        of_inputs, of_weights = line.split(line.pull(outs, douts))
        if self.get_all:
            found: Any = (tuple(of_inputs), tuple(of_weights)) if self.get_by_list else tuple(of_inputs)
        else:
            found = tuple(of_weights) if self.get_by_list else of_inputs[0]
        return detached(line.out), found

    def _cotangents(self, outs: list[Any], sens: Any) -> list[Any]:
        given = tree.leaves(sens, is_tensor) if isinstance(sens, (tuple, list)) else [sens] * len(outs)
        if len(given) != len(outs):
            raise ValueError(f"For '{type(self).__name__}', the last input must have one value for each "
                             f"of the {len(outs)} outputs, but got {len(given)}.")
        return [seed(out, s) for out, s in zip(outs, given, strict=True)]


class ParameterUpdate(Cell):
    """Assigns its input to a parameter and returns the input.

    Args:
        param: The parameter.

    Inputs:
        x: The new value, in the shape of the parameter.

    Examples:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> nn.ParameterUpdate(weight)(Tensor([2.0])).tolist(), weight.tolist()
        ([2.0], [2.0])
    """

    def __init__(self, param: Parameter):
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise check.fail(TypeError, self, "param", "a Parameter", param)
        self._param = param

    def construct(self, x: Tensor) -> Tensor:
        if tuple(x.shape) != tuple(self._param.shape):
            raise ValueError(f"For '{type(self).__name__}', the shape of the input must be that of the "
                             f"parameter, {tuple(self._param.shape)}, but got {tuple(x.shape)}.")
        assign(self._param, x)
        return x
