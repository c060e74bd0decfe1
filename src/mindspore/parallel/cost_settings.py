"""What programs say about the cost model of the original's search, which this search does not have.

Its costs are seconds of a machine (`costs.Machine`), not weighted bytes. The values are checked and kept; plans hold at
most `device_memory_capacity`, once it is set, and the others change neither plans nor results.
"""
from __future__ import annotations

from typing import Any

from mindspore.core import check

DEFAULTS: dict[str, Any] = {
    "device_memory_capacity": 16.0 * 2**30, "costmodel_alpha": 1.0, "costmodel_beta": 400.0, "costmodel_gamma": 1e-3,
    "costmodel_communi_threshold": 2048.0, "costmodel_communi_const": 3072.0, "costmodel_communi_bias": 1024.0,
    "run_phase": 0, "multi_subgraphs": False, "costmodel_allreduce_fusion_algorithm": 0,
    "costmodel_allreduce_fusion_times": 0, "costmodel_allreduce_fusion_tail_percent": 0.1,
    "costmodel_allreduce_fusion_tail_time": 0.1, "costmodel_allreduce_fusion_allreduce_inherent_time": 0.1,
    "costmodel_allreduce_fusion_allreduce_bandwidth": 0.1, "costmodel_allreduce_fusion_computation_time_parameter": 0.1}
settings = dict(DEFAULTS)


class CostModelContext:
    """The settings by the names of the functions beside it."""

    def set_cost_model_context(self, **kwargs: Any) -> None:
        """As the function of this name."""
        set_cost_model_context(**kwargs)

    def get_cost_model_context(self, attr_key: str) -> Any:
        """As the function of this name."""
        return get_cost_model_context(attr_key)


def cost_model_context() -> CostModelContext:
    """The one object that represents the settings."""
    return _context


_context = CostModelContext()


def set_cost_model_context(**kwargs: Any) -> None:
    """Keep settings of the cost model.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A name is unknown, or a value negative.

    Examples:
        >>> from mindspore.parallel._cost_model_context import set_cost_model_context, reset_cost_model_context
        >>> set_cost_model_context(costmodel_beta=50.0)
        >>> reset_cost_model_context()
    """
    for key, value in kwargs.items():
        if key not in DEFAULTS:
            raise ValueError(f"Set context keyword {key} is not recognized!")
        wanted = type(DEFAULTS[key])
        if type(value) is not wanted:
            raise TypeError(f"The parameter '{key}' must be {wanted}, but got {type(value)}")
        if key == "run_phase" and value not in (0, 1):
            raise ValueError(f"For 'set_run_phase', the argument 'phase' must be '0' or '1', but got {value}")
        if value < 0:
            raise ValueError(f"For 'set_cost_model_context', the '{key}' must not be negative, but got {value}.")
    settings.update(kwargs)


def get_cost_model_context(attr_key: str) -> Any:
    """One of the settings.

    Raises:
        ValueError: The name is unknown.
    """
    if attr_key not in settings:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!")
    return settings[attr_key]


def reset_cost_model_context() -> None:
    """Put all settings back to their defaults."""
    settings.update(DEFAULTS)


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    """Say that a program consists of several graphs, which needs no setting here."""
    settings["multi_subgraphs"] = check.boolean("_set_multi_subgraphs", "multi_subgraph", multi_subgraph)
