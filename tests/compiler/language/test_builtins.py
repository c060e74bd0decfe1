# ruff: noqa  # programs as users write them
"""Built-in functions and classes of Python on tensors and on known values."""

from __future__ import annotations

from mindspore import Tensor, ops

V = [1.0, -2.0, 4.0]
M = [[1.0, 2.0], [3.0, 4.0]]


def test_both_modes_agree(program, agree):
    agree(program)


def program_isinstance(x=V):
    return isinstance(x, Tensor), isinstance(3, (int, str)), isinstance([x], list), isinstance(x, int)


def program_type(x=V):
    return x if type(x) is Tensor and int is int else -x


def program_getattr(x=V):
    return getattr(x, "shape")[0] + getattr(x, "missing", 2), hasattr(x, "dtype")


def program_len(x=M):
    return x * len(x), len([1, 2]), len({})


def program_extremes(x=V):
    return max(x), min(x[0], x[1]), max(3, 4), min([5, 2]), max([1, 2], key=lambda v: -v)


def program_sum_any_all(x=V):
    return sum([x, x * 2]), any(x > 3), all([True, 1]), any([0, x[0] > 0]), all(x > 0)


def program_abs_pow_round(x=V):
    return abs(x), pow(x, 2), round(2.6), divmod(7, 2), abs(-3)


def program_enumerate_reversed_zip(x=V):
    out = []
    for i, v in enumerate(reversed([x, x * 2])):
        out.append(v + i)
    for a, b in zip([1, 2], (x, x)):
        out.append(a * b)
    return out


def program_range_list(x=V):
    return x * sum(list(range(1, 6, 2)))


def program_numbers(x=V):
    return x * (7 // 2) + 7 % 3 - 2**3 + (5 & 3) + (5 | 3) + (5 ^ 3) + (1 << 2) + ~1


def program_numpy_and_math_on_static(x=V):
    import math

    import numpy as np

    table = np.arange(3).astype(np.float32) * 2
    return x * Tensor(table) + math.floor(2.5) + float(np.sqrt(16.0)) + int(np.prod(x.shape))


def program_tensor_of_numbers(x=V):
    return x + Tensor([1.0, 2.0, 3.0]) * Tensor(2)


def program_tensor_of_computed_elements(x=V):
    return Tensor([x[0], x[1] * 2])


def program_stack_of_list(x=V):
    parts = [x * i for i in range(3)]
    return ops.stack(parts).sum(0)
