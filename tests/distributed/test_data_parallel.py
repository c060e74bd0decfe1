"""Training on several processes gives the losses and weights of one process with the whole batch."""
from __future__ import annotations

import numpy as np
import processes
import pytest

NETS = """
class MLP(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(6, 9, activation="tanh"), nn.Dense(9, 3)
    def construct(self, x):
        return self.b(self.a(x))
class Images(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(2, 4, 3), nn.SyncBatchNorm(4)
        self.conv2, self.norm2 = nn.Conv2d(4, 4, 3), nn.SyncBatchNorm(4, momentum=0.7)
        self.head = nn.Dense(4, 3)
    def construct(self, x):
        x = ops.relu(self.norm(self.conv(x)))
        x = ops.relu(self.norm2(self.conv2(x)) + x)
        return self.head(x.mean((2, 3)))
class Rows(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(3, 5, batch_first=True), nn.Dense(5, 3)
    def construct(self, x):
        return self.head(self.lstm(x)[0][:, -1])
class Tied(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table, self.norm, self.mix = nn.Embedding(7, 6), nn.LayerNorm((6,)), nn.Dense(6, 6)
    def construct(self, x):
        h = self.norm(ops.gelu(self.mix(self.table(x)).mean(1)))
        return ops.matmul(h, self.table.embedding_table.T)[:, :3]
SHAPES = {"MLP": (6,), "Images": (2, 5, 5), "Rows": (4, 3), "Tied": (5,)}
OPTIMIZERS = {"MLP": lambda p: nn.Momentum(p, 0.1, 0.9), "Images": lambda p: nn.SGD(p, 0.1), "Rows": lambda p:
              nn.Adam(p, 0.01), "Tied": lambda p: nn.Lamb(p, 0.01)}
def trained(name, steps, rank, size, scaled=False, batch=12):
    ms.set_seed(5)
    draw = np.random.RandomState(3)
    net = {"MLP": MLP, "Images": Images, "Rows": Rows, "Tied": Tied}[name]()
    for p in net.trainable_params():
        p.set_data(Tensor(draw.randn(*p.shape).astype(np.float32) * 0.3))
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    optimizer = OPTIMIZERS[name](net.trainable_params())
    if scaled:
        step = nn.TrainOneStepWithLossScaleCell(loss, optimizer, nn.DynamicLossScaleUpdateCell(64.0, 2, 2))
    else:
        step = nn.TrainOneStepCell(loss, optimizer)
    step.set_train()
    losses = []
    share = batch // size
    for _ in range(steps):
        x = draw.randint(0, 7, (batch, *SHAPES[name])) if name == "Tied" else draw.randn(batch, *SHAPES[name])
        y = draw.randint(0, 3, (batch,))
        mine = slice(rank * share, (rank + 1) * share)
        out = step(Tensor(x[mine].astype(np.int32 if name == "Tied" else np.float32)), Tensor(y[mine].astype(np.int32)))
        losses.append(float((out[0] if isinstance(out, tuple) else out).asnumpy()))
    return losses, {p.name: p.asnumpy().tolist() for p in net.get_parameters()}
"""
SEVERAL = """
ms.set_context(mode=MODE)
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, **SETTINGS)
for name in NAMES:
    answer(name, trained(name, 10, get_rank(), get_group_size(), SCALED))
"""
alone: dict = {}


def of_one(name, scaled=False):
    """Losses and weights of one process."""
    if (name, scaled) not in alone:
        space: dict = {}
        exec(processes.START + NETS, space)
        alone[name, scaled] = space["trained"](name, 10, 0, 1, scaled)
    return alone[name, scaled]


@pytest.mark.parametrize(("size", "mode", "names", "settings", "scaled"), [
    (2, 0, ["MLP", "Images", "Rows", "Tied"], {}, False),
    (3, 1, ["MLP", "Images", "Rows", "Tied"], {"all_reduce_fusion_config": [1]}, False),
    (2, 1, ["MLP"], {"comm_fusion": {"openstate": False}}, True),
])
def test_losses_and_weights_are_those_of_one_process(tmp_path, size, mode, names, settings, scaled):
    before = f"MODE, SETTINGS, NAMES, SCALED = {mode}, {settings}, {names}, {scaled}\n"
    found = processes.run(size, before + NETS + SEVERAL, tmp_path)
    for name in names:
        losses, weights = of_one(name, scaled)
        mean = np.mean([f[name][0] for f in found], 0)
        np.testing.assert_allclose(mean, losses, rtol=1e-5, err_msg=f"losses of {name}")
        for f in found:
            for key, value in weights.items():
                np.testing.assert_allclose(f[name][1][key], value, rtol=1e-5, atol=1e-6, err_msg=f"{name}: {key}")


LATE = """
init()
rank, size = get_rank(), get_group_size()
STATED = dict(parallel_mode="data_parallel", gradients_mean=True)
def weights(when):
    ms.reset_auto_parallel_context()
    if when == "before":
        ms.set_auto_parallel_context(**STATED)
    draw = np.random.RandomState(0)
    net = nn.Dense(6, 4, Tensor(draw.randn(4, 6).astype(np.float32)), has_bias=False)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    for k in range(3):
        x, y = draw.randn(8, 6).astype(np.float32), draw.randn(8, 4).astype(np.float32)
        if when == "after":
            ms.set_auto_parallel_context(**STATED)
        if when == "twice":
            ms.set_auto_parallel_context(parallel_mode=["stand_alone", "data_parallel"][k % 2], gradients_mean=k > 0)
        if when and (when != "twice" or k % 2):
            x, y = np.split(x, size)[rank], np.split(y, size)[rank]
        step(Tensor(x), Tensor(y))
    return net.weight.asnumpy().tolist()
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    answer(str(mode), {when: weights(when) for when in ("", "before", "after", "twice")})
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.product, self.w = ops.MatMul().shard(((1, 1), (1, 2))), ms.Parameter(ops.ones((3, 4)), name="w")
    def construct(self, x):
        return self.product(x, self.w)
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
net = Net()
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
step(ops.ones((2, 3)), ops.ones((2, 4)))
ms.set_auto_parallel_context(parallel_mode="data_parallel")
try:
    step(ops.ones((2, 3)), ops.ones((2, 4)))
except RuntimeError as error:
    answer("pieces", str(error))
release()
"""


@pytest.mark.dist
def test_the_context_is_told_before_or_after_the_step_is_made_or_between_two(tmp_path):
    for found in processes.run(2, LATE, tmp_path):
        for mode in ("0", "1"):
            for when in ("before", "after", "twice"):
                np.testing.assert_allclose(found[mode][when], found[mode][""], rtol=1e-5, atol=1e-6)
        assert "'data_parallel', but each process has a piece of the parameter 'w'" in found["pieces"]


UNLIKE = """
from mindspore.core import log
said = []
log.warning = lambda text, *args: said.append(text)
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
for name, seed, settings in (("seeded", 1, {}), ("apart", get_rank(), {}),
                             ("sent", get_rank() + 5, {"parameter_broadcast": True})):
    ms.set_auto_parallel_context(**{"parameter_broadcast": False, **settings})
    ms.set_seed(seed)
    net = nn.Dense(4, 2)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    for _ in range(2):
        step(ops.ones((4, 4)), ops.ones((4, 2)))
    answer(name, [text.split(",")[0] for text in said])
    said.clear()
release()
"""


@pytest.mark.dist
def test_processes_that_begin_with_other_parameters_are_told_once(tmp_path):
    for found in processes.run(2, UNLIKE, tmp_path):
        assert found["apart"] == ["The processes begin to train with different parameters"]
        assert found["seeded"] == found["sent"] == []
