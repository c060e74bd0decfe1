"""Settings of the data pipelines of this process: `mindspore.dataset.config`."""

from __future__ import annotations

import os
import re
import secrets

from mindspore.core import context, json_text, log
from mindspore.core import seed as global_seed
from mindspore.core.errors import shortened
from mindspore.dataset import checked as check
from mindspore.dataset._settings import DebugHook, ErrorSamplesMode, Settings

DEFAULT_SEED = 5489  # the value that `get_seed` gives while no seed is set; it means "not repeatable"

_settings = Settings()


def effective_seed() -> int | None:
    """The seed that counts: of `config.set_seed` and `mindspore.set_seed` the one set last, None without both."""
    own_is_last = _settings.seed is not None and global_seed.version() == _settings.global_version
    return _settings.seed if own_is_last else global_seed.get_seed()


def run_seed() -> int:
    """Seed of a new iterator: the effective one, else a fresh random one."""
    seed = effective_seed()
    return secrets.randbits(64) if seed is None or seed == DEFAULT_SEED else seed


def seed_version() -> int:
    """How often `set_seed` was called: streams that depend on the seed begin anew when this changes."""
    return _settings.seed_version


def set_seed(seed: int) -> None:
    """Make the order of rows, the random transforms, and what functions draw from `random` and NumPy repeatable.

    Args:
        seed: 0 to 2**32 - 1.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is out of range.

    Examples:
        >>> dataset.config.set_seed(3)
        >>> dataset.config.get_seed()
        3
    """
    _settings.seed = check.integer("set_seed", "seed", seed, 0, 2**32 - 1)
    _settings.global_version = global_seed.version()
    _settings.seed_version += 1
    global_seed.seed_libraries(seed)


def get_seed() -> int:
    """The seed in force; 5489 when none was set.

    Examples:
        >>> dataset.config.get_seed() == dataset.get_seed()
        True
    """
    seed = effective_seed()
    return DEFAULT_SEED if seed is None else seed


def set_num_parallel_workers(num: int) -> None:
    """Threads that a step of a pipeline uses where its own `num_parallel_workers` is not given."""
    _settings.values["num_parallel_workers"] = check.integer("set_num_parallel_workers", "num", num, 1, 2**31 - 1)


def get_num_parallel_workers() -> int:
    """What `set_num_parallel_workers` was given. Default: the number of cores, 8 at most."""
    return _settings.values["num_parallel_workers"]


def set_prefetch_size(size: int) -> None:
    """Rows (batches, after `batch`) that a pipeline prepares ahead of its reader."""
    _settings.values["prefetch_size"] = check.integer("set_prefetch_size", "size", size, 1, 2**31 - 1)


def get_prefetch_size() -> int:
    """What `set_prefetch_size` was given. Default: 16."""
    return _settings.values["prefetch_size"]


def set_monitor_sampling_interval(interval: int) -> None:
    """Milliseconds between two looks at how many rows wait for the reader, see `Iterator.report`."""
    name = "set_monitor_sampling_interval"
    _settings.values[name[4:]] = check.integer(name, "interval", interval, 1, 2**31 - 1)


def get_monitor_sampling_interval() -> int:
    """What `set_monitor_sampling_interval` was given. Default: 1000 ms."""
    return _settings.values["monitor_sampling_interval"]


def set_callback_timeout(timeout: int) -> None:
    """Seconds that a `WaitedDSCallback` waits for the training."""
    _settings.values["callback_timeout"] = check.integer("set_callback_timeout", "timeout", timeout, 1, 2**31 - 1)


def get_callback_timeout() -> int:
    """What `set_callback_timeout` was given. Default: 60 s."""
    return _settings.values["callback_timeout"]


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """Seconds after which a reader that waits for a worker process says so in the log."""
    name = "set_multiprocessing_timeout_interval"
    _settings.values[name[4:]] = check.integer(name, "interval", interval, 1, 2**31 - 1)


def get_multiprocessing_timeout_interval() -> int:
    """What `set_multiprocessing_timeout_interval` was given. Default: 300 s."""
    return _settings.values["multiprocessing_timeout_interval"]


def set_multiprocessing_start_method(start_method: str = "fork") -> None:
    """How worker processes are started: 'fork' or 'spawn'."""
    check.string("set_multiprocessing_start_method", "start_method", start_method)
    _settings.values["multiprocessing_start_method"] = check.option(
        "set_multiprocessing_start_method", "start_method", start_method, ["fork", "spawn"]
    )


def get_multiprocessing_start_method() -> str:
    """What `set_multiprocessing_start_method` was given. Default: "fork"."""
    return _settings.values["multiprocessing_start_method"]


def set_enable_shared_mem(enable: bool) -> None:
    """Let worker processes hand arrays over in shared memory, otherwise through pipes."""
    _settings.values["enable_shared_mem"] = check.boolean("set_enable_shared_mem", "enable", enable)


def get_enable_shared_mem() -> bool:
    """What `set_enable_shared_mem` was given. Default: True."""
    return _settings.values["enable_shared_mem"]


def set_enable_watchdog(enable: bool) -> None:
    """Accepted for programs that set it: worker processes that died are always noticed."""
    _settings.values["enable_watchdog"] = check.boolean("set_enable_watchdog", "enable", enable)


def get_enable_watchdog() -> bool:
    """What `set_enable_watchdog` was given. Default: True."""
    return _settings.values["enable_watchdog"]


def set_fast_recovery(fast_recovery: bool) -> None:
    """Kept for programs that set it: a resumed pipeline always draws what it would have drawn."""
    _settings.values["fast_recovery"] = check.boolean("set_fast_recovery", "fast_recovery", fast_recovery)


def get_fast_recovery() -> bool:
    """What `set_fast_recovery` was given. Default: True."""
    return _settings.values["fast_recovery"]


def set_dynamic_shape(is_dynamic: bool) -> None:
    """Kept for programs that set it: rows may always differ in shape."""
    _settings.values["dynamic_shape"] = check.boolean("set_dynamic_shape", "is_dynamic", is_dynamic)


def get_dynamic_shape() -> bool:
    """What `set_dynamic_shape` was given. Default: False."""
    return _settings.values["dynamic_shape"]


def set_enable_optimizer(enable: bool) -> None:
    """Let pipelines join steps, transform many rows at once and size blocks to fit; the rows are the same without."""
    _settings.values["enable_optimizer"] = check.boolean("set_enable_optimizer", "enable", enable)


def get_enable_optimizer() -> bool:
    """What `set_enable_optimizer` was given. Default: True."""
    return _settings.values["enable_optimizer"]


def _only_off(owner: str, name: str, value: bool, instead: str) -> None:
    if check.boolean(owner, name, value):
        raise NotImplementedError(f"For '{owner}', the '{name}' True is not supported. {instead}")


def set_auto_num_workers(enable: bool) -> None:
    """Let steps without a `num_parallel_workers` of their own use up to as many workers as there are cores."""
    _settings.values["auto_num_workers"] = check.boolean("set_auto_num_workers", "enable", enable)


def get_auto_num_workers() -> bool:
    """What `set_auto_num_workers` was given. Default: False."""
    return _settings.values["auto_num_workers"]


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Let pipelines try all cores for each step, whatever its `num_parallel_workers`, and keep what is faster.

    With a prefix, what was found is written to `<prefix>_<rank>.json` when an iterator ends, a file that
    `mindspore.dataset.deserialize` reads.
    """
    owner = "set_enable_autotune"
    _settings.values["enable_autotune"] = check.boolean(owner, "enable", enable)
    prefix = check.optional(check.string, owner, "filepath_prefix", filepath_prefix)
    folder = os.path.dirname(prefix or "") or "."
    if enable and prefix == "":
        raise RuntimeError(f"For '{owner}', the 'filepath_prefix' must not be empty.")
    if enable and not os.path.isdir(folder):
        raise RuntimeError(f"For '{owner}', the folder '{folder}' must exist.")
    _settings.values["autotune_file"] = (
        f"{prefix}_{os.environ.get('RANK_ID', '0')}.json" if enable and prefix else None
    )


def get_enable_autotune() -> bool:
    """What `set_enable_autotune` was given. Default: False."""
    return _settings.values["enable_autotune"]


def autotune_file() -> str | None:
    """Where to write what was found, None for nowhere."""
    return _settings.values["autotune_file"]


def set_autotune_interval(interval: int) -> None:
    """Pieces of work from one decision about workers to the next; 0: 64 at first, then more and more."""
    _settings.values["autotune_interval"] = check.integer("set_autotune_interval", "interval", interval, 0, 2**31 - 1)


def get_autotune_interval() -> int:
    """What `set_autotune_interval` was given. Default: 0."""
    return _settings.values["autotune_interval"]


def set_auto_offload(offload: bool) -> None:
    """Transforms on the device where that is possible. Where the CPU is the device, the workers do them in any case."""
    check_offload("set_auto_offload", check.boolean("set_auto_offload", "offload", offload))
    _settings.values["auto_offload"] = offload


def get_auto_offload() -> bool:
    """What `set_auto_offload` was given. Default: False."""
    return _settings.values["auto_offload"]


def check_offload(owner: str, offload: bool | None) -> None:
    """Refuse to leave transforms to a device other than the CPU."""
    if offload and context.target_in_use() != "CPU":
        raise NotImplementedError(
            f"For '{owner}', the 'offload' True is supported where the device is the CPU only. Transforms run on the "
            "host: leave it out."
        )


def set_numa_enable(numa_enable: bool) -> None:
    """Binding to a memory node; only False is supported."""
    _only_off(
        "set_numa_enable", "numa_enable", numa_enable, "Start the program with 'numactl' instead."
    )


def get_numa_enable() -> bool:
    """What `set_numa_enable` was given. Default: False."""
    return False


def debug_hooks() -> list[DebugHook]:
    """The hooks to call, none without debug mode."""
    return _settings.values["debug_hooks"]


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list | None = None) -> None:
    """Run pipelines in the reader's own thread, row by row, so that a debugger and `print` see them in order."""
    check.boolean("set_debug_mode", "debug_mode_flag", debug_mode_flag)
    hooks = check.instance(
        "set_debug_mode",
        "debug_hook_list",
        [] if debug_hook_list is None else debug_hook_list,
        list,
    )
    for hook in hooks:
        check.instance("set_debug_mode", "debug_hook_list", hook, DebugHook)
    _settings.values["debug_hooks"] = hooks if debug_mode_flag else []
    _settings.values["debug_mode"] = debug_mode_flag


def get_debug_mode() -> bool:
    """What `set_debug_mode` was given. Default: False."""
    return _settings.values["debug_mode"]


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """What `map` does with a sample that a transform fails on."""
    check.instance(
        "set_error_samples_mode", "error_samples_mode", error_samples_mode, ErrorSamplesMode
    )
    _settings.values["error_samples_mode"] = error_samples_mode


def get_error_samples_mode() -> ErrorSamplesMode:
    """What `set_error_samples_mode` was given. Default: RETURN."""
    return _settings.values["error_samples_mode"]


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Defaults of the iterators: copy each array, convert to Tensors in another thread."""
    _settings.values["iterator_mode"] = {
        "do_copy": check.boolean("set_iterator_mode", "do_copy", do_copy),
        "parallel_convert": check.boolean(
            "set_iterator_mode", "parallel_convert", parallel_convert
        ),
    }


def get_iterator_mode() -> dict[str, bool]:
    """What `set_iterator_mode` was given. Default: False for both options."""
    return dict(_settings.values["iterator_mode"])


def set_sending_batches(batch_num: int) -> None:
    """Batches sent to a device queue at a time; only 0, no limit, is supported."""
    if check.integer("set_sending_batches", "batch_num", batch_num, 0, 2**31 - 1):
        raise NotImplementedError(
            "For 'set_sending_batches', a 'batch_num' above 0 is not supported. "
            "Set the prefetch size instead."
        )


def set_video_backend(backend: str) -> None:
    """Where videos are decoded, "CPU" or "Ascend"; they are decoded on the CPU, whatever is named."""
    check.string("set_video_backend", "backend", backend)
    check.option("set_video_backend", "backend", backend, ["CPU", "Ascend"])
    if backend != "CPU":
        log.warn_once("For 'set_video_backend', the 'backend' Ascend has no effect: videos are decoded on the CPU.")
    _settings.values["video_backend"] = backend


def get_video_backend() -> str:
    """What `set_video_backend` was given. Default: "CPU"."""
    return _settings.values["video_backend"]


def set_outside_files(allowed: bool) -> None:
    """Let lists (COCO, VOC, manifests and others) name files outside of the folder of their data set. Off at first."""
    _settings.values["outside_files"] = check.boolean("set_outside_files", "allowed", allowed)


def get_outside_files() -> bool:
    """What `set_outside_files` was given. Default: False."""
    return _settings.values["outside_files"]


def set_image_limit(pixels: int) -> None:
    """Most pixels that a decoded image or a frame of a video may have, whatever the codec; up to 2**30.

    Unless it is set, the limit is lower for small files: 2,048 pixels for each byte, but 2**24 always.
    """
    _settings.values["image_limit"] = check.integer("set_image_limit", "pixels", pixels, 1, 2**30)


def get_image_limit() -> int:
    """What `set_image_limit` was given. Default: 2**27."""
    return _settings.values["image_limit"] or 2**27


def image_limit_for(length: int) -> int:
    """Most pixels of an image in a file of so many bytes."""
    free = _settings.values["image_limit"]
    return free or min(get_image_limit(), max(2**24, 2048 * length))


def load(file: str) -> None:
    """Take settings from a JSON file, by the names of their setters without `set_`.

    Raises:
        ValueError: There is no such file, it is no JSON object, or has a setting that there is not or that is wrong.
        TypeError: A setting has a value of a wrong type.
    """
    try:
        content = json_text.read(check.file("load", "file", file))
    except ValueError as error:
        raise ValueError(f"For 'load', the file '{file}' must be JSON, but: {error}.") from None
    if not isinstance(content, dict):
        raise ValueError(f"For 'load', the file '{file}' must be a JSON object of settings.")
    for name, value in content.items():
        words = re.sub(r"([A-Z])", lambda found: "_" + found.group().lower(), name)  # numWorkers
        setter = globals().get("set_" + words)
        if setter is None:
            raise ValueError(
                f"For 'load', the file '{file}' has the setting '{name:.80}', which does not exist."
            )
        try:
            setter(value)
        except (ValueError, TypeError, NotImplementedError) as error:
            raise type(error)(f"In the file '{file}': {shortened(error)}") from None
