# ruff: noqa  # programs as users write them
"""Training steps, losses, state, hooks and errors as scripts of both generations have them."""

from __future__ import annotations

import mindspore as ms
import mindspore.common.dtype as mstype
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T, W
from mindspore import Parameter, ParameterTuple, Tensor, context
from mindspore.common.initializer import initializer
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


# depthwise native + 1.x spelled ops
class DW(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dw = (
            P.DepthwiseConv2dNative(channel_multiplier=1, kernel_size=3, pad_mode="same")
            if hasattr(P, "DepthwiseConv2dNative")
            else None
        )
        self.w = Parameter(W(1, 2, 3, 3), name="weight")
        self.pool = P.MaxPool(ksize=2, strides=2, padding="valid")
        self.bias = P.BiasAdd()
        self.b = Parameter(W(2), name="b")

    def construct(self, x):
        return self.pool(self.bias(self.dw(x, self.w), self.b))


def program_dw():
    n = DW()
    return n(W(1, 2, 4, 4)), ms.grad(lambda x: n(x).sum())(W(1, 2, 4, 4))


class Old(nn.Cell):
    def __init__(self):
        super(Old, self).__init__()
        self.matmul, self.add, self.relu, self.reshape = (
            P.MatMul(transpose_b=True),
            P.TensorAdd(),
            P.ReLU(),
            P.Reshape(),
        )
        self.w = Parameter(initializer("ones", [4, 3]), name="w")
        self.mean = P.ReduceMean(keep_dims=True)
        self.cast = P.Cast()
        self.squeeze = P.Squeeze(1)
        self.gt, self.select, self.zl, self.eq, self.argmax, self.sl = (
            P.Greater(),
            P.Select(),
            P.ZerosLike(),
            P.Equal(),
            P.Argmax(axis=1),
            P.StridedSlice(),
        )
        self.drop = nn.Dropout(keep_prob=1.0)
        self.log, self.neg, self.logicaland = P.Log(), P.Neg(), P.LogicalAnd()

    def construct(self, x):
        y = self.relu(self.add(self.matmul(x, self.w), 1.0))
        m = self.mean(y, 1)
        y = self.select(self.gt(y, m), y, self.zl(y))
        z = self.cast(self.eq(y, self.zl(y)), mstype.float32)
        s = self.sl(y, (0, 0), (1, 2), (1, 1))
        return (
            y,
            self.squeeze(m),
            z,
            self.argmax(y),
            s,
            self.drop(y),
            self.log(y + 1),
            self.logicaland(y > 0, y < 3),
        )


def program_old():
    return Old()(W(2, 3))


def program_old_methods():
    @ms.ms_function if hasattr(ms, "ms_function") else ms.jit
    def f(x):
        return (
            x.mean(0),
            x.view((3, 2)),
            x.transpose(),
            x.abs(),
            x.all() if False else x.sum(),
            x.expand_as(ms.numpy.ones((2, 3))) if False else x.flatten(),
            x.swapaxes(0, 1),
            x.argmax(),
            x.clip(0.0, 1.0),
            x.max(),
            x.ptp(),
            x.std(),
            x.var(),
            x.cumsum(0),
            x.repeat(2, 1),
            x.asnumpy if False else x.dtype,
        )

    return f(W(2, 3))


class Ctx(nn.Cell):
    def __init__(self):
        super().__init__()
        self.is_graph = context.get_context("mode") == context.GRAPH_MODE
        self.dev = context.get_context("device_target")

    def construct(self, x):
        if context.get_context("device_target") == "Ascend":
            return x * 0
        return x * 2


def program_ctx():
    return Ctx()(W(2))


# dynamic shapes
class Dyn(nn.Cell):
    def construct(self, x):
        b, s = x.shape
        pos = ops.arange(s)
        return (x * pos).sum(1) / s, x.reshape(b * s), ops.zeros((s, b)), x.shape


def program_dyn():
    n = Dyn()
    n.set_inputs(Tensor(shape=(None, None), dtype=ms.float32))
    return n(W(2, 3)), n(W(4, 5)), n(W(1, 7))


def program_input_sig():
    @ms.jit(input_signature=(Tensor(shape=(None, 3), dtype=ms.float32), Tensor(shape=(), dtype=ms.float32)))
    def f(x, s):
        if x.shape[0] > 2:
            return x * s
        return x + s

    return f(W(2, 3), Tensor(2.0)), f(W(4, 3), Tensor(2.0))


def program_dyn_loop():
    n = type("N", (nn.Cell,), {"construct": lambda self, x: _dyn_loop(x)})()
    n.set_inputs(Tensor(shape=(None, 2), dtype=ms.float32))
    return n(W(3, 2)), n(W(5, 2))


def _dyn_loop(x):
    h = ops.zeros((2,))
    for row in x:
        h = ops.tanh(h + row)
    return h


# jit inside pynative gradient
@ms.jit
def scaled(x, w, k=2):
    return (x @ w) * k


def program_jit_in_grad():
    def loss(x, w):
        return (scaled(x, w) ** 2).mean() + scaled(x, w, k=3).sum()

    return ms.value_and_grad(loss, (0, 1))(W(2, 3), W(3, 2)), ms.grad(
        ms.grad(lambda x: (scaled(x, W(3, 2)) ** 3).sum() if True else 0)
    )(W(2, 3)).shape


# custom bprop
class StraightThrough(nn.Cell):
    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (dout * 2,)


class UseST(nn.Cell):
    def __init__(self):
        super().__init__()
        self.st = StraightThrough()
        self.w = Parameter(W(3), name="w")

    def construct(self, x):
        return (self.st(x * self.w) * x).sum()


def program_bprop():
    n = UseST()
    return n(W(3)), ms.value_and_grad(n, 0, n.trainable_params())(W(3))


class GradReverse(nn.Cell):
    def __init__(self, lam):
        super().__init__()
        self.lam = lam

    def construct(self, x):
        return x

    def bprop(self, x, out, dout):
        return (-self.lam * dout,)


def program_grl():
    n = nn.SequentialCell(Lin(), GradReverse(0.5), nn.ReLU())
    return n(W(2, 3)), ms.grad(lambda x: n(x).sum(), 0, n.trainable_params())(W(2, 3))


class Hooked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin()
        self.log = []
        self.a.register_forward_hook(lambda c, i, o: o * 2)
        self.a.register_forward_pre_hook(lambda c, i: (i[0] + 1,))

    def construct(self, x):
        return self.a(x)


def program_hooks():
    n = Hooked()
    return n(W(2, 3)), ms.grad(lambda x: n(x).sum())(W(2, 3))


# state in lists & dicts
class Stateful(nn.Cell):
    def __init__(self):
        super().__init__()
        self.history, self.stats, self.n = [], {"calls": 0, "last": None}, 0

    def construct(self, x):
        self.n += 1
        self.stats["calls"] += 1
        self.stats["last"] = x.mean()
        if len(self.history) < 2:
            self.history.append(x.sum())
        return x * self.n


def program_stateful():
    n = Stateful()
    return [n(W(2, k=i)) for i in range(4)], n.history, n.stats, n.n


class Memo(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def mask(self, n):
        if n not in self.cache:
            self.cache[n] = ops.tril(ops.ones((n, n)))
        return self.cache[n]

    def construct(self, x):
        return x * self.mask(x.shape[0])


def program_memo():
    n = Memo()
    return n(W(2, 2)), n(W(3, 3)), n(W(2, 2)), sorted(n.cache), n.cache[2]


class Buffers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mean = Tensor(np.zeros(2, np.float32))
        self.steps = 0

    def construct(self, x):
        if self.training:
            self.mean = self.mean * 0.9 + x.mean(0) * 0.1
            self.steps += 1
        return x - self.mean


def program_buffers():
    n = Buffers()
    n.set_train()
    a = [n(W(3, 2, k=i)) for i in range(3)]
    n.set_train(False)
    return a, n(W(3, 2)), n.mean, n.steps


# exceptions with messages
class Checked(nn.Cell):
    def construct(self, x, mode="a"):
        if x.ndim != 2:
            raise ValueError("Checked: expected 2 dims, got {} ({})".format(x.ndim, x.shape))
        if mode not in ("a", "b"):
            raise KeyError(mode)
        return x if mode == "a" else -x


def program_exc():
    n = Checked()
    out = []
    for a in ((W(2),), (W(2, 2), "c"), (W(2, 2), "b"), (W(2, 2, 2),)):
        try:
            out.append(n(*a))
        except (ValueError, KeyError) as e:
            out.append((type(e).__name__, str(e)))
    return out


def program_value_raise():
    @ms.jit
    def f(x):
        if x.sum() > 0:
            raise ValueError(f"sum is {x.sum()} for {x.shape}")
        return x

    out = []
    for v in (1.0, -1.0):
        try:
            out.append(f(Tensor([v, v])))
        except ValueError as e:
            out.append(str(e))
    return out


def program_prints():
    @ms.jit
    def f(x, n):
        print("x is", x, "shape", x.shape)
        for i in range(2):
            print(f"{i}: {x[i]}")
        P.Print()("op", x)
        if x.sum() > n:
            print("big", x.sum(), sep="|")
        else:
            print("small")
        return x

    f(Tensor([1.0, 2.0]), Tensor(2.0))
    return f(Tensor([1.0, -2.0]), Tensor(2.0))
