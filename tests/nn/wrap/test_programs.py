"""Training steps as programs of the model zoo write them."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.common.dtype as mstype
import mindspore.nn as nn
from mindspore import Parameter, Tensor, amp, context, jit, value_and_grad
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.nn.wrap.loss_scale import grad_scale
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

X = np.random.default_rng(0).standard_normal((8, 3)).astype(np.float32)
Y = (X @ np.array([[1.0], [-2.0], [0.5]])).astype(np.float32)

clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Tensor")
def _clip_grad(limit, grad):
    return C.clip_by_value(grad, F.cast(F.tuple_to_array((-limit,)), F.dtype(grad)),
                           F.cast(F.tuple_to_array((limit,)), F.dtype(grad)))


class ScaledStep(nn.TrainOneStepWithLossScaleCell):
    """The training step of the BERT script of 1.x."""

    def __init__(self, network, optimizer, scale_update_cell=None):
        super().__init__(network, optimizer, scale_update_cell)
        self.cast = P.Cast()
        self.degree = 1
        if self.reducer_flag:
            self.grad_reducer = DistributedGradReducer(optimizer.parameters, False, self.degree)
        self.loss_scale = None
        self.loss_scaling_manager = scale_update_cell
        if scale_update_cell:
            self.loss_scale = Parameter(Tensor(scale_update_cell.get_loss_scale(), dtype=mstype.float32))

    def construct(self, x, y, sens=None):
        weights = self.weights
        loss = self.network(x, y)
        scaling_sens = self.loss_scale if sens is None else sens
        status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        grads = self.grad(self.network, weights)(x, y, self.cast(scaling_sens, mstype.float32))
        grads = self.grad_reducer(grads)
        grads = self.hyper_map(F.partial(grad_scale, scaling_sens * self.degree), grads)
        grads = self.hyper_map(F.partial(clip_grad, 1.0), grads)
        cond = self.get_overflow_status(status, grads)
        overflow = cond
        if sens is None:
            overflow = self.loss_scaling_manager(self.loss_scale, cond)
        if not overflow:
            self.optimizer(grads)
        return loss, cond, scaling_sens


class OwnStep(nn.Cell):
    """A training step without the base class."""

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(x, y, sens)
        return F.depend(loss, self.optimizer(grads))


def network():
    net = nn.Dense(3, 1)
    net.weight.set_data(Tensor(np.zeros((1, 3), np.float32)))
    net.bias.set_data(Tensor(np.zeros(1, np.float32)))
    return net


def weight_after(steps):
    """The weight after gradient descent with clipped gradients."""
    w, b = np.zeros((1, 3)), np.zeros(1)
    for _ in range(steps):
        error = X @ w.T + b - Y
        w = w - 0.1 * np.clip(2 * error.T @ X / error.size, -1, 1)
        b = b - 0.1 * np.clip(2 * error.sum(0) / error.size, -1, 1)
    return w


@pytest.mark.usefixtures("both_modes")
def test_the_scaled_step_of_the_bert_script_trains():
    net = network()
    step = ScaledStep(
        nn.WithLossCell(net, nn.MSELoss()),
        nn.SGD(net.trainable_params(), 0.1),
        nn.DynamicLossScaleUpdateCell(2**10, 2, 3),
    )
    scales = []
    for k in range(4):
        x = X * 1e38 if k == 1 else X
        _, overflow, _ = step(Tensor(x), Tensor(Y))
        assert bool(overflow.asnumpy()) is (k == 1)
        scales.append(float(step.loss_scale.asnumpy()))
    assert scales == [1024, 512, 512, 512]
    np.testing.assert_allclose(net.weight.asnumpy(), weight_after(3), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_a_step_of_ones_own_trains():
    net = network()
    step = OwnStep(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(30)]
    assert losses[-1] < 0.1 * losses[0]
    assert context.get_context("mode") in (context.GRAPH_MODE, context.PYNATIVE_MODE)


class BertLearningRate(nn.learning_rate_schedule.LearningRateSchedule):
    """Warm-up, then a polynomial, as the BERT script of 1.x has it."""

    def __init__(self, learning_rate, end_learning_rate, warmup_steps, decay_steps, power):
        super().__init__()
        self.warmup_flag = warmup_steps > 0
        if self.warmup_flag:
            self.warmup_lr = nn.WarmUpLR(learning_rate, warmup_steps)
        self.decay_lr = nn.PolynomialDecayLR(learning_rate, end_learning_rate, decay_steps, power)
        self.warmup_steps = Tensor(np.array([warmup_steps]).astype(np.float32))
        self.greater = P.Greater()
        self.one = Tensor(np.array([1.0]).astype(np.float32))
        self.cast = P.Cast()

    def construct(self, global_step):
        decay_lr = self.decay_lr(global_step)
        if self.warmup_flag:
            is_warmup = self.cast(self.greater(self.warmup_steps, global_step), mstype.float32)
            warmup_lr = self.warmup_lr(global_step)
            lr = (self.one - is_warmup) * decay_lr + is_warmup * warmup_lr
        else:
            lr = decay_lr
        return lr


@pytest.mark.usefixtures("both_modes")
def test_the_schedule_of_the_bert_script_drives_an_optimizer():
    weight = Parameter(Tensor(np.zeros(1, np.float32)), name="w")
    optimizer = nn.SGD([weight], BertLearningRate(0.4, 0.0, 2, 8, 1.0))
    seen = []
    for _ in range(5):
        before = float(weight.asnumpy()[0])
        optimizer((Tensor(np.ones(1, np.float32)),))
        seen.append(before - float(weight.asnumpy()[0]))
    assert seen == pytest.approx([0.0, 0.2, 0.3, 0.25, 0.2], abs=1e-6)


adam_opt = C.MultitypeFuncGraph("adam_opt")


@adam_opt.register("Tensor", "Tensor", "Tensor", "Tensor", "Number", "Tensor", "Tensor", "Tensor",
                   "Tensor", "Bool", "Bool")
def _update_run_op(beta1, beta2, eps, lr, weight_decay, param, m, v, gradient, decay_flag, optim_filter):
    if optim_filter:
        op_mul, op_square, op_sqrt, op_cast = P.Mul(), P.Square(), P.Sqrt(), P.Cast()
        op_reshape, op_shape = P.Reshape(), P.Shape()
        param_fp32 = op_cast(param, mstype.float32)
        m_fp32 = op_cast(m, mstype.float32)
        v_fp32 = op_cast(v, mstype.float32)
        gradient_fp32 = op_cast(gradient, mstype.float32)
        next_m = op_mul(beta1, m_fp32) + op_mul(
            op_cast(F.tuple_to_array((1.0,)), mstype.float32) - beta1, gradient_fp32)
        next_v = op_mul(beta2, v_fp32) + op_mul(
            op_cast(F.tuple_to_array((1.0,)), mstype.float32) - beta2, op_square(gradient_fp32))
        update = next_m / (eps + op_sqrt(next_v))
        if decay_flag:
            update = op_mul(weight_decay, param_fp32) + update
        update_with_lr = op_mul(lr, update)
        next_param = param_fp32 - op_reshape(update_with_lr, op_shape(param_fp32))
        next_param = F.depend(next_param, F.assign(param, op_cast(next_param, F.dtype(param))))
        next_param = F.depend(next_param, F.assign(m, op_cast(next_m, F.dtype(m))))
        next_param = F.depend(next_param, F.assign(v, op_cast(next_v, F.dtype(v))))
        return op_cast(next_param, F.dtype(param))
    return gradient


class AdamWeightDecayOf1x(nn.Optimizer):
    """The optimizer of the BERT script of 1.x."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1 = Tensor(np.array([beta1]).astype(np.float32))
        self.beta2 = Tensor(np.array([beta2]).astype(np.float32))
        self.eps = Tensor(np.array([eps]).astype(np.float32))
        self.decay = weight_decay
        self.moments1 = self.parameters.clone(prefix="adam_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="adam_v", init="zeros")
        self.hyper_map = C.HyperMap()

    def construct(self, gradients):
        lr = self.get_lr()
        result = self.hyper_map(
            F.partial(adam_opt, self.beta1, self.beta2, self.eps, lr, self.decay),
            self.parameters, self.moments1, self.moments2, gradients, self.decay_flags, self.optim_filter)
        if self.use_parallel:
            self.broadcast_params(result)
        return result


@pytest.mark.usefixtures("both_modes")
def test_the_optimizer_of_the_bert_script_is_adam_with_decay():
    start = np.random.default_rng(1).standard_normal((3, 2)).astype(np.float32)
    both = []
    for cls in (AdamWeightDecayOf1x, nn.AdamWeightDecay):
        weight = Parameter(Tensor(start), name="w")
        optimizer = cls([weight], 0.1, weight_decay=0.2)
        for k in range(3):
            optimizer((Tensor(start + k),))
        both.append(weight.asnumpy())
    np.testing.assert_allclose(*both, rtol=1e-4, atol=1e-6)


def functional_training(scaler, compiled):
    """The training step of 2.x tutorials: a function, its gradient, the optimizer."""
    net = network()
    loss_fn, optimizer = nn.MSELoss(), nn.Adam(net.trainable_params(), 0.05)

    def forward(x, y):
        logits = net(x)
        loss = loss_fn(logits, y)
        return scaler.scale(loss) if scaler else loss, logits

    grad_fn = value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(x, y):
        (loss, _), grads = grad_fn(x, y)
        if scaler:
            loss, grads = scaler.unscale(loss), scaler.unscale(grads)
            finite = amp.all_finite(grads)
            if finite:
                optimizer(grads)
            scaler.adjust(finite)
        else:
            optimizer(grads)
        return loss

    step = jit(step) if compiled else step
    x, y = Tensor(X), Tensor(Y)
    return [float(step(x * (1e38 if scaler and k == 3 else 1.0), y).asnumpy()) for k in range(8)], optimizer


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_a_function_of_ones_own_trains(compiled, scaled):
    scaler = amp.DynamicLossScaler(2**6, 2, 3) if scaled else None
    if not scaled:
        losses, optimizer = functional_training(None, compiled)
        assert losses[-1] < losses[0]
        assert optimizer.global_step.asnumpy().tolist() == [8]
        return
    losses, optimizer = functional_training(scaler, compiled)
    assert not np.isfinite(losses[3])
    assert losses[-1] < losses[0]
    assert optimizer.global_step.asnumpy().tolist() == [7]
    assert float(scaler.scale_value.asnumpy()) == 128      # grown at 3, halved at 4, grown at 7
