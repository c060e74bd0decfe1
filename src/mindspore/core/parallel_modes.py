"""Modes of training with several processes, and which of them this version runs."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindspore.core import log
from mindspore.core.launched import launch

# Keys that ask for what only several devices can do.
FOR_DEVICES = {
    "parallel_mode", "device_num", "global_rank", "enable_parallel_optimizer", "pipeline_stages",
    "strategy_ckpt_load_file", "strategy_ckpt_save_file", "strategy_ckpt_config", "group_ckpt_save_file",
    "auto_pipeline", "sharding_propagation"}


class ParallelMode:
    """Names of the modes of training with several processes, for the key `parallel_mode`.

    Attributes:
        STAND_ALONE: One process.
        DATA_PARALLEL: Every process has all parameters and its share of the examples; gradients are added up.
        HYBRID_PARALLEL: As the program splits things itself.
        SEMI_AUTO_PARALLEL: Operators are split as `shard` says.
        AUTO_PARALLEL: Operators are split as a search finds best.
        MODE_LIST: All of them.

    Examples:
        >>> from mindspore import ParallelMode
        >>> mindspore.set_auto_parallel_context(parallel_mode=ParallelMode.DATA_PARALLEL)
        >>> mindspore.get_auto_parallel_context("parallel_mode")
        'data_parallel'
        >>> mindspore.reset_auto_parallel_context()
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = (STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL)


def look_at_devices(values: dict[str, Any], changed: Iterable[str]) -> None:
    """Says what of `set_auto_parallel_context` does nothing in a single process, and what several can not do.

    Args:
        values: The keys and their values.
        changed: Those of the keys whose values are not the defaults.
    """
    asked = [key for key in changed if key in FOR_DEVICES]
    for key in ("dump_local_norm", "dump_device_local_norm"):
        if values.get(key):
            raise no_norms(key)
    if not _alone():
        _refuse_splitting(values)
    elif asked:
        log.warn_once(
            "For 'set_auto_parallel_context', %s: this process is the only one, so the program runs whole on one "
            "device. Its results are those of one device, it is only not split.",
            ", ".join(f"{key}={values[key]!r}" for key in asked))


def no_norms(name: str) -> RuntimeError:
    """What asks for norms of the gradients of single processes is refused."""
    return RuntimeError(f"For '{name}', gradients of single processes are not told apart. Take norms of the whole ones "
                        "in the program: ops.norm of what ops.value_and_grad gives.")


def _alone() -> bool:
    """Whether this process was started alone; what is wrong with the start, `init` says."""
    try:
        return launch().size == 1
    except RuntimeError:
        return False


def need_init(name: str, size: int) -> None:
    """Whoever was started as one of several processes must have met the others, to train with them.

    Args:
        name: What is about to train.
        size: The number of processes that work together by now.

    Raises:
        RuntimeError: There are others, but `init` was not called.
    """
    if size == 1 and not _alone() and launch().role == "worker":
        raise RuntimeError(f"For '{name}', this process is one of {launch().size} processes, but it has not met the "
                           "others. Call 'mindspore.communication.init()' at the beginning of the program.")


def _shares(strategy: list[list[int]], size: int) -> str | None:
    """The name of a strategy that cuts the first dimension of every input for so many processes, or nothing."""
    inputs = [parts for parts in strategy if parts]
    if not inputs or any([n != 1 for parts in inputs for n in parts[1:]]):
        return None
    first = {parts[0] for parts in inputs}
    return "full_batch" if first == {1} else "data_parallel" if first == {size} else None


def _refuse_splitting(values: dict[str, Any]) -> None:
    """What would split the network or the batch in another way, or does not fit the processes, is refused."""
    started = launch()
    for key, name, found in (("device_num", "number of processes", started.size),
                             ("global_rank", "number of this process", started.rank)):
        if started.role == "worker" and key in values and found is not None and values[key] != found:
            raise ValueError(f"For 'set_auto_parallel_context', the '{key}' must be the {name}, {found}, but got "
                             f"{values[key]}. Leave it away, or give what "
                             f"'{'get_group_size' if key == 'device_num' else 'get_rank'}()' says.")
    if values.get("auto_pipeline"):
        raise RuntimeError("For 'set_auto_parallel_context', the auto_pipeline=True lets a search choose the number of "
                           "stages, which this version does not do. Give it by 'pipeline_stages'.")
    if values.get("group_ckpt_save_file") and values.get("parallel_mode") in ("data_parallel", "hybrid_parallel"):
        raise RuntimeError("For 'set_auto_parallel_context', the 'group_ckpt_save_file' asks for a file of the "
                           f"processes that hold equal pieces, but in the mode {values['parallel_mode']!r} nothing "
                           "lies in pieces: leave it away.")
    if not isinstance(values.get("dataset_strategy", ""), str):
        values["dataset_strategy"] = _shares(values["dataset_strategy"], started.size) or values["dataset_strategy"]
        values["full_batch"] = values["dataset_strategy"] == "full_batch"
    if not isinstance(values.get("dataset_strategy", ""), str):
        raise RuntimeError(
            "For 'set_auto_parallel_context', the 'dataset_strategy' must be 'data_parallel' (every process brings its "
            "share of a batch) or 'full_batch' (all bring the whole), or cut the first dimension of every input into "
            f"{started.size} parts, or nothing, but got {values['dataset_strategy']!r}.")
    if values.get("enable_parallel_optimizer") and values.get("parallel_mode") in ("data_parallel", "hybrid_parallel"):
        log.warn_once("For 'set_auto_parallel_context', the 'enable_parallel_optimizer' has no effect in the mode %r, "
                      "where every process keeps the whole state of the optimizer: choose 'semi_auto_parallel', which "
                      "cuts it. Results are the same.", values["parallel_mode"])
