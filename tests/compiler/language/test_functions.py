# ruff: noqa  # programs as users write them
"""Functions, closures, arguments, functions chosen by conditions: both modes do the same."""

from __future__ import annotations

import functools

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def helper(x, k=2):
    return x * k


def keyword_only(x, *, scale=1, shift=0):
    return x * scale + shift


def many(*args, **kwargs):
    total = 0
    for a in args:
        total = total + a
    for k in sorted(kwargs):
        total = total + kwargs[k]
    return total


def twice(fn):
    @functools.wraps(fn)
    def run(*args, **kwargs):
        return fn(fn(*args, **kwargs))

    return run


@twice
def decorated(x):
    return x + 1


def scaled(k):
    def decorate(fn):
        return lambda x: fn(x) * k

    return decorate


@scaled(3)
def with_argument(x):
    return x - 1


def program_call(x=V):
    return helper(x) + helper(x, 3) + helper(k=4, x=x)


def program_keyword_only(x=V):
    return keyword_only(x, scale=2, shift=1)


def program_star_arguments(x=V):
    args = (x, x * 2)
    return many(*args, 3, **{"b": x, "a": 1})


def program_positional_only(x=V):
    def f(a, /, b, *, c=1):
        return a + b * c

    return f(x, 2, c=3)


def program_positional_only_by_name(x=V):
    def f(a, /):
        return a

    return f(a=x)


def program_unexpected_keyword(x=V):
    return helper(x, wrong=1)


def program_too_many_arguments(x=V):
    return helper(x, 1, 2)


def program_duplicate_argument(x=V):
    return helper(x, x=x)


def program_missing_keyword_only(x=V):
    def f(*, a, b):
        return a

    return f()


def program_decorated(x=V):
    return decorated(x) + with_argument(x)


def program_decorator_inside(x=V):
    @twice
    def f(v):
        return v * 2

    return f(x)


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


def program_nonlocal_in_arm(x=V):
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


def program_nonlocal_in_arm_of_called_function(x=V):
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


def program_closure_called_after_arm(x=V):
    k = 1

    def f():
        return x * k

    if x[0] > 0:
        k = 5
    return f()


def program_lambda(x=V):
    f = lambda v, k=2: v * k
    return f(x) + f(x, 3)


def program_compose(x=V):
    def compose(f, g):
        return lambda v: f(g(v))

    return compose(ops.relu, lambda v: v - 1)(x)


def program_partial(x=V):
    f = functools.partial(helper, k=5)
    return f(x)


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


def program_map_filter_sorted(x=V):
    a = list(map(lambda k: x * k, (1, 2)))
    b = list(filter(lambda k: k > 1, (1, 2, 3)))
    c = sorted((3, 1, 2), key=lambda k: -k)
    return a, b, c


def program_reduce(x=V):
    return functools.reduce(lambda a, b: a + b, [x, x * 2, x * 3])


def program_returns_nothing(x=V):
    def f(v):
        v = v + 1

    return f(x)


def program_returns_sometimes(x=V):
    def f(v):
        if v[0] > 0:
            return v * 2

    return f(x)


def program_docstring_and_annotations(x=V):
    """A docstring."""
    y: float = 2.0
    z: int
    return x * y


def program_inner_imports(x=V):
    import math
    from math import pi as number

    return x * math.sqrt(4) + number


def program_recursive_closure_default(x=V):
    def f(v, depth=0):
        return v if depth > 2 else f(v + depth, depth + 1)

    return f(x)


def program_generator_argument(x=V):
    return sum(x * k for k in range(4))


def program_next_of_generator(x=V):
    return next(x * k for k in range(1, 4))


def program_list_as_default_is_shared(x=V):
    def f(v, seen=[]):
        seen.append(1)
        return v * len(seen)

    f(x)
    return f(x)


def program_map_and_filter_of_lambdas(x=V):
    a = list(map(lambda k: x * k, (1, 2)))
    b = list(filter(lambda k: k > 1, (1, 2, 3)))
    c = tuple(map(lambda p, q: p + q, [x, 1], [2, 3]))
    return a, b, c


def program_star_star_into_function(x=V):
    options = dict(scale=2)
    options["shift"] = 1
    return keyword_only(x, **options)


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


def program_decorated_twice_by_one_decorator(x=V):
    @twice
    @twice
    def f(v):
        return v + 1

    return f(x)


pick = lambda k: (lambda x: x * k, lambda x: x + k, lambda x, y=1: x - k - y)


def program_lambdas_on_one_line(x=V):
    return [f(x) for f in pick(3)], (lambda f: (lambda v: f(f(v)))(x))(lambda u: u * 2)
