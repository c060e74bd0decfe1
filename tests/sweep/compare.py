"""Holds outcomes against those of the original.

    python tests/sweep/compare.py ORIGINAL.jsonl OURS.jsonl [--list KIND ...] [--most 2] [--only TEXT] [--all]

Differences that `causes.csv` knows the cause of are counted by it; `--all` takes no notice of it.

A difference has a kind: `value`, `dtype`, `shape`, `structure` (both give a result), `after` (arguments that the call
changed), `refused` (only the original gives a result), `taken` (only ours does), `class` (both raise, and ours is no
subclass of the original's).  `grad` before it: the difference is that of the gradients of the call.
"""
from __future__ import annotations

import argparse
import collections
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from accepted import Causes

TOLERANCE = {"float64": (1e-6, 1e-7), "complex128": (1e-6, 1e-7), "float32": (1e-4, 1e-5), "complex64": (1e-4, 1e-5),
             "float16": (5e-3, 2e-3), "bfloat16": (2e-2, 1e-2), "float": (1e-5, 1e-6)}
WIDER = 10      # for gradients


def near(got, want, dtype, wider=1):
    """Whether two elements agree."""
    if isinstance(want, (bool, int)) or isinstance(got, (bool, int)) or dtype not in TOLERANCE:
        return got == want
    got, want = float(got), float(want)
    if got == want or (got != got and want != want):
        return True
    rtol, atol = TOLERANCE[dtype]
    return math.isfinite(got) and math.isfinite(want) and abs(got - want) <= wider * (atol + rtol * abs(want))


def values_differ(got, want, dtype, wider):
    if isinstance(got, str) or isinstance(want, str):
        return got != want
    return len(got) != len(want) or not all(near(g, w, dtype, wider) for g, w in zip(got, want, strict=True))


def differ(got, want, wider=1):
    """The kind of the difference between two results, or None."""
    if isinstance(want, dict) and isinstance(got, dict) and set(got) == set(want):
        for key, kind in (("t", "dtype"), ("n", "dtype"), ("s", "shape")):
            if want.get(key) != got.get(key):
                return kind
        if "v" in want:
            return "value" if values_differ(got["v"], want["v"], want.get("t") or want["n"], wider) else None
        (key, mine), (_, theirs) = *got.items(), *want.items()
        if key == "float":
            return None if near(mine, theirs, "float", wider) else "value"
        if key in ("tuple", "list"):
            if len(mine) != len(theirs):
                return "structure"
            return next((d for d in [differ(m, t, wider) for m, t in zip(mine, theirs, strict=True)] if d), None)
        if key == "dict":
            return "structure" if mine.keys() != theirs.keys() else differ(
                {"list": [mine[k] for k in theirs]}, {"list": list(theirs.values())}, wider)
        return None if mine == theirs else "value"
    if isinstance(want, (bool, int, str, type(None))) and type(got) is type(want):
        return None if got == want else "value"
    return "structure"


def judged(got, want):
    """The kind of the difference between two outcomes, or None."""
    if want.get("error") in ("crash", "timeout"):
        return got["error"] if got.get("error") in ("crash", "timeout") else None
    if got.get("error") in ("crash", "timeout"):
        return got["error"]
    if "error" in want:
        if "error" not in got:
            return "taken"
        return None if want["error"] in got["classes"] or want["error"] == "Exception" else "class"
    if "error" in got:
        return "refused"
    kind = differ(got["out"], want["out"])
    mine, theirs = got.get("after", []), want.get("after", [])
    if not kind and (len(mine) != len(theirs) or any([differ(g[1], w[1]) for g, w in zip(mine, theirs, strict=True)])):
        return "after"
    return kind or derivatives_differ(got.get("grads"), want.get("grads"))


def derivatives_differ(got, want):
    """The kind of the difference between two gradients, or None."""
    if got is None or want is None:
        return None if got == want else "grad structure"
    if "error" in got or "error" in want:
        return judged(got, want) and f"grad {judged(got, want)}"
    kind = differ(got, want, WIDER)
    return kind and f"grad {kind}"


def read(path):
    return {row["id"]: row for row in map(json.loads, Path(path).read_text().splitlines())}


def brief(outcome):
    if "error" in outcome:
        return f"{outcome['error']}: {outcome.get('says', '')[:90]}"
    told = json.dumps(outcome["out"])[:150]
    return f"{told} grads {json.dumps(outcome['grads'])[:300]}" if "grads" in outcome else told


def differences(theirs, ours, table=None):
    """(id, kind, reason or None) of every difference between outcomes by id; calls of one side only are left out."""
    for key, want in theirs.items():
        kind = judged(ours[key], want) if key in ours else None
        if kind:
            yield key, kind, table and table.reason(key, kind, ours[key], want)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("original")
    options.add_argument("ours")
    options.add_argument("--list", nargs="*", default=[])
    options.add_argument("--most", type=int, default=2, help="differences shown per name")
    options.add_argument("--only", default="")
    options.add_argument("--all", action="store_true", help="without the table of accepted differences")
    given = options.parse_args()
    theirs, ours = read(given.original), read(given.ours)
    theirs = {key: want for key, want in theirs.items() if key in ours and given.only in key}
    counts, shown = collections.Counter(equal=len(theirs)), collections.defaultdict(list)
    for key, kind, reason in differences(theirs, ours, None if given.all else Causes()):
        counts["equal"] -= 1
        counts[f"{kind}: {reason}" if reason else kind] += 1
        if kind in given.list and not reason:
            shown[key.split("/")[0]].append((kind, key, ours[key], theirs[key]))
    for what, count in counts.most_common():
        print(f"{count:6} {what}")
    for name, rows in shown.items():
        print(f"{name}: {len(rows)}")
        for kind, key, got, want in rows[:given.most]:
            print(f"    {kind} {key}\n        original {brief(want)}\n        here     {brief(got)}")
