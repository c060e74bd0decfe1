"""Why a function is compiled again: which argument, attribute or name changed."""
from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mindspore.compiler.frontend.objects.watch import standing
from mindspore.compiler.validity import is_as_before
from mindspore.core.kinds import is_dict, is_sequence
from mindspore.core.mutable import is_number
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime

_PLAIN = (int, float, bool, str, bytes, type(None), complex)


def described(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, str]:
    """A text for every tensor and constant among the arguments, by the name of the argument."""
    found: dict[str, str] = {}
    for name, value in named(fn, args, kwargs):
        _describe(name, value, found)
    return found


def named(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The arguments with the names of the parameters that they go to."""
    target = getattr(fn, "construct", fn)
    try:
        names = list(inspect.signature(target).parameters)
    except (TypeError, ValueError):
        names: list[str] = []
    for i, value in enumerate(args):
        yield (names[i] if i < len(names) else f"argument {i}"), value
    yield from kwargs.items()


def input_names(fn: Any, args: Sequence[Any], kwargs: dict[str, Any],
                is_input: Callable[[Any], bool]) -> list[str]:
    """A name for every input of the graph, from the argument that it stands in."""
    names: list[str] = []
    for name, value in named(fn, args, kwargs):
        count = len(tree.leaves(value, is_input))
        names += [name] if count == 1 else [f"{name}_{i}" for i in range(count)]
    return [f"in_{n}" for n in names]


def _describe(name: str, value: Any, found: dict[str, str]) -> None:
    if isinstance(value, Parameter):
        found[name] = f"Parameter {value.name!r}"
    elif isinstance(value, (Tensor, Node)):
        found[name] = str(value.aval)
    elif is_sequence(value):
        for i, inner in enumerate(value):
            _describe(f"{name}[{i}]", inner, found)
    elif is_dict(value):
        for key, inner in value.items():
            _describe(f"{name}[{key!r}]", inner, found)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            _describe(f"{name}.{one.name}", getattr(value, one.name), found)
    else:
        if is_number(value):
            number: Any = value
            value = number.python(value)
        found[name] = repr(value) if type(value) in _PLAIN else f"{type(value).__name__} at {id(value):#x}"


def why(now: dict[str, str], programs: Sequence[Any], broken: Sequence[Any], level: int) -> str:
    """The reason for one more program.

    Args:
        now: The arguments, described.
        programs: The programs that there are.
        broken: Those among them that were compiled for such arguments, but do not hold any more.
        level: The level of passes of the new one.
    """
    for program in broken:
        if program.target.level != level:
            return f"the jit_level changed from O{program.target.level} to O{level}"
        found = guard_of(program)
        if found:
            return found
    if not programs:
        return "first call"
    latest = sorted(programs, key=lambda p: -p.record.serial)
    nearest = min(latest, key=lambda p: len(_differences(p.record.arguments, now)))
    return "; ".join(_differences(nearest.record.arguments, now)) or _around(nearest) or (
        "arguments are given by name that were given by position, or by position that were given by name")


def _around(program: Any) -> str | None:
    """What differs in the cell that calls the function; None if nothing does."""
    before, casting = program.cast and program.cast[0], runtime.casting
    now = casting and casting.dtype
    return None if now is before else f"the float type of the cell around it changed from {before} to {now}"


def _differences(before: dict[str, str], now: dict[str, str]) -> list[str]:
    texts: list[str] = []
    for name in [*before, *[n for n in now if n not in before]]:
        a, b = before.get(name), now.get(name)
        if a == b:
            continue
        if a is None:
            texts.append(f"argument '{name}' is new: {b}")
        elif b is None:
            texts.append(f"argument '{name}' is not given: it was {a}")
        else:
            texts.append(f"{_aspect(a, b)} of argument '{name}' changed from {a} to {b}")
    return texts


def _aspect(a: str, b: str) -> str:
    """What of an argument changed."""
    if "[" not in a or "[" not in b or " " in a + b:
        return "object" if " at 0x" in a and " at 0x" in b else "value"
    if a.partition("[")[0] != b.partition("[")[0]:
        return "dtype" if a.partition("[")[2] == b.partition("[")[2] else "dtype and shape"
    return "shape"


def guard_of(program: Any) -> str | None:
    """What a program read while it was compiled and is not so any more; None if all is."""
    for _, owner, name, _, aval in program.sources:
        now = standing(owner, name)
        if not isinstance(now, (tuple, list, dict)) and getattr(now, "aval", None) != aval:
            return f"tensor '{name}' of {type(owner).__name__} changed from {aval} to {_shown(now)}"
    found = program.outside.broken()
    if found:
        return found
    for place, _ in program.contents:
        if not _as_before(program, place):
            return f"{place} changed its structure"
    broken: list[str | None] = [state.broken(program.outside.same) for state in program.cells]
    return next((text for text in broken if text), None) or _changed_mark(program)


def _changed_mark(program: Any) -> str | None:
    """What of parameters and primitives is not as a program met it."""
    for parameter, before in zip(program.watched, program.marks, strict=True):
        for name, value in zip(("requires_grad", "comm_fusion", "stored"), before, strict=True):
            if getattr(parameter, name) != value:
                return f"'{name}' of the parameter '{parameter.name}' changed from {value}"
    for primitive, before in program.primitives:
        if primitive.changes() != before:
            return f"an attribute or note of the primitive '{primitive.name}' was set"
    return None


def _as_before(program: Any, place: Any) -> bool:
    return all(is_as_before(p, before) for p, before in program.contents if p is place)


def _shown(value: Any) -> str:
    return str(value.aval) if isinstance(value, Tensor) else repr(value)


def remedy(reason: str) -> str:
    """What a program can do about a reason that comes again and again."""
    tail = "mindspore.graph.explain(...) lists all programs and reasons."
    if reason.startswith(("shape", "dtype and shape")):
        return f"Pad to one shape, or give the changing dimension as None to set_inputs. {tail}"
    if reason.startswith("value"):
        return f"Give the number as a Tensor, or by mindspore.mutable. {tail}"
    if reason.startswith("object"):
        return f"Make the object once, outside of the loop. {tail}"
    if reason.startswith(("attribute", "name", "element", "content")):
        return f"Keep what changes in a Parameter or give it as a Tensor argument. {tail}"
    return tail
