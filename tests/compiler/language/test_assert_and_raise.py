# ruff: noqa  # programs as users write them
"""`assert` and `raise`, behind an `if` and without one: both modes do the same."""

from __future__ import annotations


V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_assert_on_tensor(x=V):
    assert x[0] > 0, "the first must be positive"
    return x


def program_assert_on_static(x=V, k=1):
    assert k > 2
    return x


def program_assert_inside_branch(x=V):
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


def program_raise_in_both_branches(x=V):
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


def program_raise_in_both_branches_with_else(x=V):
    if x[0] < 0:
        raise ValueError("negative")
    else:
        raise TypeError("positive")


def program_raise_after_print(x=V):
    print("before")
    raise KeyError("after")
