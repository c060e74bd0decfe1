# ruff: noqa  # programs as users write them
"""`match`: patterns of every kind."""

from __future__ import annotations

from mindspore import Tensor

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_match_or_and_guard(x=V):
    y = x
    for k in range(5):
        match k:
            case 0 | 1:
                y = y + 1
            case n if n % 2:
                y = y * 2
            case _:
                y = y - 1
    return y


def program_match_sequence_star(x=V):
    match [x, 1, 2, 3]:
        case [first, *rest] if len(rest) == 3:
            return first * sum(rest)
    return x


def program_match_mapping(x=V):
    match {"op": "add", "by": x, "more": 1}:
        case {"op": "mul", "by": v}:
            return x * v
        case {"op": "add", "by": v, **rest}:
            return x + v + len(rest)


def program_match_types(x=V):
    y = x
    for v in (1, 2.0, "s", None, True, x, (1, 2)):
        match v:
            case bool():
                y = y + 1
            case int():
                y = y + 2
            case float(f):
                y = y + f
            case str() as s:
                y = y + len(s)
            case None:
                y = y + 5
            case Tensor():
                y = y + 7
            case (a, b):
                y = y + a * b
    return y


def program_match_no_case(x=V):
    match 5:
        case 6:
            x = x * 2
    return x


def program_match_return_in_tensor_guard(x=V):
    match x:
        case v if v.sum() > 2:
            return v * 2
        case v if v.sum() > -2:
            return v * 3
        case _:
            return x


def program_match_nested(x=V):
    match ("a", [1, {"k": (x, 2)}]):
        case (str(n), [1, {"k": (t, 2 | 3)}]):
            return t * len(n)


def program_match_negative_and_constants(x=V):
    match -1:
        case 1:
            return x
        case -1:
            return x * 2


def program_number_that_a_condition_chose_is_an_int(x=V):
    n = 0
    for _ in range(3):
        match n:
            case int() if x.sum() > -2:
                x = x * 2
            case _:
                n += 2
    return x * (2 if isinstance(n, int) else 3), isinstance(n + 1, int), isinstance(x.sum(), int)


def program_number_that_a_loop_counts_is_an_int(x=V):
    n = 0
    while x.sum() < 30 and n < 5:
        n += 1
        x = x * 2
    return x if type(n) is int else x * 3


def program_match_value(x=V, k=2):
    match k:
        case 1:
            return x
        case 2 | 3:
            return x * 2
        case _:
            return x * 3


def program_match_structure(x=V):
    match (x, {"k": 3}, [1, 2, 3]):
        case (a, {"k": int(n)}, [first, *rest]) if n > 2:
            return a * n + first + len(rest)
    return x


def program_match_on_tensor(x=V):
    match x[0]:
        case 1.0:
            y = x * 2
        case -1.0:
            y = x * 3
        case _:
            y = x
    return y


def program_match_guard_on_tensor(x=V):
    match x:
        case v if v[0] > 0:
            return v * 2
        case v:
            return v * 3


def program_match_value_and_guard_on_tensors(x=V):
    match x[0]:
        case 4.0 if x[1] < 0:
            return x * 2
        case 1.0 if x[1] > 0:
            return x * 3
        case 1.0 if x[1] < 0:
            return x * 5
        case _:
            return x


def program_match_truths_of_tensors(x=V):
    y = x
    for test in (x[0] > 0, x[1] > 0, x[2] > 9):
        match test:
            case True:
                y = y + 1
            case False:
                y = y * 3
    for test in (x[0] > 0, x[1] > 0):
        match test:
            case False:
                y = y - 5
            case _:
                y = y * 2
    return y


def program_match_stars_that_take_nothing(x=V):
    y = x
    for v in ((), (1,), (1, 2), (1, 2, 3), (x, 2, 3, 4)):
        match v:
            case [a, *_, 3]:
                y = y * 2 + a
            case [a, *rest]:
                y = y + a * 10 + len(rest)
            case [*rest]:
                y = y - 7 - len(rest)
    match (1, 2):
        case [a, *rest, b]:
            y = y * (a + 10 * b) + len(rest)
    return y


def program_match_truths_that_a_loop_or_an_if_chose(x=V):
    flag, other, i, y = True, False, x.sum() * 0, x
    while i < x[2] - 1:
        flag = not flag
        i = i + 1
    if x[0] > 0:
        other = True
    for k, test in enumerate((flag, other, not flag, not other)):
        match test:
            case False:
                y = y * (k + 2)
            case True:
                y = y - k - 3
    return y
