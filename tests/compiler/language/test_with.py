# ruff: noqa  # programs as users write them
"""`with`: managers of the program, and blocks that are left by an `if` on a tensor."""

from __future__ import annotations

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Manager:
    def __init__(self, log, swallow=False):
        self.log, self.swallow = log, swallow

    def __enter__(self):
        self.log.append("in")
        return self.log

    def __exit__(self, kind, error, trace):
        self.log.append("none" if kind is None else kind.__name__)
        return self.swallow


def program_with_two_managers(x=V):
    log = []
    with Manager(log) as a, Manager(log):
        y = x * len(a)
    return y + len(log)


def program_with_swallows(x=V):
    log = []
    with Manager(log, swallow=True):
        raise ValueError
    return x * len(log)


def program_with_return_on_tensor(x=V):
    log = []
    with Manager(log):
        if x.sum() > 0:
            return x * 2
        y = x
    return y + len(log)


def program_with_break_on_tensor(x=V):
    log = []
    y = x
    for i in range(3):
        with Manager(log):
            y = y + i
            if y.sum() > 3:
                break
    return y


def program_with_in_tensor_loop(x=V):
    y = x
    log = []
    while y.sum() < 20:
        with Manager([]) as inner:
            y = y * y + len(inner)
    return y


def program_with_in_branch(x=V):
    y = x
    if x.sum() > 0:
        with Manager([]) as inner:
            y = y * 2 + len(inner)
    return y
