# ruff: noqa  # programs as users write them
"""`while` on known and on tensor conditions, with break, continue, else, return."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]
INTS = [3, 1, 2]


def test_both_modes_agree(program, agree):
    agree(program)


def program_while_static(x=V):
    i = 0
    while i < 4:
        x = x + i
        i += 1
    return x


def program_while_static_else(x=V):
    i = 0
    while i < 4:
        i += 1
    else:
        x = x * i
    return x


def program_while_tensor(x=V):
    while x.sum() < 20:
        x = x + 1
    return x


def program_while_tensor_else(x=V):
    while x.sum() < 20:
        x = x + 1
    else:
        x = x * 2
    return x


def program_while_tensor_break(x=V):
    i = 0
    while x.sum() < 20:
        x = x + 1
        i += 1
        if i > 2:
            break
    return x, i


def program_while_tensor_break_else(x=V):
    while x.sum() < 20:
        x = x + 1
        if x[0] > 3:
            break
    else:
        x = x * 0
    return x


def program_while_tensor_continue(x=V):
    n = 0
    while n < x.max() * 0 + 5:
        n = n + 1
        if n == 2:
            continue
        x = x * 1.5
    return x


def program_while_tensor_return(x=V):
    while x.sum() < 20:
        x = x * 2 + 1
        if x[0] > 6:
            return x - 100
    return x


def program_while_true_break_on_tensor(x=V):
    while True:
        x = x + 2
        if x.sum() > 10:
            break
    return x


def program_while_true_return_on_tensor(x=V):
    n = 0
    while True:
        n += 1
        x = x + 2
        if x.sum() > 10:
            return x, n


def program_while_static_break_on_tensor(x=V):
    i = 0
    while i < 6:
        i = i + 1
        if x.sum() > 7:
            break
        x = x + 1
    return x


def program_while_walrus(x=V):
    while (y := x.sum()) < 20:
        x = x + y * 0 + 1
    return x


def program_while_no_pass(x=V):
    while x.sum() > 1000:
        x = x * 2
    return x


def program_while_int_counter(n=INTS):
    total = n * 0
    i = 0
    while i < n.sum() + 12:
        total = total + i
        i += 1
    return total, i


def program_while_two_carried(x=V):
    a, b = x, x * 0
    while a.sum() < 30:
        a, b = a + 1, b + a
    return a, b


def program_while_tuple_carried(x=V):
    pair = (x, x.sum())
    while pair[1] < 30:
        pair = (pair[0] + 1, (pair[0] + 1).sum())
    return pair


def program_while_list_element(x=V):
    state = [x, 0]
    while state[0].sum() < 30:
        state[0] = state[0] + 1
        state[1] = state[1] + 1
    return state[0], state[1]


def program_while_two_names_for_one_list(x=V):
    state = [x]
    other = state
    while other[0].sum() < 30:
        state[0] = other[0] + 1
    return other[0]


def program_while_dict_element(x=V):
    d = {"n": 0, "x": x}
    while d["x"].sum() < 30:
        d["x"] = d["x"] + 1
        d["n"] += 1
    return d


def program_while_nonlocal(x=V):
    count = 0

    def step(v):
        nonlocal count
        count += 1
        return v + 1

    while x.sum() < 12:
        x = step(x)
    return x, count


def program_nested_while(x=V):
    i = x.sum() * 0
    while i < 3:
        j = i
        while j < 3:
            x = x + j
            j = j + 1
        i = i + 1
    return x


def program_while_inside_if(x=V):
    if x[0] > 0:
        while x.sum() < 30:
            x = x + 1
    else:
        x = x - 1
    return x


def program_if_inside_while(x=V):
    while x.max() < 30:
        if x.sum() > 10:
            x = x + 2
        else:
            x = x + 1
    return x


def program_return_inside_nested_while(x=V):
    while x.sum() < 50:
        x = x + 1
        while x.max() < 10:
            x = x + 1
            if x[1] > 2:
                return x * 100
    return x


def program_tensor_index_in_while(x=V):
    i = x.sum().astype("int32") * 0
    total = x.sum() * 0
    while i < 3:
        total = total + x[i]
        i = i + 1
    return total


def program_index_assignment_in_while(x=V):
    i = x.sum().astype("int32") * 0
    while i < 3:
        x[i] = x[i] * 2
        i = i + 1
    return x


def program_fibonacci(n=INTS):
    a, b, i = 0, 1, 0
    while i < n.max() + 4:
        a, b = b, a + b
        i += 1
    return n + a


def program_newton(x=[2.0]):
    y = x * x + 1
    for _ in range(5):
        y = 0.5 * (y + 2.0 / y)
    return y


def program_while_with_inner_function_behind_a_condition(x=V):
    n, i = 0, 0

    def bump():
        nonlocal n
        n = n + 1

    while i < 3:
        i += 1
        if x.sum() > 0:
            return x, n
        bump()
    return x * 2, n


def program_while_else_where_every_branch_returns(x=V):
    def f(v):
        n = 0
        while v.sum() < 50:
            v = v * 2 + 1
            n = n + 1
            if v.max() > 30:
                return v, n
        else:
            return v - 1, n
    a, b = f(x)
    return a * b


# ---------------------------------------------------------------------- names that only passes bind

def program_name_that_only_passes_bind(x=V):
    while ops.abs(x).sum() < 20:
        y = x * 2
        x = x * 1.5
        k = 3
    return y, x, k


def program_name_that_two_loops_bind(x=V, n=[3]):
    i = 0
    while i < n:
        v = x * i
        i += 1
    while i < 2 * n:
        v = x + i
        i += 1
    return v, i


def program_name_of_passes_used_in_a_branch_and_a_function(x=V, n=[3]):
    i = 0
    while i < n:
        w = x * i
        if w.max() > 100:
            return w
        i += 1
    if x.sum() > 0:
        x = x + w
    return (lambda: w + 1)() * x


def program_name_of_an_endless_loop(x=V):
    i = 0
    while True:
        i += 1
        q = x * i
        if ops.abs(q).max() > 10:
            break
    return q, i


def program_name_that_no_pass_binds(x=V, n=[0]):
    i = 0
    while i < n:
        y = x * 2
        i += 1
    return y


def program_name_that_no_pass_binds_and_that_is_not_used(x=V, n=[0]):
    i = 0
    while i < n:
        y = x * 2
        i += 1
    if i > 0:
        x = x + y
    return x
