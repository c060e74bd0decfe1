"""Tensors of attributes, closures and containers that a program reads as numbers: every call sees what they hold."""

from __future__ import annotations

import math

import numpy as np
from outside import V, replaced


def test_every_call_sees_what_the_tensor_holds(outside, like_numpy):
    like_numpy(outside)


def compiled_float_of_an_entry(jit, make):
    d = {"t": make(1.0)}
    yield from replaced(jit(lambda x: x * float(d["t"])), d, "t", [3.0, 5.0], make)


def compiled_int_of_an_element(jit, make):
    held = [make(2)]
    yield from replaced(jit(lambda x: x * int(held[0])), held, 0, [3, 4], make)


def compiled_bool_of_an_entry(jit, make):
    d = {"t": make(True)}
    yield from replaced(jit(lambda x: x * 2 if bool(d["t"]) else x * 3), d, "t", [False, True], make)


def compiled_item_of_an_entry(jit, make):
    d = {"t": make([1.5])}
    yield from replaced(jit(lambda x: x + d["t"].item()), d, "t", [[2.5], [4.0]], make)


def case_complex_of_an_entry(jit, make):
    d = {"t": make(1.0)}
    yield from replaced(jit(lambda x: x * complex(d["t"]).real), d, "t", [3.0, 4.0], make)


def case_rounded(jit, make):
    d = {"t": make(1.7)}
    yield from replaced(jit(lambda x: x * round(float(d["t"]))), d, "t", [3.2, 4.9], make)


def case_text(jit, make):
    d = {"t": make(1.0)}
    yield from replaced(jit(lambda x: (x, f"{float(d['t']):.2f}")), d, "t", [2.0, 3.0], make)


def case_list_of_the_elements(jit, make):
    d = {"t": make([1.0, 2.0])}

    def total(x):
        for v in d["t"].tolist():
            x = x + v
        return x

    yield from replaced(jit(total), d, "t", [[4.0, 5.0], [6.0, 7.0]], make)


def case_array_of_the_elements(jit, make):
    d = {"w": make([1.0, 2.0])}
    yield from replaced(jit(lambda x: x * float(d["w"].asnumpy().sum())), d, "w", [[4.0, 5.0], [6.0, 7.0]], make)


def case_loop_over_the_array(jit, make):
    d = {"w": make([1.0, 2.0])}

    def total(x):
        for v in d["w"].asnumpy():
            x = x + float(v)
        return x

    yield from replaced(jit(total), d, "w", [[4.0, 5.0], [6.0, 7.0]], make)


def case_mean_by_numpy(jit, make):
    d = {"w": make([1.0, 2.0])}
    yield from replaced(jit(lambda x: x * float(np.mean(d["w"].asnumpy()))), d, "w", [[4.0, 5.0]], make)


def case_array_made_of_the_tensor(jit, make):
    d = {"w": make([1.0, 2.0])}
    yield from replaced(jit(lambda x: x * float(np.array(d["w"]).max())), d, "w", [[4.0, 5.0]], make)


def case_bytes(jit, make):
    d = {"w": make([1.0])}
    yield from replaced(jit(lambda x: (x, sum(d["w"].asnumpy().tobytes()))), d, "w", [[4.0], [5.0]], make)


def compiled_index_of_a_list(jit, make):
    d, table = {"i": make(0)}, [10.0, 20.0, 30.0]
    yield from replaced(jit(lambda x: x * table[d["i"]]), d, "i", [2, 1], make)


def compiled_number_as_an_index(jit, make):
    d, table = {"i": make(0)}, [10.0, 20.0, 30.0]
    yield from replaced(jit(lambda x: x * table[int(d["i"])]), d, "i", [2, 1], make)


def case_key_of_a_dict(jit, make):
    d, table = {"k": make(1)}, {1: 10.0, 2: 20.0, 3: 30.0}
    yield from replaced(jit(lambda x: x * table[int(d["k"])]), d, "k", [2, 3], make)


def case_item_as_a_key(jit, make):
    d, table = {"k": make(1)}, {1: 10.0, 2: 20.0, 3: 30.0}
    yield from replaced(jit(lambda x: x * table[d["k"].item()]), d, "k", [2, 3], make)


def compiled_end_of_a_range(jit, make):
    d = {"n": make(2)}

    def doubled(x):
        for _ in range(int(d["n"])):
            x = x * 2
        return x

    yield from replaced(jit(doubled), d, "n", [4, 1], make)


def case_tensor_as_the_end_of_a_range(jit, make):
    d = {"n": make(2)}

    def summed(x):
        for i in range(d["n"]):
            x = x + i
        return x

    yield from replaced(jit(summed), d, "n", [4, 1], make)


def case_end_of_a_slice(jit, make):
    d = {"k": make(1)}
    yield from replaced(jit(lambda x: x[:int(d["k"])]), d, "k", [2, 1], make)


def case_slice_of_a_list(jit, make):
    d, table = {"k": make(1)}, [1.0, 10.0, 100.0]
    yield from replaced(jit(lambda x: x * sum(table[:d["k"]])), d, "k", [2, 3], make)


def case_shape(jit, make):
    d = {"k": make(1)}
    yield from replaced(jit(lambda x: x.reshape(int(d["k"]), -1)), d, "k", [2, 1], make)


def compiled_condition(jit, make):
    d = {"on": make(True)}

    def scaled(x):
        if d["on"]:
            return x * 2
        return x * 3

    yield from replaced(jit(scaled), d, "on", [False, True], make)


def compiled_and_not(jit, make):
    d = {"a": make(True), "b": make(False)}
    yield from replaced(jit(lambda x: x * 2 if d["a"] and not d["b"] else x), d, "b", [True, False], make)


def compiled_membership(jit, make):
    d = {"a": make(1)}
    yield from replaced(jit(lambda x: x * 2 if int(d["a"]) in (1, 2) else x), d, "a", [2, 4], make)


def compiled_limit_of_a_loop(jit, make):
    d = {"k": make(3.0)}

    def counted(x):
        n = 0
        while n < float(d["k"]):
            x, n = x + 1, n + 1
        return x, n

    yield from replaced(jit(counted), d, "k", [5.0, 2.0], make)


def case_alternatives_of_match(jit, make):
    d = {"a": make(1)}

    def matched(x):
        match int(d["a"]):
            case 1:
                return x
            case 2:
                return x * 2
        return x * 3

    yield from replaced(jit(matched), d, "a", [2, 5], make)


def compiled_function_of_math(jit, make):
    d = {"a": make(4.0)}
    yield from replaced(jit(lambda x: x * math.sqrt(d["a"])), d, "a", [9.0, 16.0], make)


def case_keys_of_a_sort(jit, make):
    held = [make(3.0), make(1.0), make(2.0)]
    yield from replaced(jit(lambda x: x * sorted(held, key=float)[0]), held, 1, [10.0, 20.0], make)


def case_items_as_keys_of_a_sort(jit, make):
    held = [make(3.0), make(1.0), make(2.0)]
    yield from replaced(jit(lambda x: x * sorted(held, key=lambda t: t.item())[-1]), held, 1, [10.0, 2.5], make)


def compiled_largest_by_a_key(jit, make):
    held = [make(1.0), make(2.0)]
    yield from replaced(jit(lambda x: x * max(held, key=float)), held, 0, [10.0, 0.5], make)


def case_smallest_of_a_map(jit, make):
    held = [make(1.0), make(2.0)]
    yield from replaced(jit(lambda x: x * min(map(float, held))), held, 0, [10.0, 0.5], make)


def case_sum_over_a_growing_list(jit, make):
    held = [make(1.0), make(2.0)]
    f = jit(lambda x: x * sum([float(v) for v in held]))
    yield f(make(V))
    held.append(make(100.0))
    yield f(make(V))
    held[0][...] = 1000.0
    yield f(make(V))
