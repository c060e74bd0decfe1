"""Tables of choices on disk, one file for each kind of processor, number of threads and version of what computes.

They lie in the folder `anyspore` of the user's caches, or in the one that ANYSPORE_CHOICES names ("off": none is
used).  A table decides which code runs: one that another user could have written, or that is damaged, is not used.
"""
from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import math
import os
import platform
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import torch

from mindspore._names.version import ANYSPORE
from mindspore.core import caching, log
from mindspore.formats import trusted

_MAGIC, _LIMIT_BYTES = "anyspore choices 1", 1 << 20


def folder() -> Path | None:
    """Where tables lie; None if none is used."""
    return caching.of_user("ANYSPORE_CHOICES", "choices")


def file(threads: int) -> Path | None:
    """The table of this machine for a number of threads; None if none is used."""
    where = folder()
    return where and where / f"{_key(threads)}.json"


@functools.cache
def _key(threads: int) -> str:
    parts = (ANYSPORE, torch.__version__, _llvm(), *processor(), threads, sleeping())
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def sleeping() -> bool:
    """Whether OpenMP's threads sleep between parallel regions."""
    return os.environ.get("OMP_WAIT_POLICY", "").upper() == "PASSIVE" or os.environ.get("GOMP_SPINCOUNT") == "0"


def _llvm() -> str:
    return metadata.version("llvmlite") if importlib.util.find_spec("llvmlite") else ""


@functools.cache
def processor() -> tuple[str, str]:
    """The model and the features of the processor, as the system tells them."""
    wanted = {"vendor_id": "", "cpu family": "", "model": "", "model name": "", "stepping": "", "cpu implementer": "",
              "cpu part": "", "cache size": ""}
    features = ""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").partition("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine(), torch.backends.cpu.get_cpu_capability()
    for line in lines:
        name, _, value = [part.strip() for part in line.partition(":")]
        if name.lower() in wanted:
            wanted[name.lower()] = value
        elif name in ("flags", "Features"):
            features = " ".join(sorted(value.split()))
    return " ".join(v for v in wanted.values() if v), features


def read(threads: int, names: Iterable[str]) -> dict[str, float] | None:
    """What a table says; None if there is none that can be used."""
    place = file(threads)
    if place is None:
        return None
    try:
        body = trusted.read(place, _MAGIC, _LIMIT_BYTES)
        found: Any = None if body is None else json.loads(body)
        return None if body is None else _checked(found, set(names))
    except (trusted.Refused, ValueError) as error:
        log.warning("The measured choices %s are not used: %s.", place, error)
        return None


def _checked(found: Any, names: set[str]) -> dict[str, float]:
    if not isinstance(found, dict):
        raise ValueError("it holds no table")
    table: dict[str, float] = {}
    for name, value in cast("dict[Any, Any]", found).items():
        if name not in names or type(value) not in (int, float) or not 0 <= value < math.inf:
            raise ValueError(f"'{name}' is no choice, or its value {value!r} is no number from 0 on")
        table[name] = value
    return table


def write(threads: int, table: Mapping[str, float]) -> Path:
    """Keep a table, at once and for this user only.

    Raises:
        trusted.Refused: If others may write to the folder.
        OSError: If the folder cannot be written.
    """
    place = file(threads)
    if place is None:
        raise OSError("tables of choices are switched off by ANYSPORE_CHOICES")
    trusted.write(place, _MAGIC, json.dumps(dict(table), indent=1, sort_keys=True).encode())
    return place
