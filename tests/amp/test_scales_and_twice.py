"""Networks that are lowered twice, or are one layer; scales in the types of what they scale; managers."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, amp, bfloat16, float16, float32, nn

X = Tensor(np.random.default_rng(2).standard_normal((4, 3)).astype(np.float32) * 100)


def net():
    return nn.SequentialCell(nn.Dense(3, 5), nn.LayerNorm((5,)), nn.Dense(5, 2))


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_lowering_twice_changes_nothing(level):
    once = amp.auto_mixed_precision(net(), level)
    want = once(X)
    number = len(list(once.cells_and_names()))
    twice = amp.auto_mixed_precision(once, level)
    assert want.dtype is twice(X).dtype is float32
    np.testing.assert_allclose(twice(X).asnumpy(), want.asnumpy(), rtol=2e-3, atol=2e-3)
    assert len(list(twice.cells_and_names())) <= number + 1


def test_one_layer_alone_is_lowered_or_kept_as_its_class_says():
    norm = nn.LayerNorm((3,))
    exact = norm(X).asnumpy()
    kept = amp.auto_mixed_precision(norm, "O2")(X)
    assert np.array_equal(kept.asnumpy(), exact)
    lowered = amp.auto_mixed_precision(nn.LayerNorm((3,)), "O3")(X)
    assert not np.array_equal(lowered.asnumpy(), exact)
    dense = nn.Dense(3, 2)
    wide = dense(X).asnumpy()
    assert not np.array_equal(amp.auto_mixed_precision(dense, "O1")(X).asnumpy(), wide)


def test_lists_are_given_one_at_a_time_and_results_are_wide():
    for options in ({}, {"white_list": [nn.Dense], "black_list": [nn.LayerNorm]}):
        with pytest.raises(ValueError, match="must be"):
            amp.custom_mixed_precision(net(), **options)
    for options in ({"white_list": [nn.Dense]}, {"black_list": [nn.LayerNorm]}, {"black_list": []}):
        for dtype in (float16, bfloat16):
            assert amp.custom_mixed_precision(net(), **options, dtype=dtype)(X).dtype is float32


@pytest.mark.parametrize("make", [lambda: amp.StaticLossScaler(8.0), lambda: amp.DynamicLossScaler(8.0, 2, 3)])
def test_scales_keep_types_and_nests(make):
    scaler = make()
    given = (Tensor([1.5, -2.0], float16), [Tensor([0.25], float32), (Tensor([4.0], bfloat16),)])
    up = scaler.scale(given)
    down = scaler.unscale(up)
    for scaled, factor in ((up, 8.0), (down, 1.0)):
        a, (b, (c,)) = scaled
        assert (a.dtype, b.dtype, c.dtype) == (float16, float32, bfloat16)
        assert a.asnumpy().tolist() == [1.5 * factor, -2.0 * factor]
        assert (float(b[0]), float(c[0])) == (0.25 * factor, 4.0 * factor)


def test_a_dynamic_scale_counts_finite_steps_in_a_row():
    scaler, seen = amp.DynamicLossScaler(8.0, 2, 3), []
    for finite in [True] * 2 + [False] + [True] * 4 + [False] * 5:
        assert scaler.adjust(Tensor(finite))
        seen.append((float(scaler.scale_value), int(scaler.counter)))
    assert seen == [(8, 1), (8, 2), (4, 0), (4, 1), (4, 2), (8, 0), (8, 1), (4, 0), (2, 0), (1, 0), (1, 0), (1, 0)]


def test_managers_hand_their_numbers_to_the_cell_and_count_alike():
    manager = amp.DynamicLossScaleManager(64.0, 4, 3)
    cell = manager.get_update_cell()
    assert (cell.loss_scale_value, cell.scale_factor, cell.scale_window) == (64.0, 4.0, 3)
    scale = Parameter(Tensor(64.0), name="scale")
    seen = []
    for overflow in [False] * 3 + [True] + [False] * 4 + [True] * 4 + [False] * 3:
        manager.update_loss_scale(overflow)
        cell(scale, Tensor(overflow))
        seen.append((manager.get_loss_scale(), float(scale)))
    assert all(a == b for a, b in seen)
    assert [a for a, _ in seen] == [64, 64, 256, 64, 64, 64, 256, 256, 64, 16, 4, 1, 1, 1, 4]
    for options in ({"scale_factor": 0}, {"init_loss_scale": 0.5}, {"scale_window": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            amp.DynamicLossScaleManager(**options)
    assert amp.DynamicLossScaleManager().scale_window == 2000
