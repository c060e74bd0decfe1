"""Where a program spends its time: by operator, by line of the user's script and by step, in both modes."""
from .actions import Schedule as schedule
from .environment import EnvProfiler
from .handlers import tensorboard_trace_handler
from .marks import Mstx as mstx
from .options import (
           AicoreMetrics,
           ExportType,
           HostSystem,
           ProfilerActivity,
           ProfilerLevel,
           _ExperimentalConfig,
)
from .profile import Profile as profile
from .profiler import Profiler

__all__ = ["AicoreMetrics", "DynamicProfilerMonitor", "EnvProfiler", "ExportType", "HostSystem", "Profiler",
           "ProfilerActivity", "ProfilerLevel", "_ExperimentalConfig", "mstx", "profile", "schedule",
           "tensorboard_trace_handler"]
