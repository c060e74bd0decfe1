"""Optimizers and groups of parameters made from others."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import nn
from mindspore.core import check
from mindspore.eager.parameter import Parameter


class OptimizerProcess:
    """Makes an optimizer like another one, with groups of parameters of its own.

    Args:
        opt: The optimizer.

    Raises:
        TypeError: If `opt` is no optimizer.

    Examples:
        >>> net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2))
        >>> process = mindspore.boost.OptimizerProcess(nn.Momentum(net.trainable_params(), 0.1, 0.9))
        >>> process.add_grad_centralization(net)
        >>> process.generate_new_optimizer().group_grad_centralization
        [True, False, False]
    """

    def __init__(self, opt: nn.Optimizer):
        self.single_opt = check.instance("OptimizerProcess", "opt", opt, nn.Optimizer)
        self.origin_params: list[Any] = _given(opt)

    def build_params_dict(self, network: nn.Cell) -> dict[int, nn.Cell]:
        """The cell of each parameter.

        Args:
            network: The network.

        Returns:
            {id of a parameter: its cell}.
        """
        return {id(p): cell for _, cell in network.cells_and_names() for p in cell._params.values()}

    def build_gc_params_group(self, params_dict: dict[int, nn.Cell],
                              parameters: Sequence[Any]) -> list[dict[str, Any]]:
        """Groups of parameters in which the weights of convolutions have centralised gradients.

        Args:
            params_dict: What `build_params_dict` gives.
            parameters: Parameters, or groups of them.

        Returns:
            The groups; every given one is cut in two.
        """
        groups = parameters if parameters and isinstance(parameters[0], dict) else [{"params": list(parameters)}]
        found: list[dict[str, Any]] = []
        for group in groups:
            if "order_params" in group:
                found.append(group)
                continue
            members = list(group["params"])
            centred = [p for p in members if isinstance(params_dict.get(id(p)), nn.Conv2d) and p.ndim > 1]
            others = [p for p in members if all(p is not q for q in centred)]
            found += [{**group, "params": part, "grad_centralization": wanted}
                      for part, wanted in ((centred, True), (others, False)) if part]
        return found

    def add_grad_centralization(self, network: nn.Cell) -> None:
        """Let the new optimizer centralise the gradients of convolutions (Yong et al. 2020).

        Args:
            network: The network.
        """
        groups = self.build_gc_params_group(self.build_params_dict(network), self.origin_params)
        if not any("order_params" in g for g in groups):
            groups.append({"order_params": list(self.single_opt.parameters)})
        self.origin_params = groups

    def generate_new_optimizer(self) -> nn.Optimizer:
        """The new optimizer: of the same class and arguments, for the groups."""
        return self.single_opt.remade(self.origin_params)


class ParameterProcess:
    """Cuts parameters into groups, whose gradients are joined before they are sent.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
        >>> parameters = mindspore.boost.ParameterProcess().assign_parameter_group(net.trainable_params(), [2])
        >>> [p.comm_fusion for p in parameters]
        [1, 1, 2, 2]
    """

    def assign_parameter_group(self, parameters: Sequence[Parameter],
                               split_point: Sequence[int] | None = None) -> list[Parameter]:
        """Number the groups of parameters.

        Args:
            parameters: The parameters.
            split_point: Where a new group begins. Default: one group.

        Returns:
            The parameters, with their groups as `comm_fusion`.

        Raises:
            TypeError: If an argument has another type.
        """
        listed = list(parameters)
        for p in listed:
            check.instance("assign_parameter_group", "parameters", p, Parameter)
        points = sorted(check.instance("assign_parameter_group", "split_point", split_point or [], (list, tuple)))
        for i, p in enumerate(listed):
            p.comm_fusion = 1 + sum(i >= point for point in points)
        return listed

    def generate_group_params(self, parameters: Sequence[Parameter], origin_params: Sequence[Any]) -> list[Any]:
        """Groups with these parameters and the settings of given ones.

        Args:
            parameters: The parameters, in order; what `origin_params` has beside them is left out.
            origin_params: Parameters, or groups of them.

        Returns:
            The groups, and the order of the parameters if `origin_params` has one.
        """
        grouped = bool(origin_params) and isinstance(origin_params[0], dict)
        if not grouped:
            return [{"params": list(parameters)}]
        known = {id(p) for p in parameters}
        return [{"order_params": list(parameters)} if "order_params" in g
                else {**g, "params": [p for p in g["params"] if id(p) in known]} for g in origin_params]


def _given(opt: nn.Optimizer) -> list[Any]:
    """The parameters or groups that an optimizer was made with."""
    args, kwargs = opt._made_with
    found = kwargs.get("params", kwargs.get("parameters", args[0] if args else opt.parameters))
    listed = list(found) if isinstance(found, (list, tuple)) else list(opt.parameters)
    return listed or list(opt.parameters)
