"""What levels, lists and managers choose, layer by layer, in both types of 16 bits."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, amp, bfloat16, boost, float16, float32, nn, ops

X = Tensor(np.random.default_rng(5).standard_normal((4, 6)).astype(np.float32))
LOW = [float16, bfloat16]


class Seen(nn.Cell):
    """Passes its input on, and notes the type."""

    def __init__(self):
        super().__init__()
        self.types = []

    def construct(self, x):
        self.types.append(x.dtype)
        return x


def net():
    """A layer, a norm, a layer; and what comes out of each."""
    seen = [Seen() for _ in range(3)]
    return nn.SequentialCell(nn.Dense(6, 5), seen[0], nn.LayerNorm((5,)), seen[1], nn.Dense(5, 2), seen[2]), seen


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize(("level", "between"), [("O0", "hhh"), ("O1", "hhh"), ("O2", "lll"), ("O3", "lll")])
def test_types_between_layers(level, between, dtype):
    made, seen = net()
    out = amp.auto_mixed_precision(made, level, dtype)(X)
    assert out.dtype is float32
    assert [s.types[0] for s in seen] == [float32 if c == "h" else dtype for c in between]


@pytest.mark.parametrize("dtype", LOW)
def test_norms_of_level_o2_are_those_of_float32(dtype):
    norm, flat = nn.LayerNorm((6,)), nn.SequentialCell(nn.LayerNorm((6,)))
    low = amp.auto_mixed_precision(flat, "O2", dtype)(X)
    given = X.astype(dtype).astype(float32)
    wide = norm(X).asnumpy()
    rounded = norm(given).astype(dtype).astype(float32).asnumpy()
    assert any(np.array_equal(low.asnumpy(), Tensor(w).astype(dtype).astype(float32).asnumpy())
               for w in (wide, rounded))


@pytest.mark.parametrize("dtype", LOW)
def test_primitives_of_level_o1_compute_in_the_type_that_was_asked_for(dtype):
    class Product(nn.Cell):
        def __init__(self):
            super().__init__()
            self.product, self.w = ops.MatMul(), Parameter(X.T.copy(), name="w")

        def construct(self, x):
            return self.product(x, self.w)
    low = amp.auto_mixed_precision(Product(), "O1", dtype)(X)
    assert low.dtype is float32
    want = ops.matmul(X.astype(dtype), X.T.astype(dtype)).astype(float32)
    np.testing.assert_array_equal(low.asnumpy(), want.asnumpy())


@pytest.mark.parametrize("dtype", LOW)
def test_functions_choose_the_type_that_was_asked_for(dtype):
    assert amp.auto_mixed_precision(ops.matmul, "auto", dtype)(X, X.T).dtype is dtype
    with pytest.raises(TypeError, match="the network type should be Cell, but got 'function'"):
        amp.auto_mixed_precision(ops.matmul, "O1", dtype)


def test_layers_with_a_type_of_their_own_keep_it():
    wide = nn.Dense(6, 5)
    wide.to_float(float32)
    amp.auto_mixed_precision(nn.SequentialCell(wide), "O1")
    want = nn.Dense(6, 5)
    for mine, p in zip(want.trainable_params(), wide.trainable_params(), strict=True):
        mine.set_data(p)
    np.testing.assert_array_equal(wide(X).asnumpy(), want(X).asnumpy())
    alone = nn.Dense(6, 5, has_bias=False).to_float(float32)
    assert amp.auto_mixed_precision(alone, "auto")(X).dtype is float32
    assert amp.auto_mixed_precision(nn.Dense(6, 5, has_bias=False), "auto")(X).dtype is float16


def test_the_lists_are_those_of_the_documentation():
    # observed: MindSpore 2.10, `get_white_list` and `get_black_list`, as far as there are such cells
    white = {c.__name__ for c in amp.get_white_list()}
    assert {"Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose", "Dense", "LSTMCell",
            "RNNCell", "GRUCell", "Conv2D", "Conv3D", "MatMul", "BatchMatMul", "PReLU", "ReLU", "Ger"} <= white
    assert {c.__name__ for c in amp.get_black_list()} == {"BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm"}


@pytest.mark.parametrize("options", [
    {"black_list": [ops.MatMul]}, {"black_list": [3]}, {"white_list": (nn.Dense,)}, {"white_list": [nn.Dense(2, 2)]}])
def test_lists_of_other_things_are_refused(options):
    with pytest.raises(TypeError, match=f"'{next(iter(options))}|white_list or black_list"):
        amp.custom_mixed_precision(net()[0], **options)


# ------------------------------------------------------------------ scales

@pytest.mark.parametrize("make", [
    lambda scale: amp.FixedLossScaleManager(scale), lambda scale: amp.DynamicLossScaleManager(scale),
    lambda scale: amp.StaticLossScaler(scale), lambda scale: amp.DynamicLossScaler(scale, 2, 1)])
def test_scales_are_at_least_one(make):
    make(1)
    with pytest.raises(ValueError, match="scale"):
        make(0.5)


def test_numbers_without_dimensions_keep_their_type():
    for scaler in (amp.StaticLossScaler(4.0), amp.DynamicLossScaler(4.0, 2, 1)):
        for dtype in (float16, bfloat16, float32):
            up = scaler.scale(Tensor(1.5, dtype))
            assert (up.dtype, float(up)) == (dtype, 6.0)
            down = scaler.unscale(Tensor(6.0, dtype))
            assert (down.dtype, float(down)) == (dtype, 1.5)


def test_a_scale_grows_and_falls_by_its_factor_after_its_window():
    scaler, found = amp.DynamicLossScaler(4.0, 3, 2), []
    for finite in (True, True, True, False, True, True, False, False, False):
        scaler.adjust(Tensor(finite))
        found.append(float(scaler.scale_value))
    assert found == [4.0, 12.0, 12.0, 4.0, 4.0, 12.0, 4.0, pytest.approx(4 / 3), 1.0]


def test_the_flags_of_a_device_have_their_form():
    assert (amp.init_status().shape, amp.init_status().dtype) == ((8,), float32)


# ------------------------------------------------------------------ steps

def built(level="O0", **options):
    made, seen = net()
    optimizer = nn.SGD(made.trainable_params(), 0.0)
    return amp.build_train_network(made, optimizer, nn.MSELoss(), level, **options), made, seen


@pytest.mark.parametrize(("level", "kind", "between"), [
    ("O0", nn.TrainOneStepCell, "hhh"), ("O1", nn.TrainOneStepCell, "hhh"),
    ("O2", nn.TrainOneStepWithLossScaleCell, "lll"), ("O3", nn.TrainOneStepCell, "lll")])
def test_steps_of_levels(level, kind, between):
    step, made, seen = built(level)
    assert type(step) is kind
    assert step.training
    assert made.training
    out = step(X, Tensor(np.ones((4, 2), np.float32)))
    loss = out[0] if isinstance(out, tuple) else out
    assert loss.dtype is float32
    assert [s.types[0] for s in seen] == [float32 if c == "h" else float16 for c in between]
    if level == "O2":
        assert float(out[2]) in (2.0 ** 24, 2.0 ** 23)                 # the first step overflows, or does not


def norm_is_wide(step, made):
    """Whether the norm of a network computes in float32."""
    norm = next(cell for _, cell in made.cells_and_names() if isinstance(cell, nn.LayerNorm))
    return norm.__dict__["_cast"] is None or norm.__dict__["_cast"] is float32


@pytest.mark.parametrize(("level", "options", "wide"), [
    ("O2", {}, True), ("O3", {}, False), ("O2", {"keep_batchnorm_fp32": False}, False),
    ("O3", {"keep_batchnorm_fp32": True}, True), ("O0", {}, True)])
def test_norms_are_wide_where_the_level_or_the_program_says_so(level, options, wide):
    step, made, _ = built(level, **options)
    assert norm_is_wide(step, made) is wide


@pytest.mark.parametrize("dtype", LOW)
def test_losses_are_wide_whatever_the_network_computes_in(dtype):
    step, _, seen = built("O0", cast_model_type=dtype)
    out = step(X, Tensor(np.ones((4, 2), np.float32)))
    assert out.dtype is float32
    assert seen[0].types == [dtype]
    half, _, _ = built("O0", cast_model_type=dtype)
    low = half(X, Tensor(np.full((4, 2), 1 / 3, np.float32)))            # the labels are not rounded
    assert not np.array_equal(low.asnumpy(), low.astype(dtype).astype(float32).asnumpy())


@pytest.mark.parametrize(("manager", "kind", "scale"), [
    (amp.FixedLossScaleManager(8.0), nn.TrainOneStepWithLossScaleCell, None),
    (amp.FixedLossScaleManager(8.0, False), nn.TrainOneStepCell, 8.0), (None, nn.TrainOneStepCell, 1.0)])
def test_managers_of_the_program_take_the_place_of_the_levels(manager, kind, scale):
    for level in ("O0", "O2"):
        step, _, _ = built(level, loss_scale_manager=manager)
        assert type(step) is kind
        assert step.training
        if scale:
            assert step.sens == scale
    with pytest.raises(TypeError, match="loss_scale_manager"):
        built(loss_scale_manager=3)
    for wrong, error in (({"keep_batchnorm_fp32": 1}, TypeError), ({"cast_model": float16}, ValueError),
                         ({"cast_model_type": 3}, TypeError)):
        with pytest.raises(error, match=next(iter(wrong))):
            built(**wrong)


def test_boosted_steps_are_those_of_boost():
    for level, plain, scaled in (("O0", nn.TrainOneStepCell, nn.TrainOneStepWithLossScaleCell),
                                 ("O1", boost.BoostTrainOneStepCell, boost.BoostTrainOneStepWithLossScaleCell)):
        assert type(built("O0", boost_level=level)[0]) is plain
        assert type(built("O2", boost_level=level)[0]) is scaled


def test_the_level_auto_chooses_types_in_a_step_too():
    made = nn.SequentialCell(nn.Dense(6, 2, has_bias=False), seen := Seen())
    step = amp.build_train_network(made, nn.SGD(made.trainable_params(), 0.0), nn.MSELoss(), "auto")
    step(X, Tensor(np.ones((4, 2), np.float32)))
    assert seen.types == [float16]
