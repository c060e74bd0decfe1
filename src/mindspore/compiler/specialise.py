"""A new program for arguments: for all sizes, from the disk, for the current sizes, or for the current values."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler import disk
from mindspore.core import log
from mindspore.core.errors import GraphValueError, UnknownExtent
from mindspore.core.mutable import MutableCount, is_number
from mindspore.ir import Specialised, Undecided, tree
from mindspore.ir.runtime import runtime

from .fallback import is_limit
from .program import Program
from .signature import is_small, is_tensor
from .validity import fits

# Whether loops over a size stay loops, and whether extents of 0 and 1 have the hint of a larger one.
_WAYS = ((True, True), (True, False), (False, True), (False, False))


def general(name: str, extents: Sequence[Any], fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
            reason: str) -> Program | None:
    """A program for all extents in place of the current ones; None if there is none."""
    kept = runtime.loops_kept
    for loops, hints in _WAYS:
        if not loops and runtime.loops_kept == kept:
            break
        try:
            program = complete(Program(name, fn, args, kwargs, reason=reason, extents=extents,
                                       general=hints, loops=loops))
        except (Exception, Specialised) as error:  # any: compiled for the current sizes, it says what is wrong with it
            log.info("'%s' is not compiled for all sizes (loops kept: %s, sizes of 0 and 1 as others: %s): %s: %s",
                     name, loops, hints, type(error).__name__, error)
            continue
        if fits(program, args, kwargs):
            return program
    return None


def standalone(name: str, fn: Any, args: tuple[Any, ...], extents: Sequence[Any]) -> Program:
    """A program for all extents in place of the current ones, that nobody keeps.

    Raises:
        Exception: What the last way to compile it says, if none serves all extents.
    """
    if not any(extents):
        return fresh(name, fn, args, {}, "export")
    left: Exception = unknown(Undecided("an extent of an input"))
    for loops, hints in _WAYS:
        try:
            return Program(name, fn, args, {}, extents=extents, general=hints, loops=loops, reason="export")
        except (Exception, Specialised) as error:  # any: the last is raised
            left = error if isinstance(error, Exception) else left
    raise left


def special(name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str) -> Program:
    """A program for the current sizes: from the disk, or compiled and kept there if that cache is on."""
    if MutableCount.count:
        numbers = [n.python(n) for n in tree.leaves((args, kwargs), is_number)]
        if numbers:
            args, kwargs = tree.rebuild((args, kwargs), is_number, iter(numbers))
    found = Program.from_disk(name, fn, args, kwargs, reason)
    if found is not None:
        return found
    key = disk.key_of(fn, args, kwargs, is_tensor)
    program = fresh(name, fn, args, kwargs, reason)
    program.to_disk(fn, args, kwargs, key)
    return program


def fresh(name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str) -> Program:
    """A new program; where the values of small integer arguments are needed, one for those values."""
    try:
        asked_for: list[Any] = []
        try:
            return _unrolling(name, fn, args, kwargs, reason=reason, asked_for=asked_for)
        except Exception as error:  # raised again, unless elements of tensors from outside may be why
            if not asked_for or not is_limit(error):
                raise
        return _unrolling(name, fn, args, kwargs, reason=reason, captured=True)
    except (Undecided, Specialised) as size:
        raise unknown(size) from None
    except GraphValueError:
        if not tree.leaves((args, kwargs), is_small):
            raise
        try:
            return Program(name, fn, args, kwargs, by_value=True, reason=reason)
        except GraphValueError:
            pass
        raise


def unknown(size: BaseException) -> UnknownExtent:
    """The error for a program that cannot be compiled because of a size."""
    return UnknownExtent(f"A size that only the run tells is needed while compiling: {size}.")


def _unrolling(*args: Any, **options: Any) -> Program:
    """A program; if a loop over a size cannot stay one, it is unrolled."""
    kept = runtime.loops_kept
    try:
        return complete(Program(*args, **options))
    except (Exception, Specialised):  # a loop over a size that stayed a loop may be why
        if runtime.loops_kept == kept:       # otherwise a loop over a size may have to be unrolled
            raise
    return complete(Program(*args, **options, loops=False))


def complete(program: Program) -> Program:
    """A program; one with sizes that only a run tells is assembled now, since that can fail."""
    if program.has_dynamic_results or program.shapes_fit:
        program.executable          # noqa: B018  # made at first use
    return program
