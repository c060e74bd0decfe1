"""Training in several processes that compute one network together, against one process."""
from __future__ import annotations

import numpy as np
import processes
import pytest

import mindspore as ms
from mindspore.formats import strategy

TRAIN = """
from mindspore import train
init()
ms.set_context(mode=ms.GRAPH_MODE)
losses, size, rank = [], get_group_size(), get_rank()
if PARALLEL:
    ms.set_auto_parallel_context(parallel_mode=PARALLEL, dataset_strategy=BATCHES,
                                 group_ckpt_save_file=f"{FOLDER}/groups/{rank}",
                                 strategy_ckpt_config={"save_file": FOLDER + "/plan.ckpt"})
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        draw = np.random.RandomState(rank if PARALLEL else 0)     # the weights of the first process count
        self.w = ms.Parameter(Tensor(draw.randn(12, 16).astype(np.float32)), name="w")
        self.v = ms.Parameter(Tensor(draw.randn(16, 5).astype(np.float32) * 0.1), name="v")
        self.first, self.second, self.relu = ops.MatMul(), ops.MatMul(), ops.ReLU()
        if PARALLEL == "semi_auto_parallel":
            self.first.shard(((1, 1), (1, size)))
            self.second.shard(((1, size), (size, 1)))
    def construct(self, x):
        return self.second(self.relu(self.first(x, self.w)), self.v)
net = Net()
optimizer = nn.Adam(net.trainable_params(), 0.05)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
if LOAD:
    ms.load_param_into_net(step, ms.load_checkpoint(LOAD), strict_load=True)
for k in STEPS:
    draw = np.random.RandomState(10 + k)
    x, y = draw.randn(24, 12).astype(np.float32), draw.randint(0, 5, 24).astype(np.int32)
    if PARALLEL and BATCHES == "data_parallel":
        x, y = np.split(x, size)[rank], np.split(y, size)[rank]
    losses.append(float(step(Tensor(x), Tensor(y))))
answer("losses", losses)
answer("pieces", [net.w.shape, net.v.shape, optimizer.moment1[0].shape, optimizer.moment2[1].shape])
answer("layouts", net.parameter_layout_dict)
answer("predicted", net(Tensor(np.ones((2, 12), np.float32))))
os.makedirs(f"{FOLDER}/rank_{rank}", exist_ok=True)
ms.save_checkpoint(step, f"{FOLDER}/rank_{rank}/net", integrated_save=False)
ms.save_checkpoint(net, f"{FOLDER}/whole{rank}")
whole = ms.load_checkpoint(f"{FOLDER}/whole{rank}.ckpt")
answer("weights", [whole["w"], whole["v"]])
programs = [p for held in step._compiled.programs.values() for p in held]
answer("moved", [n.op.name for p in programs for n in p.graph.nodes if n.op.effect == "communication"])
release()
"""


def trained(size, folder, mode, batches="full_batch", steps=range(4), load=""):
    head = f"import os\nPARALLEL, BATCHES, FOLDER, STEPS, LOAD = {(mode, batches, str(folder), list(steps), load)!r}\n"
    return processes.run(size, head + TRAIN, folder)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The losses of six steps of one process, and the weights after four of them."""
    folder = tmp_path_factory.mktemp("alone")
    found = trained(1, folder, "")[0]
    more = trained(1, folder, "", steps=range(4, 6), load=str(folder / "rank_0" / "net.ckpt"))[0]
    return {**found, "after": more["losses"]}


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """What three processes with pieces of the parameters answered, and the folder with their files."""
    folder = tmp_path_factory.mktemp("three")
    return trained(3, folder, "semi_auto_parallel"), folder


def equal(found, wanted):
    np.testing.assert_allclose(found["losses"], wanted["losses"], rtol=1e-5)
    np.testing.assert_allclose(found["predicted"], wanted["predicted"], rtol=1e-4)
    for a, b in zip(found["weights"], wanted["weights"], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


@pytest.mark.dist
@pytest.mark.parametrize(("size", "mode"), [(2, "semi_auto_parallel"), (2, "auto_parallel")])
def test_losses_and_weights_are_those_of_one_process(alone, tmp_path, size, mode):
    for found in trained(size, tmp_path, mode, "data_parallel"):
        equal(found, alone)
        assert mode == "auto_parallel" or "ReduceParts" in found["moved"]      # the hidden layer is cut


@pytest.mark.dist
def test_each_process_holds_and_saves_its_pieces(alone, three):
    found, folder = three
    for rank, one in enumerate(found):
        equal(one, alone)
        n = [6, 5, 5][rank]
        assert one["pieces"] == [[12, n], [n, 5], [12, n], [n, 5]]             # of weights and moments alike
        assert one["layouts"] == {"w": [[3], [-1, 0], [12, n], 0, False, "", [12, 16]],
                                  "v": [[3], [0, -1], [n, 5], 0, False, "", [16, 5]]}
        assert ms.load_checkpoint(str(folder / f"rank_{rank}" / "net.ckpt"))["moment1.w"].shape == (12, n)
    for rank in range(3):                                      # no process has what another one has
        assert strategy.read_groups(str(folder / "groups" / str(rank))) == ({"devices 0 1 2": [0, 1, 2]}, [rank])
    rows = strategy.read_strategy(str(folder / "plan.ckpt"))
    assert {name: (row.dev_matrix, row.tensor_map) for name, row in rows.layouts.items()} == {
        "w": ((3,), (-1, 0)), "v": ((3,), (0, -1))}
    assert [[1, 1], [1, 3]] in [s for _, s in rows.strategies.values()]


@pytest.mark.dist
def test_a_training_of_three_processes_goes_on_in_two(alone, three, tmp_path):
    _, folder = three
    ms.transform_checkpoints(str(folder), str(tmp_path / "one"), "net", str(folder / "plan.ckpt"), None)
    load = str(tmp_path / "one" / "rank_0" / "net0.ckpt")
    for found in trained(2, tmp_path, "semi_auto_parallel", steps=range(4, 6), load=load):
        np.testing.assert_allclose(found["losses"], alone["after"], rtol=1e-5)


MODEL = """
from mindspore import train
import mindspore.dataset as ds
init()
ms.set_context(mode=ms.GRAPH_MODE)
if PARALLEL:
    ms.set_auto_parallel_context(parallel_mode="auto_parallel", gradients_mean=True)
ms.set_seed(4)
rank, size = get_rank(), get_group_size()
X = np.random.RandomState(0).randn(48, 1, 16, 16).astype(np.float32)
Y = (np.arange(48) % 4).astype(np.int32)
net = nn.SequentialCell(nn.Conv2d(1, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
                        nn.Dense(6 * 64, 4))
data = ds.NumpySlicesDataset((X, Y), shuffle=False, num_shards=size, shard_id=rank).batch(24 // size)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = train.Model(net, loss, nn.Adam(net.trainable_params(), 0.01), {"acc", "loss"})
losses = []
class Keep(train.Callback):
    def step_end(self, run):
        losses.append(float(run.original_args().net_outputs))
model.train(2, data, callbacks=[Keep()], dataset_sink_mode=False)
answer("losses", losses)
answer("metrics", sorted(model.eval(data, dataset_sink_mode=False).items()))
from mindspore.parallel.running import whole
answer("statistics", whole(net[1].moving_mean).tolist())
answer("prediction", model.predict(Tensor(X[:3])))
release()
"""


@pytest.mark.dist
def test_models_train_evaluate_and_predict_as_one_process(tmp_path):
    """With shares of the rows such that a batch of both processes holds the same rows as one of one process."""
    def found(size, name):
        folder = tmp_path / name
        folder.mkdir()
        return processes.run(size, f"PARALLEL = {size > 1}\n" + MODEL, folder)
    (one,) = found(1, "one")
    for two in found(2, "two"):
        np.testing.assert_allclose(two["losses"], one["losses"], rtol=2e-5)
        for (name, a), (_, b) in zip(two["metrics"], one["metrics"], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, err_msg=name)
        np.testing.assert_allclose(two["statistics"], one["statistics"], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(two["prediction"], one["prediction"], rtol=1e-3, atol=1e-4)


@pytest.mark.dist
def test_what_cannot_be_is_said(tmp_path):
    found = processes.run(2, """
    init()
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    def said(name, ask):
        try:
            ask()
        except Exception as error:
            answer(name, type(error).__name__ + ": " + str(error))
    product = ops.MatMul().shard(((1, 3), (3, 1)))
    class Net(nn.Cell):
        def construct(self, x, y):
            return product(x, y)
    few = ops.MatMul().shard(((1, 1),))
    class Few(nn.Cell):
        def construct(self, x, y):
            return few(x, y)
    ones = ops.ones((4, 6))
    said("entries", lambda: Few()(ones, ops.ones((6, 4))))
    said("strategy", lambda: Net()(ones, ops.ones((6, 4))))
    own = Tensor(np.full((2, 3), get_rank() + 1, np.float32))
    said("inputs", lambda: nn.ReLU()(own))
    ms.set_auto_parallel_context(pipeline_stages=2)
    said("stages", lambda: nn.ReLU()(ones))
    ms.set_auto_parallel_context(pipeline_stages=3)
    said("numbers", lambda: nn.ReLU()(ones))
    ms.set_auto_parallel_context(pipeline_stages=1)
    said("batches", lambda: ms.set_auto_parallel_context(dataset_strategy=((1, 2),)))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = nn.Dense(3, 2)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    said("mode", lambda: step(ops.ones((2, 3)), ops.ones((2, 2))))
    release()
    """, tmp_path)
    for a in found:
        assert a["strategy"].startswith("ValueError: For 'MatMul', the strategy ((1, 3), (3, 1)) is not possible over")
        assert "((1, 2), (2, 1))" in a["strategy"]
        assert "strategy ((1, 1),) must have an entry for each input" in a["entries"]
        assert a["inputs"].startswith("RuntimeError: The processes call 'ReLU' with different tensors")
        assert "cells must say by 'pipeline_stage'" in a["stages"]
        assert "must be a multiple of pipeline_stages=3" in a["numbers"]
        assert "full_batch" in a["batches"]
        assert "GRAPH_MODE" in a["mode"]
