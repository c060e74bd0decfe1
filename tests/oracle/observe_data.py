"""Vary the options of data operations and pipelines and write what comes of them in MindSpore.

Arguments: vision, audio, text, transforms or pipelines; a file; names, else all. Runs with the Python of the original;
every name in a process of its own, as some calls end it. What is kept of the file are the tables
`tests/support/observed_*.txt`. A call that comes to something else with another seed is left out.
"""

import inspect
import itertools
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import observed_data
from data_choices import IMAGES, NEEDED, OPTIONS, PIPELINES, SOUNDS, TEXTS, WRONG

INPUTS = {
    "vision": IMAGES,
    "audio": SOUNDS,
    "text": TEXTS,
    "transforms": ["ints", "table", "real", "label", "words", "color", "flags", "digits", "(ints, real)"],
}
MOST = 6        # inputs of a call without options


def numbers(default):
    """Other values than a default."""
    if isinstance(default, bool):
        return [repr(not default)]
    if isinstance(default, int):
        return [repr(default + 1), repr(default + 3), repr(max(default - 1, 0))]
    if isinstance(default, float):
        return [repr(round(default * 0.5 + 0.1, 6)), repr(round(default + 0.3, 6))]
    return []


def choices(module, name, parameter):
    """Values for a parameter, as texts."""
    for key in (f"{module}.{name}.{parameter.name}", f"{module}.{parameter.name}", parameter.name):
        if key in OPTIONS:
            return OPTIONS[key]
    default = parameter.default
    if hasattr(type(default), "__members__"):
        return [f"{module}.{type(default).__name__}.{member}" for member in type(default).__members__]
    return numbers(default)


def made(module, name, given):
    return f"{module}.{name}({', '.join(f'{key}={value}' for key, value in given.items())})"


def of_operation(module, name):
    """Calls with every option alone, with some of every other option, and with wrong values."""
    kind = getattr(observed_data.SPACE[module], name)
    parameters = [p for p in inspect.signature(kind.__init__).parameters.values() if p.name != "self"]
    parameters = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    ways = {p.name: choices(module, name, p) for p in parameters}
    ways.update({key.split(".")[-1]: value for key, value in NEEDED.items() if key.startswith(f"{module}.{name}.")})
    needed = [p.name for p in parameters if p.default is p.empty]
    base = {key: ways[key][0] for key in needed if ways.get(key)}
    right = []
    for given in INPUTS[module]:
        call = f"{made(module, name, base)}({given})"
        yield call
        if not observed_data.outcome(call).startswith("error"):
            right.append(given)
    for p in parameters:
        for value in ways[p.name]:
            for given in right[:MOST]:
                yield f"{made(module, name, {**base, p.name: value})}({given})"
    for p, q in itertools.combinations(parameters, 2):
        for value, other in zip(ways[p.name][:2], ways[q.name][1:3] or ways[q.name]):  # noqa: B905  # as many as there are
            for given in right[:2]:
                yield f"{made(module, name, {**base, p.name: value, q.name: other})}({given})"
    for p in parameters:
        for value in WRONG:
            yield f"{made(module, name, {**base, p.name: value})}({(right or INPUTS[module])[0]})"


def one(module, name, file):
    calls = PIPELINES if module == "pipelines" else of_operation(module, name)
    with open(file, "a") as out:
        for call in dict.fromkeys(calls):
            first = observed_data.outcome(call, 3)
            if all(observed_data.outcome(call, seed) == first for seed in (3, 4, 5)) and len(call) + len(first) < 900:
                print(call, "=>", first, file=out, flush=True)


def main(module, file):
    names = sys.argv[3:] or ["all"]
    if module != "pipelines" and names == ["all"]:
        names = [n for n, kind in sorted(vars(observed_data.SPACE[module]).items())
                 if inspect.isclass(kind) and n[0].isupper() and not hasattr(kind, "__members__")]
    for name in names:
        child = os.fork()
        if not child:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            if "LOUD" not in os.environ:
                os.dup2(null, 2)
            signal.alarm(90)
            try:
                one(module, name, file)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:3])
