"""The state of a parameter server on the disk: all its tensors, and how many steps it has made."""
from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mindspore.formats.files import atomic

DONE = "steps that were made"


def written(path: Path, parameters: Mapping[str, Any], done: int) -> None:
    """Write the state; the file is there as a whole, or as it was."""
    found = {name: p._data.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()
             for name, p in parameters.items()}
    data = io.BytesIO()
    np.savez(data, allow_pickle=False, **{DONE: np.int64(done)}, **found)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as file:
        file.write(data.getbuffer())


def read(path: Path, parameters: Mapping[str, Any]) -> int:
    """Give the parameters what a file has; the number of steps.

    Raises:
        ValueError: It is the state of another program.
    """
    with np.load(path, allow_pickle=False) as state:
        names = set(state.files) - {DONE}
        wrong = names ^ set(parameters) or {n for n in names if state[n].nbytes != parameters[n]._data.nbytes}
        if wrong:
            raise ValueError(f"The state '{path}' of a parameter server is that of another program: "
                             f"{', '.join(sorted(wrong)[:3])} differ. Remove it to begin anew.")
        with torch.no_grad():
            for name in names:
                data = parameters[name]._data
                data.copy_(torch.from_numpy(state[name].copy()).view(data.dtype).reshape(data.shape))
        return int(state[DONE])
