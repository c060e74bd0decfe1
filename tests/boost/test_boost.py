"""Boosted trainings against the steps that they consist of."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, boost, dataset, nn, ops, train
from mindspore.boost.grad_accumulation import gradient_accumulation_op, gradient_clear_op
from mindspore.nn.wrap.adaptive_sum import adaptive_sum, combined

RNG = np.random.default_rng(3)
X, Y = RNG.standard_normal((8, 4)).astype(np.float32), RNG.standard_normal((8, 1)).astype(np.float32)


def network():
    net = nn.SequentialCell(nn.Dense(4, 6, activation="tanh"), nn.Dense(6, 3, activation="tanh"), nn.Dense(3, 1))
    rng = np.random.default_rng(1)
    for p in net.get_parameters():
        p.set_data(Tensor(rng.standard_normal(p.shape).astype(np.float32)))
    return net


def values(net):
    return [p.asnumpy() for p in net.get_parameters()]


@pytest.mark.usefixtures("both_modes")
def test_gradients_are_accumulated_and_their_mean_is_one_step():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    accumulate = boost.GradientAccumulation(2, nn.SGD([weight], 1.0))
    seen = []
    for i in range(4):
        assert accumulate(Tensor(0.5), (Tensor([1.0, 3.0 * (i + 1)]),)).item() == 0.5
        seen.append(weight.tolist())
    assert seen == [[1.0, 2.0], [0.0, -2.5], [0.0, -2.5], [-1.0, -13.0]]          # as the original
    total = Parameter(Tensor([1.0]), name="total")
    gradient_accumulation_op(4, total, Tensor([2.0]))
    assert total.tolist() == [1.5]
    gradient_clear_op(total)
    assert total.tolist() == [0.0]


@pytest.mark.usefixtures("both_modes")
def test_a_step_in_the_middle_of_a_strategy_trains_the_last_groups_only():
    net = network()
    loss = nn.WithLossCell(net, nn.MSELoss())
    freeze = boost.GradientFreeze(3, 0, 0.5, 8)
    groups = freeze.split_parameters_groups(net, 3)
    assert [[p.name for p in g] for g in groups] == [[f"{i}.weight", f"{i}.bias"] for i in range(3)]
    same, opt = freeze.freeze_generate(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    assert same is net
    assert [len(o.parameters) for o in opt.opts] == [6, 4, 2]
    step, changed = boost.BoostTrainOneStepCell(loss, opt), []
    for _ in range(5):
        before = values(net)
        step(Tensor(X), Tensor(Y))
        changed.append([not np.array_equal(a, b) for a, b in zip(before, values(net), strict=True)].index(True))
    assert changed == [0, 0, 2, 4, 0]                              # the first parameter that moved
    plain = network()
    usual = nn.TrainOneStepCell(nn.WithLossCell(plain, nn.MSELoss()), nn.Momentum(plain.trainable_params(), 0.1, 0.9))
    other, first = network(), None
    first = boost.BoostTrainOneStepCell(nn.WithLossCell(other, nn.MSELoss()), boost.FreezeOpt(
        nn.Momentum(other.trainable_params(), 0.1, 0.9)))
    for _ in range(2):
        assert first(Tensor(X), Tensor(Y)).item() == usual(Tensor(X), Tensor(Y)).item()


def test_sequences_of_freezing_are_those_of_the_original():
    make = boost.GradientFreeze(3, 1, 0.7, 20).generate_freeze_index_sequence
    turn = [0] * 9 + [1, 2, 3, 4]
    assert make(5, 0, 0.7, 20) == turn * 2
    assert make(10, 0, 0.7, 30) == ([0] * 20 + [*range(1, 10)]) * 2
    pattern = [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    assert [int(i > 0) for i in make(5, 1, 0.7, 20)] == pattern
    assert {i for i in make(5, 1, 0.5, 200)} == {0, 1, 2, 3, 4}


def test_groups_of_parameters_are_cut_and_kept():
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, has_bias=True), nn.BatchNorm2d(2), nn.Conv2d(2, 2, 3))
    process = boost.OptimizerProcess(nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=0.01))
    process.add_grad_centralization(net)
    made = process.generate_new_optimizer()
    assert type(made) is nn.Momentum
    assert [p.name for p in made.parameters] == [p.name for p in net.trainable_params()]
    assert made.group_grad_centralization == [True, False, False, False, True]
    conv, rest = net.trainable_params()[:1], net.trainable_params()[1:]
    grouped = boost.OptimizerProcess(nn.SGD([{"params": conv, "lr": 0.5}, {"params": rest}], 0.1))
    grouped.add_grad_centralization(net)
    assert [float(r) for r in grouped.generate_new_optimizer().get_lr()] == pytest.approx([0.5, 0.1, 0.1, 0.1, 0.1])
    parameters = boost.ParameterProcess().assign_parameter_group(net.trainable_params(), [2, 4])
    assert [p.comm_fusion for p in parameters] == [1, 1, 2, 2, 3]
    groups = boost.ParameterProcess().generate_group_params(parameters, [{"params": conv, "lr": 0.5}])
    assert groups == [{"params": conv, "lr": 0.5}]


@pytest.mark.usefixtures("both_modes")
def test_a_sum_of_orthogonal_gradients_is_their_sum_and_of_equal_ones_their_mean():
    a, b = Tensor([2.0, 0.0]), Tensor([0.0, 3.0])
    assert adaptive_sum(a, b).tolist() == [2.0, 3.0]
    assert adaptive_sum(a, a).tolist() == [2.0, 0.0]
    assert adaptive_sum(a, ops.zeros_like(a)).tolist() == [2.0, 0.0]
    x, y = RNG.standard_normal((2, 5)).astype(np.float32)
    wanted = (1 - x @ y / (2 * x @ x)) * x + (1 - x @ y / (2 * y @ y)) * y
    np.testing.assert_allclose(adaptive_sum(Tensor(x), Tensor(y)).asnumpy(), wanted, rtol=1e-5)
    assert combined([a, b, a, b]).tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match="number of processes"):
        boost.AdaSum(0, 8, 2, ())


@pytest.mark.usefixtures("both_modes")
def test_a_network_with_a_head_of_directions_learns():
    net = boost.LessBN(network(), fn_flag=True)
    head = net.network[2]
    x = RNG.standard_normal((5, 3)).astype(np.float32)
    w, b = head.weight.asnumpy(), head.bias.asnumpy()
    cosine = (x / np.linalg.norm(x, axis=1, keepdims=True)) @ (w / np.linalg.norm(w, axis=1, keepdims=True)).T
    np.testing.assert_allclose(head(Tensor(x)).asnumpy(), np.sqrt(3) * cosine + b, rtol=1e-5)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.05))
    losses = [step(Tensor(X), Tensor(Y)).item() for _ in range(20)]
    assert losses[-1] < losses[0] / 2


def test_scales_of_groups_meet_in_the_gradient():
    manager = boost.GroupLossScaleManager(4, [1, 2])
    manager.update_loss_scale_status(1, 8.0)
    assert ops.grad(lambda x: manager(x, 1, 0) * 3)(Tensor(1.0)).item() == 24.0
    assert manager.update_loss_scale_status(0, 0.01).item() == 1.0
    assert manager.get_loss_scale() == 4
    assert manager.get_update_cell() is manager


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_a_model_trains_with_the_boosts_of_its_level(level):
    ms.set_seed(1)
    net, data = network(), dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(4)
    config = {"grad_freeze": {"param_groups": 3, "total_steps": 20}}
    model = train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9), {"mse"}, boost_level=level,
                        boost_config_dict=config)
    first = model.eval(data)["mse"]
    model.train(20, data)
    assert model.eval(data)["mse"] < first / 2
    assert isinstance(model.train_network, boost.BoostTrainOneStepCell)
    assert model.train_network.freeze


def test_a_model_accumulates_gradients_with_and_without_a_scale():
    from mindspore.amp import DynamicLossScaleManager

    data = dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False)
    config = {"boost": {"mode": "manual", "grad_accumulation": True},
              "grad_accumulation": {"grad_accumulation_step": 2}}
    found = []
    for manager in (None, DynamicLossScaleManager(8.0)):
        net = network()
        more = {} if manager is None else {"loss_scale_manager": manager}
        train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), boost_level="O1",
                    boost_config_dict=config, **more).train(1, data.batch(2))
        found.append(values(net))
    plain = network()
    train.Model(plain, nn.MSELoss(), nn.SGD(plain.trainable_params(), 0.1)).train(1, data.batch(4))
    for other in found:
        for a, b in zip(other, values(plain), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_boosts_are_chosen_by_level_and_dictionary():
    def chosen(*args):
        return [name for name, value in boost.AutoBoost(*args).boost_config.items() if value]

    assert chosen() == []
    assert chosen("O1") == ["less_bn", "grad_freeze"]
    assert chosen("O2") == ["less_bn", "grad_freeze", "adasum"]
    assert chosen("O1", {"boost": {"mode": "manual", "less_bn": True}}) == ["less_bn"]
    assert chosen("O1", {"boost": {"mode": "enable_all"}}) == ["less_bn", "grad_freeze", "adasum", "grad_accumulation"]
    assert boost.AutoBoost("O1", {"grad_freeze": {"freeze_p": 0.2}})._freeze_p == 0.2
    for wrong in (("O5",), ("O1", {"foo": {}}), ("O1", {"boost": {"foo": True}}), ("O1", {"less_bn": {"foo": 1}}),
                  ("O1", {"boost": {"mode": "some"}})):
        with pytest.raises(ValueError, match="For 'AutoBoost'"):
            boost.AutoBoost(*wrong)
    with pytest.raises(NotImplementedError, match="dim_reduce"):
        boost.AutoBoost("O1", {"boost": {"mode": "manual", "dim_reduce": True}})
