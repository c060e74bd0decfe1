"""Where a program spends its time: `Profiler`, by operator and by line of the user's script, in both modes."""
from .profiler import Profiler

__all__ = ["Profiler"]
