"""The base of all optimizers: parameters, rates, decay, scaling; a subclass is a formula."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, cast

from mindspore.compiler.cells import run_cell
from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import runtime

from ..cell import Cell
from . import groups, rates
from ._legacy import Offers, counts_steps
from .served import Served

_HOLDERS = (rates.RateTable, rates.ConstantRate)


class Optimizer(Offers, Served, Cell):
    """What all optimizers share; a subclass states the formula of one parameter's update.

    A built-in formula declares its `state` (name in checkpoints to initial value), calls
    `create_state` at the end of `__init__`, and defines `update`.  A subclass may instead define
    `construct(gradients)` over `self.parameters`, `self.get_lr()` and the methods below.

    Args:
        learning_rate: A number, a Tensor, an iterable with one number per step (the last one stays),
            or a LearningRateSchedule.
        parameters: Parameters, or dictionaries with the keys `params`, `lr`, `weight_decay`,
            `grad_centralization`; a last one with `order_params` only gives the order.
        weight_decay: A number, or a cell of the global step.  Without groups, parameters with
            "beta" or "gamma" in their names are not decayed.
        loss_scale: What the gradients are divided by.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a rate or decay is negative, or `loss_scale` not positive.

    Examples:
        >>> class Descent(nn.Optimizer):
        ...     def update(self, param, grad, lr):
        ...         return param - grad * lr
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> Descent(0.5, [weight])((Tensor([1.0]),)), weight.tolist()
        ((True,), [0.5])
    """

    state: dict[str, Any] = {}
    own_decay: ClassVar[bool] = False    # the formula decays by itself: `update` takes `decay`
    decays_all: ClassVar[bool] = False   # without groups, parameters named "beta" or "gamma" are decayed, too
    _phase_of_nodes = "optimizer"
    _holds_others = True
    _advances: ClassVar[bool] = False    # `get_lr` counts the step, as before 2.0

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0):
        super().__init__(auto_prefix=False)
        found = groups.read(parameters)
        self.loss_scale = _scale(self, loss_scale)
        self.reciprocal_scale = 1.0 / self.loss_scale
        self.need_scale = self.loss_scale != 1.0
        self.global_step = Parameter(Tensor([0], int32), name="global_step")
        self.is_group = found.given
        self.is_group_lr, self.is_group_params_ordered = found.own_lr, found.ordered
        self._set_learning_rate(found, learning_rate)
        self.parameters = found.parameters
        self.params = self._parameters = self.parameters
        if found.given:
            self.group_params = list(self.parameters)
        self.param_length = len(self.parameters)
        self._set_decay(found, weight_decay)
        self.group_grad_centralization = [item.centralize for item in found.items]
        self.grad_centralization = any(self.group_grad_centralization)
        self.optim_filter = (True,) * self.param_length
        self.use_parallel, self.param_rank = False, None
        self._unique = True
        self._state: list[tuple[Any, ...]] = [()] * self.param_length

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if "construct" in cls.__dict__:
            cls._advances = not counts_steps(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        """Tuples of parameters join the cell by the parameters' names, which are no attributes."""
        held = self.__dict__.get("_params")
        if held is None:
            super().__setattr__(name, value)
            return
        if type(value) is ParameterTuple:
            for p in value:
                self._join(p)
            self.__dict__[name] = value
            self._changed()
            return
        if name in held and name not in self.__dict__:
            held[f"{name}."] = held.pop(name)    # a trained parameter named like this attribute
        super().__setattr__(name, value)

    def _join(self, p: Parameter) -> None:
        held = self._params
        if held.setdefault(p.name, p) is not p and all(p is not other for other in held.values()):
            held[f"{p.name}."] = p

    # ------------------------------------------------------------------ construction

    def _set_learning_rate(self, found: groups.Groups, learning_rate: Any) -> None:
        made: list[Any] = []

        def default() -> Any:
            if not made:
                made.append(rates.rate(self, learning_rate, "learning_rate"))
            return made[0]

        sources = list(found.each("lr", default, lambda value, i: (
            rates.rate(self, value, f"learning_rate_group_{i}"))))
        if not found.own_lr or not found.given:
            self.dynamic_lr = isinstance(default(), Cell)
            self.learning_rate = default()
            self.group_lr = [default()] * len(sources)
            return
        lengths = {s.count for s in sources if isinstance(s, rates.RateTable)}
        if len(lengths) > 1:
            raise ValueError("For 'Optimizer', the learning rates of the groups must be lists of "
                             f"equal lengths, but got the lengths {sorted(lengths)}.")
        self.dynamic_lr = any(isinstance(s, Cell) for s in sources)
        self.group_lr = sources
        if not self.dynamic_lr:
            self.learning_rate = _distinct(sources)
            self.__dict__["learning_rate"] = tuple(sources)
            return
        held = {id(s): s if isinstance(s, Cell) else rates.ConstantRate(s) for s in sources}
        for i, cell in enumerate(held.values()):
            self._own_cell(f"learning_rate.{i}", cell)
        self.group_lr = [held[id(s)] for s in sources]
        self.learning_rate = tuple(self.group_lr)

    def _set_decay(self, found: groups.Groups, weight_decay: Any) -> None:
        common = rates.decay(self, weight_decay)
        decays = list(found.each("weight_decay", lambda: common,
                                 lambda value, i: rates.decay(self, value)))
        if found.given:
            wanted = [isinstance(d, Cell) or d > 0 for d in decays]
        else:
            wanted = [self.decays_all or ("beta" not in p.name and "gamma" not in p.name) for p in self.parameters]
        self.decay_flags = tuple(wanted)
        self.exec_weight_decay = any(isinstance(d, Cell) or d > 0 for d in decays)
        self.dynamic_weight_decay = any(isinstance(d, Cell) for d in decays)
        self._decays = [d if flag else 0.0 for d, flag in zip(decays, wanted, strict=True)]
        for i, d in enumerate({id(d): d for d in decays if isinstance(d, Cell)}.values()):
            self._own_cell("weight_decay" if not i else f"weight_decay.{i}", d)
        scaled = [d if isinstance(d, Cell) else _number(d * self.loss_scale) for d in decays]
        if found.given:
            self.__dict__["weight_decay"] = tuple(scaled)
        elif not self.dynamic_weight_decay:
            self.weight_decay = scaled[0]

    def create_state(self) -> None:
        """Make the parameters of `state`: one per trained parameter, named `key.parameter`."""
        for key, initial in self.state.items():
            setattr(self, key, self.per_parameter(key, initial))
        if self.state:
            self._state = list(zip(*[getattr(self, key) for key in self.state], strict=True))

    def per_parameter(self, prefix: str, initial: Any) -> ParameterTuple:
        """A parameter for each trained one, filled by the name of an initializer or by a function."""
        if callable(initial):
            return ParameterTuple([Parameter(initial(p), name=f"{prefix}.{p.name}")
                                   for p in self.parameters])
        return self.parameters.clone(prefix, initial)

    # ------------------------------------------------------------------ the step

    def update(self, param: Any, grad: Any, lr: Any, *state: Any) -> Any:
        """The new parameter, then the new state in the order of `state`; None keeps a state."""
        raise NotImplementedError(f"For '{type(self).__name__}', define 'update' (the formula of one "
                                  "parameter) or 'construct' (the step over all of them).")

    def begin(self) -> None:
        """Bring state that all parameters share forward, once per step and before the updates."""

    def effective(self, lr: Any) -> Any:
        """The learning rate as the formula takes it, such as with bias corrections."""
        return lr

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Update the parameters; in PyNative mode, too, a built-in formula runs as one compiled graph."""
        self.attend(late=True)
        if not runtime.building and not runtime.depth and self._plain and is_native_module(
                type(self).construct.__module__):
            return run_cell(self, args, kwargs)
        return super().__call__(*args, **kwargs)

    def construct(self, gradients: Sequence[Any]) -> tuple[bool, ...]:
        """Update all parameters by their gradients, which come in the order of `parameters`.

        Args:
            gradients: One per parameter.

        Returns:
            True for each.

        Examples:
            >>> weight = Parameter(Tensor([1.0]), name="weight")
            >>> nn.SGD([weight], learning_rate=0.5)((Tensor([1.0]),)), weight.tolist()
            ((True,), [0.5])
        """
        served = self.served_step(gradients)
        gradients = self._prepared(gradients)
        lrs = self._current_rates()
        decays = self._current_decays() if self.own_decay else None
        self._advance()
        self.begin()
        adjusted = {id(lr): self.effective(lr) for lr in lrs}
        found = self.updates(gradients, [adjusted[id(lr)] for lr in lrs], decays)
        for k, (param, state, new) in enumerate(zip(self.parameters, self._state, found, strict=True)):
            if k not in served:
                self._store(param, state, new)
        return (True,) * self.param_length

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Sequence[Any] | None) -> list[Any]:
        """What `update` answers for every parameter; a formula may compute them together."""
        return [self.update_one(i, gradients[i], lrs[i], decays) for i in range(self.param_length)]

    def update_one(self, i: int, grad: Any, lr: Any, decays: Sequence[Any] | None) -> Any:
        """What `update` answers for one parameter."""
        more = {} if decays is None else {"decay": decays[i]}
        return self.update(self.parameters[i], grad, lr, *self._state[i], **more)

    def _store(self, param: Parameter, state: tuple[Parameter, ...], new: Any) -> None:
        for target, value in zip((param, *state), new if state else (new,), strict=True):
            if value is not None:
                assign(target, value)

    def _advance(self) -> None:
        assign(self.global_step, self.global_step + 1)

    def _current_rates(self) -> list[Any]:
        """The learning rate of every parameter; equal sources give the same object."""
        sources = self.learning_rate
        if not isinstance(sources, tuple):
            return [rates.current(sources, self.global_step)] * self.param_length
        known = {id(s): rates.current(s, self.global_step) for s in sources}
        return [known[id(s)] for s in sources]

    def _current_decays(self) -> list[Any]:
        """The decay of every parameter, 0.0 for those that are not decayed."""
        known = {id(d): rates.current(d, self.global_step) for d in self._decays}
        return [known[id(d)] for d in self._decays]

    def _prepared(self, gradients: Sequence[Any]) -> list[Any]:
        """The gradients without the loss scale, with weight decay, centralised."""
        if len(gradients) != self.param_length:
            raise ValueError(f"For '{type(self).__name__}', there must be one gradient per parameter, "
                             f"but got {len(gradients)} for {self.param_length} parameters.")
        found = self.scale_grad(gradients)
        if self.exec_weight_decay and not self.own_decay:
            found = self._decayed(found, self._current_decays())
        return list(self.gradients_centralization(found) if self.grad_centralization else found)

    def _decayed(self, gradients: Sequence[Any], factors: Sequence[Any]) -> tuple[Any, ...]:
        """gradient + factor * parameter, where the factor is not the number 0."""
        return tuple([g if isinstance(d, float) and not d else g + _as(p, g) * d
                      for g, p, d in zip(gradients, self.parameters, factors, strict=True)])

    # ------------------------------------------------------------------ parts for subclasses

    def get_lr(self) -> Any:
        """The current learning rate; a tuple with one per parameter if groups have their own.

        Returns:
            A tensor, or a tuple of them.

        Examples:
            >>> float(nn.SGD(nn.Dense(3, 2).trainable_params(), learning_rate=0.5).get_lr())
            0.5
        """
        if not self.dynamic_lr:
            return self.learning_rate
        found = self._current_rates()
        if self._advances:
            self._advance()
        return tuple(found) if self.is_group_lr else found[0]

    def get_weight_decay(self) -> Any:
        """The current weight decay times the loss scale; a tuple with one per parameter for groups."""
        if self.is_group:
            return tuple([self._decay_value(d) for d in cast("tuple[Any, ...]", self.weight_decay)])
        return self._decay_value(self.weight_decay)

    def _decay_value(self, d: Any) -> Any:
        return rates.current(d, self.global_step) * self.loss_scale if isinstance(d, Cell) else d

    def get_lr_parameter(self, param: Any) -> Any:
        """The parameter that holds the learning rate of a parameter, or of each in a list.

        Raises:
            TypeError: If `param` is neither a Parameter nor a list of them.
            ValueError: If the optimizer does not train it.
        """
        if isinstance(param, (list, tuple)):
            return [self.get_lr_parameter(p) for p in param]
        if not isinstance(param, Parameter):
            raise TypeError("For 'get_lr_parameter', the 'param' must be 'Parameter' or 'list' type, "
                            f"but got {type(param)}.")
        for i, p in enumerate(self.parameters):
            if p is param:
                source = self.learning_rate
                source = source[i] if isinstance(source, tuple) else source
                return getattr(source, "learning_rate", source) if type(source) in _HOLDERS else source
        raise ValueError(f"For 'get_lr_parameter', the parameter {param.name} is not in optimizer, "
                         "please check whether the argument 'param' is correct.")

    def decay_weight(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """The gradients (which still have the loss scale) with the weight decay added."""
        if not self.exec_weight_decay:
            return tuple(gradients)
        return self._decayed(gradients, [d * self.loss_scale for d in self._current_decays()])

    def scale_grad(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """The gradients divided by the loss scale."""
        if not self.need_scale:
            return tuple(gradients)
        return tuple([g * self.reciprocal_scale for g in gradients])

    def gradients_centralization(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """Gradients of groups with `grad_centralization` less their mean per output channel.

        Vectors are left alone.  Yong et al. 2020.
        """
        return tuple([_centralized(g) if wanted and g.ndim > 1 else g for g, wanted in
                      zip(gradients, self.group_grad_centralization, strict=True)])


def opt_init_args_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorate an optimizer's `__init__` so that the optimizer remembers what it was made with.

    `init_params` is {"params": ...}, `init_learning_rate` the rate (None for a schedule), and
    `init_args` the other arguments, defaults included.
    """
    signature = inspect.signature(fn)

    def remembering(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if "params" in given:
            if not isinstance(given["params"], Sequence) and isinstance(given["params"], Iterable):
                bound.arguments["params"] = given["params"] = list(given["params"])
            self.__dict__["init_params"] = {"params": given.pop("params")}
        elif isinstance(given.get("optimizer"), Optimizer):
            self.__dict__["init_params"] = {"params": given.pop("optimizer").parameters}
        if "learning_rate" in given:
            self.__dict__["init_learning_rate"] = _plain(given.pop("learning_rate"))
        self.__dict__["init_args"] = given
        fn(*bound.args, **bound.kwargs)

    remembering.__name__, remembering.__doc__ = "__init__", fn.__doc__
    remembering.__qualname__, remembering.__module__ = fn.__qualname__, fn.__module__
    remembering.__dict__["__signature__"] = signature       # for `help` and editors
    return remembering


def _plain(learning_rate: Any) -> Any:
    if isinstance(learning_rate, Tensor):
        return learning_rate.tolist()
    return None if isinstance(learning_rate, Cell) else learning_rate


def _scale(owner: Any, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise check.fail(TypeError, owner, "loss_scale", "a float", value)
    if not value > 0:
        raise check.fail(ValueError, owner, "loss_scale", "a float > 0", value)
    return float(value)


def _number(value: float) -> Tensor:
    return Tensor(value, float32)


def _distinct(parameters: list[Parameter]) -> ParameterTuple:
    return ParameterTuple({id(p): p for p in parameters}.values())


def _as(param: Any, grad: Any) -> Any:
    """The parameter in the gradient's dtype."""
    return param if param.dtype is grad.dtype else param.astype(grad.dtype)


def _centralized(grad: Any) -> Any:
    return grad - grad.mean(axis=tuple(range(1, grad.ndim)), keep_dims=True)
