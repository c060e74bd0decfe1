"""Checkpoints during training."""
from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mindspore.core import check, context, log
from mindspore.eager.tensor import Tensor
from mindspore.nn import Cell
from mindspore.train._background import finish_saving
from mindspore.train.serialization import save_checkpoint
from mindspore.train.summary.graph import save_graph

from .callback import Callback, step_in_epoch

_RUN_INFO = ("epoch_num", "step_num")


class CheckpointConfig:
    """When checkpoints are saved, how many are kept, and how they are written.

    `save_checkpoint_steps` is followed if both it and `save_checkpoint_seconds` are given, and
    `keep_checkpoint_max` if both it and `keep_checkpoint_per_n_minutes` are.

    Args:
        save_checkpoint_steps: Steps between two checkpoints; 0 or None for none.
        save_checkpoint_seconds: Seconds between two checkpoints; 0 or None for none.
        keep_checkpoint_max: How many are kept; the oldest are deleted.  0 or None: the last, or what
            the next argument says.
        keep_checkpoint_per_n_minutes: One of every so many minutes is kept, and the last.
        integrated_save: As in `save_checkpoint`.
        async_save: Whether the file is written beside the training: a bool, "thread" or "process".
        saved_network: The cell that is saved. Default: the training step's, optimizer included.
        append_info: "epoch_num", "step_num", and dictionaries of numbers, bools, texts, tensors and
            parameters that are saved, too. Numbers under "epoch_num" and "step_num" are what earlier
            runs have done: what this one does is added. `{"random": mindspore.default_generator}` saves
            the state of random numbers, for `mindspore.set_rng_state`.
        enc_key, enc_mode, crc_check, remove_redundancy, format: As in `save_checkpoint`.
        exception_save: Whether a run that fails leaves `..._breakpoint`.
        kwargs: `incremental`, a bool about map parameters, which no cell has here; `enable_redundance`,
            a bool: whether processes save what others save, too, which makes a difference for several.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If all four intervals are 0 or None, or another argument has a wrong value.

    Examples:
        >>> train.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3).keep_checkpoint_max
        3
    """

    def __init__(self, save_checkpoint_steps: int | None = 1, save_checkpoint_seconds: int | None = 0,
                 keep_checkpoint_max: int | None = 5, keep_checkpoint_per_n_minutes: int | None = 0,
                 integrated_save: bool = True, async_save: bool | str = False,
                 saved_network: Cell | None = None, append_info: list[Any] | None = None,
                 enc_key: bytes | None = None, enc_mode: str = "AES-GCM",
                 exception_save: bool = False, crc_check: bool = False,
                 remove_redundancy: bool = False, format: str = "ckpt", **kwargs: Any):
        steps = _interval(self, "save_checkpoint_steps", save_checkpoint_steps)
        seconds = _interval(self, "save_checkpoint_seconds", save_checkpoint_seconds)
        keep = _interval(self, "keep_checkpoint_max", keep_checkpoint_max)
        minutes = _interval(self, "keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes)
        if not (steps or seconds or keep or minutes):
            raise ValueError("For 'CheckpointConfig', the input arguments 'save_checkpoint_steps', "
                             "'save_checkpoint_seconds', 'keep_checkpoint_max' and "
                             "'keep_checkpoint_per_n_minutes' can't be all None or 0.")
        self._steps, self._seconds = steps, None if steps else seconds
        self._keep, self._minutes = keep if keep or minutes else 1, None if keep else minutes
        self._integrated = check.boolean(self, "integrated_save", integrated_save)
        self._async = _checked_async(self, async_save)
        if saved_network is not None:
            check.instance(self, "saved_network", saved_network, Cell)
        self._network = saved_network
        self._append = _appended(self, append_info)
        self._check_writing(enc_key, enc_mode, crc_check, remove_redundancy, format)
        self._exception_save = check.boolean(self, "exception_save", exception_save)
        self._incremental, self.enable_redundance = _further(self, **kwargs)
        if self._incremental and format == "safetensors":
            raise ValueError("For 'CheckpointConfig', the 'incremental' must be False when the 'format' is "
                             "'safetensors'.")

    def _check_writing(self, key: Any, mode: Any, crc: Any, redundancy: Any, format: Any) -> None:
        if key is not None and not isinstance(key, bytes):
            raise check.fail(ValueError, self, "enc_key", "None or bytes", key)
        if not isinstance(mode, str):
            raise check.fail(ValueError, self, "enc_mode", "a str", mode)
        if not isinstance(crc, bool):
            raise check.fail(ValueError, self, "crc_check", "a bool", crc)
        if not isinstance(redundancy, bool):
            raise check.fail(ValueError, self, "remove_redundancy", "a bool", redundancy)
        check.option(self, "format", format, ("ckpt", "safetensors"))
        if format == "safetensors" and key is not None:
            raise ValueError("For 'CheckpointConfig', the 'enc_key' must be None when the 'format' is "
                             "'safetensors': use format='ckpt' for encrypted files.")
        self.remove_redundancy = redundancy
        self._writing = {"enc_key": key, "enc_mode": mode, "crc_check": crc, "format": format}
        if format == "safetensors":
            self._writing["remove_redundancy"] = redundancy

    @property
    def save_checkpoint_steps(self) -> int | None:
        """Steps between two checkpoints."""
        return self._steps

    @property
    def save_checkpoint_seconds(self) -> int | None:
        """Seconds between two checkpoints."""
        return self._seconds

    @property
    def keep_checkpoint_max(self) -> int | None:
        """How many checkpoints are kept."""
        return self._keep

    @property
    def keep_checkpoint_per_n_minutes(self) -> int | None:
        """Of how many minutes one checkpoint is kept."""
        return self._minutes

    @property
    def integrated_save(self) -> bool:
        """Whether split parameters are joined first."""
        return self._integrated

    @property
    def async_save(self) -> bool | str:
        """Whether files are written beside the training."""
        return self._async

    @property
    def saved_network(self) -> Cell | None:
        """The cell that is saved."""
        return self._network

    @property
    def append_dict(self) -> dict[str, Any] | None:
        """What is saved beside the parameters; None for nothing."""
        return self._append or None

    @property
    def enc_key(self) -> bytes | None:
        """The key that encrypts the files."""
        return self._writing["enc_key"]

    @property
    def enc_mode(self) -> str:
        """The mode of the cipher."""
        return self._writing["enc_mode"]

    @property
    def crc_check(self) -> bool:
        """Whether files have a checksum."""
        return self._writing["crc_check"]

    @property
    def format(self) -> str:
        """The format of the files."""
        return self._writing["format"]

    @property
    def exception_save(self) -> bool:
        """Whether a run that fails leaves a checkpoint."""
        return self._exception_save

    @property
    def map_param_inc(self) -> bool:
        """Whether map parameters are saved by increments."""
        return self._incremental

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """The intervals and the network, by name."""
        return {"save_checkpoint_steps": self._steps, "save_checkpoint_seconds": self._seconds,
                "keep_checkpoint_max": self._keep,
                "keep_checkpoint_per_n_minutes": self._minutes, "saved_network": self._network}


def _interval(owner: Any, name: str, value: Any) -> int | None:
    return None if value is None else check.non_negative_int(owner, name, value)


def _checked_async(owner: Any, value: Any) -> bool | str:
    if not isinstance(value, (bool, str)):
        raise check.fail(TypeError, owner, "async_save", "a bool, 'thread' or 'process'", value)
    return check.option(owner, "async_save", value, (True, False, "thread", "process"))


def _further(owner: Any, incremental: Any = False, enable_redundance: Any = False,
             **unknown: Any) -> tuple[bool, bool]:
    if unknown:
        raise ValueError(f"For '{check.name_of(owner)}', there is no argument '{next(iter(unknown))}'.")
    return (check.boolean(owner, "incremental", incremental),
            check.boolean(owner, "enable_redundance", enable_redundance))


def _appended(owner: Any, given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    check.instance(owner, "append_info", given, list)
    found: dict[str, Any] = {}
    for each in given:
        if isinstance(each, dict):
            for key, value in each.items():
                taken = isinstance(value, (int, float, bool, str, Tensor)) or hasattr(value, "get_state")
                if not isinstance(key, str) or not taken:
                    raise TypeError("For 'CheckpointConfig', a dict in 'append_info' must have str keys and "
                                    "int, float, bool, str, Tensor, Parameter or Generator values, but got "
                                    f"{key!r}: {value!r}.")
            found.update(each)
        elif isinstance(each, str):
            found[check.option(owner, "append_info", each, _RUN_INFO)] = 0
        else:
            raise check.fail(TypeError, owner, "append_info", "a list of str and dict", each)
    return found


class ModelCheckpoint(Callback):
    """Saves checkpoints `<prefix>-<epoch>_<step in epoch>.ckpt` during and after a training.

    If the folder already has checkpoints of the prefix, the first free `<prefix>_<n>` takes its place.

    Args:
        prefix: Begin of the file names, or a function of the run's state that gives the whole name
            without suffix.
        directory: The folder, which is made if it is missing; or a function of the run's state that
            gives it. Default: the working directory.
        config: When and how; see `CheckpointConfig`.

    Raises:
        ValueError: If `prefix` is neither a function nor a str without "/".
        TypeError: If `directory` or `config` has another type.

    Examples:
        >>> import os, tempfile
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net = nn.Dense(3, 2)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.train(1, data.batch(4), callbacks=train.ModelCheckpoint("net", folder))
        ...     sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))
        ['net-1_1.ckpt']
    """

    def __init__(self, prefix: str | Callable[[Any], str] = "CKP",
                 directory: str | Callable[[Any], str] | None = None,
                 config: CheckpointConfig | None = None):
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise ValueError("For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is "
                             "invalid, it must be callable or string that does not contain '/', but got "
                             f"{prefix}.")
        self._prefix, self._directory = prefix, os.getcwd() if directory is None else directory
        if not callable(self._directory):
            check.instance(self, "directory", self._directory, (str, os.PathLike))
            _folder(self._directory)
        self._config = CheckpointConfig() if config is None else (
            check.instance(self, "config", config, CheckpointConfig))
        self._run: Any = None
        self._name: str | None = None
        self._kept: list[Path] = []
        self._restart()

    def _restart(self) -> None:
        self._last_step, self._saved_step = 0, -1
        self._last_time = self._window = time.time()
        self._latest, self._saved = "", False

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the last checkpoint; empty before the first."""
        return self._latest

    def begin(self, run_context: Any) -> None:
        """Begin to count steps and time."""
        self._restart()
        self._run = run_context.original_args()

    def step_end(self, run_context: Any) -> None:
        """Save a checkpoint, if it is time."""
        now = self._run = run_context.original_args()
        if self._last_step > now.cur_step_num:
            self._last_step = 0
        config = self._config
        due = bool(config.save_checkpoint_steps
                   and now.cur_step_num - self._last_step >= config.save_checkpoint_steps)
        if config.save_checkpoint_seconds:
            due = time.time() - self._last_time >= config.save_checkpoint_seconds
        if due:
            self._save(now)

    def end(self, run_context: Any) -> None:
        """Save the last state, if that is still to do."""
        now = run_context.original_args()
        config = self._config
        if config.save_checkpoint_steps or config.save_checkpoint_seconds:
            self._save(now)
        finish_saving()

    def on_eval_begin(self, run_context: Any) -> None:
        """Nothing: evaluations change no parameters."""

    on_eval_step_end = on_eval_end = on_eval_begin

    def __exit__(self, *err: Any) -> None:
        """After a failure, save the state of the last complete step, if that was asked for."""
        if err and err[0] is not None and self._config.exception_save and self._run is not None:
            self._save(self._run, "_breakpoint")

    def _save(self, now: Any, mark: str = "") -> None:
        if now.cur_step_num == self._saved_step and not mark:
            return
        directory = _folder(self._directory(now) if callable(self._directory) else self._directory)
        config = self._config
        target = directory / f"{self._file_name(now, directory)}{mark}.{config.format}"
        more = dict(config.append_dict or {})
        earlier = now.get("initial_step") or 0
        for name, value, before in (("epoch_num", now.cur_epoch_num, 0), ("step_num", now.cur_step_num, earlier)):
            if name in more:   # steps before this run are in the number already, if the program has given one
                more[name] = int(more[name]) + value - (before if more[name] else 0)
        network = config.saved_network if config.saved_network is not None else now.train_network
        save_checkpoint(network, str(target), config.integrated_save, config.async_save, append_dict=more,
                        **config._writing)
        if not self._saved and self._name is not None and context.state.mode == context.GRAPH_MODE:
            save_graph(now.train_network, directory / f"{self._name}-graph.meta")
        self._saved = True
        self._last_step = self._saved_step = now.cur_step_num
        self._last_time = time.time()
        self._latest = str(target)
        now["last_save_ckpt_step"], now["latest_ckpt_file"] = now.cur_step_num, self._latest
        self._drop(target)

    def _file_name(self, now: Any, directory: Path) -> str:
        if callable(self._prefix):
            name = self._prefix(now)
            if not isinstance(name, str) or "/" in name:
                raise ValueError("For 'ModelCheckpoint', the function 'prefix' must return a str without "
                                 f"'/', but got {name!r}.")
            return name
        if self._name is None:
            self._name = free_prefix(directory, self._prefix)
        return f"{self._name}-{now.cur_epoch_num}_{step_in_epoch(now)}"

    def _drop(self, newest: Path) -> None:
        """Delete the files of this run that need not be kept."""
        config = self._config
        if newest in self._kept:
            self._kept.remove(newest)
        self._kept.append(newest)
        if config.keep_checkpoint_max:
            while len(self._kept) > config.keep_checkpoint_max:
                _delete(self._kept.pop(0))
            return
        first, *between = self._kept[:-1] or [newest]
        for path in between:
            _delete(path)
        begins = time.time() - self._window >= (config.keep_checkpoint_per_n_minutes or 0) * 60
        if begins:                         # the first of a window stays
            self._window = time.time()
        self._kept = [newest] if begins or first == newest else [first, newest]


def _folder(name: Any) -> Path:
    """The folder of that name, which is made if it is missing."""
    if not os.fspath(name).strip():
        raise ValueError("For 'ModelCheckpoint', the 'directory' must not be blank.")
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"For 'ModelCheckpoint', the 'directory' must be a folder, but {folder} is a file.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def free_prefix(directory: Path, prefix: str) -> str:
    """The prefix, or the first `prefix_n` that no checkpoint in the folder has."""
    used = re.compile(rf"{re.escape(prefix)}(?:_(\d+))?-[^-]*(?<!_breakpoint)\.(?:ckpt|safetensors)")
    numbers = [int(found[1] or 0) for path in directory.iterdir()
               if (found := used.fullmatch(path.name))]
    return f"{prefix}_{max(numbers) + 1}" if numbers else prefix


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("The old checkpoint '%s' cannot be deleted: %s", path, error)
