"""Cells and their programs, and giving all programs up."""
from __future__ import annotations

import gc
import inspect
import weakref
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.compiler.frontend import call_cell
from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.compiler.targets import at_level, level_of
from mindspore.core.memory import give_back
from mindspore.parallel import running

from . import specialise
from .cache import Cache
from .compile_guards import compiling, walking
from .dynamic import Axes, Declared, examples
from .options import levels_of
from .program import Program

cells_compile_cache: dict[int, set[str]] = {}      # the cells that were compiled, by id, and in which phase at first


class ConstructOnly:
    """What is left of the call of a cell when a `__call__` of the program's own has called that of `Cell`."""

    def __init__(self, cell: Any):
        self.__self__, self.__name__ = cell, type(cell).__name__
        self.__signature__ = inspect.signature(cell.construct)
        self.run_uncompiled = cell.run_uncompiled

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_cell(self.__self__, args, kwargs)


def run_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a cell compiled; its programs live as long as the cell."""
    plain = is_native_module(type(cell).__call__.__module__)
    return _cache_of(cell).run(cell if plain else ConstructOnly(cell), args, kwargs)


def compile_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Program:
    """Compile a cell for these arguments without running it; a later call of this kind uses it."""
    args, kwargs = examples((args, kwargs))
    cache = _cache_of(cell)
    if running.active():
        args, kwargs = cache.together(cell, args, kwargs)
    program = cache.program(cell, args, kwargs)
    assert program.executable
    return program


def walked_cell(cell: Any, args: tuple[Any, ...], extents: Sequence[Axes] = ()) -> Program:
    """The program of a cell for these arguments, not kept and not assembled: what is written to files of models.

    Args:
        cell: The cell, in the mode (training or not) that it is in.
        args: The arguments; a pattern represents any tensor of its kind, of extents that may differ.
        extents: For each tensor among the arguments the dimensions whose extents may differ.  Default: those that are
            not known in patterns, or that `set_inputs` declared.

    Raises:
        Exception: Whatever the front end says of a cell that cannot be compiled.
    """
    declared = cell.get_inputs() or args
    args = examples(args)
    if not extents:
        extents = Declared("set_inputs", declared, cell.construct)(args, {})
    _, passes = levels_of(cell.jit_config_dict)
    fn = cell if is_native_module(type(cell).__call__.__module__) else ConstructOnly(cell)
    with compiling, at_level(level_of(passes)):
        return specialise.standalone(type(cell).__name__, fn, args, extents if any(extents) else ())


def walked_function(fn: Any, args: tuple[Any, ...]) -> Program:
    """The program of a function as `walked_cell` gives that of a cell; one under `jit` is taken without that."""
    fn = getattr(fn, "__jitted__", fn)
    args = examples(declared := args)
    name = getattr(fn, "__name__", type(fn).__name__)
    extents = Declared("input_signature", declared, fn)(args, {})
    with compiling, at_level(level_of(levels_of(None)[1])):
        return specialise.standalone(name, fn, args, extents if any(extents) else ())


def _cache_of(cell: Any) -> Cache:
    cache = cell.__dict__.get("_compiled")
    if cache is None:
        level, passes = levels_of(cell.jit_config_dict)
        declared = cell.get_inputs()
        unknown = Declared("set_inputs", declared, cell.construct) if declared else None
        cache = cell.__dict__.setdefault("_compiled", Cache(type(cell).__name__, level, unknown, passes))
        cells_compile_cache.setdefault(id(cell), set()).add(cell.phase)
        weakref.finalize(cell, cells_compile_cache.pop, id(cell), None)
    return cache


def ms_memory_recycle() -> None:
    """Drop every compiled program, and return freed memory to the system; cells compile again at their next call.

    Examples:
        >>> net = nn.Dense(3, 2)
        >>> _ = net.compile_and_run(ops.ones((1, 3)))
        >>> mindspore.ms_memory_recycle()
        >>> net.compile_and_run(ops.ones((1, 3))).shape
        (1, 2)
    """
    with compiling, walking:
        for cache in list(Cache.living):
            cache.programs.clear()
    gc.collect()
    give_back()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
