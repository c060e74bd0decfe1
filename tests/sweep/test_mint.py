"""Hundreds of calls of `mint` come to what torch's function of that name comes to, gradients included.

What differs has a reason in `accepted_torch.csv`, which is read as `causes.csv` is.  Errors of torch have classes of
their own and are not compared.
"""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import accepted
import compare
from test_sweep import outcomes

import mint

HERE = Path(__file__).parent
TABLE = accepted.Causes(HERE / "accepted_torch.csv")


def leaves(value):
    """The tensors and numbers of an outcome, in order."""
    if isinstance(value, dict) and not {"t", "n", "float", "complex", "dtype"} & value.keys():
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def differ(got, want, wider=1):
    """The kind of the difference between two results, whatever holds their tensors, or None."""
    got, want = leaves(got), leaves(want)
    if len(got) != len(want):
        return "structure"
    return next((kind for kind in [compare.differ(g, w, wider) for g, w in zip(got, want, strict=True)] if kind), None)


def judged(got, want):
    """The kind of the difference between an outcome and that of torch, or None."""
    if "error" in got:
        return "refused"
    kind = differ(got["out"], want["out"])
    if kind or not want.get("grads"):
        return kind
    found = got.get("grads") or {"error": "none"}
    kind = "refused" if "error" in found else differ(found, want["grads"]["flat"], compare.WIDER)
    return kind and f"grad {kind}"


def left_over(folder, mode, calls):
    """The differences from torch that have no reason, and the number of calls that torch takes."""
    found = outcomes(folder, mode, calls)
    subprocess.run([sys.executable, str(HERE / "run_torch.py"), "calls", "torch"], cwd=folder, check=True, timeout=500)
    theirs = {key: want for key, want in compare.read(folder / "torch").items() if "error" not in want}
    kinds = {key: judged(found[key], want) for key, want in theirs.items()}
    left = [key for key, kind in kinds.items() if kind and not TABLE.reason(key, kind, found[key], theirs[key])]
    return [(key, kinds[key], compare.brief(theirs[key]), compare.brief(found[key])) for key in left], len(theirs)


@pytest.mark.slow
def test_calls_of_mint_come_to_what_torch_comes_to(tmp_path):
    left, number = left_over(tmp_path, "pynative", list(mint.kept()))
    assert not left
    assert number > 350


@pytest.mark.slow
def test_some_calls_of_mint_come_to_the_same_in_graphs(tmp_path):
    rows = [call for call in mint.kept() if call["id"].endswith("/1/")]
    left, number = left_over(tmp_path, "graph", rows[::10])
    assert not left
    assert number > 20


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.skipif(not os.environ.get("ANYSPORE_NIGHTLY"), reason="set ANYSPORE_NIGHTLY")
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_all_calls_of_mint_come_to_what_torch_comes_to(tmp_path, mode):
    calls = list(mint.calls() if mode == "pynative" else mint.kept())
    assert not left_over(tmp_path, mode, calls)[0]


def test_a_difference_is_seen():
    want = {"out": {"t": "float32", "s": [], "v": [1.0]}, "grads": {"flat": [{"t": "float32", "s": [1], "v": [2.0]}]}}
    got = {"out": want["out"], "grads": {"tuple": [{"t": "float32", "s": [1], "v": [2.0]}]}}
    assert judged(got, want) is None
    assert judged({**got, "out": {"t": "float32", "s": [], "v": [1.5]}}, want) == "value"
    assert judged({**got, "grads": {"t": "float32", "s": [1], "v": [3.0]}}, want) == "grad value"
    assert judged({"error": "TypeError", "classes": ["TypeError"]}, want) == "refused"
