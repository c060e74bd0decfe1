"""What a program changes before it ends in an error of the run stays changed, and is changed once."""

from __future__ import annotations

from outside import V


def test_what_came_before_the_error_is_so(outside, like_numpy):
    like_numpy(outside)


def ends(f, *args):
    """The result of a call, or its error."""
    try:
        return f(*args)
    except ValueError as error:
        return str(error)


def case_list_that_grows(jit, make):
    seen = []

    def f(x):
        seen.append(x.sum())
        if x.sum() > 3:
            raise ValueError("large")
        return x * len(seen)

    f = jit(f)
    for k in (1.0, 2.0, 1.0):
        yield ends(f, make([k, k])), list(seen)


def case_attribute_that_counts(jit, make):
    class Count:
        n = 0

    count = Count()

    def f(x):
        count.n += 1
        if x.sum() > 3:
            raise ValueError("large")
        count.n += 10
        return x * count.n

    f = jit(f)
    for k in (1.0, 2.0, 1.0):
        yield ends(f, make([k, k])), count.n


def case_argument_that_grows(jit, make):
    def f(x, held):
        held.append(1)
        if x.sum() > 2:
            raise ValueError("large")
        return x * len(held)

    f, held = jit(f), []
    for _ in range(2):
        yield ends(f, make(V), held), list(held)


def case_error_that_is_always_raised(jit, make):
    held = []

    def f(x):
        held.append(len(held))
        if len(held) > 1:
            raise ValueError("many")
        return x

    f = jit(f)
    for _ in range(3):
        yield ends(f, make(V)), list(held)
