"""Analysing what was measured before: `mindspore.profiler.profiler.analyse`."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .measurement import finish
from .recorded import FILE, loaded


def analyse(profiler_path: str, max_process_number: int = 1, pretty: bool = False,
            step_list: list[int] | None = None, data_simplification: bool = True) -> None:
    """Write the tables and the trace of what was measured before, by this or another process.

    Args:
        profiler_path: The folder of a measurement, or one above several.
        max_process_number: How many are analysed at once. Default: 1.
        pretty: Whether JSON files have one line per value. Default: False.
        step_list: The only steps that count, consecutive numbers. Default: None, all.
        data_simplification: Whether what analysing anew would need is removed. Default: True.

    Raises:
        ValueError: There is no measurement, or it is damaged.

    Examples:
        >>> import tempfile
        >>> from mindspore.profiler import profile, tensorboard_trace_handler
        >>> from mindspore.profiler.profiler import analyse
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with profile(on_trace_ready=tensorboard_trace_handler(folder, analyse_flag=False)) as measured:
        ...         _ = Tensor([1.0, 2.0]) * 2
        ...     analyse(folder)
        ...     (measured.folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").exists()
        True
    """
    consecutive(step_list)
    top = Path(profiler_path)
    folders = [file.parents[1] for file in sorted(top.glob(f"**/FRAMEWORK/{FILE}"))]
    if not folders:
        raise ValueError(f"'{profiler_path}' holds no measurement that can be analysed (FRAMEWORK/{FILE}).")

    def one(folder: Path) -> None:
        found = loaded(folder / "FRAMEWORK" / FILE).of_steps(step_list)
        finish(folder, found, pretty, data_simplification)
    with ThreadPoolExecutor(max(1, int(max_process_number))) as pool:
        list(pool.map(one, folders))


def consecutive(numbers: list[int] | None) -> None:
    """Refuse numbers of steps that are not consecutive.

    Raises:
        ValueError: They are not.
    """
    if numbers is None:
        return
    steps = sorted(set(numbers)) if all([type(n) is int for n in numbers]) else []
    if not steps or steps != list(range(steps[0], steps[0] + len(steps))):
        raise ValueError(f"For 'analyse', the 'step_list' must be consecutive numbers of steps, but got {numbers!r}.")
