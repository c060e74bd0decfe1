"""Training in several processes that compute one network together, against one process."""
from __future__ import annotations

import json

import numpy as np
import processes
import pytest

TRAIN = """
from mindspore import train
init()
ms.set_context(mode=ms.GRAPH_MODE)
if PARALLEL:
    ms.set_auto_parallel_context(parallel_mode=PARALLEL, dataset_strategy=BATCHES)
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        draw = np.random.RandomState(get_rank() if PARALLEL else 0)     # the weights of the first process count
        self.w = ms.Parameter(Tensor(draw.randn(12, 16).astype(np.float32)), name="w")
        self.v = ms.Parameter(Tensor(draw.randn(16, 5).astype(np.float32) * 0.1), name="v")
        self.first, self.second, self.relu = ops.MatMul(), ops.MatMul(), ops.ReLU()
        if PARALLEL == "semi_auto_parallel":
            self.first.shard(((1, 1), (1, get_group_size())))
            self.second.shard(((1, get_group_size()), (get_group_size(), 1)))
    def construct(self, x):
        return self.second(self.relu(self.first(x, self.w)), self.v)
net = Net()
optimizer = nn.Adam(net.trainable_params(), 0.05)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
losses, size, rank = [], get_group_size(), get_rank()
for k in range(4):
    draw = np.random.RandomState(10 + k)
    x, y = draw.randn(24, 12).astype(np.float32), draw.randint(0, 5, 24).astype(np.int32)
    if PARALLEL and BATCHES == "data_parallel":
        x, y = np.split(x, size)[rank], np.split(y, size)[rank]
    losses.append(float(step(Tensor(x), Tensor(y))))
answer("losses", losses)
answer("weights", [net.w.value(), net.v.value()])
programs = [p for held in step._compiled.programs.values() for p in held]
answer("moved", [n.op.name for p in programs for n in p.graph.nodes if n.op.effect == "communication"])
release()
"""


def trained(size, folder, mode, batches="full_batch"):
    return processes.run(size, f"PARALLEL, BATCHES = {json.dumps(mode)}, {json.dumps(batches)}\n" + TRAIN, folder)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The losses and weights of one process."""
    return trained(1, tmp_path_factory.mktemp("alone"), "")[0]


@pytest.mark.dist
@pytest.mark.parametrize(("size", "mode", "batches"), [
    (2, "semi_auto_parallel", "data_parallel"), (3, "semi_auto_parallel", "full_batch"),
    (2, "auto_parallel", "data_parallel")])
def test_losses_and_weights_are_those_of_one_process(alone, tmp_path, size, mode, batches):
    for found in trained(size, tmp_path, mode, batches):
        np.testing.assert_allclose(found["losses"], alone["losses"], rtol=1e-5)
        for a, b in zip(found["weights"], alone["weights"], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
        assert mode == "auto_parallel" or "ReduceParts" in found["moved"]      # the hidden layer is cut


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
    ones = ops.ones((4, 6))
    said("strategy", lambda: Net()(ones, ops.ones((6, 4))))
    own = Tensor(np.full((2, 3), get_rank() + 1, np.float32))
    said("inputs", lambda: nn.ReLU()(own))
    said("stages", lambda: ms.set_auto_parallel_context(pipeline_stages=2))
    said("batches", lambda: ms.set_auto_parallel_context(dataset_strategy=((2, 1),)))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = nn.Dense(3, 2)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    said("mode", lambda: step(ops.ones((2, 3)), ops.ones((2, 2))))
    release()
    """, tmp_path)
    for a in found:
        assert a["strategy"].startswith("ValueError: For 'MatMul', the strategy ((1, 3), (3, 1)) is not possible over")
        assert "((1, 2), (2, 1))" in a["strategy"]
        assert a["inputs"].startswith("RuntimeError: The processes call 'ReLU' with different tensors")
        assert "Leave it out" in a["stages"]
        assert "full_batch" in a["batches"]
        assert "GRAPH_MODE" in a["mode"]
