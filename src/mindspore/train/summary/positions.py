"""Where a training was: the parameters after some of its steps or epochs, from which landscapes of the loss are made.

The folder `ckpt_dir` of a summary has a checkpoint for each, and `train_metadata.json`, which says which there are.
"""
from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.core import check
from mindspore.core.json_text import parsed
from mindspore.core.plain_files import regular
from mindspore.eager.tensor import tensor_to_buffer
from mindspore.formats import checkpoint
from mindspore.formats.array import StoredArray
from mindspore.formats.files import atomic

from .options import LandscapeOptions, landscape_options

FOLDER, METADATA = "ckpt_dir", "train_metadata.json"
_PRIVATE = 0o700
_SHOWN = 200              # characters of what is wrong: a damaged file may have long names


class Positions:
    """Keeps parameters of a training at the points that the options name.

    Args:
        folder: The folder of the summary.
        options: The points, and what else the landscapes are to be made of.
    """

    def __init__(self, folder: str, options: LandscapeOptions):
        self.folder, self.options = os.path.join(os.path.realpath(folder), FOLDER), options
        self._points = frozenset(number for interval in options.intervals for number in interval)
        self._files: dict[int, str] = {}
        os.makedirs(self.folder, _PRIVATE, exist_ok=True)

    def due(self, unit: str, number: int) -> bool:
        """Whether a step or an epoch of this number is one of the points."""
        return unit == self.options.unit and number in self._points

    def after(self, unit: str, number: int) -> list[int]:
        """The points after a step or an epoch of this number."""
        return [point for point in self._points if point > number] if unit == self.options.unit else []

    def keep(self, number: int, network: Any) -> tuple[Callable[[], None], int]:
        """Copy the parameters of a network; what writes the copy to its file, and its bytes."""
        path = os.path.join(self.folder, f"{type(network).__name__}_{number}_{self.options.unit}.ckpt")
        copied = [(name, _copied(parameter)) for name, parameter in network.parameters_dict().items()]
        self._files[number] = path

        def write() -> None:
            checkpoint.write(path, copied)
        return write, sum(len(array.data) for _, array in copied)

    def finish(self, step_per_epoch: int) -> None:
        """Write which parameters were kept, and the options."""
        options = self.options
        content = {
            "epoch_group": {str(k): list(interval) for k, interval in enumerate(options.intervals)},
            "model_params_file_map": {str(number): path for number, path in self._files.items()},
            "step_per_epoch": step_per_epoch, "unit": options.unit, "num_samples": options.num_samples,
            "landscape_size": options.landscape_size, "create_landscape": options.create_landscape}
        with atomic(os.path.join(self.folder, METADATA), stat.S_IRUSR) as file:
            file.write(json.dumps(content).encode())


def _copied(parameter: Any) -> StoredArray:
    data, dtype, shape = tensor_to_buffer(parameter, copy=True)
    return StoredArray(dtype, tuple(shape), data)


class Kept(NamedTuple):
    """What a training has kept.

    Attributes:
        options: What landscapes are to be made of.
        files: The checkpoints by the number of the step or epoch.
        step_per_epoch: Steps of an epoch.
    """

    options: LandscapeOptions
    files: dict[int, str]
    step_per_epoch: int


def kept(folder: str) -> Kept:
    """What a training has kept in the folder of its summary.

    Raises:
        FileNotFoundError: The training kept nothing there, or has not ended.
        ValueError: The file that tells is damaged.
    """
    path = os.path.join(folder, FOLDER, METADATA)
    with open(path, "rb", opener=regular) as file:
        text = file.read()
    try:
        found = parsed(text)
        given = {name: found[name] for name in ("landscape_size", "unit", "num_samples", "create_landscape")}
        options = landscape_options(METADATA, {**given, "intervals": list(found["epoch_group"].values())})
        files = {int(number): _file(folder, name) for number, name in found["model_params_file_map"].items()}
        return Kept(options, files, check.positive_int(METADATA, "step_per_epoch", found["step_per_epoch"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"[:_SHOWN]
        raise ValueError(f"{path} does not tell what a training has kept: {reason}") from None


def _file(folder: str, name: str) -> str:
    """The checkpoint of that name; of a summary that was moved, the one in its present folder."""
    check.string(folder, "model_params_file_map", name)
    return name if os.path.exists(name) else os.path.join(folder, FOLDER, os.path.basename(name))
