"""Training steps whose tape has the same structure every time: from the fifth on a compiled program does the sweep.

It is made beside the steps before.  Which step is the first depends on nothing but the steps of the same network, so
that a training that is run again gives the same numbers.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from mindspore.core import context
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
    if Hooked.count or runtime.top is not base or runtime.slicing or level == "O0":
        return None
    owner = training.owner
    known = _seen.get(id(owner))
    if known is None:
        known = _seen[id(owner)] = {}
        weakref.finalize(owner, _seen.pop, id(owner), None).atexit = False
    if len(known) > _MOST:
        return None
    given = [(var, d._data) for var, d in outs]
    try:
        found = Structure(order, given, wanted)
        times = known[found.key] = known.get(found.key, 0) + 1
    except (Other, TypeError):           # TypeError: a constant that cannot be hashed
        return None
    if times < _BEGUN:
        return None
    key = found.key, level, torch.get_num_threads(), choices()
    making = _programs.get(key)
    if making is None:
        while len(_programs) >= _PROGRAMS:
            _programs.pop(next(iter(_programs)))
        making = _programs[key] = training.make(found.described(given, wanted))
    program = making.program() if times >= _USED else None
    if program is None:
        return None
    try:
        results = program([*found.tensors, *[d for _, d in given]])
    except Exception:  # of a kernel: raised again by the sweep, with the line of the program
        return None
    if not keep:
        for record in order:
            if type(record.op) is Operator:
                record.saved = FREED
    return [None if r is None else wrap(r) for r in results]

