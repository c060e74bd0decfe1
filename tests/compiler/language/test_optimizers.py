# ruff: noqa  # programs as users write them
"""Optimizers with frozen parameters, groups and schedules, in steps and in `Model`."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import D, I, W
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


def program_freeze():
    n = nn.SequentialCell(D(3, 3), D(3, 2))
    n[0].weight.requires_grad = False
    st = nn.TrainOneStepCell(nn.WithLossCell(n, nn.MSELoss()), nn.Adam(n.trainable_params(), 0.1))
    st.set_train()
    a = st(W(4, 3), W(4, 2, k=1))
    b = st(W(4, 3), W(4, 2, k=1))
    n[0].weight.requires_grad = True
    return a, b, n[0].weight.asnumpy(), n[1].weight.asnumpy()


def program_group_lr():
    n = nn.SequentialCell(D(3, 3), D(3, 2))
    ps = [
        {"params": n[0].trainable_params(), "lr": 0.01, "weight_decay": 0.1},
        {"params": n[1].trainable_params(), "lr": nn.ExponentialDecayLR(0.1, 0.9, 2)},
        {"order_params": n.trainable_params()},
    ]
    st = nn.TrainOneStepCell(nn.WithLossCell(n, nn.MSELoss()), nn.Momentum(ps, 0.1, 0.9))
    st.set_train()
    return [st(W(4, 3), W(4, 2, k=1)) for _ in range(3)], n[0].weight.asnumpy()


def program_functional_step():
    n = D(3, 2)
    opt = nn.SGD(n.trainable_params(), 0.1)
    lf = nn.CrossEntropyLoss()

    def fwd(x, y):
        l = n(x)
        return lf(l, y), l

    g = ms.value_and_grad(fwd, None, opt.parameters, has_aux=True)

    @ms.jit
    def step(x, y):
        (loss, logits), gr = g(x, y)
        gn = ops.sqrt(sum([(q**2).sum() for q in gr]))
        gr = ops.clip_by_global_norm(gr, 1.0)
        ok = ms.amp.all_finite(gr)
        loss = ops.depend(loss, opt(gr))
        return loss, gn, (logits.argmax(1) == y).astype(ms.float32).mean(), ok

    return [step(W(4, 3), Tensor([0, 1, 1, 0], ms.int32)) for _ in range(3)], n.weight.asnumpy()


def program_two_opts():
    a, b = D(3, 3), D(3, 1)
    oa, ob = nn.Adam(a.trainable_params(), 0.01), nn.RMSProp(b.trainable_params(), 0.01)

    @ms.jit
    def step(x):
        ga = ms.grad(lambda x: b(a(x)).sum(), None, a.trainable_params())(x)
        oa(ga)
        gb = ms.grad(lambda x: (b(a(x)) ** 2).sum(), None, b.trainable_params())(x)
        ob(gb)
        return b(a(x))

    return [step(W(2, 3)) for _ in range(2)], a.weight.asnumpy(), b.weight.asnumpy()


def program_model_eval_metric():
    class Acc(nn.Cell):
        def __init__(self):
            super().__init__()
            self.c = Parameter(Tensor(0.0, ms.float32), name="c", requires_grad=False)
            self.t = 0

        def construct(self, p, y):
            hit = (p.argmax(-1) == y).sum().astype(ms.float32)
            self.c += hit
            self.t += y.shape[0]
            return self.c / self.t

    m = Acc()
    return m(W(4, 3), I(4, hi=3)), m(W(2, 3), I(2, hi=3)), m.t


def program_lr_list():
    class S(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = Tensor([0.1, 0.2, 0.3], ms.float32)
            self.step = Parameter(Tensor(0, ms.int32), name="s", requires_grad=False)

        def construct(self):
            lr = self.table[ops.minimum(self.step, Tensor(2, ms.int32))]
            self.step += 1
            return lr

    s = S()
    return [s() for _ in range(4)]
