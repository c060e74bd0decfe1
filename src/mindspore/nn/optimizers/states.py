"""The state of a parameter server on the disk: all its tensors, and how many steps it has made."""
from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.formats.files import atomic

DONE = "steps that were made"


def written(path: Path, parameters: Mapping[str, Any], done: int) -> None:
    """Write the state; the file is there as a whole, or as it was."""
    found = {name: _bytes(p._data) for name, p in parameters.items()}
    data = io.BytesIO()
    arrays: dict[str, Any] = {DONE: np.int64(done), **found}
    np.savez(data, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as file:
        file.write(data.getbuffer())


def read(path: Path, parameters: Mapping[str, Any]) -> int:
    """Give the parameters what a file has; the number of steps.

    Raises:
        ValueError: It is the state of another program, or damaged; the parameters are as they were.
    """
    found = _arrays(path)
    done = found.pop(DONE, np.zeros(0))
    wrong = set(found) ^ set(parameters) or {
        n for n in found if found[n].dtype != np.uint8 or found[n].shape != (parameters[n]._data.nbytes,)}
    if wrong or done.dtype != np.int64 or done.shape:
        raise ValueError(f"The state '{path}' of a parameter server is that of another program: "
                         f"{shortened(', '.join(sorted(wrong or {DONE})[:3]))} differ. Remove it to begin anew.")
    with torch.no_grad():
        for name, array in found.items():
            data = parameters[name]._data
            if data.numel():                # views of nothing have strides that torch does not take
                data.copy_(torch.from_numpy(array).view(data.dtype).reshape(data.shape))
    return int(done)


def _bytes(data: torch.Tensor) -> np.ndarray:
    flat = data.detach().cpu().contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy() if flat.numel() else np.zeros(0, np.uint8)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a file, whose checksums fit."""
    try:
        with open(path, "rb", opener=regular) as file, zipfile.ZipFile(file) as members:
            packed = [one.filename for one in members.infolist() if one.compress_type != zipfile.ZIP_STORED]
            damaged = members.testzip() or next(iter(packed), None)
            if damaged:
                raise ValueError(f"'{damaged}' is damaged")
            file.seek(0)
            with np.load(file, allow_pickle=False) as state:
                found = {name: state[name] for name in state.files}
        other = next((name for name, array in found.items() if not isinstance(array, np.ndarray)), None)
        if other is not None:
            raise ValueError(f"'{other}' is no array")
        return found
    except Exception as error:  # of the parsers of ZIP files and of NumPy's headers, which raise a dozen classes
        raise ValueError(f"The state '{path}' of a parameter server cannot be read: {shortened(error)}. Remove it to "
                         "begin anew.") from None
