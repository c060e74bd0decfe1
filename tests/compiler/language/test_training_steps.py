# ruff: noqa  # programs as users write them
"""Training steps with clipped, scaled and accumulated gradients, as scripts of both generations have them."""

from __future__ import annotations

import mindspore as ms
import mindspore.common.dtype as mstype
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, W
from mindspore import Parameter, ParameterTuple, Tensor
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


class Lin(nn.Cell):
    def __init__(self, i=3, o=2):
        super(Lin, self).__init__()
        self.fc = nn.Dense(i, o, weight_init=W(o, i), bias_init="zeros")

    def construct(self, x):
        return self.fc(x)


class WithLoss(nn.Cell):
    def __init__(self, net, loss):
        super(WithLoss, self).__init__(auto_prefix=False)
        self._net, self._loss = net, loss

    def construct(self, x, y):
        return self._loss(self._net(x), y)

    @property
    def backbone_network(self):
        return self._net


# 1.x train step with gradient clipping
clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    if clip_type not in (0, 1):
        return grad
    dt = F.dtype(grad)
    if clip_type == 0:
        new_grad = C.clip_by_value(
            grad, F.cast(F.tuple_to_array((-clip_value,)), dt), F.cast(F.tuple_to_array((clip_value,)), dt)
        )
    else:
        new_grad = nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), dt))
    return new_grad


class ClipGrads(nn.Cell):
    def __init__(self):
        super(ClipGrads, self).__init__()
        self.clip = C.HyperMap()

    def construct(self, grads, t, v):
        if t != 0 and t != 1:
            return grads
        new = ()
        for g in grads:
            new = new + (_clip1(t, v, g),)
        return new


def _clip1(t, v, g):
    if t == 0:
        return C.clip_by_value(
            g, F.cast(F.tuple_to_array((-v,)), F.dtype(g)), F.cast(F.tuple_to_array((v,)), F.dtype(g))
        )
    return nn.ClipByNorm()(g, F.cast(F.tuple_to_array((v,)), F.dtype(g)))


grad_scale = C.MultitypeFuncGraph("grad_scale")


@grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    return grad * F.cast(P.Reciprocal()(scale), F.dtype(grad))


_overflow = C.MultitypeFuncGraph("_grad_overflow")


@_overflow.register("Tensor")
def _tensor_of(g):
    s = P.ReduceSum()(P.IsFinite()(g).astype(ms.float32))
    return (s < F.cast(F.size(g), ms.float32)).astype(ms.float32)


class Step1x(nn.Cell):
    def __init__(self, network, optimizer, scale=8.0, clip=1, value=0.5):
        super(Step1x, self).__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = scale
        self.hyper_map = C.HyperMap()
        self.clip, self.value = clip, value
        self.clipper = ClipGrads()
        self.addn = P.AddN()
        self.reducer = F.identity

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, weights)(*inputs, sens)
        grads = self.hyper_map(
            F.partial(grad_scale, F.cast(F.tuple_to_array((self.sens,)), mstype.float32)), grads
        )
        grads = self.hyper_map(F.partial(clip_grad, self.clip, self.value), grads)
        grads = self.clipper(grads, 0, 0.2)
        grads = self.reducer(grads)
        of = self.addn(self.hyper_map(_overflow, grads))
        succ = self.optimizer(grads)
        return F.depend(loss, succ), of


def program_step1x():
    n = Lin()
    s = Step1x(WithLoss(n, nn.MSELoss()), nn.Momentum(n.trainable_params(), 0.1, 0.9))
    s.set_train()
    return [s(W(4, 3), W(4, 2, k=1)) for _ in range(3)], n.fc.weight.asnumpy()


# loss scale cell subclass
class LossScaleStep(nn.TrainOneStepWithLossScaleCell):
    def __init__(self, net, opt, sense):
        super().__init__(net, opt, sense)
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)

    def construct(self, x, y):
        weights = self.weights
        loss = self.network(x, y)
        status, sens = self.start_overflow_check(loss, self.scale_sense)
        grads = self.grad(self.network, weights)(x, y, F.cast(sens, F.dtype(loss)))
        grads = self.hyper_map(F.partial(grad_scale, sens), grads)
        grads = self.grad_reducer(grads)
        cond = self.get_overflow_status(status, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            loss = F.depend(loss, self.optimizer(grads))
            self.count += 1
        return loss, cond, sens, self.count


def program_loss_scale():
    n = Lin()
    s = LossScaleStep(
        WithLoss(n, nn.MSELoss()),
        nn.Adam(n.trainable_params(), 0.1),
        nn.DynamicLossScaleUpdateCell(2.0**10, 2, 2),
    )
    s.set_train()
    out = [s(W(4, 3), W(4, 2, k=1)) for _ in range(3)]
    bad = Tensor(np.full((4, 3), np.inf, np.float32))
    out.append(s(bad, W(4, 2)))
    out.append(s(W(4, 3), W(4, 2, k=1)))
    return out, n.fc.weight.asnumpy(), s.scale_sense.asnumpy()


# gradient accumulation
sum_grad = C.MultitypeFuncGraph("sum_grad")
clear_grad = C.MultitypeFuncGraph("clear")


@sum_grad.register("Tensor", "Tensor")
def _sum_grad(a, g):
    return F.assign_add(a, g)


@clear_grad.register("Tensor", "Tensor")
def _clear(a, z):
    return F.assign(a, z)


class Accum(nn.Cell):
    def __init__(self, net, opt, steps=2):
        super().__init__(auto_prefix=False)
        self.net, self.opt, self.weights = net, opt, opt.parameters
        self.acc = self.weights.clone(prefix="acc", init="zeros")
        self.zeros = self.weights.clone(prefix="zeros", init="zeros")
        self.counter = Parameter(Tensor(1, ms.int32), name="counter_", requires_grad=False)
        self.steps = steps
        self.map = C.HyperMap()
        self.grad = C.GradOperation(get_by_list=True)

    def construct(self, x, y):
        loss = self.net(x, y)
        g = self.grad(self.net, self.weights)(x, y)
        self.map(sum_grad, self.acc, g)
        if self.counter % self.steps == 0:
            self.opt(self.map(F.partial(_scaled, 1.0 / self.steps), self.acc) if False else self.acc)
            self.map(clear_grad, self.acc, self.zeros)
        self.counter = self.counter + 1
        return loss


def _scaled(s, g):
    return g * s


def program_accum():
    n = Lin()
    s = Accum(WithLoss(n, nn.MSELoss()), nn.SGD(n.trainable_params(), 0.1))
    return (
        [s(W(4, 3, k=i), W(4, 2, k=1)) for i in range(4)],
        n.fc.weight.asnumpy(),
        s.counter.asnumpy(),
        [a.asnumpy() for a in s.acc],
    )


class EMA(nn.Cell):
    def __init__(self, net, decay=0.9):
        super().__init__()
        self.decay = decay
        self.hm = ops.HyperMap()
        self.w = ParameterTuple(net.trainable_params())
        self.ema = self.w.clone("ema")
        self.updates = Parameter(Tensor(0, ms.float32), requires_grad=False, name="u")

    @ms.jit
    def update(self):
        self.updates += 1
        d = self.decay * (1 - ops.exp(-self.updates / 2000))
        for e, w in zip(self.ema, self.w):
            ops.assign(e, e * d + w * (1 - d))
        return d


def program_ema():
    n = Lin()
    e = EMA(n)
    a = e.update()
    n.fc.weight.set_data(n.fc.weight * 2)
    b = e.update()
    return a, b, [p.asnumpy() for p in e.ema]


class LabelSmooth(nn.LossBase):
    def __init__(self, eps=0.1, n=3, reduction="mean"):
        super().__init__(reduction)
        self.onehot = P.OneHot()
        self.on = Tensor(1.0 - eps, ms.float32)
        self.off = Tensor(eps / (n - 1), ms.float32)
        self.ce = nn.SoftmaxCrossEntropyWithLogits()

    def construct(self, x, y):
        return self.get_loss(self.ce(x, self.onehot(y, F.shape(x)[1], self.on, self.off)))


def program_label_smooth():
    n = LabelSmooth()
    return (
        n(W(4, 3), I(4, hi=3)),
        ms.grad(n)(W(4, 3), I(4, hi=3)),
        LabelSmooth(reduction="sum")(W(4, 3), I(4, hi=3)),
    )
