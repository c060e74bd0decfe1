"""What a profiler does in a step: `schedule`."""
from __future__ import annotations

from enum import Enum

from mindspore.core import log


class ProfilerAction(Enum):
    """What a profiler does in a step: nothing, run without keeping, keep, keep and write afterwards."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3

    @staticmethod
    def get_by_value(value: int) -> ProfilerAction | None:
        """The action of that number; None without one."""
        return next((one for one in ProfilerAction if one.value == value), None)


class Schedule:
    """Which steps are measured: after `skip_first` steps, cycles of `wait`, `warmup` and `active` steps.

    In the steps of `warmup` everything runs as when it is measured, so that what happens once is over; the steps
    `active` are kept, and the last of them is written. An argument that does not fit is told in a warning and has its
    default.

    Args:
        wait: Steps that are not measured, in each cycle.
        active: Steps that are measured, at least 1.
        warmup: Steps before them. Default: 0.
        repeat: How many cycles there are; 0 for as many as the training has steps for. Default: 0.
        skip_first: Steps before the first cycle. Default: 0.

    Examples:
        >>> from mindspore.profiler import schedule
        >>> plan = schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> [plan(step).name for step in range(5)]
        ['NONE', 'WARM_UP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0):
        self.wait, self.active = _count("wait", wait, 0), _count("active", active, 1)
        self.warmup, self.repeat = _count("warmup", warmup, 0), _count("repeat", repeat, 0)
        self.skip_first = _count("skip_first", skip_first, 0)
        if not self.warmup:
            log.warning("A 'schedule' without 'warmup' measures what happens once, such as compiling, as well.")

    def __call__(self, step: int) -> ProfilerAction:
        """What is done in a step.

        Args:
            step: Its number, from 0.

        Raises:
            ValueError: `step` is negative.
        """
        if step < 0:
            raise ValueError(f"For 'schedule', the 'step' must be 0 or more, but got {step}.")
        cycle, place = divmod(step - self.skip_first, self.wait + self.warmup + self.active)
        place -= self.wait
        if step < self.skip_first or place < 0 or (self.repeat and cycle >= self.repeat):
            return ProfilerAction.NONE
        if place < self.warmup:
            return ProfilerAction.WARM_UP
        last = place == self.warmup + self.active - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    def __repr__(self) -> str:
        return f"Schedule({', '.join(f'{name}={value}' for name, value in self.to_dict().items())})"

    def to_dict(self) -> dict[str, int]:
        """The numbers by name."""
        return {name: getattr(self, name) for name in ("wait", "active", "warmup", "repeat", "skip_first")}


def _count(name: str, value: int, low: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= low:
        return value
    log.warning(f"For 'schedule', the '{name}' must be an int, {low} or more, but got {value!r}: it is {low} now.")
    return low
