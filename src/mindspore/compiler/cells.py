"""Cells and their programs, and giving all programs up."""
from __future__ import annotations

import gc
from typing import Any

import torch

from mindspore.core.memory import give_back

from .cache import Cache
from .dynamic import Declared, examples
from .program import Program


def run_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a cell compiled; its programs live as long as the cell."""
    return _cache_of(cell).run(cell, args, kwargs)


def compile_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Program:
    """Compile a cell for these arguments without running it; a later call of this kind uses it."""
    args, kwargs = examples((args, kwargs))
    program = _cache_of(cell).program(cell, args, kwargs)
    assert program.executable
    return program


def _cache_of(cell: Any) -> Cache:
    cache = cell.__dict__.get("_compiled")
    if cache is None:
        level = cell.jit_config_dict.get("jit_syntax_level", "")
        declared = cell.get_inputs()
        unknown = Declared("set_inputs", declared, cell.construct) if declared else None
        cache = cell.__dict__["_compiled"] = Cache(type(cell).__name__, level, unknown)
    return cache


def ms_memory_recycle() -> None:
    """Give up every compiled program and the memory that torch keeps for them; they compile again."""
    for cache in list(Cache.living):
        cache.programs.clear()
    gc.collect()
    give_back()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
