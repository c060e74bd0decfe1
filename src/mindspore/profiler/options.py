"""What is to be measured: the enumerations of all releases, `_ExperimentalConfig`, and the checked arguments.

An argument that does not fit is told in a warning and has its default, as in MindSpore: a profiler ends no training.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import torch

from mindspore.core import log

from .actions import ProfilerAction, Schedule


class ProfilerLevel(Enum):
    """How much is measured: marks only, operators, kernels of torch, and their shapes."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(Enum):
    """Where is measured: on the host, on a device."""

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class AicoreMetrics(Enum):
    """Counters of Ascend's cores."""

    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    MemoryUB = "MemoryUB"
    ResourceConflictRatio = "ResourceConflictRatio"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"
    AiCoreNone = "None"


class ExportType(Enum):
    """How tables are written: as a database, as texts."""

    Db = "db"
    Text = "text"


class HostSystem(Enum):
    """What of the system is watched."""

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"


class _ExperimentalConfig:
    """Further settings of `profile`.

    Args:
        profiler_level: LevelNone measures marks only, Level0 operators, Level1 the kernels of torch, too, and Level2
            their shapes. Default: Level0.
        aic_metrics: Counters of Ascend's cores, which measure nothing here. Default: AiCoreNone.
        l2_cache: Of Ascend; measures nothing here. Default: False.
        mstx: Whether marks of `mstx` are kept. Default: False.
        data_simplification: Whether what analysing anew would need is removed once the tables are written.
            Default: True.
        export_type: ExportType.Text, ExportType.Db (the tables in one SQLite file) or both. Default: None, as texts.
        mstx_domain_include: The only domains whose marks are kept; empty for all. Default: None.
        mstx_domain_exclude: The domains whose marks are not kept; not beside `mstx_domain_include`. Default: None.
        sys_io: Of Ascend's network cards; measures nothing here. Default: False.
        sys_interconnection: Of Ascend's links; measures nothing here. Default: False.
        host_sys: HostSystem.CPU or HostSystem.MEM watch this process ten times a second. Default: None.

    Examples:
        >>> from mindspore.profiler import ExportType, ProfilerLevel, _ExperimentalConfig
        >>> config = _ExperimentalConfig(profiler_level=ProfilerLevel.Level1, export_type=[ExportType.Db])
        >>> config.profiler_level.value
        'Level1'
    """

    def __init__(self, profiler_level: Any = ProfilerLevel.Level0, aic_metrics: Any = AicoreMetrics.AiCoreNone,
                 l2_cache: Any = False, mstx: Any = False, data_simplification: Any = True, export_type: Any = None,
                 mstx_domain_include: Any = None, mstx_domain_exclude: Any = None, sys_io: Any = False,
                 sys_interconnection: Any = False, host_sys: Any = None):
        self.profiler_level, self.aic_metrics, self.l2_cache = profiler_level, aic_metrics, l2_cache
        self.mstx, self.data_simplification, self.export_type = mstx, data_simplification, export_type
        self.mstx_domain_include, self.mstx_domain_exclude = mstx_domain_include, mstx_domain_exclude
        self.sys_io, self.sys_interconnection, self.host_sys = sys_io, sys_interconnection, host_sys


_BOTH = (ProfilerActivity.CPU, ProfilerActivity.NPU)
_FLAGS = {"start_profile": True, "with_stack": False, "profile_memory": False, "data_process": False,
          "parallel_strategy": False, "hbm_ddr": False, "pcie": False, "sync_enable": True, "record_shapes": False,
          "l2_cache": False, "mstx": False, "data_simplification": True, "sys_io": False, "sys_interconnection": False}
_ONE_OF: dict[str, Enum] = {"profiler_level": ProfilerLevel.Level0, "aic_metrics": AicoreMetrics.AiCoreNone}
_SOME_OF: dict[str, tuple[type, tuple[Any, ...]]] = {
    "activities": (ProfilerActivity, _BOTH), "export_type": (ExportType, (ExportType.Text,)),
    "host_sys": (HostSystem, ()), "mstx_domain_include": (str, ()), "mstx_domain_exclude": (str, ())}
_OTHER = {"output_path": "./data", "schedule": None, "on_trace_ready": None, "experimental_config": None}
_ELSEWHERE = ("parallel_strategy", "hbm_ddr", "pcie", "l2_cache",
              "sys_io", "sys_interconnection")
EARLIER = ("subgraph", "is_detail", "is_show_op_path", "optypes_to_deal", "optypes_not_deal", "job_id", "op_time",
           "ascend_job_id", "timeline_limit", "profile_communication", "profile_framework", "host_stack",
           "aicore_metrics")


class Settings:
    """The arguments of a profiler, checked.

    Args:
        given: By name, those of `profile`, of `_ExperimentalConfig` and of `Profiler`; None means the default.
    """

    def __init__(self, given: dict[str, Any]):
        config = given.get("experimental_config")
        if config is not None and not isinstance(config, _ExperimentalConfig):
            _reset("experimental_config", config, None)
        elif config is not None:
            given = {**given, **vars(config)}
        given = {name: value for name, value in given.items() if value is not None}
        self.activities: tuple[ProfilerActivity, ...] = _some("activities", given)
        self.export: tuple[ExportType, ...] = _some("export_type", given)
        self.host: tuple[HostSystem, ...] = _some("host_sys", given)
        self.include, self.exclude = _some("mstx_domain_include", given), _some("mstx_domain_exclude", given)
        if self.include and self.exclude:
            log.warning("For 'Profiler', 'mstx_domain_exclude' counts only without 'mstx_domain_include'.")
            self.exclude = ()
        self.level: ProfilerLevel = _one("profiler_level", given)
        flags = {name: _flag(name, given) for name in _FLAGS}
        self.begins, self.stacks, self.memory = (flags[k] for k in ("start_profile", "with_stack", "profile_memory"))
        self.data, self.waits, self.shapes = (flags[k] for k in ("data_process", "sync_enable", "record_shapes"))
        self.marks, self.simplified = flags["mstx"], flags["data_simplification"]
        self.schedule: Callable[[int], ProfilerAction] | None = _callable("schedule", given)
        self.ready: Callable[[Any], Any] | None = _callable("on_trace_ready", given)
        self.folder = _folder(given)
        self._tell(given, flags, _one("aic_metrics", given))

    def _tell(self, given: dict[str, Any], flags: dict[str, bool], metrics: AicoreMetrics) -> None:
        """Say which requests have no effect."""
        vain = [name for name in _ELSEWHERE if flags[name]]
        vain += ["aic_metrics"] * (metrics is not AicoreMetrics.AiCoreNone)
        vain += [f"host_sys={one.name}" for one in self.host if one not in (HostSystem.CPU, HostSystem.MEM)]
        vain += [name for name in EARLIER if name in given]
        if vain:
            log.warning(f"For 'Profiler', {', '.join(vain)}: there is nothing to measure for it on this machine.")
        unknown = set(given) - {*_FLAGS, *_ONE_OF, *_SOME_OF, *_OTHER, *EARLIER}
        if unknown:
            log.warning(f"For 'Profiler', there are no arguments {', '.join(sorted(unknown))}.")

    @property
    def operators(self) -> bool:
        """Whether operators are measured: where there is no device, the host is one."""
        wanted = ProfilerActivity.CPU in self.activities or not torch.cuda.is_available()
        return wanted and self.level is not ProfilerLevel.LevelNone

    @property
    def kernels(self) -> bool:
        """Whether torch is asked for what it runs: kernels of a device, or of the host from level 1 on."""
        device = torch.cuda.is_available() and set(self.activities) != {ProfilerActivity.CPU}
        return (device and self.level is not ProfilerLevel.LevelNone) or self.host_kernels

    @property
    def host_kernels(self) -> bool:
        """Whether what torch runs on the host is wanted."""
        return self.level in (ProfilerLevel.Level1, ProfilerLevel.Level2)


def _reset(name: str, value: Any, default: Any) -> Any:
    shown = [one.name if isinstance(one, Enum) else one for one in default] if type(default) is tuple else default
    log.warning(f"For 'Profiler', the argument '{name}' cannot be {value!r}: it is taken as {shown}.")
    return default


def _flag(name: str, given: dict[str, Any]) -> bool:
    value = given.get(name, _FLAGS[name])
    return value if isinstance(value, bool) else _reset(name, value, _FLAGS[name])


def _one(name: str, given: dict[str, Any]) -> Any:
    default = _ONE_OF[name]
    value = given.get(name, default)
    return value if isinstance(value, type(default)) else _reset(name, value, default)


def _some(name: str, given: dict[str, Any]) -> tuple[Any, ...]:
    kind, default = _SOME_OF[name]
    value = given.get(name, default)
    if isinstance(value, Iterable) and not isinstance(value, (str, dict)):
        several = tuple(dict.fromkeys(value))
        if all([isinstance(one, kind) for one in several]) and (several or not default):
            return several
    return _reset(name, value, default)


def _callable(name: str, given: dict[str, Any]) -> Any:
    value = given.get(name)
    return value if value is None or callable(value) else _reset(name, value, None)


def _folder(given: dict[str, Any]) -> Path:
    value = given.get("output_path", _OTHER["output_path"])
    if not isinstance(value, (str, Path)) or not str(value):
        value = _reset("output_path", value, _OTHER["output_path"])
    return Path(value)


__all__ = ["AicoreMetrics", "ExportType", "HostSystem", "ProfilerActivity", "ProfilerLevel", "Schedule",
           "_ExperimentalConfig"]
