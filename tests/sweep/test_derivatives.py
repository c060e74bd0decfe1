"""First derivatives of functions of `ops`, `mint` and `scipy` are those that differences of their values tell.

The rows of the sweeps are called with float64, their numbers moved away from where derivatives jump.
"""
from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms

sys.path.insert(0, str(Path(__file__).parent))

import derived
import expressions
import own
import scientific
import values

import mint

STEP = 1e-6
# Rows without a derivative that differences could tell.
LEFT_OUT = {
    "scipy.linalg.eigh": "the signs of eigenvectors are chosen",
    "scipy.linalg.cholesky": "one triangle is read, and the derivative is shared out over both",
    "scipy.linalg.cho_factor": "one triangle is read, and the derivative is shared out over both",
    "mint.acosh": "numbers below 1 have none",
    "mint.arccosh": "numbers below 1 have none",
    "mint.empty_like": "elements are not set",
    "ops.gather_elements": "the row of `own.py` has indices that are out of range",
    "mint.nn.functional.max_unpool2d": "two elements have one place",
    "ops.kl_div": "labels have no derivative, as in the original",
    "ops.trapz": "float64 is computed in float32, as in the original; tests/ops has its derivative",
}
FURTHER = """
ops.lerp(f2x3, f2x3_, p2x3)
ops.hardtanh(f2x3)
ops.celu(f2x3)
ops.cdist(f3x2, f4x2)
ops.polar(f2x3, f2x3_)
ops.huber_loss(f2x3, f2x3_)
ops.cosine_similarity(f2x3, f2x3_)
ops.dist(f2x3, f2x3_)
ops.logaddexp(f2x3, f2x3_)
ops.cumprod(f2x3, 1)
ops.renorm(f2x3, 2, 0, 1.0)
ops.interpolate(f1x1x3x3, size=(4, 5), mode="bilinear", align_corners=True)
ops.lp_pool2d(p1x1x4x4, 2.0, 2)
ops.inverse(s3x3)
ops.slogdet(s3x3)
ops.xlogy(f2x3, p3)
"""


def seeds():
    """The calls, by id."""
    written = [*mint.rows(), *filter(None, scientific.ROWS.splitlines()), *filter(None, FURTHER.splitlines())]
    found = [*own.seeds(), *map(expressions.call, written)]
    return {f"{number}-{call['api'][10:]}": call for number, call in enumerate(found)
            if call["how"] == "function" and call["api"][10:] not in LEFT_OUT}


SEEDS = seeds()


def moved(value):
    """A description with float64 for float32, and all numbers a little greater."""
    if isinstance(value, dict) and value.get("t") == "float32":
        flat = [0.031 + 0.007 * (k % 5) + v for k, v in enumerate(value["v"])]
        return {**value, "t": "float64", "v": flat}
    if isinstance(value, dict):
        return {key: moved(v) for key, v in value.items()}
    return [moved(v) for v in value] if isinstance(value, list) else value


def differences(total, args, place):
    """The derivative for one argument by the differences of the values on both sides."""
    content = args[place].asnumpy()
    found = np.zeros(content.size)
    for k in range(content.size):
        sides = []
        for step in (STEP, -STEP):
            near = content.copy()
            near.flat[k] += step
            sides.append(total(*args[:place], ms.Tensor(near), *args[place + 1:]).item())
        found[k] = (sides[0] - sides[1]) / (2 * STEP)
    return found.reshape(content.shape)


def derivatives(call, compiled):
    """The derivatives that a call has, and those that differences tell."""
    args, kwargs = values.decoded(moved(call["args"])), {k: values.decoded(v) for k, v in call["kwargs"].items()}
    function = values.found(call["api"])

    def program(*given):
        return function(*given, **kwargs)

    total, some = derived.weighted(program, program(*args))
    places = tuple(k for k, x in enumerate(args) if isinstance(x, ms.Tensor) and derived.kind(x) == "float64")
    if not some or not places:
        return [], []
    taken = ms.grad(total, places)
    found = (ms.jit(taken) if compiled else taken)(*args)
    found = found if isinstance(found, tuple) else (found,)
    return [x.asnumpy() for x in found], [differences(total, args, place) for place in places]


def agree(call, compiled):
    for found, want in zip(*derivatives(call, compiled), strict=True):
        assert np.allclose(found, want, rtol=2e-4, atol=2e-5, equal_nan=True), (found, want)


@pytest.mark.slow
@pytest.mark.parametrize("key", SEEDS)
def test_derivatives_are_those_of_differences(key):
    agree(SEEDS[key], False)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(SEEDS) if os.environ.get("ANYSPORE_NIGHTLY") else list(SEEDS)[::20])
def test_derivatives_in_graphs_are_those_of_differences(key):
    agree(SEEDS[key], True)


def test_most_calls_have_a_derivative():
    assert sum([bool(derivatives(SEEDS[key], False)[0]) for key in list(SEEDS)[::10]]) > 0.5 * len(list(SEEDS)[::10])
