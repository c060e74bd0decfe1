"""The constructors and calls of the classes that are made from operators."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType
from mindspore.core.mistaken import mistaken

from .arguments import no_tensor
from .attribute_kinds import checks
from .lying import with_notes
from .signatures import Form, Param, arguments, compiled, listed
from .spelling import renamed

# flags that may be other values, which count as their truth; 2.10 takes these
_LOOSE = {("Quantile", "keep_dims"), ("Quantile", "ignore_nan"), ("AdamWeightDecay", "use_locking"), ("Lstsq", "fast")}

# types of attributes by their names in annotations, and what messages call them
CONSTANTS: dict[str, tuple[type, str]] = {"str": (str, "a str"), "int": (Integral, "an int"),
                                          "DType": (DType, "a dtype as mindspore.float32")}


def call(op: Any, params: list[Param], inputs: list[Param], module: str, doc: str | None) -> Callable[..., Any]:
    """`__call__` of an operator's class."""
    args = arguments(op, inputs, [p.name for p in params])
    if params:
        args.append("**self.given")
    run, given = f"op({', '.join(args)})", "".join([f"({p.name!r}, {p.name})," for p in inputs if p.kind != "star"])
    # what is caught is raised again: itself, or in the user's words
    source = (f"def __call__({listed(inputs, 'self')}):\n    try:\n"
              f"        if self.notes is not None: return with_notes(self.notes, lambda: {run})\n        return {run}\n"
              f"    except AttributeError as e: raise told(self.name, ({given}), e) from None\n"
              f"    except Exception as e:\n        made = mistaken(self.name, lambda: dict(({given})), e)\n"
              "        if made is e: raise\n        raise made from made.__cause__\n")
    return compiled(source, "__call__", module, doc, op=getattr(op, "body", op), with_notes=with_notes, told=told,
                    mistaken=mistaken)


def told(owner: str, given: tuple[tuple[str, Any], ...], error: AttributeError) -> Exception:
    """What to raise for an input that may be no tensor."""
    return no_tensor(owner, given, error) or mistaken(owner, lambda: dict(given), error)


class _Absent:
    def __repr__(self) -> str:
        return "<absent>"


ABSENT = _Absent()         # an earlier spelling that was not used


def constructor(base: type, form: Form, params: list[Param], module: str,
                kinds: Mapping[str, str]) -> Callable[..., Any]:
    """`__init__` of the class of a form, whose base keeps the attributes; `kinds` names types that some must have."""
    earlier = renamed(form.name)
    extra = [Param(old, "ABSENT", "keyword", None) for old in earlier]
    required = [p for p in params if p.default is None and p.name in earlier.values()]
    shown = [p._replace(default="ABSENT") if p in required else p for p in params]
    lines = [f"def __init__({listed([*shown, *extra], 'self')}):"]
    for old, new in earlier.items():
        unset = next(p.default for p in shown if p.name == new)
        twice = f"{form.name}.__init__() got '{new}' twice, under names that mean the same."
        lines += [f"    if {old} is not ABSENT:", f"        if {new} != {unset}: raise TypeError({twice!r})",
                  f"        {new} = {old}"]
    lines += [f"    if {p.name} is ABSENT: raise TypeError(\"{form.name}.__init__() missing 1 "
              f"required positional argument: '{p.name}'\")" for p in required]
    lines += [f"    if type({p.name}) is not bool: raise fail(TypeError, {form.name!r}, {p.name!r}, 'a bool', {p.name})"
              for p in params if p.default in ("True", "False") and (form.name, p.name) not in _LOOSE]
    lines += [f"    if not isinstance({p.name}, KINDS[{kinds[p.name]!r}][0]) or type({p.name}) is bool: "
              f"raise fail(TypeError, {form.name!r}, {p.name!r}, KINDS[{kinds[p.name]!r}][1], {p.name})"
              for p in params if p.name in kinds]
    checked = checks().get(form.name, {})
    lines += [f"    {'if ' + p.name + ' is not None: ' if p.default == 'None' else ''}"
              f"CHECKED[{p.name!r}]({form.name!r}, {p.name!r}, {p.name})" for p in params if p.name in checked]
    lines.append(f"    Primitive.__init__(self, {form.name!r})")
    if params:
        lines.append(f"    self.keep({', '.join(f'{p.name}={p.name}' for p in params)})")
    return compiled("\n".join(lines) + "\n", "__init__", module, None, Primitive=base,
                    ABSENT=ABSENT, fail=check.fail, KINDS=CONSTANTS, CHECKED=checked)
