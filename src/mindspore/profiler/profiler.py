"""`mindspore.Profiler`, of all releases: time by operator and by line of the user's script."""
from __future__ import annotations

import json
from typing import Any

from mindspore.core import check, log

from . import offline
from .profile import Profile
from .tables import grouped


class Profiler(Profile):
    """Measures the operators of a program, in both modes, and writes tables and a trace.

    What runs in PyNative mode is measured in the thread that starts the profiler, compiled programs in every thread.
    Where nothing is measured, nothing is slower. An argument that does not fit has its default, and a warning says so.

    Args:
        output_path: The folder in which a folder for this profile is made. Default: "./data".
        start_profile: Whether to start at once. Default: True.
        sync_enable: Whether a GPU is waited for after every operator, so that its work counts. Default: True.
        **kwargs: The other arguments of `profile` and of `_ExperimentalConfig`, by name. Names that an earlier release
            had measure nothing; a warning says so.

    Raises:
        RuntimeError: Another profiler measures already.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     profiler = mindspore.Profiler(output_path=folder)
        ...     _ = Tensor([1.0, 2.0]) * 2
        ...     profiler.analyse()
        ...     found = profiler.op_analyse("Mul")
        >>> '"op_occurrences": 1,' in found
        True
    """

    _continues = True

    def __init__(self, **kwargs: Any):
        self._set_up(kwargs)

    def analyse(self, offline_path: str | None = None, pretty: bool = False, step_list: list[int] | None = None,
                mode: str = "sync") -> None:
        """Stop, and write the tables and the trace.

        With a schedule, `on_trace_ready` does so, and a warning says that.

        Args:
            offline_path: A folder that was measured before, which is analysed instead. Default: None.
            pretty: Whether JSON files have one line per value. Default: False.
            step_list: The only steps that count, consecutive numbers. Default: None, all.
            mode: "sync", or "async" for a thread that writes while the program continues. Default: "sync".

        Raises:
            ValueError: `mode` is something else, or `step_list` are no consecutive numbers.
        """
        check.option(self, "mode", mode, ("sync", "async"))
        offline.consecutive(step_list)
        if offline_path:
            offline.analyse(offline_path, pretty=pretty, step_list=step_list)
            return
        if self._running:
            self.stop()
        if self._settings.schedule is not None:
            log.warning("A profiler with a 'schedule' is analysed by 'on_trace_ready': 'analyse' does nothing.")
        elif self._measured is None:
            log.warning("The profiler has never started: there is nothing to analyse.")
        else:
            self._measured.analyse(mode == "async", pretty, step_list)

    @classmethod
    def offline_analyse(cls, path: str, pretty: bool = False, step_list: list[int] | None = None,
                        data_simplification: bool = True) -> None:
        """Write the tables and the trace of what was measured before, by this or another process.

        Args:
            path: The folder of a measurement, or one above several.
            pretty: Whether JSON files have one line per value. Default: False.
            step_list: The only steps that count, consecutive numbers. Default: None, all.
            data_simplification: Whether what analysing anew would need is removed. Default: True.

        Raises:
            ValueError: There is no measurement, or it is damaged.
        """
        offline.analyse(path, 1, pretty, step_list, data_simplification)

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str | None:
        """What applications of operators took, as JSON; None, and an error in the log, for one that was not applied.

        Args:
            op_name: The types of operators.
            device_id: A number that the answer repeats. Default: None, 0.

        Returns:
            For each type a list with an object for each combination of shapes: `op_side`, `input_shape`,
            `op_occurrences`, `op_total_time(us)`, `op_avg_time(us)` and `flops`, the floating-point operations; and the
            `device_id`.

        Raises:
            TypeError: An argument is of another type.
            ValueError: There are no names.
        """
        wanted = check.names(self, "op_name", op_name)
        rank = 0 if device_id is None else check.integer(self, "device_id", device_id)
        found: dict[str, Any] = {}
        for name in wanted:
            applied = grouped([e for e in self.events if e.name == name], lambda e: e.shapes)
            if not applied:
                log.error(f"The operator '{name}' was not applied while the profiler measured.")
                return None
            found[name] = [_summary(shapes, events) for shapes, events in applied.items()]
        return json.dumps(found | {"device_id": rank})


def _summary(shapes: Any, events: list[Any]) -> dict[str, Any]:
    spent = sum(e.duration for e in events) / 1e3
    shown = ";".join([f"input_{i}:{list(shape)}" for i, shape in enumerate(shapes, 1)])
    return {"op_side": "cpu", "input_shape": shown, "op_occurrences": len(events),
            "op_total_time(us)": round(spent, 4), "op_avg_time(us)": round(spent / len(events), 4),
            "flops": sum(e.flops for e in events)}
