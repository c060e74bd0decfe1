# ruff: noqa  # programs as users write them
"""What a program changes before it ends in an error stays changed."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import T
import pytest
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


def program_undone():
    log, d = [], {}

    @ms.jit
    def f(x):
        log.append(1)
        d["k"] = x.shape
        return x.reshape(7)

    out = []
    for _ in range(2):
        try:
            f(T(2))
        except ValueError as e:
            out.append(str(e)[:20])
    return out, log, d


def program_undone_cell():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = 0
            self.seen = []

        def construct(self, x):
            self.calls += 1
            self.seen.append(x.shape)
            if x.shape[0] > 2:
                raise ValueError("too long")
            return x

    n = N()
    out = []
    for k in (2, 3, 1, 3):
        try:
            n(T(k))
            out.append("ok")
        except ValueError as e:
            out.append(str(e))
    return out, n.calls, n.seen


def program_undone_param():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([0.0]), name="w")

        def construct(self, x):
            ops.assign_add(self.w, Tensor([1.0]))
            if x.shape[0] > 2:
                raise ValueError("too long")
            return x

    n = N()
    out = []
    for k in (2, 3, 3):
        try:
            n(T(k))
            out.append("ok")
        except ValueError as e:
            out.append(str(e))
    return out, n.w.asnumpy()


def program_undone_catch_outside():
    state = {"tries": 0}

    @ms.jit
    def f(x):
        state["tries"] += 1
        if state["tries"] < 3:
            raise RuntimeError("again")
        return x * state["tries"]

    for _ in range(5):
        try:
            return f(T(2)), state
        except RuntimeError:
            pass


def program_undone_inplace():
    @ms.jit
    def f(x, y):
        x[0] = 7.0
        return x + y

    x = T(2)
    try:
        f(x, T(3))
    except ValueError as e:
        return x, str(e)


class Last(nn.Cell):
    def __init__(self):
        super().__init__()
        self.last = None

    def construct(self, x):
        self.last = x * 2
        print("seen", x.shape)
        if x.shape[0] > 2:
            raise ValueError("too long")
        return x


def program_attribute_and_text():
    n, out = Last(), []
    for k in (2, 3):
        try:
            n(T(k))
            out.append("ok")
        except ValueError as e:
            out.append(str(e))
    return out, n.last


@pytest.mark.usefixtures("graph_mode")
def test_the_error_shows_the_lines_of_the_program():
    with pytest.raises(ValueError, match="too long") as caught:
        Last()(T(3))
    assert caught.value.__notes__[0].endswith('raise ValueError("too long")')
    assert "fallback.py" not in str(caught.getrepr(style="short"))


@pytest.fixture()
def graph_mode():
    ms.set_context(mode=0)
    yield
    ms.set_context(mode=1)
