"""What files and the environment say a profiler is to do, as the arguments of `profile`."""
from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from mindspore.core import log

from .options import (
    AicoreMetrics,
    ExportType,
    HostSystem,
    ProfilerActivity,
    ProfilerLevel,
    _ExperimentalConfig,
)

_C, _N = ProfilerActivity.CPU, ProfilerActivity.NPU
_ONE: dict[str, tuple[type[Enum], dict[int, Enum]]] = {
    "profiler_level": (ProfilerLevel, dict(zip((-1, 0, 1, 2), ProfilerLevel, strict=True))),
    "aic_metrics": (AicoreMetrics, dict(enumerate(list(AicoreMetrics)[:-1])))}
_SOME: dict[str, tuple[type[Enum], dict[int, Sequence[Enum]]]] = {
    "activities": (ProfilerActivity, {0: (_C, _N), 1: (_C,), 2: (_N,)}),
    "export_type": (ExportType, {0: (ExportType.Text,), 1: (ExportType.Db,), 2: (ExportType.Text, ExportType.Db)}),
    "host_sys": (HostSystem, {})}
_CONFIG = ("profiler_level", "aic_metrics", "l2_cache", "mstx", "data_simplification", "export_type",
           "mstx_domain_include", "mstx_domain_exclude", "sys_io", "sys_interconnection", "host_sys")
_REST = ("activities", "with_stack", "profile_memory", "data_process", "parallel_strategy", "hbm_ddr", "pcie",
         "sync_enable", "record_shapes", "start_profile")


def arguments(where: str, found: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `profile` that a text asks for.

    Args:
        where: What the text is, for warnings.
        found: What it says, by the names of `profile` and `_ExperimentalConfig`; values of enumerations are their names
            or the numbers of earlier releases. What means nothing is told in a warning and left out.
    """
    given = dict(found)
    for name, (kind, numbers) in _ONE.items():
        if name in given:
            given[name] = _member(where, name, kind, numbers, given[name])
    for name, (several, lists) in _SOME.items():
        if name in given:
            given[name] = _members(where, name, several, lists, given[name])
    config = {name: given[name] for name in _CONFIG if name in given}
    return {**{name: given[name] for name in _REST if name in given},
            "experimental_config": _ExperimentalConfig(**config)}


def _member(where: str, name: str, kind: type[Enum], numbers: dict[int, Any], value: Any) -> Any:
    if type(value) is int and value in numbers:
        return numbers[value]
    found = next((one for one in kind if value in (one.value, one.name)), None)
    if found is None and value is not None:
        log.warning(f"In {where}, the '{name}' cannot be {value!r}: it has its default.")
    return found


def _members(where: str, name: str, kind: type[Enum], lists: dict[int, Any], value: Any) -> Any:
    if type(value) is int and value in lists:
        return lists[value]
    if isinstance(value, list):
        found = [_member(where, name, kind, {}, one) for one in value]
        return None if None in found else found
    log.warning(f"In {where}, the '{name}' must be a list, but is {value!r}: it has its default.")
    return None


__all__ = ["arguments"]
