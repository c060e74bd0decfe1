"""Tensors that a program writes to files while it runs."""
from __future__ import annotations

import itertools
from pathlib import Path

import torch
from torch import Tensor

from mindspore.core.dtype import from_torch
from mindspore.formats.files import atomic, write_array
from mindspore.ir import Aval

from .labels import whole
from .registry import operator

_numbers = itertools.count()                       # of the files that this process has written


@operator(hidden=True, effect="io", samples=[], dims=whole("it acts once for the whole program"))
def dump_tensor(x: Tensor, *, file: str, mode: str):
    """Nothing; writes `x` to the file FILE_DTYPE_NUMBER.npy, or FILE_MODE_DTYPE_NUMBER.npy; bfloat16 as float32."""
    path = Path(file.removesuffix(".npy"))
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [path.name, *([mode] if mode else []), from_torch(x.dtype).name.rstrip("_"), str(next(_numbers))]
    data = x.detach().cpu().resolve_conj()
    with atomic(path.with_name("_".join(parts) + ".npy"), None) as out:
        write_array(out, (data.float() if data.dtype is torch.bfloat16 else data).numpy())
    return ()


@dump_tensor.shape
def _(x: Aval, *, file: str, mode: str) -> tuple[()]:
    return ()
