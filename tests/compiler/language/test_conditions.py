# ruff: noqa  # programs as users write them
"""`if` statements and what they bind and return: both modes do the same."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_if_else(x=V):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y


def program_if_without_else_rebinds(x=V):
    y = x
    if x.sum() > 0:
        y = y * 3
    return y + 1


def program_elif_chain(x=V):
    s = x.sum()
    if s > 5:
        return x
    if s > 2:
        return x * 2
    if s > -2:
        return x * 3
    return x * 4


def program_nested(x=V):
    if x[0] > 0:
        if x[1] > 0:
            y = x + 1
        else:
            y = x + 2
    else:
        if x[2] > 0:
            y = x + 3
        else:
            y = x + 4
    return y


def program_early_return(x=V):
    if x[0] > 0:
        return x * 2
    y = x + 1
    if y[0] > 5:
        return y
    return y * y


def program_return_in_one_nested_branch(x=V):
    y = x
    if x[0] > 0:
        if x[1] < 0:
            return y * 10
        y = y + 1
    return y


def program_guard_clauses(x=V, k=3):
    if k < 0:
        return x
    if x.max() > 100:
        return x / 100
    if k == 3:
        x = x + k
    return x


def program_two_names_swap(x=V):
    a, b = x, x * 2
    if x.sum() > 0:
        a, b = b, a
    return a - b


def program_numbers_become_tensors(x=V):
    k = 1
    if x.sum() > 0:
        k = 2
    return x * k


def program_flags(x=V):
    found = False
    if x[0] > 0:
        found = True
    return ops.relu(x) if found else -x


def program_negated_flag(x=V):
    missing = True
    if x[0] > 0:
        missing = False
    if not missing:
        return x + 1
    return x - 1


def program_none_replaced(x=V):
    y = None
    if x[0] > 0:
        y = x * 2
    if y is None:
        return x
    return y


def program_different_shapes(x=V):
    y = x.sum() if x[0] > 0 else x
    return y.sum() * 2


def program_text_chosen(x=V):
    mode = "sum" if x[0] > 0 else "max"
    if mode == "sum":
        return x.sum()
    return x.max()


def program_tuple_results(x=V):
    if x[0] > 0:
        a, b = x, (x + 1, 2)
    else:
        a, b = x * 3, (x, 4)
    return a, b


def program_dict_results(x=V):
    d = {"a": x, "b": 1} if x[0] > 0 else {"a": x * 2, "b": 5}
    return d["a"] * d["b"]


def program_bound_in_both_branches_only(x=V):
    if x[0] > 0:
        w = x * 2
    else:
        w = x * 3
    return w


def program_bound_in_one_branch_and_unused(x=V):
    if x[0] > 0:
        w = x * 2
        y = w + 1
    else:
        y = x
    return y


def program_bound_under_the_same_condition(x=V):
    t = x[0] > 0
    if t:
        w = x * 2
    y = x
    if t:
        y = w + 1
    return y


def program_elif_with_returns(x=V):
    s = x.sum()
    if s > 5:
        return x
    elif s > 2:
        return x * 2
    else:
        return x * 4


def program_elif_rebinding(x=V):
    s = x.sum()
    if s > 5:
        y = x
    elif s > 2:
        y = x * 2
    else:
        if s > -1:
            y = x * 3
        else:
            y = x * 4
    return y


def program_if_not_else_pass(x=V):
    y = x
    if not (x[0] > 0):
        pass
    else:
        y = y + 1
    return y


def program_tuples_that_differ_in_one_element(x=V):
    t = (x, None) if x[0] > 0 else (x, x)
    a, b = t
    return a if b is None else a + b


def program_optional_result_of_a_function(x=V):
    def split(v):
        if v[0] > 0:
            return v, "positive"
        return v * 2, "negative"

    y, name = split(x)
    return y + (1 if name == "positive" else 2)


def program_loop_over_one_list_or_another(x=V):
    items = [x, x * 2] if x.sum() > 0 else [x]
    y = x
    for v in items:
        y = y + v
    return y * len([v for v in items])


def program_or_gives_the_operand_that_decides(x=V):
    a = x[0] > 9 or x[1] < 0
    b = x[0] > 0 or x[1] > 0
    c = x[0] > 9 or x[1] > 9
    return ops.stack([a * 1.0 + x[0], b * 1.0 + x[0], c * 1.0 + x[0]])


def program_and_gives_the_operand_that_decides(x=V):
    a = x[0] > 0 and x[1] < 0
    b = x[0] > 9 and x[1] < 0
    c = x[0] > 0 and x[1] > 0
    return ops.stack([a * 1.0 + x[0], b * 1.0 + x[0], c * 1.0 + x[0]])


def program_conditions_of_two_tensors(x=V):
    y = x
    if x[0] > 9 or x[1] < 0:
        y = y + 1
    if x[0] > 0 or x[1] > 0:
        y = y + 2
    if x[0] > 0 and x[1] > 0:
        y = y + 4
    if not (x[0] > 9 or x[1] > 9) and x[2] > 0:
        y = y + 8
    return y


def program_operands_that_are_known_stay_what_they_are(x=V):
    n = len(x)
    return x * (n and 5) + (0 or n) - (n - 3 and 7) + len("" or "four") + len([] or [1, 2]), n or None, (n - 3) or "none"
