"""What the docstring of a public name lacks: arguments that it does not explain, an example.

    PYTHONPATH=src:. python -m tests.documented ops nn      # the names that lack something, per family
"""
from __future__ import annotations

import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

FAMILIES = (
    "ops", "Tensor", "nn", "numpy", "numpy.fft", "mint", "mint.nn", "mint.nn.functional", "mint.linalg", "mint.special",
    "mint.optim", "scipy.linalg", "scipy.optimize", "scipy.fft", "scipy.sparse.linalg", "train", "dataset",
    "dataset.vision", "dataset.transforms", "dataset.text", "dataset.audio", "amp", "nn.probability.distribution",
    "nn.probability.bijector", "boost",
)
SECTION = re.compile(r"^(Args|Inputs?|Keyword Args):", re.MULTILINE)
ARGUMENTS = re.compile(r"^Args:", re.MULTILINE)
ENTRY = re.compile(r"^ {4}([\w*]+(?:[,/ ]+(?:and )?[\w*]+)*)(?: \([^)]*\))?:", re.MULTILINE)


def public(family: str) -> Iterator[tuple[str, Any]]:
    """The public functions and classes of a family, by name."""
    import mindspore

    owner = mindspore.Tensor if family == "Tensor" else importlib.import_module(f"mindspore.{family}")
    for name in sorted(getattr(owner, "__all__", None) or dir(owner)):
        if name.startswith("_"):
            continue
        static = inspect.getattr_static(owner, name, None)
        value = static if isinstance(static, property) else getattr(owner, name)
        ours = (getattr(value, "__module__", None) or "mindspore").startswith("mindspore")
        if ours and (callable(value) or isinstance(value, property)):
            yield name, value


def parameters(value: Any) -> list[str]:
    """The names of the parameters that a caller gives."""
    from mindspore.nn import Cell

    if isinstance(value, property) or (isinstance(value, type) and issubclass(value, enum.Enum)):
        return []
    if inspect.isclass(value) and issubclass(value, Cell) and value.__init__ is Cell.__init__ and value is not Cell:
        return []                          # `Cell` explains what a cell without a constructor of its own takes
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name for each in found if each.name not in ("self", "cls") and not each.name.startswith("_")]


def explained(doc: str, sections: re.Pattern[str] = SECTION) -> set[str]:
    """The names that a docstring's sections on arguments and inputs explain."""
    found: set[str] = set()
    for start in sections.finditer(doc):
        section = re.split(r"\n(?=\S)", doc[start.end():], maxsplit=1)[0]
        for entry in ENTRY.finditer(section):
            found.update(re.findall(r"\w+", entry.group(1)))
    return found


def invented(value: Any) -> list[str]:
    """The names that the section on arguments explains and the signature lacks."""
    try:
        taken = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL) for each in taken):
        return []
    return sorted(explained(inspect.getdoc(value) or "", ARGUMENTS) - {each.name for each in taken} - {"and"})


def lacks(value: Any) -> str:
    """What the docstring lacks, in words; empty if nothing."""
    doc = inspect.getdoc(value) or ""
    known = explained(doc)
    missing = [name for name in parameters(value) if name not in known]
    words = [f"arguments {', '.join(missing)}"] if missing else []
    if ">>>" not in doc and not isinstance(value, property):
        words.append("an example")
    return "; ".join(words) if doc else "a docstring"


if __name__ == "__main__":
    for chosen in sys.argv[1:] or FAMILIES:
        incomplete = {name: words for name, value in public(chosen) if (words := lacks(value))}
        print(f"{chosen}: {len(incomplete)} of {sum(1 for _ in public(chosen))}")
        if sys.argv[1:]:
            print(*(f"  {name}: {words}" for name, words in incomplete.items()), sep="\n")
