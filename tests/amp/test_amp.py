"""Mixed precision: where networks compute in 16 bits, and how losses are scaled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, amp, bfloat16, float16, float32, nn, ops, train, value_and_grad

X = np.random.default_rng(0).standard_normal((2, 2, 4, 4)).astype(np.float32)


def network():
    return nn.SequentialCell(
        nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Dense(48, 2)
    ).set_train(False)


def dtypes(net, *inputs):
    """Output dtype of every leaf, by its path without wrappers."""
    seen = {}

    def watch(name):
        return lambda cell, args, out: seen.update({name: out.dtype})

    for name, cell in net.cells_and_names():
        if name and not list(cell.cells()):
            cell.register_forward_hook(watch(".".join(p for p in name.split(".") if p != "_backbone")))
    seen["out"] = net(*inputs).dtype
    return seen


@pytest.mark.parametrize(
    ("level", "conv", "norm", "dense"),
    [
        ("O0", float32, float32, float32),
        ("O1", float16, float32, float16),
        ("O2", float16, float32, float16),
        ("O3", float16, float16, float16),
        ("auto", float16, float32, float32),
    ],
)
def test_levels_choose_the_cells_in_16_bits(level, conv, norm, dense):
    seen = dtypes(amp.auto_mixed_precision(network(), level), Tensor(X))
    assert (seen["0"], seen["1"], seen["4"]) == (conv, norm, dense)
    assert seen["out"] is float32


def test_parameters_keep_their_names_and_full_precision():
    net = network()
    names = [p.name for p in net.get_parameters()]
    mixed = amp.auto_mixed_precision(net, "O2")
    assert [p.name for p in mixed.get_parameters()] == names
    assert {p.dtype for p in mixed.get_parameters()} == {float32}


@pytest.mark.usefixtures("both_modes")
def test_the_result_is_that_of_full_precision_rounded():
    net = network()
    want = net(Tensor(X)).asnumpy()
    got = amp.auto_mixed_precision(net, "O2")(Tensor(X)).asnumpy()
    np.testing.assert_allclose(got, want, rtol=2e-2, atol=2e-2)
    assert not np.array_equal(got, want)


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_outputs_in_containers_are_in_full_precision(level):
    class Pair(NamedTuple):
        y: Tensor
        more: dict

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 2)

        def construct(self, x):
            y = self.dense(x)
            return Pair(y, {"twice": y * 2})

    found = amp.auto_mixed_precision(Net(), level)(Tensor(np.ones((1, 3), np.float32)))
    assert (found.y.dtype, found.more["twice"].dtype) == (float32, float32)


def test_bfloat16_may_be_chosen():
    assert dtypes(amp.auto_mixed_precision(network(), "O2", bfloat16), Tensor(X))["0"] is bfloat16


def test_lists_may_be_given():
    seen = dtypes(amp.custom_mixed_precision(network(), white_list=[nn.Dense]), Tensor(X))
    assert (seen["0"], seen["4"]) == (float32, float16)
    seen = dtypes(amp.custom_mixed_precision(network(), black_list=[nn.Dense]), Tensor(X))
    assert (seen["0"], seen["1"], seen["4"]) == (float16, float16, float32)


class WithPrimitive(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()

    def construct(self, x):
        return self.matmul(x, x)


def test_primitives_of_the_white_list_compute_in_16_bits():
    x = Tensor(np.array([[1.0, 1e-4], [0.0, 1.0]], np.float32))
    full = WithPrimitive()(x).asnumpy()
    low = amp.auto_mixed_precision(WithPrimitive(), "O1")(x)
    assert low.dtype is float32
    np.testing.assert_allclose(low.asnumpy(), full, rtol=1e-3, atol=1e-6)
    assert not np.array_equal(low.asnumpy(), full)


def train_network(**options):
    net = network()
    return amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), **options)


@pytest.mark.parametrize(
    ("options", "cls"),
    [
        ({}, nn.TrainOneStepCell),
        ({"level": "O2"}, nn.TrainOneStepWithLossScaleCell),
        ({"level": "O2", "loss_scale_manager": None}, nn.TrainOneStepCell),
        ({"level": "O3"}, nn.TrainOneStepCell),
        ({"loss_scale_manager": amp.FixedLossScaleManager(8.0)}, nn.TrainOneStepWithLossScaleCell),
        ({"loss_scale_manager": amp.FixedLossScaleManager(8.0, False)}, nn.TrainOneStepCell),
    ],
)
def test_the_step_scales_the_loss_where_the_level_or_the_manager_says_so(options, cls):
    step = train_network(**options)
    assert type(step) is cls
    loss = step(Tensor(X), Tensor(np.zeros((2, 2), np.float32)))
    loss = loss[0] if isinstance(loss, tuple) else loss
    assert loss.dtype is float32


def test_a_fixed_manager_without_dropping_scales_by_sens():
    assert train_network(loss_scale_manager=amp.FixedLossScaleManager(8.0, False)).sens == 8.0


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda: amp.auto_mixed_precision(3, "O1")),
        (ValueError, lambda: amp.auto_mixed_precision(network(), "O9")),
        (ValueError, lambda: amp.auto_mixed_precision(network(), "O2", float32)),
        (ValueError, lambda: amp.custom_mixed_precision(network())),
        (ValueError, lambda: amp.custom_mixed_precision(network(), white_list=[], black_list=[])),
        (TypeError, lambda: amp.custom_mixed_precision(network(), white_list=[3])),
        (ValueError, lambda: train_network(level="O9")),
        (ValueError, lambda: train_network(speed=1)),
        (TypeError, lambda: train_network(keep_batchnorm_fp32=3)),
        (TypeError, lambda: train_network(cast_model_type=3)),
        (ValueError, lambda: train_network(boost_level="O9")),
        (ValueError, lambda: amp.DynamicLossScaler(0.0, 2, 2)),
        (TypeError, lambda: amp.DynamicLossScaler(8.0, 2.5, 2)),
        (ValueError, lambda: amp.DynamicLossScaler(8.0, 2, 0)),
        (ValueError, lambda: amp.StaticLossScaler(0.0)),
        (ValueError, lambda: amp.FixedLossScaleManager(0)),
        (ValueError, lambda: amp.DynamicLossScaleManager(8, 2, 0)),
        (ValueError, lambda: amp.all_finite(())),
        (TypeError, lambda: amp.all_finite(3)),
        (TypeError, amp.LossScaler),
    ],
)
def test_wrong_arguments_are_refused(error, call):
    with pytest.raises(error):
        call()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(("bad", "finite"), [(1.0, True), (np.inf, False), (-np.inf, False), (np.nan, False)])
def test_all_finite_finds_what_is_not(dtype, bad, finite):
    values = np.ones(1000, dtype)
    values[617] = bad
    found = amp.all_finite((Tensor(np.zeros((2, 3), dtype)), [Tensor(values)]))
    assert found.shape == ()
    assert bool(found.asnumpy()) is finite


def test_integers_are_finite():
    assert bool(amp.all_finite([Tensor([1, 2])]).asnumpy())


@pytest.mark.parametrize(
    ("overflows", "scales"),
    [
        ((True, False, False, False, False), [4, 4, 8, 8, 16]),      # observed: MindSpore 2.10, CPU
        ((False, False, False, True), [8, 16, 16, 8]),
    ],
)
def test_a_dynamic_manager_follows_overflows(overflows, scales):
    manager = amp.DynamicLossScaleManager(8, 2, 2)
    seen = []
    for overflow in overflows:
        manager.update_loss_scale(overflow)
        seen.append(manager.get_loss_scale())
    assert seen == scales
    assert manager.get_update_cell().get_loss_scale() == scales[-1]


@pytest.mark.usefixtures("both_modes")
def test_a_dynamic_scaler_follows_overflows():
    scaler = amp.DynamicLossScaler(2.0, 2, 2)
    seen = []
    for finite in (False, True, True, True, True, False):
        scaler.adjust(Tensor(finite))
        seen.append((float(scaler.scale_value.asnumpy()), int(scaler.counter.asnumpy())))
    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1), (4, 0), (2, 0)]      # observed: MindSpore 2.10, CPU


def test_unscale_undoes_scale():
    for scaler in (amp.StaticLossScaler(8.0), amp.DynamicLossScaler(8.0, 2, 2)):
        scaled = scaler.scale((Tensor(2.0), Tensor([4.0])))
        assert float(scaled[0].asnumpy()) == 16
        assert float(scaler.unscale(scaled)[1].asnumpy()[0]) == 4


def test_a_static_scale_stays():
    scaler = amp.StaticLossScaler(8.0)
    assert scaler.adjust(False) is False
    assert float(scaler.scale_value.asnumpy()) == 8


def test_a_training_loop_may_scale_by_hand():
    net = nn.Dense(3, 1)
    scaler = amp.DynamicLossScaler(2.0**10, 2, 50)
    x, y = Tensor(X.reshape(-1, 4)[:, :3]), Tensor(np.ones((16, 1), np.float32))
    loss_fn = nn.MSELoss()
    forward = value_and_grad(lambda a, b: scaler.scale(loss_fn(net(a), b)), None, net.trainable_params())
    loss, grads = forward(x, y)
    plain = value_and_grad(lambda a, b: loss_fn(net(a), b), None, net.trainable_params())(x, y)[1]
    assert bool(amp.all_finite(grads).asnumpy())
    for got, want in zip(scaler.unscale(grads), plain, strict=True):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)
    assert float(scaler.unscale(loss).asnumpy()) == pytest.approx(float(loss_fn(net(x), y).asnumpy()))


def test_outputs_of_the_other_16_bits_are_in_full_precision():
    class ToBfloat16(nn.Cell):
        def construct(self, x):
            return x.astype(bfloat16)

    for level in ("O2", "O3"):
        assert amp.auto_mixed_precision(ToBfloat16(), level)(Tensor(X)).dtype is float32


@pytest.mark.parametrize("keep", [False, True])
def test_normalisations_are_kept_in_float32_on_request(keep):
    net = network()
    step = amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), level="O3", keep_batchnorm_fp32=keep)
    assert dtypes(step.network, Tensor(X))["1"] is (float32 if keep else float16)


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_losses_get_full_precision(level):
    seen = []

    class Look(nn.LossBase):
        def construct(self, logits, labels):
            seen.append((logits.dtype, labels.dtype))
            return self.get_loss((logits - labels) ** 2)

    net = network()
    step = amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), Look(), level)
    step(Tensor(X), Tensor(np.ones((2, 2), np.float16)))
    assert set(seen) == {(float32, float32)}


def test_cells_that_normalise_stay_in_float32_at_o2():
    for made, shape in ((nn.BatchNorm1d(3), (4, 3)), (nn.BatchNorm2d(3), (2, 3, 4, 5)), (nn.LayerNorm((3,)), (4, 3))):
        net = amp.auto_mixed_precision(nn.SequentialCell(made, nn.ReLU()), "O2")
        inside = net.get_sub_cell("_backbone.0._backbone")
        assert inside is made                          # behind a cell that casts what it gives
        seen = []
        made.register_forward_hook(lambda cell, given, out, seen=seen: seen.append(out.dtype))
        net(Tensor(np.ones(shape, np.float32)))
        assert seen == [float32], type(made).__name__


def test_a_scale_of_a_step_does_not_fall_below_one():
    scaler, found = amp.DynamicLossScaler(3.0, 2, 2), []
    for finite in (False, False, False, True, True, True, True):
        scaler.adjust(Tensor(finite))
        found.append(float(scaler.scale_value.asnumpy()))
    assert found == [1.5, 1, 1, 1, 2, 2, 4]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("own", [float16, float32])
def test_cells_with_a_float_type_of_their_own_keep_it_at_o1(own):
    net, x = nn.SequentialCell(nn.Dense(3, 2).to_float(own)), Tensor(np.ones((1, 3), np.float32))
    expected = net(x)
    found = amp.auto_mixed_precision(net, "O1")(x)
    assert found.dtype is own
    np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
def test_the_mode_of_cells_is_as_before(level, training):
    net = amp.auto_mixed_precision(network().set_train(training), level)
    assert {cell.training for _, cell in net.cells_and_names()} == {training}


def test_lowering_twice_is_as_lowering_once():
    class Large(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm((3,))

        def construct(self, x):
            return self.norm(x.astype(float32) * 1e6)

    net = amp.auto_mixed_precision(Large(), "O2")
    x = Tensor(np.array([[1.0, 2.0, 4.0]], np.float32))
    once = net(x).asnumpy()
    np.testing.assert_array_equal(amp.auto_mixed_precision(net, "O2")(x).asnumpy(), once)
    assert np.isfinite(once).all()


@pytest.mark.parametrize(("options", "wanted"), [
    ({}, float32), ({"keep_batchnorm_fp32": True}, float32), ({"keep_batchnorm_fp32": False}, float16)])
@pytest.mark.parametrize("made_by", ["function", "Model"])
def test_norms_stay_in_float32_at_o2_unless_told_otherwise(made_by, options, wanted):
    norm = nn.BatchNorm2d(3)
    net, seen = nn.SequentialCell(nn.Conv2d(2, 3, 3), norm, nn.Flatten(), nn.Dense(48, 2)), []
    norm.register_forward_hook(lambda cell, given, out: seen.append(out.dtype))
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    if made_by == "Model":
        step = train.Model(net, nn.MSELoss(), optimizer, amp_level="O2", **options).train_network
    else:
        step = amp.build_train_network(net, optimizer, nn.MSELoss(), "O2", **options)
    step(Tensor(X), Tensor(np.zeros((2, 2), np.float32)))
    assert seen == [wanted]


@pytest.mark.parametrize("value", [None, 3.0, "x", (Tensor([1.0]), None)])
def test_what_is_no_tensor_cannot_be_scaled(value):
    scaler = amp.StaticLossScaler(8)
    for call in (scaler.scale, scaler.unscale):
        with pytest.raises(TypeError, match="'inputs'"):
            call(value)


class WithBias(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(X.reshape(16, 4)), name="w")
        self.b = ms.Parameter(Tensor([1.0, 2.0, 3.0, 4.0]), name="b")
        self.product, self.add = ops.MatMul(), ops.BiasAdd()

    def construct(self, x):
        return self.add(self.product(x, self.w), self.b)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("level", ["O2", "O3"])
def test_biases_of_primitives_are_in_the_type_of_the_cell(level):
    net, x = WithBias(), Tensor(X.reshape(4, 16))
    wanted = net(x).asnumpy()
    found = amp.auto_mixed_precision(net, level)(x)
    np.testing.assert_allclose(found.astype(float32).asnumpy(), wanted, 5e-3, 5e-3)
    assert not np.array_equal(found.astype(float32).asnumpy(), wanted)      # it is rounded
    assert net.b.dtype is float32
