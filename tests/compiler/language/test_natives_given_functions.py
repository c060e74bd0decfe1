"""Native functions that call what the program gives them, or depend on more than their arguments."""

from __future__ import annotations

import builtins
import collections
import decimal
import functools
import inspect
import json
import statistics
import sys
import types

import numpy as np
from outside import V, between, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def _counted():
    n = [0]

    def count(*_):
        n[0] += 1
        return n[0]
    return n, count


def compiled_hook_of_json(jit, make):
    n, count = _counted()
    return thrice(jit(lambda x: x * json.loads('{"a": 1}', object_hook=count)), make, lambda: list(n))


def case_function_as_an_operator_of_numpy(jit, make):
    n, count = _counted()
    operator = np.frompyfunc(count, 1, 1)
    return thrice(jit(lambda x: x * float(operator(np.arange(2.0)).sum())), make, lambda: list(n))


def compiled_function_along_an_axis(jit, make):
    n, count = _counted()
    return thrice(jit(lambda x: x * float(np.apply_along_axis(count, 0, np.ones((2, 2))).sum())), make, lambda: list(n))


def case_flags_of_an_array(jit, make):
    array = np.arange(4.0)
    f = jit(lambda x: x * (2 if array.flags.writeable else 3))
    return between(f, make, lambda: array.setflags(write=False))


def compiled_factory_of_a_dict_is_replaced(jit, make):
    d = collections.defaultdict(lambda: 2)
    f = jit(lambda x: x * d[1])

    def replace():
        d.default_factory = lambda: 7
        d.clear()
    return between(f, make, replace)


def compiled_precision_of_decimals(jit, make):
    third = decimal.Decimal(1)
    context = decimal.getcontext()
    f = jit(lambda x: x * float(third / 3) * 1000)
    yield f(make(V))
    before, context.prec = context.prec, 2
    try:
        found = f(make(V))
    finally:
        context.prec = before
    yield found
    yield f(make(V))


def compiled_signature(jit, make):
    def g(a, b=1):
        return a

    f = jit(lambda x: x * len(inspect.signature(g).parameters))

    def replace():
        g.__code__ = (lambda a, b, c=1: a).__code__
    return between(f, make, replace)


def case_mean_of_numbers_from_tensors(jit, make):
    held = [make(2.0), make(4.0)]
    f = jit(lambda x: x * statistics.mean([float(t) for t in held]))
    yield f(make(V))
    held[0][...] = 8.0
    yield f(make(V))


def case_name_that_a_tensor_gives(jit, make):
    o = types.SimpleNamespace(w0=1.0, w1=10.0)
    f = jit(lambda x: x * getattr(o, f"w{int(x.sum()) % 2}"))
    yield f(make([2.0]))
    yield f(make([3.0]))
    o.w1 = 7.0
    yield f(make([3.0]))


def case_sorted_numbers_of_both_kinds(jit, make):
    f = jit(lambda x: x * sorted([3.0, float(x.sum()), 1.0])[1])
    yield f(make([2.0]))
    yield f(make([5.0]))


def compiled_built_in_function_is_replaced(jit, make):
    f = jit(lambda x: x * len(oct(2)))
    yield f(make(V))
    before, builtins.oct = builtins.oct, lambda _: "a" * 50
    try:
        found = f(make(V))
    finally:
        builtins.oct = before
    yield found
    yield f(make(V))


ONE, OTHER = types.ModuleType("one"), types.ModuleType("other")
ONE.act, OTHER.act = (lambda x: x * 2), (lambda x: x * 3)
USED = ONE


def compiled_module_by_a_name(jit, make):
    global USED

    f = jit(lambda x: USED.act(x))
    yield f(make(V))
    USED = OTHER
    try:
        yield f(make(V))
    finally:
        USED = ONE
    yield f(make(V))


def compiled_module_as_an_attribute(jit, make):
    o = types.SimpleNamespace(m=ONE)
    return between(jit(lambda x: o.m.act(x)), make, lambda: setattr(o, "m", OTHER))


def compiled_module_in_a_dict(jit, make):
    d = {"m": ONE}
    return between(jit(lambda x: d["m"].act(x)), make, lambda: d.update(m=OTHER))


def case_module_that_is_imported(jit, make):
    sys.modules["used_by_a_test"] = ONE

    def f(x):
        import used_by_a_test
        return used_by_a_test.act(x)

    f = jit(f)
    try:
        yield f(make(V))
        sys.modules["used_by_a_test"] = OTHER
        yield f(make(V))
        sys.modules["used_by_a_test"] = types.SimpleNamespace(act=lambda x: x * 5)
        yield f(make(V))
    finally:
        del sys.modules["used_by_a_test"]


def compiled_function_around_a_compiled_one(jit, make):
    n, count = _counted()

    @jit
    def inner(x):
        return x * 2

    @functools.wraps(inner)
    def around(x):
        return inner(x) * count()

    f = jit(lambda x: around(x))
    return thrice(f, make, lambda: list(n))


def compiled_bound_method_under_jit(jit, make):
    class Counting:
        def __init__(self):
            self.n, self.run = 0, jit(self.step)

        def step(self, x):
            self.n += 1
            return x * self.n

    o = Counting()
    return thrice(jit(lambda x: o.run(x) + o.step(x)), make, lambda: o.n)
