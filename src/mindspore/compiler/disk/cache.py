"""Look a program up on disk, and keep one there."""
from __future__ import annotations

from typing import Any

from mindspore.core import context, log
from mindspore.core.kinds import is_dict, type_of
from mindspore.eager import mixed
from mindspore.eager.tensor import Tensor
from mindspore.ir import tree
from mindspore.ir.runtime import runtime
from mindspore.operators.choices import choices

from . import storage
from .fingerprint import Unstorable, Walk, versions
from .packing import Stale, packed, restored

_NO_MATTER = {"save_graphs", "save_graphs_path", "compile_cache_path", "enable_compile_cache",
              "save_compile_cache", "load_compile_cache", "max_call_depth"}


class _Input:
    """An input of the graph: only its type counts."""

    def __init__(self, tensor: Tensor):
        self.aval = str(tensor.aval)


def walk_of(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], is_input: Any) -> Walk:
    """The walk through all that a program can reach: its digest is the key of the program.

    Raises:
        Unstorable: If something cannot be compared in another process.
    """
    walked = Walk()
    state = {k: v for k, v in vars(context.state).items() if k in context.state.table and k not in _NO_MATTER}
    parallel = {k: v for k, v in vars(context.parallel).items() if k in context.parallel.table}
    around = mixed.marks_of(tree.leaves((args, kwargs), is_input))
    walked.put(versions(), state, parallel, runtime.level, around, choices().digest())
    walked.visit(fn)
    _visit(walked, tree.rebuild((args, kwargs), is_input,
                                iter([_Input(t) for t in tree.leaves((args, kwargs), is_input)])))
    return walked


def _visit(walked: Walk, value: Any) -> None:
    inner = None if isinstance(value, _Input) else tree.children(value)
    if isinstance(value, _Input):
        walked.put("input", value.aval)
    elif inner is None:
        walked.visit(value)
    else:
        walked.kind(type_of(value))
        walked.put(*(map(repr, value) if is_dict(value) else [len(inner)]))
        for one in inner:
            _visit(walked, one)


def key_of(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], is_input: Any) -> str | None:
    """The key of a program before it is compiled; None if the cache is off, or why there is none."""
    if storage.folder() is None:
        return None
    try:
        return walk_of(fn, args, kwargs, is_input).digest()
    except Unstorable as error:
        return f"not stored: {error}"


def find(kind: type, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: Any) -> Any:
    """The program that the cache holds; None if the cache is off or has none that can be used.

    Args:
        kind: The class of programs.
        marks: The placeholder of a tensor in structures, what is an input, and how leaves are described.
    """
    folder = storage.folder()
    if folder is None:
        return None
    hole, is_input, leaf = marks
    try:
        walked = walk_of(fn, args, kwargs, is_input)
    except Unstorable:
        return None
    file = folder / f"{walked.digest()}.graph"
    try:
        content = storage.read(file)
        return restored(kind, content, walked, hole, leaf) if content is not None else None
    except (Stale, Unstorable):
        return None
    except Exception as error:  # any: a damaged file may fail in many ways, and the program can be compiled
        log.warning("The compiled graph %s is not used: %s.", file,
                    error if isinstance(error, storage.Refused) else f"{type(error).__name__}: {error}")
        return None


def keep(key: str, program: Any, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: Any) -> str:
    """Keep a program on disk; what was done."""
    folder = storage.folder()
    if folder is None or " " in key:
        return key
    hole, is_input = marks
    file = folder / f"{key}.graph"
    try:
        walked = walk_of(fn, args, kwargs, is_input)
        if walked.digest() != key:
            raise Unstorable("compiling changed objects that it uses")
        storage.write(file, packed(program, program.trace, walked, hole))
    except Unstorable as error:
        return f"not stored: {error}"
    except (storage.Refused, OSError) as error:
        log.warning("The compiled graph %s is not stored: %s.", file, error)
        return f"not stored: {error}"
    return f"stored in {file}"
