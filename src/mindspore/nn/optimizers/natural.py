"""Natural gradient descent with Fisher matrices of single layers."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore import ops
from mindspore.compiler.frontend import cond
from mindspore.core import check, context
from mindspore.core.dtype import float32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.operators.communication import all_reduce_together
from mindspore.operators.structure import zeros_like

from ..cell import Cell
from ..second_order import Observed, observe, observed_layers
from ..wrap.reducer import MESSAGE
from . import rates
from .optimizer import Optimizer


def _always(parameter: Parameter) -> bool:
    """What decides about weight decay where nothing else is said."""
    return True


def thor(net: Cell, learning_rate: Tensor, damping: Any, momentum: float, weight_decay: float = 0.0,
         loss_scale: float = 1.0, batch_size: int = 32, use_nesterov: bool = False,
         decay_filter: Callable[[Parameter], bool] = _always, split_indices: list[int] | None = None,
         enable_clip_grad: bool = False, frequency: int = 100) -> Optimizer:
    """Natural gradient descent: m <- momentum * m + (G + s I)^-1 g (A + s I)^-1;  p <- p - lr * m.

    g is the gradient of a layer's weight, A and G are the second moments of the layer's inputs and of the gradients
    of its outputs, s is the root of the damping. Layers of the classes Dense, Conv2d, Embedding and EmbeddingLookup
    become layers that keep A and G (`nn.DenseThor` and so on); all other parameters, biases among them, follow their
    gradients. Martens and Grosse 2015, Grosse and Martens 2016, Chen et al. 2021.

    Args:
        net: The network; its layers are changed in place, and its trained parameters are updated.
        learning_rate: A Tensor: a number, or one per step.
        damping: A number, a Tensor with one per step, or a schedule.
        momentum: Part of the last direction that is kept, a float of zero or more.
        weight_decay: Part of the parameter that is added to its direction.
        loss_scale: What the loss was multiplied by.
        batch_size: The number of samples that the loss is the mean of.
        use_nesterov: Whether the step looks ahead.
        decay_filter: Says of a parameter whether it decays.
        split_indices: With several processes, the last layers of the groups whose factors travel together; None: all
            in one group.
        enable_clip_grad: Whether the direction of each parameter has at most the norm 1.
        frequency: Steps from one renewal of the inverses to the next one, at least 2.

    Inputs:
        gradients: One per trained parameter.

    Outputs:
        A tuple, True for each.

    Raises:
        TypeError: If `learning_rate` is no Tensor, `momentum` no float, or another argument has a wrong type.
        ValueError: If `frequency` is less than 2, or another number is out of range.

    Examples:
        >>> net = nn.Dense(3, 1, "zeros", "zeros")
        >>> optimizer = nn.thor(net, Tensor(0.5), Tensor(1e-6), 0.9, batch_size=4)
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
        >>> x, label = Tensor(np.eye(4, 3, dtype=np.float32)), ops.ones((4, 1))
        >>> type(net).__name__, float(step(x, label)) > float(step(x, label))
        ('DenseThor', True)
    """
    check.instance("thor", "net", net, Cell)
    if not isinstance(learning_rate, Tensor):
        raise check.fail(TypeError, "thor", "learning_rate", "a Tensor", learning_rate)
    check.integer("thor", "frequency", frequency, 2)
    observe(net)
    return Thor(net, learning_rate, damping, momentum, weight_decay, loss_scale, batch_size, use_nesterov,
                decay_filter, split_indices, enable_clip_grad, frequency)


class Thor(Optimizer):
    """The optimizer that `nn.thor` makes; the arguments are described there.

    While `thor` is False, neither this nor the layers look at the factors: see `renewing`.
    """

    state = {"moments": zeros_like}
    own_decay = True
    thor = True

    def __init__(self, net: Cell, learning_rate: Tensor, damping: Any, momentum: float, weight_decay: float,
                 loss_scale: float, batch_size: int, use_nesterov: bool, decay_filter: Callable[[Parameter], bool],
                 split_indices: list[int] | None, enable_clip_grad: bool, frequency: int):
        super().__init__(learning_rate, net.trainable_params(), weight_decay, loss_scale)
        check.non_negative_float("thor", "momentum", momentum)
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.batch_size = check.positive_int("thor", "batch_size", batch_size)
        self.use_nesterov = check.boolean("thor", "use_nesterov", use_nesterov)
        self.enable_clip_grad = check.boolean("thor", "enable_clip_grad", enable_clip_grad)
        self.frequency = frequency
        self.damping = rates.rate("thor", damping, "damping")
        self._choose_decay(weight_decay, check.callable_("thor", "decay_filter", decay_filter))
        self.create_state()
        self._take_layers(observed_layers(net, self.parameters))
        self.split_indices = _ends(split_indices, len(self.layers))
        self.reducer_flag = (context.get_auto_parallel_context("parallel_mode") in ("data_parallel", "hybrid_parallel")
                             and get_group_size() > 1)

    def _choose_decay(self, weight_decay: Any, wanted: Callable[[Parameter], bool]) -> None:
        common = rates.decay(self, weight_decay)
        self.decay_flags = tuple([bool(wanted(p)) for p in self.parameters])
        self._decays = [common if flag else 0.0 for flag in self.decay_flags]

    def _take_layers(self, layers: list[Observed]) -> None:
        """Find the layer of each parameter, and make the parameters of the inverses."""
        self.__dict__["layers"] = tuple(layers)    # they are cells of the network, not of the optimizer
        places = {id(layer.weights): k for k, layer in enumerate(layers)}
        self.layer_of = [places.get(id(p), -1) for p in self.parameters]
        for side in (0, 1):
            name = f"matrix_{'ag'[side]}_inv"
            setattr(self, name, ParameterTuple([
                Parameter(_start(layer.factor_shapes()[side]), name=f"{name}_{k}", requires_grad=False)
                for k, layer in enumerate(layers)]))

    # ------------------------------------------------------------------ the step

    def begin(self) -> None:
        if self.thor and self.layers:
            cond((self.global_step[0] - 1) % self.frequency == 0, self.renew, lambda: None)

    def renew(self) -> None:
        """Invert the damped factors of the last step."""
        root = rates.current(self.damping, self.global_step - 1) ** 0.5
        found = [getattr(layer, name).value() for layer in self.layers for name in layer.factors]
        if self.reducer_flag:
            found = self._averaged(found)
        scale = (self.batch_size * self.reciprocal_scale) ** 2
        for k in range(len(self.layers)):
            assign(self.matrix_a_inv[k], _inverse(found[2 * k], root))
            assign(self.matrix_g_inv[k], _inverse(found[2 * k + 1] * scale, root))

    def _averaged(self, factors: Sequence[Any]) -> list[Any]:
        """The means of the factors over the processes."""
        found: list[Any] = []
        for end in self.split_indices:
            part = factors[len(found):2 * end + 2]
            found += [value / get_group_size() for value in all_reduce_together(
                *part, group="hccl_world_group", most=MESSAGE)]
        return found

    def update_one(self, i: int, grad: Any, lr: Any, decays: Sequence[Any] | None) -> Any:
        k = self.layer_of[i]
        if k >= 0:
            solved = self.layers[k].solved(grad.astype(float32), self.matrix_a_inv[k], self.matrix_g_inv[k])
            grad = solved.astype(grad.dtype)
        if self.enable_clip_grad:
            grad = ops.clip_by_norm(grad, 1.0)
        return super().update_one(i, grad, lr, decays)

    def update(self, param: Any, grad: Any, lr: Any, moments: Any, *, decay: Any) -> Any:
        if not isinstance(decay, float) or decay:
            grad = grad + param * decay
        v = moments * self.momentum + grad
        step = grad + v * self.momentum if self.use_nesterov else v
        return param - step * lr, v

    # ------------------------------------------------------------------ for loops over steps

    def renewing(self) -> None:
        """Set `thor` here and in the layers: whether the next step renews the inverses."""
        due = int(self.global_step[0]) % self.frequency == 0
        for holder in (self, *self.layers):
            if holder.thor != due:
                holder.thor = due


def _start(shape: tuple[int, ...]) -> Any:
    return ops.ones(shape) if len(shape) == 1 else ops.eye(shape[0])


def _inverse(factor: Any, root: Any) -> Any:
    """The inverse of a factor, a matrix or its diagonal, with `root` added to the diagonal."""
    if factor.ndim == 1:
        return 1.0 / (factor + root)
    return ops.cholesky_inverse(ops.cholesky(factor + ops.eye(factor.shape[0]) * root))


def _ends(split_indices: Any, count: int) -> list[int]:
    """The last layer of each group of layers whose factors travel together; the last group takes all that are left."""
    given = [] if split_indices is None else check.instance("thor", "split_indices", split_indices, list)
    ends = [check.non_negative_int("thor", "split_indices item", end) for end in given]
    if sorted(set(ends)) != ends:
        raise ValueError(f"For 'thor', the 'split_indices' must rise, but got {split_indices}.")
    return [end for end in ends if end < count - 1] + [count - 1]
