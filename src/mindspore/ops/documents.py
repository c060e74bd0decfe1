"""The texts of public names that are made from an operator: its own text, in the words of each signature.

A kernel explains its parameters in one section `Args:`, under its own names.  The text of a class puts those of the
constructor under `Args:` and those of the call under `Inputs:`, the text of a function or method all of them under
`Args:`, each with its public name.
"""
from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import explained

_SECTION = re.compile(r"^Args:\n((?:(?: .*)?\n)*?)(?=\S|\Z)", re.MULTILINE)
_ARGS = re.compile(r"^Args:\n(?: {4}.*\n)+", re.MULTILINE)
_ENTRY = re.compile(r"^ {4}(\*?\w+(?:, \*?\w+)*): ?(.*(?:\n {5,}.*)*)", re.MULTILINE)
_EXAMPLES = "\n\nExamples:\n"
_SYMBOLS = {"x", "y"}              # parameters of kernels that are no words: formulas name them without quotes

Bound = Sequence[tuple[Any, str]]  # parameters of a signature, each with the kernel's parameter that it means


def of_function(op: Any, params: Bound, name: str) -> str | None:
    """The text of a function or a method; its examples call the function of that name, where there is one."""
    text = _text(op, [("Args", params)])
    return text.replace(f"ops.{op.name}()(", f"ops.{name}(") if text and name else text


def of_class(op: Any, name: str, params: Sequence[Any], inputs: Bound, functions: Sequence[str],
             earlier: Mapping[str, str] | None = None) -> str | None:
    """The text of a primitive of that name; its examples call the class instead of one of the functions.

    It names the earlier spellings of parameters, too: {earlier: present}.
    """
    text = _text(op, [("Args", [(p, p.target or p.name) for p in params]), ("Inputs", inputs)])
    if not text:
        return text
    for function in () if params else functions:
        text = text.replace(f"ops.{function}(", f"ops.{name}()(")
    for old, new in (earlier or {}).items():
        text = _ARGS.sub(f"\\g<0>    {old}: An earlier name of `{new}`.\n", text, count=1)
    return text.replace(f"ops.{op.name}(", f"ops.{name}(").replace("\nReturns:\n", "\nOutputs:\n")


def _text(op: Any, sections: Sequence[tuple[str, Bound]]) -> str | None:
    """The operator's text with these sections."""
    if not op.__doc__:
        return op.__doc__
    text, mark, examples = inspect.cleandoc(op.__doc__).partition(_EXAMPLES)
    if more := explained.sections(op):
        more, other, shown = more.rstrip().partition(_EXAMPLES)
        text, mark, examples = f"{text}\n\n{more}", mark or other, "\n".join(filter(None, [examples, shown]))
    text += "\n"
    found = _SECTION.search(text)
    if found:
        entries = dict(_entries(found.group(1)))
        made = "".join([_section(title, params, entries) for title, params in sections])
        text = f"{text[:found.start()]}{made}{text[found.end():]}"
    names = {target: p.name for _, params in sections for p, target in params if target != p.name}
    return f"{_renamed(text, names).rstrip()}{mark}{examples}"


def _entries(section: str) -> Iterator[tuple[str, str]]:
    """Each parameter of a section with its words."""
    for names, words in _ENTRY.findall(section):
        for name in names.split(", "):
            yield name.lstrip("*"), words


def _section(title: str, params: Bound, entries: dict[str, str]) -> str:
    """A section on the parameters that have an entry; neighbours with the same words stay together."""
    lines: list[list[str]] = []
    for p, target in params:
        words = entries.get(target) if p.name != "self" else None
        name = f"*{p.name}" if p.kind == "star" else p.name
        if words and lines and lines[-1][1] == words:
            lines[-1][0] += f", {name}"
        elif words:
            lines.append([name, words])
    return f"{title}:\n" + "".join([f"    {names}: {words}\n" for names, words in lines]) + "\n" if lines else ""


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with the public names of parameters: those in quotes, and symbols in formulas."""
    if not names:
        return text
    quoted = [f"(?<=`){old}(?=[`.])" for old in names]
    symbols = [rf"(?<![`\w]){old}(?![`\w])" for old in names if old in _SYMBOLS]
    return re.sub("|".join(quoted + symbols), lambda m: names[m.group()], text)
