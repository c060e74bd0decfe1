"""Tables of the context: every key of `set_context`, `set_auto_parallel_context`, `set_ps_context`.

A row says what a value may be, what holds without it, and what the key does in this implementation: nothing in
`effect` means that it is honoured; a text says why the key has no effect, and is logged when the key is set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

TUNES = "it tunes a backend that is not used here"
MEMORY = "torch grows its memory as needed"
ASCEND = "it configures the Ascend compiler"
OLD = "it belongs to an older generation"
BOOLS = (True, False)


@dataclass(frozen=True)
class Option:
    """One key: types and values it takes, its default, the form it is kept in, why it may have no effect.

    `seen`: a program that sets it expects to see something, so that a missing effect is worth a warning; `counts`: True
    and False are no values of it, though they are ints.
    """

    types: type | tuple[type, ...]
    default: Any = None
    choices: tuple[Any, ...] | None = None
    range: tuple[float, float] | None = None
    keep: Callable[[Any], Any] | None = None
    effect: str = ""
    seen: bool = False
    counts: bool = False

    def checked(self, function: str, name: str, value: Any) -> Any:
        """`value` in the form that is kept; TypeError or ValueError if it is not one of those that `name` takes."""
        if (not isinstance(value, self.types) and not (value is None and self.choices)) or (
                self.counts and isinstance(value, bool)):
            raise TypeError(
                f"For '{function}', the '{name}' must be {self._kinds()}, but got {type(value).__name__}."
            )
        if self.choices and value not in self.choices:
            raise ValueError(
                f"For '{function}', the '{name}' must be one of {list(self.choices)}, but got {value!r}."
            )
        number: Any = value
        if self.range and not self.range[0] <= number <= self.range[1]:
            raise ValueError(
                f"For '{function}', the '{name}' must be {self._limits()}, but got {value!r}."
            )
        return self.keep(value) if self.keep else value

    def _kinds(self) -> str:
        types = self.types if isinstance(self.types, tuple) else (self.types,)
        return " or ".join(t.__name__ for t in types)

    def _limits(self) -> str:
        low, high = self.range or (0, 0)
        return f"at least {low}" if high == float("inf") else f"in [{low}, {high}]"


def at_least(low: float) -> tuple[float, float]:
    """The range of an option without an upper limit."""
    return low, float("inf")


def gigabytes(text: str) -> float:
    """Size of a text such as '3GB' or '0.5GB', in GB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*GB?", text)
    if not match or not float(match[1]):
        raise ValueError(
            f"For 'set_context', a size of memory must be a text such as '3GB', but got {text!r}."
        )
    return float(match[1])


def one_of_keys(
    function: str, name: str, **choices: tuple[Any, ...] | None
) -> Callable[[dict], dict]:
    """A check of the keys of a dictionary and, where `choices` lists any, of its values."""

    def keep(values: dict) -> dict:
        for key, value in values.items():
            if key not in choices:
                raise ValueError(
                    f"For '{function}', the keys of '{name}' must be among {list(choices)}, but got {key!r}."
                )
            allowed = choices[key]
            if allowed == BOOLS and not isinstance(value, bool):
                raise TypeError(
                    f"For '{function}', the '{key}' of '{name}' must be a bool, but got {value!r}."
                )
            if allowed and value not in allowed:
                raise ValueError(
                    f"For '{function}', the '{key}' of '{name}' must be one of {list(allowed)}, but got {value!r}."
                )
        return dict(values)

    return keep


def _tunes(types, default=None, effect=TUNES, **limits) -> Option:
    return Option(types, default, effect=effect, **limits)


SWITCH = ("ON", "OFF")
JIT_CONFIG = one_of_keys(
    "set_context", "jit_config", jit_level=("O0", "O1", "O2"), infer_boost=("on", "off")
)
AOE_CONFIG = one_of_keys("set_context", "aoe_config", job_type=("1", "2"))

CONTEXT = {
    "mode": Option(int, 1, choices=(0, 1), keep=int),
    "device_target": Option(
        str,
        "CPU",
        choices=("CPU", "GPU", "Ascend", "Davinci"),
        keep=lambda name: "Ascend" if name == "Davinci" else name,
    ),
    "device_id": Option(int, 0, range=(0, 4095), keep=int),
    "jit_syntax_level": Option(
        int, 2, choices=(0, 1, 2),
    ),
    "deterministic": Option(str, "OFF", choices=SWITCH),
    "max_call_depth": Option(int, 1000, range=at_least(1), keep=int),
    "save_graphs": Option(
        (bool, int),
        0,
        range=(-1, 3),
        keep=lambda value: 2 * value if isinstance(value, bool) else value,
    ),
    "save_graphs_path": Option(str, "."),
    "check_bprop": Option(bool, False, effect="the results of bprop are not compared", seen=True),
    "runtime_num_threads": Option(int, 0, range=at_least(0), keep=int),
    "grad_for_scalar": Option(bool, False, effect="scalars always have a derivative"),
    "precompile_only": Option(bool, False),
    "enable_profiling": Option(bool, False, effect="use mindspore.Profiler", seen=True),
    "profiling_options": Option(str, "training_trace", effect="use mindspore.Profiler"),
    "print_file_path": Option(str, "", effect="Print writes to standard output", seen=True),
    "enable_dump": Option(bool, False, effect=OLD, seen=True),
    "save_dump_path": Option(str, ".", effect=OLD),
    "env_config_path": Option(str, "", effect=TUNES),
    "aoe_config": _tunes(dict, {}, ASCEND, keep=AOE_CONFIG),
    "aoe_tune_mode": _tunes(str, "", ASCEND, choices=("online", "offline")),
    "ascend_config": _tunes(dict, {}, ASCEND, keep=dict),
    "auto_tune_mode": _tunes(str, "NO_TUNE", ASCEND),
    "compile_cache_path": Option(str, ""),
    "conv_allow_tf32": Option(bool, True),
    "debug_level": _tunes(int, 0, choices=(0, 1)),
    "disable_format_transform": _tunes(bool, False),
    "enable_auto_mixed_precision": _tunes(bool, False, "use mindspore.amp.auto_mixed_precision"),
    "enable_compile_cache": Option(bool, None),
    "enable_debug_runtime": _tunes(bool, False),
    "enable_dynamic_memory": _tunes(bool, False, MEMORY),
    "enable_gpu_summary": _tunes(bool, True, OLD),
    "enable_graph_kernel": _tunes(bool, False),
    "enable_hccl": _tunes(bool, False, OLD),
    "enable_loop_sink": _tunes(bool, False, OLD),
    "enable_mem_reuse": _tunes(bool, True, OLD),
    "enable_parallel_split": _tunes(bool, False),
    "enable_reduce_precision": _tunes(bool, True),
    "enable_sparse": _tunes(bool, False, OLD),
    "enable_task_sink": _tunes(bool, True, OLD),
    "exec_order": _tunes(str, "bfs", choices=("bfs", "dfs")),
    "gpu_config": _tunes(dict, {}, keep=dict),
    "graph_kernel_flags": _tunes(str, ""),
    "graph_memory_max_size": _tunes(str, "0", MEMORY),
    "hccl_watchdog": _tunes(bool, True),
    "inter_op_parallel_num": _tunes(int, 0, range=at_least(0)),
    "jit_config": Option(dict, {}, keep=JIT_CONFIG),
    "jit_level": Option(str, "", choices=("", "O0", "O1", "O2")),
    "load_compile_cache": Option(bool, False),
    "matmul_allow_tf32": Option(bool, False),
    "max_device_memory": _tunes(str, 1024.0, MEMORY, keep=gigabytes),
    "memory_offload": _tunes(str, "OFF", MEMORY, choices=SWITCH),
    "memory_optimize_level": _tunes(
        (str, int), 0, MEMORY, choices=("O0", "O1"), keep=("O0", "O1").index
    ),
    "mempool_block_size": _tunes(str, 1.0, MEMORY, keep=gigabytes),
    "op_timeout": _tunes(int, 900, range=at_least(0)),
    "pynative_synchronize": _tunes(bool, False),
    "reserve_class_name_in_scope": _tunes(bool, True),
    "save_compile_cache": Option(bool, False),
    "support_binary": _tunes(bool, False),
    "variable_memory_max_size": _tunes(str, "0", MEMORY),
}

PARALLEL_MODES = (
    "stand_alone",
    "data_parallel",
    "hybrid_parallel",
    "semi_auto_parallel",
    "auto_parallel",
)
SEARCH_MODES = ("recursive_programming", "dynamic_programming", "sharding_propagation")
GROUPING = ("all_group_parallel", "same_server_group_parallel", "no_group_parallel")
FUSION = {
    "openstate": True,
    "allreduce": {"mode": "auto", "config": None},
    "allgather": {"mode": "auto", "config": None},
    "reducescatter": {"mode": "auto", "config": None},
}
STRATEGY_FILES = {"load_file": "", "save_file": "", "only_trainable_params": True}
PARALLEL = "For 'set_auto_parallel_context', the"
OF_ONE = "gradients are those of one device, however many processes compute the loss"
SPLITS_MESSAGES = "it only groups messages"


def split_indices(indices: list[int]) -> list[int]:
    """Indices of the gradients that end a message: ascending, none twice."""
    if not indices:
        raise ValueError(f"{PARALLEL} 'all_reduce_fusion_config' can not be empty.")
    if any(isinstance(i, bool) or not isinstance(i, int) or i < 0 for i in indices):
        raise TypeError(
            f"{PARALLEL} 'all_reduce_fusion_config' must hold ints of at least 0, but got {indices}."
        )
    if sorted(set(indices)) != indices:
        raise ValueError(
            f"{PARALLEL} 'all_reduce_fusion_config' must ascend without repetition, but got {indices}."
        )
    return list(indices)


def dataset_strategy(value: str | tuple) -> str | list[list[int]]:
    """'full_batch', 'data_parallel', or how each input is split along its axes, by numbers or layouts."""
    if isinstance(value, str):
        if value not in ("full_batch", "data_parallel"):
            raise ValueError(
                f"{PARALLEL} 'dataset_strategy' must be 'full_batch' or 'data_parallel', but got {value!r}."
            )
        return value
    rows = [part.parts() if hasattr(part, "to_dict") and part.to_dict() else part for part in value]
    if not all(isinstance(part, tuple) and all(isinstance(n, int) for n in part) for part in rows):
        raise TypeError(f"{PARALLEL} 'dataset_strategy' must hold tuples of ints, or layouts, but got {value}.")
    return [list(part) for part in rows]


def fusion(value: dict) -> dict:
    """The grouping of messages, with defaults for the kinds that `value` leaves out."""
    for kind in value:
        if kind not in FUSION:
            raise KeyError(
                f"{PARALLEL} keys of 'comm_fusion' must be among {list(FUSION)}, but got {kind!r}."
            )
        if kind != "openstate":
            _check_fusion(kind, value[kind])
        elif not isinstance(value[kind], bool):
            raise TypeError(f"{PARALLEL} 'openstate' of 'comm_fusion' must be a bool, but got {value[kind]!r}.")
    return {**FUSION, **value}


def _check_fusion(kind: str, how: Any) -> None:
    """How messages of one kind are grouped: by size in MB, or (only sums) by the numbers of gradients."""
    said = f"{PARALLEL} '{kind}' of 'comm_fusion' must be"
    if not isinstance(how, dict):
        raise TypeError(f"{said} a dict with 'mode' and 'config', but got {how!r}.")
    modes = ("auto", "size", "index") if kind == "allreduce" else ("auto", "size")
    if how.get("mode") not in modes or "config" not in how:
        raise KeyError(f"{said} a dict with a 'config', and a 'mode' among {list(modes)}, but got {how}.")
    config = how["config"]
    if how["mode"] == "size" and (not isinstance(config, int) or config <= 0):
        error = ValueError if isinstance(config, int) else TypeError
        raise error(f"{said} of a positive int of MB as 'config' in the mode 'size', but got {config!r}.")
    if how["mode"] == "index":
        split_indices(how["config"])


OPTIMIZER_KEYS = one_of_keys(
    "set_auto_parallel_context",
    "parallel_optimizer_config",
    gradient_accumulation_shard=BOOLS,
    parallel_optimizer_threshold=None,
    optimizer_weight_shard_size=None,
    optimizer_level=("level1", "level2", "level3"),
)


def parallel_optimizer(value: dict) -> dict:
    """What a parallel optimizer is asked for; numbers are in KB, and of pieces."""
    found = OPTIMIZER_KEYS(value)
    for key, least in (("parallel_optimizer_threshold", 0), ("optimizer_weight_shard_size", -1)):
        if key not in found:
            continue
        number = found[key]
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"{PARALLEL} '{key}' of 'parallel_optimizer_config' must be an int, but got {number!r}.")
        if number < least or (least < 0 and not number):
            raise ValueError(f"{PARALLEL} '{key}' of 'parallel_optimizer_config' must be "
                             f"{'above 0, or -1 for all processes' if least < 0 else f'at least {least}'}, but got "
                             f"{number}.")
    if found.get("gradient_accumulation_shard") and found.get("optimizer_level") == "level1":
        raise ValueError(f"{PARALLEL} 'parallel_optimizer_config' cuts gradients by 'gradient_accumulation_shard', "
                         "which 'level1' leaves whole: give one of them, or 'level2'.")
    return found


def strategy_files(value: dict) -> dict:
    """Where strategies are read and written, with defaults for what `value` leaves out."""
    found = one_of_keys(
        "set_auto_parallel_context", "strategy_ckpt_config", load_file=None, save_file=None, only_trainable_params=BOOLS
    )(value)
    for key in ("load_file", "save_file"):
        if not isinstance(found.get(key, ""), str):
            raise TypeError(f"{PARALLEL} '{key}' of 'strategy_ckpt_config' must be the path of a file, a str, but got "
                            f"{found[key]!r}.")
    return {**STRATEGY_FILES, **found}


SCHEDULES = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")
SCHEDULE_KEYS = one_of_keys(
    "set_auto_parallel_context", "pipeline_config", pipeline_interleave=BOOLS, pipeline_scheduler=SCHEDULES
)


def schedule(value: dict) -> dict:
    """How stages take turns: both keys, of which the schedule counts."""
    found = SCHEDULE_KEYS(value)
    for key in ("pipeline_interleave", "pipeline_scheduler"):
        if key not in found:
            raise KeyError(f"{PARALLEL} 'pipeline_config' must have both keys, 'pipeline_interleave' and "
                           f"'pipeline_scheduler', but got {value}.")
    return found


SWITCHED = (bool, type(None))          # None is the same as False

AUTO_PARALLEL = {
    "device_num": Option(int, 1, range=at_least(1), keep=int),
    "global_rank": Option(int, 0, range=(0, 4095), keep=int),
    "parallel_mode": Option(str, "stand_alone", choices=PARALLEL_MODES),
    "gradients_mean": Option(SWITCHED, False, keep=bool),
    "gradient_fp32_sync": Option(SWITCHED, True, keep=bool),
    "loss_repeated_mean": Option(bool, True, effect=OF_ONE, seen=True),
    "parameter_broadcast": Option(SWITCHED, False, keep=bool),
    "full_batch": Option(SWITCHED, False, keep=bool),
    "full_batch_is_set": Option(bool, False),
    "dataset_strategy": Option((str, tuple), "data_parallel", keep=dataset_strategy),
    "search_mode": Option(str, "recursive_programming", choices=SEARCH_MODES),
    "sharding_propagation": Option(bool, False),
    "enable_parallel_optimizer": Option(bool, False),
    "parallel_optimizer_config": Option(
        dict,
        {},
        keep=parallel_optimizer,
    ),
    "optimizer_weight_shard_size": Option(
        int, -1, range=at_least(-1), counts=True, keep=lambda parts: parts if parts > 1 else -1
    ),
    "optimizer_weight_shard_aggregated_save": _tunes(bool, False, "checkpoints hold whole parameters in any case"),
    "pipeline_stages": Option(int, 1, range=at_least(1), counts=True),
    "pipeline_segments": Option(
        int, 1, range=at_least(1), counts=True, effect="the segments are those that cells name by 'pipeline_segment'"
    ),
    "pipeline_config": Option(
        dict,
        {},
        keep=schedule,
    ),
    "pipeline_interleave": Option(bool, False),
    "pipeline_scheduler": Option(str, "1f1b"),
    "pipeline_result_broadcast": _tunes(bool, False, "all stages have the results in any case"),
    "auto_pipeline": Option(bool, False),
    "grad_accumulation_step": Option(int, 1, range=at_least(1), counts=True),
    "strategy_ckpt_load_file": Option(str, ""),
    "strategy_ckpt_save_file": Option(str, ""),
    "strategy_ckpt_config": Option(dict, STRATEGY_FILES, keep=strategy_files),
    "group_ckpt_save_file": Option(str, ""),
    "force_fp32_communication": Option(bool, False),
    "dump_local_norm": Option(bool, False),
    "dump_local_norm_path": _tunes(str, "", "it is where 'dump_local_norm' writes, which is refused", seen=True),
    "dump_device_local_norm": Option(bool, False),
    "auto_parallel_new_interface": _tunes(bool, False, "AutoParallel and the context are the same here"),
    "init_param_in_compile": _tunes(bool, True, "parameters have their values when they are made"),
    "all_reduce_fusion_config": Option(list, [], keep=split_indices),
    "comm_fusion": Option(dict, FUSION, keep=fusion),
    "enable_alltoall": _tunes(bool, False, "it only chooses between equal collectives"),
    "communi_parallel_mode": _tunes(str, "all_group_parallel", SPLITS_MESSAGES, choices=GROUPING),
}
READ_ONLY = ("full_batch_is_set", "pipeline_interleave", "pipeline_scheduler")
SAME_KEY = {"auto_parallel_search_mode": "search_mode", "mirror_mean": "gradients_mean"}

PARAMETER_SERVER = {
    "enable_ps": Option(bool, False),
    "config_file_path": Option(str, ""),
    "enable_ssl": Option(bool, False),
    "client_password": Option(str, "", effect="messages are not encrypted", seen=True),
    "server_password": Option(str, "", effect="messages are not encrypted", seen=True),
}
