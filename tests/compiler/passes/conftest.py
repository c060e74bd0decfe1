"""Passes are tested on the text form of graphs."""

from __future__ import annotations

import pytest


@pytest.fixture
def assert_rewrites():
    """`assert_rewrites(step, before, after)`: the pass turns the one text into the other.

    A text is a list of statements between "->" and the end: "x: f32[2] -> %0 = Neg(x): f32[2]; %0".
    """
    import mindspore.ops  # noqa: F401  # operators
    from mindspore.ir import parse, text, verify
    from mindspore.operators.registry import REGISTRY

    def graph(short):
        params, _, body = short.partition(" -> ")
        *nodes, result = [s.strip() for s in body.split(";")]
        lines = [f"graph f({params}):"]
        lines += [f"  {n.rpartition(': ')[0]} : {n.rpartition(': ')[2]}" for n in nodes]
        return parse("\n".join([*lines, f"  return {result}"]), REGISTRY)

    def check(step, before, after):
        made = step(graph(before))
        verify(made)
        assert text(made) == text(graph(after))
        assert text(step(made)) == text(graph(after)), "the pass is not idempotent"

    return check
