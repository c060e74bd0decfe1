"""Every argument of every data operation takes what the original takes, and refuses the rest with a clear error."""
from __future__ import annotations

import inspect
import re

import pytest
from checked_arguments import ORIGINAL, OURS, REQUIRED, VALUES

from mindspore import dataset

NAN = [isinstance(value, float) and value != value for value in VALUES]      # which only `Fill` takes here


def arguments(table):
    """The pattern of each argument: (module, class, argument)."""
    return {(module, kind, name): pattern for pattern, kinds in table.items()
            for module, kind, names in re.findall(r"(\w+)\.(\w+)\(([^)]*)\)", kinds) for name in names.split(",")}


PATTERNS = arguments(ORIGINAL) | arguments(OURS)


def made(kind, name, value):
    """An operation with this value of an argument."""
    needed = [n for n, p in inspect.signature(kind).parameters.items() if p.default is p.empty]
    return kind(**{n: REQUIRED[n] for n in needed if n != name}, **{name: value})


@pytest.mark.parametrize("module", ["audio", "text", "transforms", "vision"])
def test_arguments_are_taken_or_refused_as_by_the_original(module):
    differs, count = [], 0
    for (home, kind, name), pattern in PATTERNS.items():
        if home != module:
            continue
        for value, sign, nan in zip(VALUES, pattern, NAN, strict=True):
            count += 1
            try:
                made(getattr(getattr(dataset, module), kind), name, value)
                taken = True
            except (TypeError, ValueError, RuntimeError) as error:
                taken = False
                if not re.search(f"'{name}'|For '", str(error)):
                    differs.append(f"{kind}({name}={value!r}): {error}")
            if taken != (sign == "+" and (kind == "Fill" or not nan)):
                differs.append(f"{kind}({name}={value!r}) is {'taken' if taken else 'refused'}")
    assert not differs, "\n".join(differs)
    assert count > 100


def test_what_is_refused_elsewhere_is_refused_here():
    original = arguments(ORIGINAL)
    more = [key for key, pattern in arguments(OURS).items()
            if any(o == "." and p == "+" for o, p in zip(original[key], pattern, strict=True))]
    assert {name for _, _, name in more} == {"center"}       # a list of two numbers, as well as a tuple
