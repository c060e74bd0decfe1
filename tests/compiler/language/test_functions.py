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


def program_decorated_twice_by_one_decorator(x=V):
    @twice
    @twice
    def f(v):
        return v + 1

    return f(x)


pick = lambda k: (lambda x: x * k, lambda x: x + k, lambda x, y=1: x - k - y)


def program_lambdas_on_one_line(x=V):
    return [f(x) for f in pick(3)], (lambda f: (lambda v: f(f(v)))(x))(lambda u: u * 2)
