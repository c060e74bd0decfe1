"""Whether a program holds: what it read while it was compiled is still so."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindspore.compiler.frontend.objects.watch import standing
from mindspore.core.mutable import is_number
from mindspore.eager import mixed
from mindspore.eager.hooks import hooks_of
from mindspore.eager.parameter import Parameter, Version
from mindspore.eager.tensor import Tensor
from mindspore.ir import tree

from .signature import is_small, leaf_signature


def fits(program: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether arguments of a program's signature have the constants and sizes that it was compiled for."""
    if program.shapes_fit and not program.shapes_fit(
            [t._data if is_number(t) else t._data.shape
             for t in tree.leaves((args, kwargs), program.is_input)]):
        return False
    return program.constants is None or program.constants == [
        t.tolist() for t in tree.leaves((args, kwargs), is_small)]


def holds(program: Any) -> bool:
    """Whether what a program read of cells, parameters and names while compiling is still so."""
    version = Version.value            # before anything is looked at, which another thread may change meanwhile
    last = None
    for k, owner, name, i, aval in program.sources:
        now = standing(owner, name)
        if type(now) is not Tensor:
            found = tree.leaves(now, lambda v: type(v) is Tensor)
            now = found[i] if i < len(found) else None
        if now is None or now.aval != aval:
            return False
        if k == last and now is not program.captured[k]:       # one tensor that stood in two places
            return False
        program.captured[k], last = now, k
    if not program.outside.holds():
        return False
    for place, before in program.contents:
        if not is_as_before(place, before):
            return False
    if program.cast is not None and mixed.marks_of(program.captured) != program.cast:
        return False
    if program.version == version:
        return True
    if not all([state.holds(program.outside.same) for state in program.cells]):
        return False
    if marks_of(program.watched) != program.marks or (
            [hooks_of(t) for t in program.captured] != program.hooks) or (
            any(p.changes() != before for p, before in program.primitives)):
        return False
    program.version = version
    return True


def marks_of(parameters: Iterable[Parameter]) -> list[tuple[Any, ...]]:
    """What a program depends on of parameters beside their kind."""
    return [(p.requires_grad, p.comm_fusion, p.stored) for p in parameters]


def is_as_before(place: Any, before: Any) -> bool:
    """Whether what an object holds has the structure that it had while compiling."""
    return tree.signature(place.get(), leaf_signature) == before
