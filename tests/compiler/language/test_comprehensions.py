# ruff: noqa  # programs as users write them
"""Comprehensions, and names that an expression binds."""

from __future__ import annotations

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_set_comprehension(x=V):
    return x * len({i % 2 for i in range(5)})


def program_list_comprehension(x=V):
    return [x * i for i in range(4) if i % 2]


def program_nested_comprehension(x=V):
    return [x * i + j for i in range(2) for j in range(3) if i != j]


def program_dict_comprehension(x=V):
    return {k: x * v for k, v in {"a": 1, "b": 2}.items()}


def program_comprehension_scope(x=V):
    i = 7
    ys = [i * 2 for i in range(3)]
    return x * i, ys


def program_comprehension_walrus(x=V):
    ys = [last := i for i in range(3)]
    return x * last, ys


def program_comprehension_with_tensor_choice(x=V):
    return [v * 2 if v > 0 else v * 3 for v in x]


def program_walrus(x=V):
    if (n := len(x.shape)) > 0:
        x = x * n
    return x, n


def program_walrus_on_tensor(x=V):
    if (s := x.sum()) > 0:
        return x / s
    return s
