# ruff: noqa  # programs as users write them
"""Loops whose conditions do more than compare, that end in two ways, that begin otherwise than they go on."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]
INTS = [3, 1, 2]
MANY = [[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]


def test_both_modes_agree(program, agree):
    agree(program)


class Total:
    def __init__(self, x):
        self.value = x.sum()


def program_condition_that_makes_an_object_with_else(x=V):
    while Total(x).value < 20:
        x = x + 1
    else:
        x = x * 2
    return x


def program_condition_that_prints(x=V):
    def below(y):
        print("at", y[0])
        return y.sum() < 6
    while below(x):
        x = x + 1
    return x


def program_first_pass_differs_with_else(x=V):
    y = None
    while x.sum() < 20:
        x = x + 1
        y = x * 2 if y is None else y + x
    else:
        x = x - 3
    return x


def program_first_pass_differs_in_for(x=V, n=INTS):
    y = None
    total = x
    for i in range(ops.abs(n[0]) + 1):
        y = x + i if y is None else y * 0.5 + i
        total = total + y
    return total


def program_break_and_return(x=V):
    k = 0
    while x.sum() < 50:
        x = x + 1
        k += 1
        if x[0] > 9:
            break
        if x[1] > 2:
            return x * 2, k
    return x, k


def program_return_and_break(x=V):
    while x.sum() < 50:
        x = x + 2
        if x[2] > 9:
            return x * 3
        if x[0] > 6:
            break
    else:
        x = x * 100
    return x


def program_name_bound_before_and_in_passes(x=V):
    if x[0] > 0:
        t = x * 2
    else:
        t = x * 3
    while x.sum() < 0:
        x = x + 1
        t = x
    return t


def program_range_of_bool(x=V):
    y = x
    for i in range(x[0] > 0):
        y = y + 5
    return y


def program_range_of_two_bounds(x=V, n=INTS):
    n = ops.abs(n)
    for i in range(n[1], n[0] + 2):
        x = x * 2 + i
    return x


def program_range_of_three(x=V, n=INTS):
    n = ops.abs(n)
    for i in range(n[0] + 4, n[1], -2):
        x = x + i
    return x


def program_range_reversed(x=V, n=INTS):
    n = ops.abs(n)
    for i in reversed(range(n[0])):
        x = x * 2 + i
    return x


def program_range_reversed_of_two(x=V):
    for i in reversed(range(2, 6)):
        x = x * 0.5 + i
    return x


def program_range_without_step(x=V, n=INTS):
    for i in range(n[0], 5, 0):
        x = x + i
    return x


def program_endless_loop_that_returns(x=V):
    while True:
        x = x + 1
        if x.sum() > 9:
            return x * 2


def program_loop_that_may_return_and_else(x=V):
    for i in range(4):
        x = x + 1
        if x[0] > 3:
            return x
    else:
        x = x * 10
    return x


def program_inner_loop_returns(x=V):
    k = 0
    while k < 3:
        while x.sum() < 12:
            x = x + 1
            if x[0] > 2:
                return x, k
        k += 1
    return x * 2, k


def program_generator_that_ends(x=V):
    def rows():
        yield x
        yield x * 2
        return x * 3
    def both():
        last = yield from rows()
        yield last
    found = list(both())
    g = rows()
    first = next(g)
    rest = [v for v in g]
    return found, first, rest, next(g, x * 7)


def program_generator_that_raises(x=V):
    def rows():
        yield x
        raise ValueError("rows")
    g = rows()
    total = next(g)
    try:
        next(g)
    except ValueError as error:
        total = total + len(str(error))
    return total + next(g, x * 4)


def program_counter_in_condition(x=V):
    seen = []
    def below(y):
        seen.append(1)
        return y.sum() < 10
    n = 0
    for k in range(5):
        if len(seen) > 3:
            break
        seen.append(k)
        n += 1
    return x * n, seen


def program_recursion_on_numbers(x=V):
    def power(y, n):
        return y if n == 0 else power(y * 2, n - 1)
    return power(x, 5)


def program_recursion_on_tensors(x=V):
    def grown(y, z):
        if y.sum() > 30:
            return y, z
        return grown(y + 2, z * 2)
    a, b = grown(x, x)
    return a, b


def program_mutual_recursion(x=V):
    def even(y, n):
        return y if n < 1 else odd(y + 1, n - 1)
    def odd(y, n):
        return y * 3 if n < 1 else even(y * 2, n - 1)
    return even(x, x[0] + 3)
