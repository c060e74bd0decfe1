"""What all optimizers share: groups, rates, decay, scaling, names, subclasses."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, nn, ops


def params(*names, value=1.0):
    return [Parameter(np.full((2, 3), value, np.float32), name=n) for n in names or ("w", "b")]


def ones(count):
    return tuple(Tensor(np.ones((2, 3), np.float32)) for _ in range(count))


def names(optimizer):
    return [p.name for p in optimizer.get_parameters()]


def moved(optimizer):
    """By how much one step with gradients of 1 moves the first element of every parameter."""
    before = [p.asnumpy()[0, 0] for p in optimizer.parameters]
    optimizer(ones(len(before)))
    return [float(b - p.asnumpy()[0, 0]) for b, p in zip(before, optimizer.parameters, strict=True)]


def test_the_parameters_have_the_names_and_the_order_of_checkpoints():
    want = ["global_step", "learning_rate", "w", "b", "momentum", "moments.w", "moments.b"]
    assert names(nn.Momentum(params(), 0.1, 0.9)) == want
    want = ["global_step", "learning_rate", "w", "beta1_power", "beta2_power", "moment1.w", "moment2.w"]
    assert names(nn.Adam(params("w"))) == want


def test_rates_that_change_stand_behind_the_state():
    want = ["global_step", "w", "momentum", "moments.w", "learning_rate"]
    assert names(nn.Momentum(params("w"), [0.1, 0.2], 0.9)) == want
    assert names(nn.Momentum(params("w"), nn.WarmUpLR(0.1, 3), 0.9)) == want[:-1]


def test_a_parameter_may_be_named_like_an_attribute_of_the_optimizer():
    p = params("alpha", "momentum", "learning_rate")
    optimizer = nn.ASGD(p)
    assert optimizer.alpha == 0.75
    assert {"alpha", "momentum", "learning_rate"} <= set(names(optimizer))
    assert [q.name for q in optimizer.parameters] == ["alpha", "momentum", "learning_rate"]


@pytest.mark.usefixtures("both_modes")
def test_groups_have_their_own_rates_and_decays():
    w, b, c = params("w", "b", "c")
    optimizer = nn.SGD([{"params": [w], "lr": 0.01, "weight_decay": 0.5}, {"params": [b, c]}], 0.1)
    assert moved(optimizer) == pytest.approx([0.015, 0.1, 0.1])


def test_order_params_gives_the_order_of_the_gradients():
    w, b, c = params("w", "b", "c")
    optimizer = nn.SGD([{"params": [c], "lr": 0.5}, {"params": [w, b]}, {"order_params": [w, b, c]}], 0.1)
    assert [p.name for p in optimizer.parameters] == ["w", "b", "c"]
    assert moved(optimizer) == pytest.approx([0.1, 0.1, 0.5])
    assert [p.name for p in optimizer.get_lr_parameter([w, c])] == ["learning_rate", "learning_rate_group_0"]


@pytest.mark.usefixtures("both_modes")
def test_a_list_of_rates_gives_one_per_step_and_the_last_stays():
    optimizer = nn.SGD(params("w"), [0.1, 0.2])
    assert [moved(optimizer)[0] for _ in range(3)] == pytest.approx([0.1, 0.2, 0.2], rel=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_a_schedule_is_asked_for_the_steps_so_far():
    optimizer = nn.SGD(params("w"), nn.ExponentialDecayLR(0.1, 0.5, 1))
    assert [moved(optimizer)[0] for _ in range(3)] == pytest.approx([0.1, 0.05, 0.025], rel=1e-5)
    assert optimizer.global_step.asnumpy().tolist() == [3]


def test_a_schedule_in_one_group_leaves_the_constant_of_another():
    w, b = params()
    optimizer = nn.SGD([{"params": [w], "lr": nn.WarmUpLR(0.4, 4)}, {"params": [b]}], 0.1)
    optimizer(ones(2))
    assert moved(optimizer) == pytest.approx([0.1, 0.1], rel=1e-5)
    assert [float(lr) for lr in optimizer.get_lr()] == pytest.approx([0.2, 0.1])


@pytest.mark.usefixtures("both_modes")
def test_a_rate_that_is_assigned_is_used():
    optimizer = nn.SGD(params("w"), 0.1)
    moved(optimizer)
    optimizer.learning_rate.set_data(Tensor(0.5))
    assert moved(optimizer) == pytest.approx([0.5], rel=1e-5)
    ops.assign(optimizer.learning_rate, Tensor(0.25))
    assert moved(optimizer) == pytest.approx([0.25], rel=1e-5)


def test_without_groups_norms_are_not_decayed():
    optimizer = nn.SGD(params("conv.weight", "bn.gamma", "bn.beta"), 0.1, weight_decay=0.5)
    assert optimizer.decay_flags == (True, False, False)
    assert moved(optimizer) == pytest.approx([0.15, 0.1, 0.1])


def test_ftrl_decays_norms_too():             # observed: MindSpore 2.10, CPU
    assert nn.FTRL(params("w", "bn.gamma"), weight_decay=0.5).decay_flags == (True, True)


def test_in_groups_norms_are_decayed_like_the_others():
    optimizer = nn.SGD([{"params": params("bn.gamma")}], 0.1, weight_decay=0.5)
    assert moved(optimizer) == pytest.approx([0.15])


def test_a_weight_decay_may_change_with_the_steps():
    optimizer = nn.Momentum(params("w"), 0.1, 0.0, weight_decay=nn.WarmUpLR(1.0, 2))
    assert moved(optimizer) == pytest.approx([0.1])
    assert moved(optimizer) == pytest.approx([0.1 * (1 + 0.5 * 0.9)], rel=1e-5)


def test_the_loss_scale_divides_gradients_but_not_the_decay():
    optimizer = nn.SGD(params("w"), 0.1, weight_decay=0.5, loss_scale=4.0)
    assert moved(optimizer) == pytest.approx([0.1 * (0.25 + 0.5)])


def test_the_parts_for_subclasses_apply_decay_before_the_scale():
    optimizer = nn.SGD(params("w"), 0.1, weight_decay=0.5, loss_scale=4.0)
    decayed = optimizer.decay_weight(ones(1))
    assert decayed[0].asnumpy()[0, 0] == pytest.approx(3.0)
    assert optimizer.scale_grad(decayed)[0].asnumpy()[0, 0] == pytest.approx(0.75)


def test_centralised_gradients_have_no_mean_per_output():
    w = Parameter(np.zeros((2, 3), np.float32), name="w")
    v = Parameter(np.zeros(3, np.float32), name="v")
    optimizer = nn.SGD([{"params": [w, v], "grad_centralization": True}], 1.0)
    g = np.arange(6, dtype=np.float32).reshape(2, 3)
    optimizer((Tensor(g), Tensor(g[0])))
    np.testing.assert_allclose(w.asnumpy(), -(g - g.mean(1, keepdims=True)), atol=1e-6)
    np.testing.assert_allclose(v.asnumpy(), -g[0], atol=1e-6)


class Old(nn.Optimizer):
    """As programs before 2.0 write it: `get_lr` counts the steps."""

    def __init__(self, params, learning_rate):
        super().__init__(learning_rate, params)
        self.sums = self.parameters.clone(prefix="sums", init="zeros")
        self.hyper_map = ops.HyperMap()

    def construct(self, gradients):
        lr = self.get_lr()
        return self.hyper_map(ops.partial(step, lr), self.parameters, self.sums, gradients)


class New(Old):
    """As programs since 2.0 write it: `construct` counts the steps."""

    def construct(self, gradients):
        lr = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        return self.hyper_map(ops.partial(step, lr), self.parameters, self.sums, gradients)


step = ops.MultitypeFuncGraph("step")


@step.register("Tensor", "Tensor", "Tensor", "Tensor")
def _step(lr, param, total, gradient):
    ops.assign(total, total + gradient)
    ops.assign(param, param - lr * total)
    return True


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("cls", [Old, New])
def test_optimizers_of_users_count_steps_in_both_cases(cls):
    optimizer = cls(params("w", "b"), [0.1, 0.2, 0.3])
    assert [moved(optimizer)[0] for _ in range(2)] == pytest.approx([0.1, 0.4], rel=1e-5)
    assert optimizer.global_step.asnumpy().tolist() == [2]
    assert names(optimizer) == ["global_step", "w", "b", "sums.w", "sums.b", "learning_rate"]


class Signed(nn.Optimizer):
    """A formula of a user."""

    def update(self, param, grad, lr):
        return param - ops.sign(grad) * lr


@pytest.mark.usefixtures("both_modes")
def test_a_subclass_may_be_a_formula():
    optimizer = Signed(0.1, params("w"))
    assert moved(optimizer) == pytest.approx([0.1])


def test_optimizers_remember_what_they_were_made_with():
    p = params()
    optimizer = nn.Momentum(p, learning_rate=0.1, momentum=0.9)
    assert optimizer.init_params == {"params": p}
    assert optimizer.init_learning_rate == 0.1
    assert optimizer.init_args["loss_scale"] == 1.0


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: nn.SGD([], 0.1)),
        (TypeError, lambda: nn.SGD(3, 0.1)),
        (ValueError, lambda: nn.SGD(None, 0.1)),
        (TypeError, lambda: nn.SGD([1, 2], 0.1)),
        (TypeError, lambda: nn.SGD([{"params": params("w")}, params("b")[0]], 0.1)),
        (ValueError, lambda: nn.SGD(params("a", "a"), 0.1)),
        (KeyError, lambda: nn.SGD([{"lr": 0.1}], 0.1)),
        (KeyError, lambda: nn.SGD([{"params": params(), "rate": 1}], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": []}], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": params()}, {"order_params": params()[:1]}], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": params()}, {"order_params": params()}], 0.1)),
        (TypeError, lambda: nn.SGD([{"params": params(), "grad_centralization": 1}], 0.1)),
        (ValueError, lambda: nn.SGD(params(), -0.1)),
        (ValueError, lambda: nn.SGD(params(), [])),
        (ValueError, lambda: nn.SGD(params(), [[0.1]])),
        (TypeError, lambda: nn.SGD(params(), None)),
        (TypeError, lambda: nn.SGD(params(), nn.ReLU())),
        (ValueError, lambda: nn.SGD(params(), Tensor(np.ones((2, 2), np.float32)))),
        (ValueError, lambda: nn.SGD(params(), 0.1, weight_decay=-0.1)),
        (TypeError, lambda: nn.SGD(params(), 0.1, weight_decay="x")),
        (TypeError, lambda: nn.SGD(params(), 0.1, weight_decay=nn.WarmUpLR(0.1, 3))),
        (ValueError, lambda: nn.SGD(params(), 0.1, loss_scale=0.0)),
        (TypeError, lambda: nn.SGD(params(), 0.1, loss_scale="x")),
        (ValueError, lambda: nn.SGD(params(), 0.1, nesterov=True)),
        (TypeError, lambda: nn.Momentum(params(), 0.1, 1)),
        (ValueError, lambda: nn.Adam(params(), beta1=1.0)),
        (ValueError, lambda: nn.Adam(params(), eps=0.0)),
        (KeyError, lambda: nn.Adam(params(), lazy=True)),
        (ValueError, lambda: nn.Adam(params(), use_lazy=True, use_offload=True)),
        (ValueError, lambda: nn.FTRL(params(), learning_rate=[0.1, 0.2])),
        (ValueError, lambda: nn.FTRL(params(), learning_rate=0.0)),
        (ValueError, lambda: nn.FTRL([{"params": params(), "lr": 0.1}])),
        (TypeError, lambda: nn.Rprop(params(), etas=0.5)),
        (ValueError, lambda: nn.Rprop(params(), step_sizes=(1.0, 0.5))),
        (TypeError, lambda: nn.LARS(3)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error):
        make()


def test_groups_share_no_parameter():
    p = params("w")
    with pytest.raises(RuntimeError, match="'w' stands in two groups"):
        nn.SGD([{"params": p}, {"params": p}], 0.1)


def test_every_parameter_needs_a_gradient():
    with pytest.raises(ValueError, match="got 1 for 2"):
        nn.SGD(params(), 0.1)(ones(1))


def test_the_target_is_where_the_parameters_are():
    optimizer = nn.Adam(params())
    optimizer.target = "CPU"
    with pytest.raises(ValueError, match="cannot be 'GPU'"):
        optimizer.target = "GPU"
    with pytest.raises(TypeError):
        optimizer.target = 3


def test_the_rate_of_a_parameter_that_is_not_trained_is_refused():
    with pytest.raises(ValueError, match="not in optimizer"):
        nn.SGD(params(), 0.1).get_lr_parameter(params("w")[0])
