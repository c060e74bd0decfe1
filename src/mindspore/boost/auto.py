"""Which boosts a training gets."""
from __future__ import annotations

from typing import Any

from mindspore import nn
from mindspore.core import check

from .freezing import GradientFreeze
from .heads import LessBN
from .processes import OptimizerProcess, ParameterProcess

LEVELS = {"O0": (), "O1": ("less_bn", "grad_freeze"), "O2": ("less_bn", "grad_freeze", "adasum")}
BOOSTS = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")
MODES = ("auto", "manual", "enable_all", "disable_all")
_LEFT_OUT = ("dim_reduce", "loss_scale_group")
# section: option: (attribute, first value)
OPTIONS: dict[str, dict[str, tuple[str, Any]]] = {
    "common": {"gradient_split_groups": ("gradient_groups", None), "device_number": ("device_number", 8)},
    "less_bn": {"fn_flag": ("_fn_flag", True), "gc_flag": ("_gc_flag", True)},
    "grad_freeze": {"param_groups": ("_param_groups", 10), "freeze_type": ("_freeze_type", 1),
                    "freeze_p": ("_freeze_p", 0.7), "total_steps": ("_total_steps", 65536)},
    "grad_accumulation": {"grad_accumulation_step": ("grad_accumulation_step", 1)},
}


class AutoBoost:
    """Chooses and applies boosts.

    Args:
        level: "O0": none; "O1": `less_bn` and `grad_freeze`; "O2": `adasum`, too.
        boost_config_dict: {"boost": {"mode": ..., boost: bool}, "less_bn": {...}, "grad_freeze": {...},
            "grad_accumulation": {...}, "common": {...}}. The mode "auto" (the default) takes what the level chooses,
            "manual" what the dictionary says, "enable_all" all, "disable_all" none.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a level, mode, section or option does not exist.
        NotImplementedError: If training in fewer dimensions (`dim_reduce`) or scales of the loss that follow from the
            network (`loss_scale_group`) are asked for.

    Examples:
        >>> boost = mindspore.boost.AutoBoost("O1", {"boost": {"mode": "manual", "grad_accumulation": True},
        ...                                          "grad_accumulation": {"grad_accumulation_step": 4}})
        >>> [name for name, chosen in boost.boost_config.items() if chosen], boost.grad_accumulation_step
        (['grad_accumulation'], 4)
    """

    gradient_groups: Any
    device_number: int
    grad_accumulation_step: int
    _fn_flag: bool
    _gc_flag: bool
    _param_groups: int
    _freeze_type: int
    _freeze_p: float
    _total_steps: int

    def __init__(self, level: str = "O0", boost_config_dict: Any = ""):
        self.level = check.option("AutoBoost", "level", level, LEVELS)
        self.boost_config_dict = boost_config_dict
        for section in OPTIONS.values():
            for attribute, value in section.values():
                setattr(self, attribute, value)
        given = check.instance("AutoBoost", "boost_config_dict", boost_config_dict or {}, dict)
        self.boost_config = self._choose(given.get("boost", {}))
        for section, options in given.items():
            if section != "boost":
                self._configure(section, options)
        check.positive_int("AutoBoost", "grad_accumulation_step", self.grad_accumulation_step)

    def _choose(self, given: dict[str, Any]) -> dict[str, bool]:
        mode = check.option("AutoBoost", "mode", given.get("mode", "auto"), MODES)
        for name in given:
            check.option("AutoBoost", "boost", name, ("mode", *BOOSTS))
        chosen = {name: {"auto": name in LEVELS[self.level], "enable_all": name not in _LEFT_OUT,
                         "disable_all": False, "manual": given.get(name, False)}[mode] for name in BOOSTS}
        for name in BOOSTS:
            check.boolean("AutoBoost", name, chosen[name])
            if chosen[name] and name in _LEFT_OUT:
                raise NotImplementedError(f"For 'AutoBoost', the boost '{name}' is not available: leave it False.")
        return chosen

    def _configure(self, section: str, options: Any) -> None:
        known = OPTIONS[check.option("AutoBoost", "boost_config_dict", section, OPTIONS)]
        for name, value in check.instance("AutoBoost", section, options, dict).items():
            setattr(self, known[check.option("AutoBoost", section, name, known)][0], value)

    def network_auto_process_train(self, network: nn.Cell, optimizer: Any) -> tuple[nn.Cell, Any]:
        """Apply the boosts to a network and its optimizer.

        Args:
            network: The network, without its loss.
            optimizer: The optimizer; None for none.

        Returns:
            Both, boosted. `BoostTrainOneStepCell` does the rest.
        """
        chosen = self.boost_config
        if chosen["less_bn"]:
            network = LessBN(network, self._fn_flag and _has_dense(network))
            if optimizer is not None:
                held = {id(p) for p in optimizer.parameters}
                new = [p for p in network.trainable_params() if id(p) not in held]
                process = OptimizerProcess(optimizer if not new else optimizer.remade(network.trainable_params()))
                if self._gc_flag:
                    process.add_grad_centralization(network)
                optimizer = process.generate_new_optimizer()
        if chosen["adasum"] and optimizer is not None:
            ParameterProcess().assign_parameter_group(list(optimizer.parameters), self.gradient_groups)
        if chosen["grad_freeze"] and optimizer is not None:
            groups = min(self._param_groups, _layers(network))
            if groups > 1:
                freeze = GradientFreeze(groups, self._freeze_type, self._freeze_p, self._total_steps)
                network, optimizer = freeze.freeze_generate(network, optimizer)
        network.__dict__["auto_boost"] = self
        return network, optimizer

    def network_auto_process_eval(self, network: nn.Cell) -> nn.Cell:
        """The network as it is evaluated: the one that was trained has its boosts already.

        Args:
            network: The network.

        Returns:
            The network, with the head that training gave it.
        """
        if self.boost_config["less_bn"] and not isinstance(network, LessBN):
            return LessBN(network, self._fn_flag and _has_dense(network))
        return network


def _has_dense(network: nn.Cell) -> bool:
    return any(type(c) is nn.Dense for name, c in network.cells_and_names() if name)


def _layers(network: nn.Cell) -> int:
    return sum(any(p.requires_grad for p in c._params.values()) for _, c in network.cells_and_names())
