"""What `AutoBoost` chooses for networks of every shape, and what steps do with it."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, boost, nn, ops
from mindspore.boost.heads import NormalizedHead

X, Y = (Tensor(np.random.default_rng(3).standard_normal(s).astype(np.float32)) for s in ((6, 4), (6, 2)))


class Net(nn.Cell):
    """Five layers, one of which is not trained and one has no parameters."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.flat = nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.Flatten()
        self.first, self.last = nn.Dense(8, 3), nn.Dense(3, 2)
        self.norm.gamma.requires_grad = self.norm.beta.requires_grad = False
        rng = np.random.default_rng(1)
        for p in self.trainable_params():
            p.set_data(Tensor(rng.standard_normal(p.shape).astype(np.float32)))

    def construct(self, x):
        return self.last(ops.tanh(self.first(self.flat(self.norm(self.conv(x.reshape((-1, 1, 2, 2))))))))


def names(parameters):
    return [p.name for p in parameters]


def manual(more=None, **chosen):
    return boost.AutoBoost("O0", {"boost": {"mode": "manual", **chosen}, **(more or {})})


def test_a_head_of_directions_is_trained_and_stands_last():
    net = Net()
    before = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    made, optimizer = manual(less_bn=True).network_auto_process_train(net, before)
    assert isinstance(made, boost.LessBN)
    assert (type(net.first), type(net.last)) == (nn.Dense, NormalizedHead)
    assert sorted(names(optimizer.parameters)) == sorted(names(made.trainable_params()))
    assert "multiplier" in names(optimizer.parameters)[-1]
    assert {p.name: wanted for p, wanted in zip(optimizer.parameters, optimizer.group_grad_centralization, strict=True)
            if wanted} == {"network.conv.weight": True}
    head, x = net.last, np.random.default_rng(2).standard_normal((5, 3)).astype(np.float32)
    w = head.weight.asnumpy()
    want = 3**0.5 * (x / np.linalg.norm(x, axis=1, keepdims=True)) @ (w / np.linalg.norm(w, axis=1, keepdims=True)).T
    np.testing.assert_allclose(head(Tensor(x)).asnumpy(), want + head.bias.asnumpy(), atol=1e-5)


@pytest.mark.parametrize(("flags", "head", "centred"), [({"fn_flag": False}, nn.Dense, True),
                                                       ({"gc_flag": False}, NormalizedHead, False)])
def test_parts_of_a_boost_are_left_out(flags, head, centred):
    net = Net()
    before = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    _, optimizer = manual({"less_bn": flags}, less_bn=True).network_auto_process_train(net, before)
    assert type(net.last) is head
    assert optimizer.grad_centralization is centred
    assert len(optimizer.parameters) == len(before.parameters) + (head is NormalizedHead)


def test_networks_without_a_dense_layer_inside_keep_what_they_are():
    for net in (nn.SequentialCell(nn.Conv2d(1, 2, 1)), nn.Dense(4, 2)):
        made, _ = manual(less_bn=True).network_auto_process_train(net, None)
        assert made.network is net
        assert not any(isinstance(c, NormalizedHead) for _, c in made.cells_and_names())


def test_evaluation_has_the_head_of_training_once():
    auto, net = manual(less_bn=True), Net()
    made = auto.network_auto_process_eval(net)
    assert type(net.last) is NormalizedHead
    assert auto.network_auto_process_eval(made) is made
    assert boost.AutoBoost("O0").network_auto_process_eval(net) is net


def test_there_are_no_more_groups_than_layers_that_are_trained():
    net = Net()
    auto = manual({"grad_freeze": {"param_groups": 10, "freeze_type": 0, "freeze_p": 0.5, "total_steps": 4}},
                  grad_freeze=True)
    _, optimizer = auto.network_auto_process_train(net, nn.SGD(net.trainable_params(), 0.1))
    assert [[name.removeprefix("single_opt.") for name in names(o.parameters)] for o in optimizer.opts] == [
        ["conv.weight", "first.weight", "first.bias", "last.weight", "last.bias"],
        ["first.weight", "first.bias", "last.weight", "last.bias"], ["last.weight", "last.bias"]]
    single = nn.SequentialCell(nn.Dense(4, 2))
    _, plain = auto.network_auto_process_train(single, nn.SGD(single.trainable_params(), 0.1))
    assert isinstance(plain, nn.SGD)


@pytest.mark.parametrize(("layers", "groups", "lengths"), [(5, 2, [2, 3]), (5, 3, [2, 1, 2]), (7, 4, [2, 2, 1, 2]),
                                                          (3, 3, [1, 1, 1])])
def test_layers_are_shared_out_evenly(layers, groups, lengths):
    net = nn.SequentialCell(*[nn.Dense(2, 2) for _ in range(layers)])
    freeze = boost.GradientFreeze(groups, 0, 0.5, 8)
    found = freeze.split_parameters_groups(net, groups)
    assert [len(group) // 2 for group in found] == lengths
    assert names([p for group in found for p in group]) == names(net.trainable_params())
    with pytest.raises(ValueError, match="at most"):
        freeze.split_parameters_groups(net, layers + 1)


def test_strategies_name_optimizers_that_are_there():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    groups = [c.trainable_params() for c in net]
    for steps in ([0, 2], [-1]):
        with pytest.raises(ValueError, match="train_strategy"):
            boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1), groups, steps)
    assert boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1), groups, [1, 0]).train_strategy.tolist() == [1, 0]


def test_a_strategy_begins_again_behind_its_last_step():
    net = nn.SequentialCell(nn.Dense(4, 3), nn.Dense(3, 2))
    loss = nn.WithLossCell(net, nn.MSELoss())
    optimizer = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1), [c.trainable_params() for c in net], [1, 0, 1])
    step, moved = boost.BoostTrainOneStepCell(loss, optimizer), []
    for _ in range(7):
        before = net[0].weight.asnumpy()
        step(X, Y)
        moved.append(not np.array_equal(before, net[0].weight.asnumpy()))
    assert moved == [False, True, False, False, True, False, False]


@pytest.mark.parametrize(("wanted", "steps"), [(True, 3), (False, 1)])
def test_frozen_steps_accumulate_where_it_is_asked_for(wanted, steps):
    net = nn.SequentialCell(nn.Dense(4, 2))
    optimizer = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1))
    (step,) = boost.freeze_cell(False, nn.WithLossCell(net, nn.MSELoss()), optimizer, 1.0,
                                ops.GradOperation(True, sens_param=True), wanted, max_accumulation_step=3)
    moved = []
    for _ in range(3):
        before = net[0].weight.asnumpy()
        step(X, Y)
        moved.append(not np.array_equal(before, net[0].weight.asnumpy()))
    assert moved == [(i + 1) % steps == 0 for i in range(3)]


def test_a_step_of_accumulation_is_taken_only_with_the_boost():
    for chosen, length in ((True, 4), (False, 1)):
        net = nn.SequentialCell(nn.Dense(4, 2))
        auto = manual({"grad_accumulation": {"grad_accumulation_step": 4}}, grad_accumulation=chosen)
        made, optimizer = auto.network_auto_process_train(net, nn.SGD(net.trainable_params(), 0.1))
        step = boost.BoostTrainOneStepCell(nn.WithLossCell(made, nn.MSELoss()), optimizer)
        assert (step.use_grad_accumulation, step.max_accumulation_step) == (chosen, length)
        assert (step._accumulate is not None) == chosen


def test_groups_of_parameters_are_numbered_with_the_boost():
    net = Net()
    manual({"common": {"gradient_split_groups": [2, 4]}}, adasum=True).network_auto_process_train(
        net, nn.SGD(net.trainable_params(), 0.1))
    assert [p.comm_fusion for p in net.trainable_params()] == [1, 1, 2, 2, 3]


def test_groups_keep_their_settings_and_get_one_order():
    a, b, c = (Parameter(Tensor([float(i)]), name=name) for i, name in enumerate("abc"))
    process = boost.ParameterProcess()
    given = [{"params": [c], "lr": 0.5}, {"params": [a, b], "weight_decay": 0.25}, {"order_params": [c, b, a]}]
    assert process.generate_group_params([a, b, c], given) == [
        {"params": [c], "lr": 0.5}, {"params": [a, b], "weight_decay": 0.25}, {"order_params": [a, b, c]}]
    assert process.generate_group_params([a, b], [a, b]) == [{"params": [a, b]}]
    assert process.generate_group_params([a, c], given) == [
        {"params": [c], "lr": 0.5}, {"params": [a], "weight_decay": 0.25}, {"order_params": [a, c]}]


def test_scales_of_groups_have_numbers_below_their_count_and_keep_the_type_of_gradients():
    manager = boost.GroupLossScaleManager(4, [0, 0, 0])
    for layer in (3, -1):
        with pytest.raises(ValueError, match=rf"'layer' must be an int in \[0, 2\], but got {layer}"):
            manager.update_loss_scale_status(layer, 2.0)
    manager.update_loss_scale_status(1, 4.0)
    x = Tensor(np.array([1.0, -2.0], np.float16))
    grad = ops.grad(lambda x: manager(x, 1, 2).sum())(x)
    assert str(grad.dtype) == "Float16"
    assert grad.tolist() == [4.0, 4.0]


@pytest.mark.usefixtures("both_modes")
def test_a_head_in_a_sequence_takes_the_place_of_the_layer_by_its_number():
    net = nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 2))
    plain = net(X)
    boosted = boost.LessBN(net, fn_flag=True)
    assert [type(c).__name__ for c in boosted.network] == ["Dense", "ReLU", "NormalizedHead"]
    hidden = np.maximum(X.asnumpy() @ net[0].weight.asnumpy().T + net[0].bias.asnumpy(), 0)
    w = net[2].weight.asnumpy()
    unit = [v / np.sqrt((v * v).sum(-1, keepdims=True) + 1e-12) for v in (hidden, w)]
    expected = 3 ** 0.5 * unit[0] @ unit[1].T + net[2].bias.asnumpy()
    np.testing.assert_allclose(boosted(X).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert not np.allclose(plain.asnumpy(), expected)
