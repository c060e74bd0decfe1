"""What operators take, and examples: the sections of their texts that would fill the files of the kernels.

A module here belongs to the modules of that name in `operators` and `ops`; its `TEXTS` has the sections by operator.
"""
from __future__ import annotations

import functools
import importlib
import importlib.util
from typing import Any


def sections(op: Any) -> str:
    """The sections on an operator or a composition, whose own text follows the rules of `documents`; "" without any."""
    owner, _, family = (getattr(op, "kernel", None) or op.body).__module__.rpartition(".")
    return _texts(family).get(op.name, "") if owner in ("mindspore.operators", "mindspore.ops") else ""


@functools.cache
def _texts(family: str) -> dict[str, str]:
    name = f"{__name__}.{family}"
    return importlib.import_module(name).TEXTS if importlib.util.find_spec(name) else {}
