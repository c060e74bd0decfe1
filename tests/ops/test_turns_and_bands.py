"""Turns by any number of quarters, sequences turned up to their lengths, and bands of every width and alignment."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, ops

X = np.random.default_rng(1).standard_normal((2, 3, 4)).astype(np.float32)


@pytest.mark.parametrize("k", range(-6, 9))
@pytest.mark.parametrize("dims", [(0, 1), (1, 0), (-1, 0), (2, 1)])
def test_quarters_of_turns(k, dims):
    np.testing.assert_array_equal(ops.rot90(Tensor(X), k, dims).asnumpy(), np.rot90(X, k, dims))


@pytest.mark.parametrize(("line", "batch"), [(0, 1), (1, 0), (2, 0), (-1, 1), (0, -1), (-2, -3)])
def test_sequences_are_turned_up_to_their_lengths(line, batch):
    lengths = np.random.default_rng(2).integers(0, X.shape[line] + 1, X.shape[batch])
    lengths[0] = X.shape[line]
    want = X.copy()
    for b, length in enumerate(lengths):
        at = [slice(None)] * 3
        at[batch] = b
        part = np.moveaxis(want[tuple(at)], (line % 3) - (line % 3 > batch % 3), 0)
        part[:length] = part[:length][::-1].copy()
    found = ops.reverse_sequence(Tensor(X), Tensor(lengths.astype(np.int32)), line, batch)
    np.testing.assert_array_equal(found.asnumpy(), want)


@pytest.mark.parametrize("lower", [-1, 0, 1, 2])
@pytest.mark.parametrize("upper", [-1, 0, 1, 3])
def test_bands_have_so_many_diagonals_or_all(lower, upper):
    i, j = np.indices((3, 4))
    kept = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    np.testing.assert_array_equal(ops.MatrixBandPart()(Tensor(X), lower, upper).asnumpy(), np.where(kept, X, 0))


def lines(matrix, low, high, align, other):
    """The diagonals of a matrix from the highest down, each moved to the end that its side has in `align`."""
    rows, columns = matrix.shape
    found = [[matrix[i, i + d] for i in range(rows) if 0 <= i + d < columns] for d in range(high, low - 1, -1)]
    longest = max(map(len, found))
    above, below = align.split("_")
    padded = []
    for d, line in zip(range(high, low - 1, -1), found, strict=True):
        gap = [other] * (longest - len(line))
        padded.append([*gap, *line] if (above if d >= 0 else below) == "RIGHT" else [*line, *gap])
    return np.array(padded[0] if low == high else padded)


@pytest.mark.parametrize("align", ["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4)])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (-1, 1), (-2, 0), (1, 2), (-2, -1), (-2, 2), (2, 2), (-1, -1)])
def test_diagonals_are_taken_made_and_set(align, shape, low, high):
    a = np.arange(1.0, 1 + shape[0] * shape[1], dtype=np.float32).reshape(shape)
    k, other = Tensor(np.int32([low, high])), Tensor(np.float32(-7))
    want = lines(a, low, high, align, -7.0)
    np.testing.assert_array_equal(ops.matrix_diag_part(Tensor(a), k, other, align).asnumpy(), want)
    i, j = np.indices(shape)
    inside = (j - i >= low) & (j - i <= high)
    size = (Tensor(np.int32(n)) for n in shape)
    made = ops.matrix_diag(Tensor(want.astype(np.float32)), k, *size, other, align)
    np.testing.assert_array_equal(made.asnumpy(), np.where(inside, a, -7))
    new = ops.matrix_set_diag(Tensor(np.zeros(shape, np.float32)), Tensor(want.astype(np.float32)), k, align)
    np.testing.assert_array_equal(new.asnumpy(), np.where(inside, a, 0))


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1, 2), (-2, -1), (-1, 1), (2, 2), (-3, -3)])
def test_matrices_are_as_small_as_their_diagonals_allow(low, high):
    length = 3
    x = np.ones((length,) if low == high else (high - low + 1, length), np.float32)
    least = length - min(high, 0), length + max(low, 0)
    for rows, columns, want in ((-1, -1, (max(least),) * 2), (-1, least[1] + 2, None), (least[0] + 2, -1, None)):
        shape = want or (rows if rows > 0 else least[0], columns if columns > 0 else least[1])
        counts = [max(min(shape[0] + min(d, 0), shape[1] - max(d, 0)), 0) for d in range(low, high + 1)]
        if max(counts) == length:
            found = ops.matrix_diag(Tensor(x), Tensor(np.int32([low, high])), Tensor(np.int32(rows)), Tensor(
                np.int32(columns)), Tensor(np.float32(0)))
            assert found.shape == shape
