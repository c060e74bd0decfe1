"""Functions of `mindspore.ops` that no other test calls by name, beside NumPy, SciPy, torch or a formula.

The inputs are of unequal extents, with both signs and ties; places are negative or out of order where that is allowed.
"""
from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import special

from mindspore import Tensor, ops

F = torch.nn.functional
RNG = np.random.default_rng(12)
A, B = RNG.standard_normal((2, 3, 5))
A[0, 1] = A[2, 4] = B[1, 1] = A[1, 1] = 0.75                   # ties
POSITIVE = RNG.uniform(0.2, 3.0, (2, 3, 4))
INTS, INTS2 = RNG.integers(-7, 8, (2, 3, 4)).astype(np.int32)
INTS2[INTS2 == 0] = 3
SQUARES = RNG.standard_normal((2, 3, 3))
SPD = SQUARES @ SQUARES.swapaxes(1, 2) + 3 * np.eye(3)
RIGHT = RNG.standard_normal((2, 3, 4))
SERIES = RNG.standard_normal((2, 3, 6))
ROWS, FEW = np.array([4, 0, 2]), RNG.standard_normal((3, 3))
TABLE = RNG.standard_normal((5, 3))
NOISE = np.random.default_rng(1)
SEGMENTS = np.array([2, 0, 2, 1, 0])


def tensor(value):
    """An array as torch's."""
    return torch.tensor(np.asarray(value))


def torches(function, *given, **options):
    """What torch gives for the arrays."""
    found = function(*[tensor(x) if isinstance(x, np.ndarray) else x for x in given], **options)
    return [t.numpy() for t in found] if isinstance(found, tuple) else found.numpy()


def put(how, axis_rows=ROWS, values=FEW):
    """The table with rows changed, one after the other."""
    found = TABLE.copy()
    for row, value in zip(axis_rows, values, strict=True):
        found[row] = how(found[row], value)
    return found


def segments(how, start):
    """Rows of one number together."""
    found = np.full((3, 3), start)
    for at, row in zip(SEGMENTS, TABLE, strict=True):
        found[at] = how(found[at], row)
    return found


POOLED, PLACES = torches(F.max_pool1d, SERIES, 2, return_indices=True)
LOW = np.tril(np.linalg.cholesky(SPD))
CASES = [
    ("accumulate_n", ([A, B, A],), A + B + A),
    ("bias_add", (A, np.arange(5.0)), A + np.arange(5.0)),
    *[(f"bessel_{n}", (POSITIVE,), getattr(special, n)(POSITIVE))
      for n in ("i0", "i0e", "k0", "k0e", "k1", "k1e", "y0", "y1")],
    ("i0", (A,), special.i0(A)),
    ("digamma", (POSITIVE,), special.digamma(POSITIVE)),
    ("bitwise_left_shift", (INTS, np.abs(INTS2)), INTS << np.abs(INTS2)),
    ("bitwise_right_shift", (INTS, np.abs(INTS2)), INTS >> np.abs(INTS2)),
    ("population_count", (np.array([0, 1, 255, 7, 96], np.uint8),), np.array([0, 1, 8, 3, 2])),
    ("cholesky_solve", (RIGHT, LOW), np.linalg.solve(SPD, RIGHT)),
    ("cholesky_solve", (RIGHT, LOW.swapaxes(1, 2).copy(), True), np.linalg.solve(SPD, RIGHT)),
    ("floor_mod", (INTS, INTS2), INTS % INTS2),
    ("floormod", (INTS, INTS2), INTS % INTS2),
    ("truncate_div", (INTS, INTS2), np.trunc(INTS / INTS2).astype(np.int32)),
    ("truncate_mod", (INTS, INTS2), np.fmod(INTS, INTS2)),
    ("tensor_floordiv", (INTS, INTS2), INTS // INTS2),
    ("tensor_mod", (INTS, INTS2), INTS % INTS2),
    ("tensor_add", (A, B), A + B), ("tensor_sub", (A, B), A - B), ("tensor_mul", (A, B), A * B),
    ("tensor_div", (A, B), A / B), ("tensor_pow", (POSITIVE, POSITIVE[:, ::-1].copy()), POSITIVE ** POSITIVE[:, ::-1]),
    ("tensor_exp", (A,), np.exp(A)), ("tensor_expm1", (A,), np.expm1(A)),
    ("tensor_ge", (A, B), A >= B), ("tensor_gt", (A, B), A > B),
    ("tensor_le", (A, B), A <= B), ("tensor_lt", (A, B), A < B),
    ("ger", (A[0], B[:, 1].copy()), np.outer(A[0], B[:, 1])),
    ("isreal", (A,), np.ones_like(A, bool)),
    ("kaiser_window", (6,), np.kaiser(7, 12.0)[:6]),
    ("kaiser_window", (6, False, 5.0), np.kaiser(6, 5.0)),
    ("matrix_determinant", (SQUARES,), np.linalg.det(SQUARES)),
    ("log_matrix_determinant", (SQUARES,), list(np.linalg.slogdet(SQUARES))),
    ("matrix_exp", (SQUARES,), torches(torch.matrix_exp, SQUARES)),
    ("matrix_diag", (A,), A[..., None] * np.eye(5)),
    ("max_unpool1d", (POOLED, PLACES, 2), torches(F.max_unpool1d, POOLED, PLACES, 2)),
    ("movedim", (RIGHT, 0, -1), np.moveaxis(RIGHT, 0, -1)),
    ("movedim", (RIGHT, (0, 1), (1, 2)), np.moveaxis(RIGHT, (0, 1), (1, 2))),
    ("nextafter", (A, B), np.nextafter(A, B)),
    ("reduce_max", (A, 0), A.max(0)), ("reduce_min", (A, -1), A.min(-1)),
    ("repeat_elements", (A, 3, -1), np.repeat(A, 3, -1)),
    ("row_stack", ([A, B[0]],), np.vstack([A, B[0]])),
    ("sgn", (A - 0.75,), np.sign(A - 0.75)),
    ("soft_shrink", (A, 0.6), torches(F.softshrink, A, 0.6)),
    ("swapdims", (RIGHT, 0, -1), RIGHT.swapaxes(0, -1)),
    ("inplace_update", (TABLE, FEW, (4, 0, 2)), put(lambda old, new: new)),
    ("inplace_add", (TABLE, FEW, (4, 0, 2)), put(lambda old, new: old + new)),
    ("inplace_sub", (TABLE, FEW, (4, 0, 2)), put(lambda old, new: old - new)),
    *[(f"tensor_scatter_{n}", (TABLE, ROWS[:, None], FEW), put(how)) for n, how in (
        ("max", np.maximum), ("min", np.minimum), ("mul", np.multiply), ("sub", np.subtract))],
    ("tensor_scatter_elements", (TABLE, np.array([[4, 0, 2]]), FEW[:1]), torches(
        torch.scatter, TABLE, 0, np.array([[4, 0, 2]]), FEW[:1])),
    ("tensor_scatter_elements", (TABLE, ROWS[:, None] % 3, FEW[:, :1].copy(), 1), torches(
        torch.scatter, TABLE, 1, ROWS[:, None] % 3, FEW[:, :1].copy())),
    ("unsorted_segment_min", (TABLE, SEGMENTS, 3), segments(np.minimum, np.inf)),
    ("unsorted_segment_prod", (TABLE, SEGMENTS, 3), segments(np.multiply, 1.0)),
    ("reverse_sequence", (RIGHT, np.array([2, 3]), 1, 0), np.stack([RIGHT[0][[1, 0, 2]], RIGHT[1][::-1]])),
    ("reverse_sequence", (RIGHT, np.array([4, 2, 1]), -1, 1), np.stack([
        RIGHT[:, 0, ::-1], RIGHT[:, 1, [1, 0, 2, 3]], RIGHT[:, 2]], 1)),
    ("mirror_pad", (A, Tensor([[1, 2], [0, 3]]), "REFLECT"), np.pad(A, [(1, 2), (0, 3)], "reflect")),
    ("mirror_pad", (A, Tensor([[1, 2], [0, 3]]), "SYMMETRIC"), np.pad(A, [(1, 2), (0, 3)], "symmetric")),
]


def arrays(value):
    """Results of a function as arrays."""
    return [part.asnumpy() for part in value] if isinstance(value, tuple) else [value.asnumpy()]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "given", "wanted"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_a_function_computes_its_formula(name, given, wanted):
    def as_given(value):
        if isinstance(value, list):
            return [as_given(part) for part in value]
        if not isinstance(value, np.ndarray):
            return value
        return Tensor(value.astype(np.float32) if value.dtype == np.float64 else value)

    found = arrays(getattr(ops, name)(*[as_given(value) for value in given]))
    for one, other in zip(found, wanted if isinstance(wanted, list) else [wanted], strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=3e-4, atol=3e-5)
