"""The programs of one function or cell: which of them serves a call, and when there is one more."""
from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.compiler.inspection.reasons import described, remedy, why
from mindspore.compiler.inspection.tracebacks import trimmed
from mindspore.compiler.targets import at_level, level_of
from mindspore.core import context, log
from mindspore.core.errors import GraphSyntaxError, GraphValueError
from mindspore.core.mutable import MutableCount, is_number
from mindspore.eager import mixed
from mindspore.eager.hooks import Hooked, hooks_of
from mindspore.eager.tensor import Tensor
from mindspore.ir import Resized, Specialised, Undecided, tree
from mindspore.ir.runtime import runtime
from mindspore.operators.communication import all_gather
from mindspore.parallel import running

from . import fallback, specialise
from .arguments import held_in
from .compile_guards import compiling, walking
from .dynamic import masked, with_numbers
from .program import Program
from .respecialise import run_watchful
from .signature import is_tensor, leaf_signature, signature_of
from .validity import fits, holds

_TOO_OFTEN = {9, 17, 33, 65, 129, 257, 513, 1025}      # counts of compilations that are worth a warning
_IN_A_ROW = 16       # after so many calls that each compile anew, a function runs in Python
_PER_SHAPE = 4       # programs for one kind of arguments before each size is compiled for itself
_PER_KEY = 8         # programs that are kept for one signature


class Cache:
    """The programs of one function or cell, by signature; the oldest signature goes when there are too many.

    Of one signature those programs are kept that were used last.

    Args:
        level: The syntax level: "", "STRICT" or "LAX".
        unknown: What finds the extents that may differ, if any may.
        passes: The `jit_level` of the programs: "O0", "O1", "O2", or "" for that of the context.
    """

    limit = 64
    living: weakref.WeakSet[Cache] = weakref.WeakSet()

    def __init__(self, name: str, level: str = "", unknown: Any = None, passes: str = ""):
        self.name, self.level, self.unknown, self.passes = name, level, unknown, passes
        self.special: set[Any] = set()         # signatures without sizes that no program serves at once
        self.uncompiled: dict[Any, str] = {}      # signatures that run in Python, and why
        self.living.add(self)
        self.programs: dict[Any, list[Program]] = {}
        self.renewed: dict[Any, int] = {}      # how many calls in a row had to compile anew
        self.compiled = self.calls = 0

    def __reduce__(self) -> Any:
        """A copy, of a cell for example, compiles programs of its own."""
        return Cache, (self.name, self.level, self.unknown, self.passes)

    def run(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run `fn` on the arguments, compiled; derivatives of derivatives are taken on the tape."""
        if runtime.depth > 1:
            return fn(*args, **kwargs)
        if running.active() and not runtime.together:
            return self.run_together(fn, args, kwargs)
        held = held_in(args, kwargs)
        if len(held) > 1 and len(set(held)) < len(held):
            return self.shared(fn, args, kwargs)
        if Hooked.count and any(map(hooks_of, tree.leaves((args, kwargs), is_tensor))):
            return fallback.uncompiled(fn, args, kwargs)
        try:
            program = self.program(fn, args, kwargs) if fallback.is_strict(self.level) else self.found(
                fn, args, kwargs)
        except Exception as error:  # in which the program ends; raised again
            return fallback.after_changes(fn, args, kwargs, error)
        if program is None:
            return fallback.uncompiled(fn, args, kwargs)
        if context.state.precompile_only:
            assert program.executable
            return None
        if program.has_dynamic_results:
            return run_watchful(self, program, fn, args, kwargs)
        return self.start(program, fn, args, kwargs)

    def run_together(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run `fn` with all processes, on the tensors of all of them."""
        args, kwargs = self.together(fn, args, kwargs)
        self.calls += 1
        runtime.together = True
        try:
            return self.run(fn, args, kwargs)
        finally:
            runtime.together = False

    def together(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The arguments that all processes have alike: batches put together, all else compared now and then."""
        takes_batches = getattr(getattr(fn, "__self__", fn), "takes_batches", False)
        if takes_batches and context.parallel.dataset_strategy == "data_parallel":
            return tree.mapped((args, kwargs), is_tensor, _gathered)
        running.same_inputs(self.name, [t._data for t in tree.leaves((args, kwargs), is_tensor)], self.calls)
        return args, kwargs

    def start(self, program: Program, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a program on the arguments that it was chosen for."""
        if not kwargs and program.constants is None and all(type(a) is Tensor for a in args):
            inputs = args
        else:
            inputs = tree.leaves((args, kwargs), program.is_input)
        if program.calls_back and runtime.depth and program.tracked(inputs):     # the reverse cannot be compiled
            return fallback.uncompiled(fn, args, kwargs)
        if (program.asked and _share([*inputs, *program.captured])) or (
                program.assigned and sees([*inputs, *program.captured], program.assigned)):
            return fallback.uncompiled(fn, args, kwargs)
        if program.owners and not program.owners.keys().isdisjoint(held_in(args, kwargs)):
            return self.shared(fn, args, kwargs)
        try:
            if not program.takes:
                return program(inputs)
            with program.given.called((args, kwargs)):
                return program(inputs)
        except Resized:
            raise
        except (Undecided, Specialised) as size:  # of which the derivative of the program has to know more
            if fallback.is_strict(self.level):
                raise specialise.unknown(size) from None
            fallback.warn(self.name, specialise.unknown(size))
            program.calls_back = True
            return fallback.uncompiled(fn, args, kwargs)
        except Exception as error:  # of the program; a run that fails has written nothing yet, so Python can repeat it
            if not program.can_be_repeated():
                raise
            return fallback.repeated(fn, args, kwargs, error)

    def shared(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a function in Python whose arguments are one object under two names: a change of one is one of both."""
        error = GraphSyntaxError("A list, dict or data class stands twice among the arguments, or is known to the "
                                 "function by another name, too, so that a change of the one changes the other.")
        if fallback.is_strict(self.level):
            raise error
        if not self.uncompiled:
            fallback.warn(self.name, error)
            self.uncompiled[None] = str(error)
        return fallback.uncompiled(fn, args, kwargs)

    def found(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
              tried: Sequence[Program] = (), resized: str = "") -> Program | None:
        """The program for the arguments; None if it cannot be compiled and runs in Python."""
        if self.uncompiled and not self.uncompiled.keys().isdisjoint(
                [key for key, _ in self.keys(args, kwargs)]):
            return None
        try:
            return self.program(fn, args, kwargs, tried, resized)
        except Exception as error:  # limits of the compiler run in Python, all else is raised again
            if not fallback.is_limit(error):
                raise
            runtime.failed = None
            if not self.uncompiled:
                fallback.warn(self.name, error)
            if len(self.uncompiled) >= self.limit:
                self.uncompiled.clear()
            self.uncompiled[self.keys(args, kwargs)[-1][0]] = str(error)
            return None

    def program(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                tried: Sequence[Program] = (), resized: str = "") -> Program:
        """The program for the arguments, compiled if there is none.

        Args:
            tried: Programs that met other sizes than they hold for, which `resized` says.
        """
        keys = self.keys(args, kwargs)
        program = self.known(keys, args, kwargs, tried, [])
        if program is not None:
            return program
        with compiling:
            stale: list[Program] = []
            program = self.known(keys, args, kwargs, tried, stale)       # another thread may have compiled it
            return self.compile(keys, fn, args, kwargs, resized, stale) if program is None else program

    def known(self, keys: list[tuple[Any, Any]], args: tuple[Any, ...], kwargs: dict[str, Any],
              tried: Sequence[Program], stale: list[Program]) -> Program | None:
        """A program that holds, none of those that were tried; `stale` takes up those that hold no more."""
        level, mesh = level_of(self.passes), running.mesh()
        with walking:
            for key, _ in keys:
                held = self.programs.get(key, [])
                for program in held:
                    if fits(program, args, kwargs) and not (tried and any([program is p for p in tried])):
                        if program.target.level == level and program.target.mesh == mesh and holds(program):
                            self.renewed.pop(keys[0][0], None)
                            if held[0] is not program:
                                held.remove(program)
                                held.insert(0, program)
                            return program
                        stale.append(program)
        return None

    def compile(self, keys: list[tuple[Any, Any]], fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                resized: str, stale: list[Program]) -> Program:
        """Compile and keep a program."""
        held = [p for programs in self.programs.values() for p in programs]
        level = level_of(self.passes)
        reason = resized or why(described(fn, args, kwargs), held, stale, level)
        if stale:
            self.note_renewal(keys[0][0], reason)
        try:
            with at_level(level):
                key, program = self.new(keys, fn, args, kwargs, reason)
        except Exception as error:  # of the program; without the frames of the compiler
            raise trimmed(error) from error.__cause__
        self.keep(key, program, reason)
        return program

    def note_renewal(self, key: Any, reason: str) -> None:
        """Count the calls in a row that have to compile anew; GraphValueError if they are too many."""
        self.renewed[key] = self.renewed.get(key, 0) + 1
        if self.renewed[key] >= _IN_A_ROW and not fallback.is_strict(self.level):
            raise GraphValueError(f"{_IN_A_ROW} calls in a row had to compile anew, the last because {reason}. "
                                  f"{remedy(reason)}")

    def new(self, keys: list[tuple[Any, Any]], fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
            reason: str) -> tuple[Any, Program]:
        """A new program, for all sizes if that can be, and what it is kept under."""
        key, extents = keys[0]
        if extents and key not in self.special:
            if len(self.programs.get(key, ())) < _PER_SHAPE:
                program = specialise.general(self.name, extents, fn, args, kwargs, reason)
                if program is not None:
                    return key, program
            self.special.add(key)
        return keys[-1][0], specialise.special(self.name, fn, args, kwargs, reason)

    def keep(self, key: Any, program: Program, reason: str) -> None:
        """Keep a new program; the oldest go when there are too many."""
        program.trace = None
        self.compiled += 1
        if self.compiled in _TOO_OFTEN:
            log.warning("'%s' is compiled for the %dth time: %s. %s", self.name, self.compiled, reason,
                        remedy(reason))
        with walking:
            held = self.programs.setdefault(key, [])
            if sum([p.has_dynamic_results for p in held]) == _PER_KEY and not fallback.is_strict(self.level):
                self.uncompiled[key] = "a size that only the run tells differs too often"
            held.insert(0, program)
            del held[_PER_KEY:]
            if len(self.programs) > self.limit:
                self.programs.pop(next(iter(self.programs)))

    def keys(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[Any, Any]]:
        """What programs for the arguments are kept under, with the dimensions whose extents may differ."""
        found = self.signatures(args, kwargs)
        if runtime.casting is None:
            return found
        around = mixed.marks_of(tree.leaves((args, kwargs), is_tensor))
        return [((around, key), extents) for key, extents in found]

    def signatures(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[Any, Any]]:
        """What `keys` gives for a call that no cell with a float type of its own makes."""
        exact = [(signature_of(args, kwargs), ())]
        if self.unknown is None and not MutableCount.count:
            return exact
        extents = self.unknown(args, kwargs) if self.unknown else []
        if MutableCount.count:
            extents = with_numbers(extents, args, kwargs)
        if not any(extents):
            return exact
        shape_of = masked(extents)

        def leaf(value: Any) -> Any:
            if is_tensor(value):
                return shape_of(value), value._data.dtype
            return (shape_of(value), type(value)) if is_number(value) else leaf_signature(value)
        return [(tree.signature((args, kwargs), leaf), extents), *exact]


def tell_calls(note: Callable[[str, int, int], None] | None) -> None:
    """Let every call of a compiled function say its name, and in ns when it began and ended; None: no more."""
    def run(self: Cache, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        assert note is not None
        start = time.perf_counter_ns()
        try:
            return _RUN(self, fn, args, kwargs)
        finally:
            note(self.name, start, time.perf_counter_ns())
    Cache.run = _RUN if note is None else run     # so that nobody pays for it else


_RUN = Cache.run


def _gathered(value: Any) -> Any:
    """The batch of all processes; numbers are the same in all of them."""
    return all_gather(value) if value.ndim else value


def _share(tensors: Sequence[Any]) -> bool:
    """Whether two tensors are one, or share memory."""
    storages = [t._data.untyped_storage().data_ptr() for t in tensors if t._data.numel()]
    return len(set(storages)) < len(storages)


def sees(tensors: Sequence[Any], assigned: Sequence[Any]) -> bool:
    """Whether a tensor is a view of a parameter that the program assigns."""
    bases = [t._data for t in tensors if t._data._base is not None]
    if not bases:
        return False
    storages = {x.untyped_storage().data_ptr() for x in bases}
    others = {p._data.untyped_storage().data_ptr() for p in assigned if p._data._base is None}
    return not storages.isdisjoint(others) or _share([t for t in tensors if t._data._base is not None])
