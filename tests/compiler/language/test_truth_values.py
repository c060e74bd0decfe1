# ruff: noqa  # programs as users write them
"""Conditional expressions, `and`, `or`, `not`, comparisons and `in`: both modes do the same."""

from __future__ import annotations


V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


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
