"""The base of the optimizers with options per group, in the manner of PyTorch."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.nn.cell import Cell


class Optimizer(Cell):
    """Groups of parameters with their options; a subclass is the formula of one parameter's update.

    `param_groups` lists the groups: dictionaries with "params", "lr" (a Parameter, which schedulers
    assign) and the options of the class.

    Args:
        params: Parameters, or dictionaries with "params" and options of the group.
        defaults: The options that a group does not give.

    Raises:
        TypeError: If `params` is not iterable, an element is no Parameter, or "lr" is no number.
        ValueError: If there is no parameter, or one stands in two groups.
        KeyError: If a group has no "params".
    """

    state: ClassVar[dict[str, Any]] = {}
    decays = True                  # the weight decay is added to the gradient

    def __init__(self, params: Any, defaults: dict[str, Any]):
        super().__init__(auto_prefix=False)
        if isinstance(params, Tensor) or not isinstance(params, Iterable):
            raise check.fail(TypeError, "Optimizer", "params", "Iterable", params)
        listed = list(params)
        if not listed:
            raise ValueError("For 'Optimizer', the argument params must not be empty.")
        if not isinstance(listed[0], dict):
            listed = [{"params": listed}]
        self.defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        self.lrs: list[Parameter] = []
        self._members: list[tuple[Parameter, int]] = []
        self.group_start_id = [0]           # where the gradients of each group begin, and where those of the last end
        for group in listed:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Train further parameters, with options of their own."""
        if not isinstance(param_group, dict) or "params" not in param_group:
            raise KeyError("For 'Optimizer', a group must be a dict with the key 'params'.")
        members = param_group["params"]
        if isinstance(members, set):
            raise TypeError("For 'Optimizer', the 'params' of a group must be a list: a set has no order.")
        members = [members] if isinstance(members, Parameter) else list(members)
        known = {id(p) for p, _ in self._members}
        for p in members:
            if not isinstance(p, Parameter):
                raise check.fail(TypeError, "Optimizer", "params", "Parameters", p)
            if id(p) in known:
                raise ValueError("For 'Optimizer', some parameters appear in more than one parameter group.")
            known.add(id(p))
        group = {**self.defaults, **param_group, "params": members}
        group["lr"] = self._rate(group.get("lr"), len(self.param_groups))
        group = {"params": group.pop("params"), "lr": group.pop("lr"), **group}
        self._members += [(p, len(self.param_groups)) for p in members]
        self.param_groups.append(group)
        self.lrs.append(group["lr"])
        self.__dict__["parameters"] = ParameterTuple([p for p, _ in self._members])
        for p in members:
            self._params[p.name] = p
        self.group_start_id.append(len(self._members))
        self._changed()
        if "_state" in self.__dict__:
            self.create_state()

    def _rate(self, value: Any, number: int) -> Parameter:
        if isinstance(value, bool) or not isinstance(value, (int, float, Tensor)):
            raise check.fail(TypeError, self, "lr", "an int, a float or a Tensor", value)
        if not isinstance(value, Tensor) and value < 0:
            raise ValueError(f"Invalid learning rate: {value}")
        number_of = float(value.asnumpy()) if isinstance(value, Tensor) else float(value)
        return Parameter(Tensor(number_of, float32), name=f"learning_rate_group_{number}")

    def create_state(self, counter: str | None = None) -> None:
        """Make the parameters of `state`, and one that counts the steps."""
        if counter is not None:
            self.__dict__["_counter"] = Parameter(Tensor(0, int32), name=counter)
            self._params[counter] = self._counter
        made = self.__dict__.setdefault("_state", {})
        for p, number in self._members:
            if id(p) not in made:
                made[id(p)] = [self._made(key, initial, p, self.param_groups[number])
                               for key, initial in self.state.items()]
        for i, key in enumerate(self.state):
            for p, _ in self._members:
                self._params.setdefault(f"{key}.{p.name}", made[id(p)][i])
            self.__dict__[key] = tuple([made[id(p)][i] for p, _ in self._members])
        self._changed()

    def _made(self, key: str, initial: Any, p: Parameter, group: dict[str, Any]) -> Parameter:
        value = initial(p) if callable(initial) else getattr(self, initial)(p, group)
        return Parameter(value, name=f"{key}.{p.name}")

    # ------------------------------------------------------------------ the step

    def update(self, param: Any, grad: Any, group: dict[str, Any], *state: Any) -> Any:
        """The new parameter, then the new state in the order of `state`; None keeps a state."""
        raise NotImplementedError(f"For '{type(self).__name__}', define 'update', the formula of one "
                                  "parameter, or 'construct', the step over all of them.")

    def begin(self) -> None:
        """Bring state that all parameters share forward, before the updates."""

    @property
    def step(self) -> Any:
        """The number of this step, a float32 tensor without dimensions."""
        return self._counter.astype(float32)

    def construct(self, gradients: Any) -> bool:
        """Update all parameters by their gradients, which come in the order of `parameters`."""
        if len(gradients) != len(self._members):
            raise ValueError(f"For '{type(self).__name__}', there must be one gradient per parameter, but "
                             f"got {len(gradients)} for {len(self._members)} parameters.")
        if "_counter" in self.__dict__:
            assign(self._counter, self._counter + 1)
        self.begin()
        for (param, number), grad in zip(self._members, gradients, strict=True):
            group = self.param_groups[number]
            if group.get("maximize"):
                grad = -grad
            if self.decays and group.get("weight_decay"):
                grad = grad + param * group["weight_decay"]
            state = self._state[id(param)] if self.state else []
            new = self.update(param, grad, group, *state)
            for target, value in zip((param, *state), new, strict=True):
                if value is not None:
                    assign(target, value)
        return True

    def __repr__(self) -> str:
        lines = []
        for i, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {i}"] if i else [f"Parameter Group {i}"]
            for key in sorted(k for k in group if k != "params"):
                value = group[key]
                lines.append(f"    {key}: {float(value.asnumpy()) if key == 'lr' else value}")
        return f"{type(self).__name__} (\n" + "\n".join(lines) + "\n)"

    __str__ = __repr__


def common(owner: Any, weight_decay: Any, maximize: Any = False) -> None:
    """Check what most optimizers take."""
    check.number(owner, "weight_decay", weight_decay, 0.0)
    check.boolean(owner, "maximize", maximize)


def checked_betas(owner: Any, betas: Any) -> None:
    """Check a pair of decay rates in [0, 1)."""
    if not isinstance(betas, (tuple, list)) or len(betas) != 2:
        raise check.fail(TypeError, owner, "betas", "a pair of floats", betas)
    for i, beta in enumerate(betas):
        check.number(owner, f"betas[{i}]", beta, 0.0, 1.0, open_high=True)
