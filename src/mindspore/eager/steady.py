"""Training steps whose tape has the same structure every time: from the fifth on a compiled program does the sweep.

It is made beside the steps before.  Which step is the first depends on nothing but the steps of the same network, so
that a training that is run again gives the same numbers.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch

from mindspore.core import context
from mindspore.core.devices import uses_meta
from mindspore.eager.hooks import Hooked
from mindspore.eager.records import FREED, Record, Var
from mindspore.eager.structure import Other, Structure, Sweep
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir.runtime import base, runtime
from mindspore.operators.choices import choices
from mindspore.operators.registry import Operator

_BEGUN, _USED = 3, 5        # sweeps of one structure: the one with which a program is begun, the first that it does
_MOST = 16                  # structures of one network, beyond which none is asked for
_PROGRAMS = 64              # that are kept

_seen: dict[int, dict[Any, int]] = {}            # by the id of a parameter: how often a structure was met
_steady: set[int] = set()                        # of those the ones that a program did a sweep for
_programs: dict[Any, Any] = {}


class Training(NamedTuple):
    """Whose sweeps may be done by programs.

    Attributes:
        owner: A parameter of the network that is trained.
        make: Begins to make the program of a sweep; its result has `program()`, which waits for it.
    """

    owner: Any
    make: Callable[[Sweep], Any]


def repeated(order: Sequence[Record], outs: Sequence[tuple[Var, Tensor]], wanted: Sequence[Var], training: Training,
             keep: bool) -> list[Tensor | None] | None:
    """The cotangents that a sweep gives, computed by a program; None if it is to be done record by record.

    Args:
        order: Its records, latest first.
        outs: The variables that are differentiated, with their cotangents.
        wanted: The variables whose cotangents are asked for.
        training: Whose sweep it is.
        keep: Whether the records have to stay usable.
    """
    level = context.state.jit_level
    if Hooked.count or runtime.slicing or level == "O0" or uses_meta() or not (
            runtime.top is base or all([one.measuring for one in runtime.stack[1:]])):
        return None
    given = [(var, d._data) for var, d in outs]
    found = _known(order, given, wanted, training.owner)
    if found is None:
        return None
    structure, times = found
    key = structure.key, level, torch.get_num_threads(), choices()
    making = _programs.get(key)
    if making is None:
        while len(_programs) >= _PROGRAMS:
            _programs.pop(next(iter(_programs)))
        making = _programs[key] = training.make(structure.described(given, wanted))
    program = making.program() if times >= _USED else None
    if program is None:
        return None
    outer, runtime.swept = runtime.swept, order
    try:
        results = program([*structure.tensors, *[d for _, d in given]])
    except Exception:  # of a kernel: raised again by the sweep, with the line of the program
        return None
    finally:
        runtime.swept = outer
    _steady.add(id(training.owner))
    if not keep:
        for record in order:
            if type(record.op) is Operator:
                record.saved = FREED
    return [None if r is None else wrap(r) for r in results]


def _known(order: Sequence[Record], outs: Sequence[tuple[Var, torch.Tensor]], wanted: Sequence[Var],
           owner: Any) -> tuple[Structure, int] | None:
    """The structure of a sweep, and how often it was met; None if it is rare or no program can do it."""
    met = _seen.get(id(owner))
    if met is None:
        met = _seen[id(owner)] = {}
        weakref.finalize(owner, _forget, id(owner)).atexit = False
    if len(met) > _MOST:
        return None
    try:
        found = Structure(order, outs, wanted)
        times = met[found.key] = met.get(found.key, 0) + 1
    except (Other, TypeError):           # TypeError: a constant that cannot be hashed
        return None
    return (found, times) if times >= _BEGUN else None


def _forget(owner: int) -> None:
    _seen.pop(owner, None)
    _steady.discard(owner)


@contextmanager
def running(weights: Sequence[Any]) -> Generator[None]:
    """What runs in the block is differentiated for these parameters: it is told if such steps repeat themselves."""
    before = runtime.steady
    runtime.steady = bool(weights) and id(weights[0]) in _steady and context.state.jit_level != "O0"
    try:
        yield
    finally:
        runtime.steady = before
