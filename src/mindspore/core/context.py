"""The context: execution mode, device, automatic parallelism. The only global state of the package.

Fast reading inside the package: `context.state.mode`, `context.state.device_id`, `context.parallel.device_num`, ...
"""

from __future__ import annotations

import copy
import difflib
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mindspore.core import devices, log
from mindspore.core.context_options import (
    AUTO_PARALLEL,
    CONTEXT,
    PARAMETER_SERVER,
    READ_ONLY,
    SAME_KEY,
    TUNES,
    Option,
)
from mindspore.core.memory import keep_what_is_freed
from mindspore.core.parallel_modes import (
    ParallelMode as ParallelMode,  # part of this module for its users
)
from mindspore.core.parallel_modes import look_at_devices

__all__ = [
    "GRAPH_MODE", "PYNATIVE_MODE", "STRICT", "COMPATIBLE", "LAX", "set_context", "get_context",
    "set_auto_parallel_context", "get_auto_parallel_context", "reset_auto_parallel_context", "ParallelMode",
    "set_ps_context", "get_ps_context", "reset_ps_context",
]

GRAPH_MODE, PYNATIVE_MODE = 0, 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
RELEASE, DEBUG = 0, 1


class Settings:
    """The values of one table, as attributes; `given` holds the keys that the program set."""

    full_batch_is_set: bool

    if TYPE_CHECKING:  # an attribute for each key of the table

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, table: dict[str, Option]):
        self.table = table
        self.reset()

    def reset(self) -> None:
        """Puts every key back to its default."""
        self.given: set[str] = set()
        for name, option in self.table.items():
            setattr(self, name, copy.deepcopy(option.default))


TF32 = {"conv_allow_tf32", "matmul_allow_tf32"}
ASKED_AT_FIRST_USE = {"device_target", "device_id", "deterministic", "runtime_num_threads"} | TF32

state = Settings(CONTEXT)
parallel = Settings(AUTO_PARALLEL)
parameter_server = Settings(PARAMETER_SERVER)
_device: Any = None


def set_context(**kwargs: Any) -> None:
    """Sets keys of the context, such as `mode`, `device_target`, `device_id`.

    A key that only tunes a backend which is not used here is checked, kept and answered by a message at level info.
    A `device_target` that this machine lacks is replaced, with a warning, when the first tensor is made: an Ascend
    by a GPU or the CPU, a GPU by the CPU. The environment variable ANYSPORE_DEVICE=strict makes it an error.

    Args:
        kwargs: The keys and their values.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A key or a value is unknown.

    Examples:
        >>> mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
        >>> mindspore.get_context("mode") == mindspore.PYNATIVE_MODE
        True
    """
    _store(state, "set_context", kwargs, _apply_context)


def get_context(attr_key: str) -> Any:
    """The value of one key of `set_context`, its default if it was not set.

    Args:
        attr_key: The key.

    Returns:
        Its value.

    Raises:
        ValueError: The key is unknown.

    Examples:
        >>> mindspore.set_context(device_id=0)
        >>> mindspore.get_context("device_id")
        0
    """
    return _value(state, "get_context", attr_key)


def reset_context() -> None:
    """Puts every key of `set_context` back to its default."""
    global _device
    state.reset()
    _device = None


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Chooses the device of all tensors from now on: "CPU", "GPU" or "Ascend", and which one.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A value is unknown.
        RuntimeError: Another device is in use already; this process cannot reach the device, and the environment
            variable ANYSPORE_DEVICE is "strict".
    """
    target = CONTEXT["device_target"].checked("set_device", "device_target", device_target)
    number = (
        0
        if device_id is None
        else CONTEXT["device_id"].checked("set_device", "device_id", device_id)
    )
    if _device is not None and (target, number) != (state.device_target, state.device_id):
        raise RuntimeError(
            f"For 'set_device', the device must be chosen before the first tensor is made, but "
            f"{state.device_target} {state.device_id} is in use. Move the call to the start of the program."
        )
    _store(state, "set_device", {"device_target": target, "device_id": number}, _apply_context)
    torch_device()


def get_current_device() -> tuple[str, int]:
    """Name and number of the device in force."""
    return state.device_target, state.device_id


def set_deterministic(deterministic: bool) -> None:
    """Makes equal programs give equal bits: operators without a deterministic kernel raise an error.

    Raises:
        TypeError: `deterministic` is not a bool.
    """
    if not isinstance(deterministic, bool):
        raise TypeError(
            f"For 'set_deterministic', the 'deterministic' must be bool, but got {type(deterministic).__name__}."
        )
    set_context(deterministic="ON" if deterministic else "OFF")


def mode_in_use() -> int:
    """The mode that the program set."""
    return state.mode


def torch_device() -> Any:
    """The torch device of the context: cpu, cuda:ID or npu:ID; where `device_target` is absent, what takes its place.

    Raises:
        RuntimeError: `device_id` is beyond the devices that are present; `device_target` is absent, and the
            environment variable ANYSPORE_DEVICE is "strict".
    """
    global _device
    if _device is None:
        _device = devices.torch_device(state.device_target, state.device_id)
        _apply_to_torch()
        if _device.type == "cpu":
            keep_what_is_freed()
    return _device


def target_in_use() -> str:
    """The kind of device that the program runs on: `device_target`, or what takes its place here."""
    kind = torch_device().type
    return state.device_target if kind == "meta" else devices.TARGETS[kind]


def is_in_use() -> bool:
    """Whether the device of the context has been asked for: a tensor has been made, for example."""
    return _device is not None


def exchange_device(device: Any) -> Any:
    """Lets tensors be made on a torch device, or on that of the context for None; gives what was there before."""
    global _device
    before, _device = _device, device
    return before


def set_auto_parallel_context(**kwargs: Any) -> None:
    """Sets keys of automatic parallelism, such as `parallel_mode`, `device_num`, `gradients_mean`.

    Args:
        kwargs: The keys and their values.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A key or a value is unknown.
    """
    renamed = {SAME_KEY.get(name, name): value for name, value in kwargs.items()}
    _store(parallel, "set_auto_parallel_context", renamed, _apply_parallel)


def get_auto_parallel_context(attr_key: str) -> Any:
    """The value of one key of `set_auto_parallel_context`, its default if it was not set.

    Returns:
        Its value.

    Raises:
        ValueError: The key is unknown.
    """
    return _value(parallel, "get_auto_parallel_context", SAME_KEY.get(attr_key, attr_key))


def reset_auto_parallel_context() -> None:
    """Puts every key of `set_auto_parallel_context` back to its default.

    Examples:
        >>> mindspore.set_auto_parallel_context(gradients_mean=True)
        >>> mindspore.reset_auto_parallel_context()
        >>> mindspore.get_auto_parallel_context("gradients_mean")
        False
    """
    parallel.reset()


def set_ps_context(**kwargs: Any) -> None:
    """Sets keys of training with a parameter server.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A key is unknown, `enable_ps` is True but the environment does not say which role this process has
            (MS_ROLE, MS_SERVER_NUM, MS_WORKER_NUM), or `enable_ssl` is True.
    """
    _store(parameter_server, "set_ps_context", kwargs, _look_at_role)


def get_ps_context(attr_key: str) -> Any:
    """The value of one key of training with a parameter server; passwords are not given away."""
    if attr_key in ("client_password", "server_password"):
        raise ValueError(f"For 'get_ps_context', the '{attr_key}' can not be read.")
    return _value(parameter_server, "get_ps_context", attr_key)


def reset_ps_context() -> None:
    """Puts every key of `set_ps_context` back to its default."""
    parameter_server.reset()


def _store(
    settings: Settings,
    function: str,
    values: dict[str, Any],
    apply: Callable[[dict[str, Any]], None],
) -> None:
    """Checks all values before it keeps the first."""
    for name in values:
        if name not in settings.table or name in READ_ONLY:
            raise _unknown(function, name, set(settings.table) - set(READ_ONLY))
    checked = {
        name: settings.table[name].checked(function, name, value) for name, value in values.items()
    }
    apply(checked)
    for name, value in checked.items():
        setattr(settings, name, value)
        settings.given.add(name)
        option = settings.table[name]
        if option.effect:
            tell = log.warning if option.seen and value != option.default else log.info
            tell("For '%s', the '%s' has no effect here: %s.", function, name, option.effect)


def _value(settings: Settings, function: str, name: str) -> Any:
    if not isinstance(name, str):
        raise TypeError(
            f"For '{function}', the 'attr_key' must be str, but got {type(name).__name__}."
        )
    if name not in settings.table:
        raise _unknown(function, name, settings.table)
    return copy.deepcopy(getattr(settings, name))


def _unknown(function: str, name: str, known: Iterable[str]) -> ValueError:
    close = difflib.get_close_matches(name, list(known), n=3)
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return ValueError(f"For '{function}', the key '{name}' is not recognized.{hint}")


def _apply_context(values: dict[str, Any]) -> None:
    global _device
    if not _is_file(values.get("env_config_path")):
        raise ValueError(
            f"For 'set_context', the 'env_config_path' must be a file, but got {values['env_config_path']!r}."
        )
    for key in TF32 & values.get("gpu_config", {}).keys():
        values.setdefault(key, CONTEXT[key].checked("set_context", key, values["gpu_config"][key]))
    if "jit_config" in values:
        values.setdefault("jit_level", values["jit_config"].get("jit_level", ""))
        if values["jit_config"].get("infer_boost") == "on":
            log.info("For 'set_context', the 'infer_boost' of 'jit_config' has no effect here: %s.", TUNES)
    if ASKED_AT_FIRST_USE & values.keys():
        _device = None
    if values.get("device_id") and values.get("device_target", state.device_target) == "CPU":
        log.warning(
            "For 'set_context', the 'device_id' has no effect on the CPU, but got %d.",
            values["device_id"],
        )


def _is_file(path: str | None) -> bool:
    return not path or os.path.isfile(path)


def _apply_parallel(values: dict[str, Any]) -> None:
    if values.get("grad_accumulation_step", 1) != 1:
        raise ValueError(
            "For 'set_auto_parallel_context', the 'grad_accumulation_step' must be 1. To accumulate "
            "gradients, use GradAccumulationCell of mindspore.nn.wrap.cell_wrapper."
        )
    batches = "full_batch" in values
    if batches:
        values.setdefault(
            "dataset_strategy", "full_batch" if values["full_batch"] else "data_parallel"
        )
    elif "dataset_strategy" in values:
        values["full_batch"] = values["dataset_strategy"] == "full_batch"
    files = values.get("strategy_ckpt_config", {})
    for key in ("load_file", "save_file"):
        if key in files:
            values.setdefault(f"strategy_ckpt_{key}", files[key])
    look_at_devices(values, [key for key, value in values.items() if value != AUTO_PARALLEL[key].default])
    parallel.full_batch_is_set |= batches
    for key, value in values.get("pipeline_config", {}).items():
        setattr(parallel, key, value)


def _look_at_role(values: dict[str, Any]) -> None:
    if values.get("enable_ssl"):
        raise ValueError("For 'set_ps_context', the 'enable_ssl' must be False: messages are not encrypted here.")
    counts = [os.environ.get(name, "") for name in ("MS_SERVER_NUM", "MS_WORKER_NUM")]
    role = os.environ.get("MS_ROLE", "")
    if values.get("enable_ps") and (role not in ("MS_SCHED", "MS_PSERVER", "MS_WORKER")
                                    or not all([n.isdecimal() and int(n) for n in counts])):
        raise ValueError(
            "For 'set_ps_context' with 'enable_ps', the environment must say what this process is: MS_ROLE is "
            "MS_SCHED, MS_PSERVER or MS_WORKER, MS_SERVER_NUM and MS_WORKER_NUM are at least 1, and MS_SCHED_HOST and "
            f"MS_SCHED_PORT say where they meet; but MS_ROLE is {role!r}, and there are {counts[0] or 'no'} servers "
            f"and {counts[1] or 'no'} workers. Without servers: "
            "set_auto_parallel_context(parallel_mode='data_parallel')."
        )


def _apply_to_torch() -> None:
    """Hands over the settings that torch honours itself."""
    import torch  # loaded by the caller

    if "deterministic" in state.given:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(state.deterministic == "ON")
    if threads := state.runtime_num_threads:
        torch.set_num_threads(threads)
    if TF32 & state.given:
        torch.backends.cudnn.allow_tf32 = state.conv_allow_tf32
        torch.backends.cuda.matmul.allow_tf32 = state.matmul_allow_tf32
