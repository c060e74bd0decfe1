# ruff: noqa  # programs as users write them
"""Functions that call themselves: on known values, on tensors, through each other."""

from __future__ import annotations

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_recursion_static(x=V):
    def power(v, n):
        return v if n == 1 else v * power(v, n - 1)

    return power(x, 4)


def program_recursion_tensor(x=[5.0]):
    def countdown(v):
        if v.sum() <= 0:
            return v
        return countdown(v - 1)

    return countdown(x)


def program_recursion_tensor_accumulates(x=[3.0]):
    def factorial(n):
        if n.sum() < 2:
            return n * 0 + 1
        return n * factorial(n - 1)

    return factorial(x)


def program_recursion_on_a_tensor_of_outside(n=[3.0], x=[2.0]):
    def power(n):
        if n.sum() <= 0:
            return x * 0 + 1
        return x * power(n - 1) + 0.5

    return power(n)


def program_recursion_that_begins_with_a_number(n=[5]):
    def factorial(n):
        if n.sum() <= 0:
            return 1
        return n.sum() * factorial(n - 1)

    return factorial(n)


def program_recursion_inside_its_own_argument(m=[2], n=[1]):
    def ackermann(m, n):
        if m.sum() <= 0:
            return n + 1
        elif n.sum() <= 0:
            return ackermann(m - 1, n * 0 + 1)
        else:
            return ackermann(m - 1, ackermann(m, n - 1))

    return ackermann(m, n)


def program_recursion_of_several_signatures(m=[2], n=[1]):
    def ackermann(m, n):
        if m.sum() <= 0:
            return n + 1
        elif n == 0:
            return ackermann(m - 1, 1)
        else:
            return ackermann(m - 1, ackermann(m, n - 1))

    return ackermann(m, n.sum())


def program_recursion_in_a_tree_of_outside(n=[3.0], x=[2.0]):
    y = x * 3

    def tree(n):
        if n.sum() <= 0:
            return y
        left = tree(n - 1)
        return left + x * tree(n - 2) if n.sum() > 1 else left * 2

    return tree(n)


def program_mutual_recursion(x=[4.0]):
    def even(n):
        if n.sum() <= 0:
            return n * 0 + 1
        return odd(n - 1)

    def odd(n):
        if n.sum() <= 0:
            return n * 0
        return even(n - 1)

    return even(x)


def program_static_recursion_with_state(x=V):
    n = 3

    def visit():
        nonlocal n
        n -= 1
        return visit() + 1 if n > 0 else 0

    return x * visit()


def program_recursive_closure_default(x=V):
    def f(v, depth=0):
        return v if depth > 2 else f(v + depth, depth + 1)

    return f(x)
