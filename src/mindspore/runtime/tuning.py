"""Threads, processors, precision and waiting: what a program says of how work is run."""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import torch

from mindspore.core import check, context, log

_RANGES = "ranges of processors such as ['0-3', '8-11']"


def launch_blocking() -> None:
    """Let every operator be done before the next one is asked for, so that errors name their line; a CPU does so.

    For a GPU it must be called before the first tensor is made.
    """
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    if torch.cuda.is_initialized():
        log.warning("For 'launch_blocking', the GPU is in use already; call it at the start of the program.")


def dispatch_threads_num(threads_num: int) -> None:
    """How many threads the original asks for kernels; here the caller's thread asks.

    Args:
        threads_num: 1 or more; checked.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is less than 1.
    """
    check.positive_int("dispatch_threads_num", "threads_num", threads_num)
    log.info("For 'dispatch_threads_num', the 'threads_num' has no effect: the caller's thread asks for kernels.")


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """How the original groups kernels over threads; here the caller's thread asks for them in order.

    Args:
        thread_num: 1 or more; checked.
        kernel_group_num: A multiple of `thread_num`; checked.

    Raises:
        TypeError: If one is no int.
        ValueError: If one is less than 1, or the second is no multiple of the first.
    """
    check.positive_int("set_kernel_launch_group", "thread_num", thread_num)
    check.positive_int("set_kernel_launch_group", "kernel_group_num", kernel_group_num)
    if kernel_group_num % thread_num:
        raise check.fail(ValueError, "set_kernel_launch_group", "kernel_group_num", f"a multiple of {thread_num}",
                         kernel_group_num)
    log.info("For 'set_kernel_launch_group', the arguments have no effect: kernels are asked for in order.")


def set_cpu_affinity(enable_affinity: bool, affinity_cpu_list: list[str] | None = None,
                     module_to_cpu_dict: dict[str, list[int]] | None = None, bind_file: str | None = None) -> None:
    """Keep the threads of this process to some processors.

    Args:
        enable_affinity: Whether they are kept; if not, they may use all.
        affinity_cpu_list: Ranges of processors such as ["0-3", "8-11"]. Default: those that the process has.
        module_to_cpu_dict: For names of the original's threads ("main", "runtime", "pynative", "minddata") the places
            in that list; here all threads may use all places that are named.
        bind_file: Of the original on Ascend; not read here.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If a range is none, or holds a processor that is not there.
    """
    check.boolean("set_cpu_affinity", "enable_affinity", enable_affinity)
    if bind_file is not None:
        raise NotImplementedError("For 'set_cpu_affinity', a 'bind_file' describes NPUs; give 'affinity_cpu_list'.")
    if not hasattr(os, "sched_setaffinity"):
        raise NotImplementedError("For 'set_cpu_affinity', this system cannot keep threads to processors.")
    if not enable_affinity:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        return
    chosen = sorted(os.sched_getaffinity(0)) if affinity_cpu_list is None else _listed(affinity_cpu_list)
    for name, places in (module_to_cpu_dict or {}).items():
        check.instance("set_cpu_affinity", f"module_to_cpu_dict[{name!r}]", places, list)
    if module_to_cpu_dict:
        chosen = sorted({chosen[i] for places in module_to_cpu_dict.values() for i in places if i < len(chosen)})
    os.sched_setaffinity(0, chosen)


def _listed(ranges: Any) -> list[int]:
    found: set[int] = set()
    for text in check.instance("set_cpu_affinity", "affinity_cpu_list", ranges, (list, tuple)):
        check.instance("set_cpu_affinity", "affinity_cpu_list", text, str)
        low, _, high = text.partition("-")
        if not low.isdigit() or not (high or low).isdigit():
            raise check.fail(ValueError, "set_cpu_affinity", "affinity_cpu_list", _RANGES, text)
        found |= {*range(int(low), int(high or low) + 1)}
    there = {*range(os.cpu_count() or 1)}
    if not found or not found <= there:
        raise check.fail(ValueError, "set_cpu_affinity", "affinity_cpu_list",
                         f"{_RANGES} among the {len(there)} that are there", _shown(found - there))
    return sorted(found)


def _shown(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def threads_num(num: int) -> None:
    """How many threads operators use on a CPU.

    Args:
        num: 1 or more.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is less than 1.
    """
    context.set_context(runtime_num_threads=check.positive_int("threads_num", "num", num))


def matmul_allow_tf32(value: bool) -> None:
    """Whether products of matrices on a GPU may round their factors to 10 bits.

    Args:
        value: Whether they may.

    Raises:
        TypeError: If it is no bool.
    """
    context.set_context(matmul_allow_tf32=check.boolean("matmul_allow_tf32", "value", value))


def conv_allow_tf32(value: bool) -> None:
    """Whether convolutions on a GPU may round their factors to 10 bits.

    Args:
        value: Whether they may.

    Raises:
        TypeError: If it is no bool.
    """
    context.set_context(conv_allow_tf32=check.boolean("conv_allow_tf32", "value", value))


_FORWARD = ("normal", "performance", "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling",
            "winograd", "winograd_nonfused")
_REVERSE = ("normal", "performance", "algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused")


def _algorithm(name: str, modes: tuple[str, ...], what: str) -> Any:
    def choose(mode: str) -> None:
        check.option(name, "mode", mode, modes)
        torch.backends.cudnn.benchmark = mode == "performance"
        if mode not in ("normal", "performance"):
            log.info("For '%s', the algorithm '%s' cannot be chosen by name: cuDNN chooses.", name, mode)
    choose.__name__ = choose.__qualname__ = name
    choose.__doc__ = f"""How cuDNN finds the algorithm of {what} on a GPU.

    Args:
        mode: "normal": by rules; "performance": by trying; the name of one: noted in the log, by rules.

    Raises:
        ValueError: If it is none of these.
    """
    return choose


conv_fprop_algo = _algorithm("conv_fprop_algo", _FORWARD, "convolutions")
conv_dgrad_algo = _algorithm("conv_dgrad_algo", _REVERSE, "derivatives of convolutions by their inputs")
conv_wgrad_algo = _algorithm("conv_wgrad_algo", (*_REVERSE, "algo_3"), "derivatives of convolutions by their weights")
