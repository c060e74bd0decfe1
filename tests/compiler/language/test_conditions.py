# ruff: noqa  # programs as users write them
"""Conditions, early return, short circuits, conditional expressions: both modes do the same."""

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


def program_return_in_one_nested_arm(x=V):
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


def program_ternary(x=V):
    return x * 2 if x.sum() > 0 else -x


def program_nested_ternary(x=V):
    s = x.sum()
    return x if s > 10 else x * 2 if s > 0 else x * 3


def program_ternary_on_static(x=V, flag=True):
    return x + 1 if flag else x.missing


def program_and(x=V):
    if x[0] > 0 and x[1] < 0:
        return x
    return -x


def program_or(x=V):
    if x[0] < 0 or x[2] < 0:
        return x * 2
    return x


def program_not(x=V):
    if not x[0] > 0:
        return x * 2
    return x


def program_and_with_static(x=V, k=2):
    if k > 1 and x[0] > 0:
        return x
    return x * k


def program_or_static_first(x=V, k=2):
    if k > 1 or x.missing:
        return x
    return x * k


def program_not_static_empty(x=V, items=()):
    if not items:
        return x + 1
    return x


def program_chained_comparison(x=V):
    if 0 < x[0] < 3:
        return x
    return x * 2


def program_chained_static(x=V, k=2):
    return x if 1 < k <= 2 else -x


def program_is_none(x=V, y=None):
    return x if y is None else x + y


def program_is_not_none_then_use(x=V, y=None):
    if y is not None and y.missing:
        return y
    return x


def program_truth_of_one_element(x=V):
    if x[0:1]:
        return x
    return x + 1


def program_truth_of_comparison_result_all(x=V):
    if (x > -10).all():
        return x
    return x + 1


def program_truth_of_many_elements(x=V):
    if x > 0:
        return x
    return -x


def program_if_on_int_tensor(x=[2, 3]):
    if x[0]:
        return x + 1
    return x


def program_value_of_or(x=V, y=None):
    y = y or x
    return y * 2


def program_bound_in_both_arms_only(x=V):
    if x[0] > 0:
        w = x * 2
    else:
        w = x * 3
    return w


def program_bound_in_one_arm_and_unused(x=V):
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


def program_assert_on_tensor(x=V):
    assert x[0] > 0, "the first must be positive"
    return x


def program_assert_on_static(x=V, k=1):
    assert k > 2
    return x


def program_assert_inside_arm(x=V):
    if x[0] > 0:
        assert x[1] > 0
    return x


def program_raise(x=V, k=1):
    if k == 1:
        raise KeyError("nothing here")
    return x


def program_raise_behind_tensor(x=V):
    if x[0] < 0:
        raise ValueError("negative")
    return x * 2


def program_raise_in_both_arms(x=V):
    if x[0] < 0:
        raise ValueError("negative")
    raise TypeError("positive")


def program_raise_in_called_function(x=V):
    def check(v):
        if v[0] < 0:
            raise ValueError(f"first is {v[0]}")
        return v

    return check(x) + 1


def program_raise_custom(x=V):
    if x[0] < 0:
        raise Problem(3, "custom")
    return x


class Problem(Exception):
    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


def program_raise_from(x=V):
    if x[0] < 0:
        raise ValueError("outer") from KeyError("inner")
    return x


def program_type_error_of_python(x=V):
    return x + undefined


def program_unbound_local(x=V, k=0):
    if k:
        y = x
    return y


def program_wrong_arguments(x=V):
    def inner(a, b):
        return a + b

    return inner(x)


def program_raise_in_both_arms_with_else(x=V):
    if x[0] < 0:
        raise ValueError("negative")
    else:
        raise TypeError("positive")


def program_raise_after_print(x=V):
    print("before")
    raise KeyError("after")


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


def program_short_circuit_gives_its_operand(x=V):
    word = (x.sum() > 0 and "yes") or "no"
    y = (x.sum() > 100 and x[2]) or x * 2
    return y * len(word)


def program_starred_tensor_in_call(x=V):
    return max(*x) + min(0.5, *x) + len([*x, 1])


def program_in_a_list_of_tensors_is_ambiguous(x=V):
    return x in [x * 2, x]


def program_in_a_list_that_has_it_first(x=V):
    return x * (x in [x, x * 2]) + (x.sum() in [3.0, -3.0])


def program_loop_over_one_list_or_another(x=V):
    items = [x, x * 2] if x.sum() > 0 else [x]
    y = x
    for v in items:
        y = y + v
    return y * len([v for v in items])
