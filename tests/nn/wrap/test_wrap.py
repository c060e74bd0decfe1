"""Cells around a network: losses, gradients, training steps, loss scaling."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

X = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], np.float32)
Y = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
WEIGHT = (np.arange(6, dtype=np.float32) / 10).reshape(2, 3)


def network():
    net = nn.Dense(3, 2)
    net.weight.set_data(Tensor(WEIGHT))
    net.bias.set_data(Tensor(np.zeros(2, np.float32)))
    return net


def with_loss(net):
    return nn.WithLossCell(net, nn.MSELoss())


def gradient_of_weight(weight=WEIGHT, x=X):
    """The derivative of the mean squared error by the weight."""
    error = x @ weight.T - Y
    return 2 * error.T @ x / error.size


def data():
    return Tensor(X), Tensor(Y)


def test_with_loss_cell_computes_the_loss():
    cell = with_loss(network())
    assert float(cell(*data()).asnumpy()) == pytest.approx(np.mean((X @ WEIGHT.T - Y) ** 2), rel=1e-5)
    assert isinstance(cell.backbone_network, nn.Dense)


def test_with_eval_cell_returns_loss_output_and_label():
    loss, out, label = nn.WithEvalCell(network(), nn.MSELoss())(*data())
    assert loss.shape == ()
    np.testing.assert_allclose(out.asnumpy(), X @ WEIGHT.T, rtol=1e-5)
    assert np.array_equal(label.asnumpy(), Y)


@pytest.mark.usefixtures("both_modes")
def test_with_grad_cell_gives_the_gradients_of_the_parameters():
    by_weight, by_bias = nn.WithGradCell(network(), nn.MSELoss())(*data())
    np.testing.assert_allclose(by_weight.asnumpy(), gradient_of_weight(), rtol=1e-4, atol=1e-6)
    assert by_bias.shape == (2,)


@pytest.mark.usefixtures("both_modes")
def test_forward_value_and_grad_scales_by_its_last_input():
    net = with_loss(network())
    weights = ParameterTuple(net.trainable_params())
    cell = nn.ForwardValueAndGrad(net, weights, get_all=True, get_by_list=True, sens_param=True)
    value, (by_inputs, by_weights) = cell(*data(), Tensor(2.0))
    assert value.shape == ()
    assert [g.shape for g in by_inputs] == [(2, 3), (2, 2)]
    np.testing.assert_allclose(by_weights[0].asnumpy(), 2 * gradient_of_weight(), rtol=1e-4, atol=1e-6)


def test_forward_value_and_grad_differentiates_the_first_input_by_default():
    value, by_x = nn.ForwardValueAndGrad(lambda x, y: x * x * y)(Tensor(3.0), Tensor(5.0))
    assert float(value.asnumpy()) == 45
    assert float(by_x.asnumpy()) == 30


@pytest.mark.usefixtures("both_modes")
def test_parameter_update_assigns_its_input():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    assert nn.ParameterUpdate(p)(Tensor([3.0, 4.0])).asnumpy().tolist() == [3.0, 4.0]
    assert p.asnumpy().tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="shape"):
        nn.ParameterUpdate(p)(Tensor([3.0]))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("sens", [None, 2.0, Tensor(2.0)])
def test_a_training_step_moves_the_parameters_against_the_gradient(sens):
    net = network()
    step = nn.TrainOneStepCell(with_loss(net), nn.SGD(net.trainable_params(), 0.1), sens)
    step(*data())
    factor = 1.0 if sens is None else 2.0
    np.testing.assert_allclose(
        net.weight.asnumpy(), WEIGHT - 0.1 * factor * gradient_of_weight(), rtol=1e-5, atol=1e-6
    )


@pytest.mark.usefixtures("both_modes")
def test_a_training_step_returns_gradients_by_name_on_request():
    net = network()
    step = nn.TrainOneStepCell(with_loss(net), nn.SGD(net.trainable_params(), 0.1), return_grad=True)
    loss, grads = step(*data())
    assert loss.shape == ()
    np.testing.assert_allclose(grads["weight"].asnumpy(), gradient_of_weight(), rtol=1e-4, atol=1e-6)


def test_a_step_without_scale_is_refused():
    net = network()
    with pytest.raises(ValueError, match="sens"):
        nn.TrainOneStepCell(with_loss(net), nn.SGD(net.trainable_params(), 0.1), 0)


class OldStep(nn.TrainOneStepCell):
    """As programs of 1.x write their step."""

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad(self.network, self.weights)(x, y, sens)
        grads = self.grad_reducer(grads)
        return ops.depend(loss, self.optimizer(grads))


@pytest.mark.usefixtures("both_modes")
def test_steps_of_users_find_what_the_base_class_has():
    net = network()
    OldStep(with_loss(net), nn.SGD(net.trainable_params(), 0.1), sens=3.0)(*data())
    want = WEIGHT - 0.3 * gradient_of_weight()
    np.testing.assert_allclose(net.weight.asnumpy(), want, rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_a_scaled_step_does_what_an_unscaled_one_does():
    net = network()
    step = nn.TrainOneStepWithLossScaleCell(
        with_loss(net), nn.SGD(net.trainable_params(), 0.1), Tensor(1024.0)
    )
    _, overflow, scale = step(*data())
    assert not bool(overflow.asnumpy())
    assert float(scale.asnumpy()) == 1024
    want = WEIGHT - 0.1 * gradient_of_weight()
    np.testing.assert_allclose(net.weight.asnumpy(), want, rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_a_step_that_overflows_is_dropped_and_the_scale_falls():
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(
        with_loss(net), optimizer, nn.DynamicLossScaleUpdateCell(64.0, 2, 2)
    )
    _, overflow, _ = step(Tensor(X * 1e38), Tensor(Y))
    assert bool(overflow.asnumpy())
    assert np.array_equal(net.weight.asnumpy(), WEIGHT)
    assert np.all(optimizer.moments[0].asnumpy() == 0)
    assert optimizer.global_step.asnumpy().tolist() == [0]
    assert float(step.scale_sense.asnumpy()) == 32


@pytest.mark.usefixtures("both_modes")
def test_the_scale_grows_after_a_window_without_overflow():
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.update = nn.DynamicLossScaleUpdateCell(8.0, 2, 2)
            self.scale = Parameter(Tensor(8.0), name="scale")

        def construct(self, overflow):
            return self.update(self.scale, overflow)

    holder = Holder()
    seen = []
    for overflow in (False, False, False, True, False, False):
        assert bool(holder(Tensor(overflow)).asnumpy()) is overflow
        seen.append(float(holder.scale.asnumpy()))
    assert seen == [8, 16, 16, 8, 8, 16]      # observed: MindSpore 2.10, CPU


def test_the_scale_never_falls_below_one():
    scale = Parameter(Tensor(1.0), name="scale")
    nn.DynamicLossScaleUpdateCell(1.0, 2, 2)(scale, Tensor(True))
    assert float(scale.asnumpy()) == 1


def test_a_fixed_scale_stays():
    cell = nn.FixedLossScaleUpdateCell(8.0)
    assert cell.get_loss_scale() == 8
    assert bool(cell(Parameter(Tensor(8.0), name="s"), Tensor(True)).asnumpy())


@pytest.mark.parametrize(
    ("error", "scale"), [(TypeError, 1024.0), (TypeError, None), (ValueError, Tensor([1.0, 2.0]))]
)
def test_a_scale_is_a_cell_or_one_number_in_a_tensor(error, scale):
    net = network()
    with pytest.raises(error):
        nn.TrainOneStepWithLossScaleCell(with_loss(net), nn.SGD(net.trainable_params(), 0.1), scale)


@pytest.mark.parametrize("cls", [nn.MicroBatchInterleaved, nn.GradAccumulationCell, nn.PipelineCell])
def test_outputs_of_parts_of_a_batch_are_added(cls):
    halves = [np.mean((X[i] @ WEIGHT.T - Y[i]) ** 2) for i in (0, 1)]
    assert float(cls(with_loss(network()), 2)(*data()).asnumpy()) == pytest.approx(sum(halves), rel=1e-5)
    with pytest.raises(ValueError, match="multiple of 3"):
        cls(with_loss(network()), 3)(*data())


def test_one_process_reduces_nothing():
    net = network()
    grads = data()
    assert nn.DistributedGradReducer(net.trainable_params(), True, 1)(grads) == grads
    assert nn.DistributedGradReducer(net.trainable_params(), True, 8)(grads) == grads
    assert nn.PipelineGradReducer(net.trainable_params())(grads) == grads
    halves = nn.PipelineGradReducer(net.trainable_params(), 2.0)(grads)
    np.testing.assert_allclose(halves[0].asnumpy(), X / 2)


def test_gradients_by_weights_leave_inputs_alone_that_have_none():
    table, places = nn.Embedding(4, 2), Tensor(np.array([2, 0, 2]))
    step = nn.ForwardValueAndGrad(lambda i, x: (table(i) * x).sum(), table.trainable_params(), get_by_list=True)
    _, (found,) = step(places, Tensor(np.arange(6, dtype=np.float32).reshape(3, 2)))
    np.testing.assert_array_equal(found.asnumpy(), [[2, 3], [0, 0], [4, 6], [0, 0]])
