"""Containers from outside that functions and methods change: their owner sees what Python does."""

from __future__ import annotations

import bisect
import collections
import copy
import functools
import heapq
import operator
import random
from collections import Counter, OrderedDict, defaultdict

from outside import between, changing, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def compiled_heap(jit, make):
    heap = []
    return changing(jit, make, heap, lambda: heapq.heappush(heap, -len(heap)))


def compiled_insertion_in_order(jit, make):
    held = []
    return changing(jit, make, held, lambda: bisect.insort(held, -len(held)))


def case_list_is_shuffled(jit, make):
    held = [1, 2, 3]

    def f(x):
        random.Random(0).shuffle(held)
        return x * held[0]

    yield from thrice(jit(f), make, lambda: list(held))


def compiled_item_is_set_by_a_function(jit, make):
    d = {"n": 0}

    def f(x):
        operator.setitem(d, "n", d["n"] + 1)
        return x * d["n"]

    yield from thrice(jit(f), make, lambda: dict(d))


def compiled_method_of_a_list(jit, make):
    held = []
    push = held.append
    return changing(jit, make, held, lambda: push(1))


def compiled_partial_method_of_a_list(jit, make):
    held = []
    push = functools.partial(held.append, 1)
    return changing(jit, make, held, lambda: push())


def case_state_of_a_generator_of_numbers(jit, make):
    numbers = random.Random(3)
    yield from thrice(jit(lambda x: x * numbers.random()), make)


def compiled_dict_with_a_default(jit, make):
    d = defaultdict(list)

    def f(x):
        d["a"].append(1)
        return x * len(d["a"])

    yield from thrice(jit(f), make, lambda: copy.deepcopy(d))


def compiled_counter(jit, make):
    d = Counter()

    def f(x):
        d["a"] += 1
        d.update("ab")
        return x * d["a"]

    yield from thrice(jit(f), make, lambda: Counter(d))


def compiled_order_of_a_dict(jit, make):
    d = OrderedDict(a=1, b=2)

    def f(x):
        d.move_to_end("a" if next(iter(d)) == "a" else "b")
        return x * next(iter(d.values()))

    yield from thrice(jit(f), make, lambda: OrderedDict(d))


def case_user_dict(jit, make):
    d = collections.UserDict(a=1)

    def f(x):
        d["a"] += 1
        return x * d["a"]

    yield from thrice(jit(f), make, lambda: dict(d))


def case_user_dict_is_read(jit, make):
    d = collections.UserDict(a=1)
    yield from between(jit(lambda x: x * d["a"]), make, lambda: d.update(a=7))


def case_user_list(jit, make):
    held = collections.UserList([1])
    return changing(jit, make, held, lambda: held.append(2))


def case_chain_of_dicts(jit, make):
    a, b = {"k": 1}, {"j": 2}
    chain = collections.ChainMap(a, b)
    yield from between(jit(lambda x: x * chain["j"]), make, lambda: b.update(j=7))


def case_chain_of_dicts_is_changed(jit, make):
    a, b = {"k": 1}, {"j": 2}
    chain = collections.ChainMap(a, b)

    def f(x):
        chain["j"] = chain["j"] + 5
        return x * chain["j"]

    yield from thrice(jit(f), make, lambda: (dict(a), dict(b)))


def compiled_a_default_entry_stays_in_the_dict(jit, make):
    """What the factory makes is read again in the same call, in the next one, and outside."""
    d = defaultdict(list)

    def f(x):
        d["a"].append(x * 2)
        d["a"].append(x + len(d["a"]))
        own = defaultdict(int)
        own["n"] += 5
        own["n"] += 7
        return d["a"][0] + d["a"][-1] * own["n"], len(d), len(own)
    f = jit(f)
    for _ in range(2):
        yield f(make([1.0, -2.0, 4.0]))
        yield [v for v in d["a"]], list(d)
