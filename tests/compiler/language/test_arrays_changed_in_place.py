"""Arrays of NumPy that programs change in place: each call does what Python does."""

from __future__ import annotations

import random

import numpy as np
from outside import V, between, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def changing(jit, make, change, held=None):
    a = np.array([3.0, 1.0, 2.0]) if held is None else held

    def f(x):
        change(a)
        return x * float(a.reshape(-1)[0])

    yield from thrice(jit(f), make, lambda: a.copy())


def put_an_element(a):
    a[0] += 1


def put_a_slice(a):
    a[1:] = a[:-1] + 1


def add_in_place(a):
    b = a
    b += 1


def put_into_a_row(a):
    a[0][0] += 1


def put_into_the_transpose(a):
    a.T[0, 0] += 1


def put_into_the_flat_form(a):
    a.flat[0] += 1


def case_element_of_an_array(jit, make):
    yield from changing(jit, make, put_an_element)


def case_slice_of_an_array(jit, make):
    yield from changing(jit, make, put_a_slice)


def case_other_name_of_an_array(jit, make):
    yield from changing(jit, make, add_in_place)


def case_row_of_an_array(jit, make):
    yield from changing(jit, make, put_into_a_row, np.zeros((2, 2)))


def case_transpose_of_an_array(jit, make):
    yield from changing(jit, make, put_into_the_transpose, np.zeros((2, 2)))


def case_flat_form_of_an_array(jit, make):
    yield from changing(jit, make, put_into_the_flat_form, np.zeros((2, 2)))


def case_array_is_filled(jit, make):
    yield from changing(jit, make, lambda a: a.fill(a[0] + 1))


def case_array_is_sorted(jit, make):
    yield from changing(jit, make, lambda a: a.sort())


def case_result_of_numpy_into_an_array(jit, make):
    yield from changing(jit, make, lambda a: np.add(a, 1, out=a))


def case_third_argument_of_a_function_of_numpy(jit, make):
    yield from changing(jit, make, lambda a: np.multiply(a, 2, a))


def case_copy_into_an_array(jit, make):
    yield from changing(jit, make, lambda a: np.copyto(a, a + 1))


def case_function_of_numpy_at_places(jit, make):
    yield from changing(jit, make, lambda a: np.add.at(a, [0, 0], 1))


def case_array_in_a_dict(jit, make):
    d = {"a": np.zeros(3)}

    def f(x):
        d["a"] += 1
        return x * float(d["a"][0])

    yield from thrice(jit(f), make, lambda: d["a"].copy())


def case_array_is_shuffled(jit, make):
    a = np.arange(5.0)

    def f(x):
        random.Random(0).shuffle(a)
        return x * float(a[0])

    yield from thrice(jit(f), make)


def compiled_large_array_is_read(jit, make):
    a = np.zeros(100_000)
    yield from between(jit(lambda x: x * float(a[5])), make, lambda: a.__setitem__(5, 3.0))


def case_array_of_objects(jit, make):
    a = np.array([1, "a", None], object)
    yield from between(jit(lambda x: x * a[0]), make, lambda: a.__setitem__(0, 3))


def compiled_array_that_the_program_makes(jit, make):
    def f(x):
        a = np.zeros(3)
        a[0] = 3
        a += 1
        np.add(a, 1, out=a)
        return x * float(a.sum())

    yield from thrice(jit(f), make)


def case_array_that_is_returned(jit, make):
    f = jit(lambda x: (x, np.zeros(2)))
    first = f(make(V))[1]
    first[0] = 5.0
    yield f(make(V))
    yield first


def case_array_that_is_stored(jit, make):
    d = {}

    def f(x):
        d["a"] = np.zeros(2)
        return x

    g = jit(f)
    g(make(V))
    first = d["a"]
    first[0] = 9.0
    yield g(make(V)), d
    yield first is d["a"]
