"""Dropout: how much it keeps, how it scales, what repeats."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, ops

ONES = np.ones((100, 100), np.float32)


def test_kept_elements_are_scaled_by_the_probability_of_being_kept():
    y = ops.dropout(Tensor(ONES), 0.2).asnumpy()
    np.testing.assert_allclose(np.unique(y), [0, 1.25])
    assert abs((y == 0).mean() - 0.2) < 0.02


def test_the_gradient_passes_where_elements_were_kept():
    mindspore.set_seed(3)
    y = ops.dropout(Tensor(ONES), 0.5).asnumpy()
    mindspore.set_seed(3)
    d = mindspore.grad(lambda x: ops.dropout(x, 0.5).sum())(Tensor(ONES)).asnumpy()
    np.testing.assert_array_equal(d, y)


def test_nothing_is_dropped_in_evaluation():
    x = Tensor(ONES)
    assert ops.dropout(x, 0.5, training=False) is x
    assert ops.dropout2d(Tensor(np.ones((1, 2, 3, 3), np.float32)), 0.5, False).asnumpy().min() == 1


def test_the_primitive_returns_which_elements_were_kept():
    y, kept = ops.Dropout(keep_prob=0.5)(Tensor(ONES))
    np.testing.assert_array_equal(y.asnumpy(), 2 * kept.asnumpy())
    assert kept.dtype == mindspore.float32


def test_seeds_make_a_sequence_of_their_own():
    def draw():
        return [ops.dropout(Tensor(ONES), 0.5, seed=7).asnumpy() for _ in range(2)]
    mindspore.set_seed(1)
    first = draw()
    mindspore.set_seed(1)
    again = draw()
    assert (first[0] != first[1]).any()
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[1], again[1])


@pytest.mark.parametrize(("function", "shape"), [
    (ops.dropout1d, (40, 10, 3)), (ops.dropout2d, (40, 10, 3, 2)), (ops.dropout3d, (40, 10, 2, 2, 2))])
def test_whole_channels_are_dropped(function, shape):
    y = function(Tensor(np.ones(shape, np.float32)), 0.5).asnumpy().reshape(400, -1)
    np.testing.assert_array_equal(y.min(1), y.max(1))
    assert abs((y[:, 0] == 0).mean() - 0.5) < 0.1
    assert y.max() == 2


def test_a_channel_without_batch_is_dropped_whole():
    y = ops.dropout1d(Tensor(np.ones((200, 3), np.float32)), 0.5).asnumpy()
    np.testing.assert_array_equal(y.min(1), y.max(1))
    assert 0 < (y[:, 0] == 0).sum() < 200


def test_all_channels_can_be_dropped():
    # observed: MindSpore 2.10, CPU
    assert ops.dropout2d(Tensor(np.ones((2, 3, 2, 2), np.float32)), 1.0).asnumpy().max() == 0


@pytest.mark.parametrize(("p", "error"), [(1.0, ValueError), (-0.1, RuntimeError), ("a", TypeError)])
def test_wrong_probabilities_are_named(p, error):
    with pytest.raises(error, match="'p' must be"):
        ops.dropout(Tensor(ONES), p)


def test_packed_masks_keep_with_their_probability_and_carry_the_gradient():
    keep = Tensor(0.75, mindspore.float32)
    mask = ops.DropoutGenMask(1, 2)((100, 99), keep)
    assert mask.shape == (16 * -(-9900 // 128),)
    x = Tensor(np.ones((100, 99), np.float32))
    y = ops.DropoutDoMask()(x, mask, keep).asnumpy()
    np.testing.assert_allclose(np.unique(y), [0, 1 / 0.75], rtol=1e-6)
    assert abs((y == 0).mean() - 0.25) < 0.02
    d = mindspore.grad(lambda v: ops.DropoutDoMask()(v, mask, keep).sum())(x)
    np.testing.assert_array_equal(d.asnumpy(), y)


def test_a_mask_of_another_size_is_named():
    mask = Tensor(np.zeros(16, np.uint8))
    with pytest.raises(ValueError, match=r"must be u8\[1264\]"):
        ops.DropoutDoMask()(Tensor(ONES), mask, Tensor(0.5, mindspore.float32))
