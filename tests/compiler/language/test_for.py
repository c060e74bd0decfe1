# ruff: noqa  # programs as users write them
"""`for` over known items, rows and ranges of tensors, with break, continue, else, return."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]
INTS = [3, 1, 2]


def test_both_modes_agree(program, agree):
    agree(program)


def program_for_range(x=V):
    for i in range(3):
        x = x + i
    return x


def program_for_else(x=V):
    for i in range(3):
        x = x + i
    else:
        x = x * 10
    return x


def program_for_break_static(x=V):
    for i in range(10):
        if i == 2:
            break
        x = x + i
    else:
        x = x * 0
    return x, i


def program_for_continue_static(x=V):
    for i in range(5):
        if i % 2:
            continue
        x = x + i
    return x


def program_for_break_on_tensor(x=V):
    for i in range(4):
        if x.sum() > 8:
            break
        x = x + i
    return x


def program_for_break_on_tensor_else(x=V):
    for i in range(4):
        if x.sum() > 8:
            break
        x = x + i
    else:
        x = x * 100
    return x


def program_for_continue_on_tensor(x=V):
    y = x
    for i in range(5):
        if y.sum() > i * 3:
            continue
        y = y + x * i
    return y


def program_for_return_on_tensor(x=V):
    for i in range(4):
        if x.sum() > i * 4:
            return x * i
        x = x + 1
    return x * 100


def program_for_many_passes_with_break(x=V):
    for _ in range(150):
        if x.sum() > 40:
            break
        x = x + 0.5
    return x


def program_for_over_tensor(x=[[1.0, 2.0], [3.0, 4.0]]):
    y = 0.0
    for row in x:
        y = y + row * row.sum()
    return y


def program_for_enumerate_zip(x=V):
    y = x * 0
    for i, (a, b) in enumerate(zip(x, (1, 2, 3))):
        y = y + a * b + i
    return y


def program_for_over_dict(x=V):
    d = {"a": 1, "b": 2}
    for k, v in d.items():
        x = x + v * len(k)
    return x


def program_for_over_list_of_tensors(x=V):
    out = []
    for t in [x, x + 1, x * 2]:
        out.append(t.sum())
    return out


def program_for_infinite_iterator(x=V):
    import itertools

    for i in itertools.count():
        if i > 3:
            break
        x = x + i
    return x


def program_for_reversed(x=V):
    y = x
    for i in reversed(range(3)):
        y = y * 2 + i
    return y


def program_nested_for_break(x=V):
    for i in range(3):
        for j in range(3):
            if j > i:
                break
            x = x + j
    return x


def program_nested_for_break_on_tensor(x=V):
    for i in range(3):
        for j in range(3):
            if x.sum() > 5 + j:
                break
            x = x + 1
        x = x + i
    return x


def program_for_tensor_range(n=INTS, x=V):
    for i in range(n[0]):
        x = x + i
    return x


def program_for_tensor_range_step(n=INTS, x=V):
    for i in range(n[0] + 8, 0, -2):
        x = x + i
    return x


def program_for_tensor_range_break(n=INTS, x=V):
    for i in range(n[0] + 5):
        if i > 3:
            break
        x = x * 1.5
    return x


def program_indexing_by_the_counter(x=V):
    i = 0
    total = 0.0
    while i < x.shape[0]:
        total = total + x[i] * i
        i += 1
    return total


def program_cond_and_loop_gradient(x=V):
    y = ops.tanh(x)
    while y.sum() < 2:
        y = y + ops.sigmoid(y) * 0.5 if y[0] > 0 else y + 1
    return y * x


def program_loop_variable_after_loop(x=V):
    for i in range(3):
        y = x * i
    return y + i


def program_break_inside_with_else(x=V):
    n = 0
    while n < 5:
        n += 1
        if n == 4:
            x = x + n
            break
    else:
        x = x * 0
    return x


def program_for_else_inside_a_branch(x=V):
    c = x * 1
    if x[0] > 0:
        for _ in range(3):
            c = c + 1
            if c.sum() > 7:
                break
        else:
            x = x * 100
    return x + c


def program_for_else_where_every_branch_returns(x=V):
    def f(v):
        for i in range(3):
            v = v * 2
            if v.sum() > 10:
                return {"a": v, "i": i}
        else:
            return {"a": v, "i": 7}
    r = f(x)
    return r["a"] * r["i"]


def program_for_else_with_break_and_return(x=V):
    def f(v):
        for i in range(3):
            v = v * 2
            if v.sum() > 10:
                return v
            if v.sum() < -10:
                break
        else:
            return v + 100
        return v - 100
    return f(x) + f(-x)
