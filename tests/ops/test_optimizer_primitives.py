"""The steps of optimizers as primitives."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops

P0, A0, B0 = np.array([1.0, 2.0]), np.array([0.1, 0.2]), np.array([0.3, 0.4])
G = np.array([0.5, -0.25])
LR, MU = 0.1, 0.9


def parameters():
    return [Parameter(Tensor(v, ms.float64), name=n) for n, v in (("p", P0), ("a", A0), ("b", B0))]


def close(parameter, wanted):
    np.testing.assert_allclose(parameter.asnumpy(), wanted, rtol=1e-12)


@pytest.mark.parametrize(("nesterov", "scale"), [(False, 1.0), (True, 1.0), (False, 2.0)])
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_momentum_follows_the_formula(nesterov, scale, mode):
    p, a, _ = parameters()
    update = ops.ApplyMomentum(use_nesterov=nesterov, gradient_scale=scale)

    def step(g):
        return update(p, a, LR, g, MU)

    (ms.jit(step) if mode == "graph" else step)(Tensor(G))
    v = MU * A0 + scale * G
    close(a, v)
    close(p, P0 - LR * (scale * G + MU * v if nesterov else v))


@pytest.mark.parametrize("nesterov", [False, True])
def test_adam_follows_the_formula(nesterov):
    p, m, v = parameters()
    out = ops.Adam(use_nesterov=nesterov)(p, m, v, 0.9, 0.99, LR, 0.8, 0.95, 1e-8, Tensor(G))
    m1, v1 = 0.8 * A0 + 0.2 * G, 0.95 * B0 + 0.05 * G * G
    rate = LR * np.sqrt(1 - 0.99) / (1 - 0.9)
    first = 0.8 * m1 + 0.2 * G if nesterov else m1
    close(p, P0 - rate * first / (np.sqrt(v1) + 1e-8))
    close(m, m1)
    close(v, v1)
    assert (type(out[0]), out[0].tolist()) == (Tensor, p.tolist())


def test_adam_with_weight_decay_has_no_bias_correction():
    p, m, v = parameters()
    ops.AdamWeightDecay()(p, m, v, LR, 0.8, 0.95, 1e-8, 0.01, Tensor(G))
    m1, v1 = 0.8 * A0 + 0.2 * G, 0.95 * B0 + 0.05 * G * G
    close(p, P0 - LR * (m1 / (np.sqrt(v1) + 1e-8) + 0.01 * P0))


def test_the_momentum_of_sgd_starts_anew_where_stat_is_positive():   # observed: MindSpore 2.10, CPU
    p, a, _ = parameters()
    stat = Parameter(Tensor([1.0, 0.0], ms.float64), name="stat")
    ops.SGD(dampening=0.5, weight_decay=0.01)(p, Tensor(G), LR, a, MU, stat)
    g = G + 0.01 * P0
    v = np.where([True, False], g, MU * A0 + 0.5 * g)
    close(p, P0 - LR * v)
    close(stat, [0.0, 0.0])


def test_rmsprop_follows_the_formula():
    p, s, m = parameters()
    ops.ApplyRMSProp()(p, s, m, LR, Tensor(G), 0.9, 0.8, 1e-2)
    square = 0.9 * A0 + 0.1 * G * G
    step = 0.8 * B0 + LR * G / np.sqrt(square + 1e-2)
    close(p, P0 - step)
    close(m, step)


def test_ftrl_leaves_small_sums_at_zero():
    p, a, z = parameters()
    ops.ApplyFtrl()(p, a, z, Tensor(G), LR, 100.0, 0.0, -0.5)
    close(p, [0.0, 0.0])


def test_a_lazy_step_leaves_rows_without_gradient_alone():
    p, m, v = [Parameter(Tensor(x[:, None], ms.float64), name=n)
               for n, x in (("p", P0), ("m", A0), ("v", B0))]
    indices, rows = Tensor([1, 1], ms.int32), Tensor(G[:, None])
    ops.FusedSparseLazyAdam()(p, m, v, 0.9, 0.99, LR, 0.8, 0.95, 1e-8, rows, indices)
    g = G.sum()                                    # both rows go to the same index
    m1, v1 = 0.8 * A0[1] + 0.2 * g, 0.95 * B0[1] + 0.05 * g * g
    rate = LR * np.sqrt(1 - 0.99) / (1 - 0.9)
    close(p, [[1.0], [P0[1] - rate * m1 / (np.sqrt(v1) + 1e-8)]])
    close(m, [[A0[0]], [m1]])


def test_a_step_keeps_the_type_of_its_parameter():
    p = Parameter(Tensor([1.0], ms.float16), name="p")
    ops.ApplyGradientDescent()(p, Tensor(0.5, ms.float32), Tensor([1.0], ms.float32))
    assert p.dtype is ms.float16
    assert p.asnumpy() == 0.5


def test_only_parameters_can_be_stepped():
    with pytest.raises(TypeError, match="changes parameters"):
        ops.ApplyGradientDescent()(1.0, 0.1, Tensor([1.0]))
