# ruff: noqa  # programs as users write them
"""Functions as values: what they see, what they change, and which of them a tensor chooses."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_closure(x=V):
    k = 3

    def f(v):
        return v * k

    return f(x)


def program_late_binding(x=V):
    k = 3

    def f(v):
        return v * k

    k = 5
    return f(x)


def program_late_binding_in_loop(x=V):
    fns = []
    for i in range(3):
        fns.append(lambda v: v * i)
    return [f(x) for f in fns]


def program_default_binds_early(x=V):
    fns = []
    for i in range(3):
        fns.append(lambda v, i=i: v * i)
    return [f(x) for f in fns]


def program_late_binding_in_comprehension(x=V):
    fns = [lambda v: v * i for i in range(3)]
    return [f(x) for f in fns]


def program_nonlocal(x=V):
    n = 0

    def bump(k):
        nonlocal n
        n += k

    bump(1)
    bump(2)
    return x * n


def program_nonlocal_in_branch(x=V):
    y = x

    def double():
        nonlocal y
        y = y * 2

    if x[0] > 0:
        double()
    return y


def program_nonlocal_through_two_levels(x=V):
    n = 1

    def outer():
        def inner():
            nonlocal n
            n = n + 1

        inner()

    outer()
    return x * n


def program_nonlocal_in_branch_of_called_function(x=V):
    total = x * 0

    def visit(v):
        nonlocal total
        if v.sum() > 0:
            total = total + v
        else:
            total = total - v * 2

    visit(x)
    visit(-x)
    return total


def program_closure_called_after_branch(x=V):
    k = 1

    def f():
        return x * k

    if x[0] > 0:
        k = 5
    return f()


def program_function_chosen(x=V):
    f = ops.relu if x[0] > 0 else ops.tanh
    return f(x)


def program_user_function_chosen(x=V):
    def a(v):
        return v * 2

    def b(v):
        return v + 1

    if x[0] > 0:
        f = a
    else:
        f = b
    return f(x) + f(x * 2)


def program_closures_chosen_with_their_tensors(x=V):
    if x[0] > 0:
        y = x * 2
        f = lambda v: v + y
    else:
        y = x * 3
        f = lambda v: v - y
    return f(x)


def program_function_chosen_passed_on(x=V):
    def apply(f, v):
        return f(v)

    return apply(ops.relu if x[0] > 0 else ops.exp, x)


def program_function_chosen_in_list(x=V):
    fns = [ops.relu, ops.tanh]
    i = (x[0] > 0).astype("int32")
    return fns[i](x)


def program_function_returning_function(x=V):
    def pick(v):
        if v[0] > 0:
            return ops.relu
        return ops.exp

    return pick(x)(x)


def adds_one_to(inner):
    def run(x):
        return inner(x) + 1

    return run


stacked = adds_one_to(adds_one_to(adds_one_to(ops.tanh)))


def program_functions_of_one_text_around_each_other(x=V):
    return stacked(x)


def program_closures_of_one_text_around_each_other(x=V):
    def wrap(inner):
        return lambda v: inner(v) * 2

    f = wrap(wrap(wrap(ops.relu)))
    return f(x)


pick = lambda k: (lambda x: x * k, lambda x: x + k, lambda x, y=1: x - k - y)
