"""Programs that split a network themselves (`hybrid_parallel`): classes cut over processes, features gathered."""
from __future__ import annotations

import numpy as np
import processes
import pytest

NETS = """
class Head(nn.Cell):
    # Cross entropy whose classes are cut: each process has a piece of the weight.
    def __init__(self, rank, size):
        super().__init__()
        self.size, self.own, self.first = size, 12 // size, rank * (12 // size)
        draw = np.random.RandomState(3)
        self.dense = nn.Dense(6, 8, Tensor(draw.randn(8, 6).astype(np.float32)), "zeros", activation="tanh")
        weight = draw.randn(12, 8).astype(np.float32)[self.first:self.first + self.own]
        self.w = ms.Parameter(Tensor(weight), name="w", layerwise_parallel=size > 1)
        if size > 1:
            self.gather, self.most, self.sum = ops.AllGather(), ops.AllReduce(ops.ReduceOp.MAX), ops.AllReduce()
        self.product, self.hot = ops.MatMul(transpose_b=True), ops.OneHot()
    def over(self, name, x):
        return getattr(self, name)(x) if self.size > 1 else x
    def construct(self, x, y):
        logits = self.product(self.over("gather", self.dense(x)), self.w)
        logits = logits - ops.stop_gradient(self.over("most", ops.ReduceMax(True)(logits, 1)))
        chosen = (logits * self.hot(y - self.first, self.own, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))).sum(1)
        return (ops.log(self.over("sum", ops.exp(logits).sum(1))) - self.over("sum", chosen)).mean() / self.size
def trained(rank, size, scaled=False, steps=5):
    net, draw, losses = Head(rank, size), np.random.RandomState(9), []
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    if scaled:
        step = nn.TrainOneStepWithLossScaleCell(net, optimizer, nn.DynamicLossScaleUpdateCell(64.0, 2, 2)).set_train()
    else:
        step = nn.TrainOneStepCell(net, optimizer).set_train()
    for _ in range(steps):
        x, y = draw.randn(12, 6).astype(np.float32), draw.randint(0, 12, (12,)).astype(np.int32)
        out = step(Tensor(np.split(x, size)[rank]), Tensor(y))
        losses.append(float((out[0] if scaled else out).asnumpy()) * size)
    weight = ops.AllGather()(net.w.value()) if size > 1 else net.w.value()
    return losses, {"w": weight.asnumpy().tolist(), "dense": net.dense.weight.asnumpy().tolist(),
                    "bias": net.dense.bias.asnumpy().tolist()}
"""
SEVERAL = """
init()
for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    for scaled in (False, True):
        ms.set_context(mode=mode)
        ms.set_auto_parallel_context(parallel_mode="hybrid_parallel", gradients_mean=False)
        answer(f"{mode} {scaled}", trained(get_rank(), get_group_size(), scaled))
"""


@pytest.mark.parametrize("size", [2, 3])
def test_classes_that_a_program_cuts_give_the_training_of_one_process(tmp_path, size):
    found = processes.run(size, NETS + SEVERAL, tmp_path)
    space: dict = {}
    exec(processes.START + NETS, space)
    losses, weights = space["trained"](0, 1)
    for answers in found:
        for key, (mine, own) in answers.items():
            np.testing.assert_allclose(mine, losses, rtol=1e-5, err_msg=key)
            for name, value in weights.items():
                np.testing.assert_allclose(own[name], value, rtol=1e-5, atol=1e-5, err_msg=f"{key}: {name}")


OVERFLOWS = """
init()
class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.shared = ms.Parameter(Tensor(np.ones(2, np.float32)), name="shared")
        self.own = ms.Parameter(Tensor(np.ones(2, np.float32)), name="own", layerwise_parallel=True)
    def construct(self, x, y):
        return (self.shared * x).sum() + (self.own * y).sum()
for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(parallel_mode="hybrid_parallel")
    net = Own()
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1),
                                            nn.DynamicLossScaleUpdateCell(8.0, 2, 100)).set_train()
    one, inf = Tensor(np.ones(2, np.float32)), Tensor(np.full(2, np.inf if get_rank() == 1 else 1, np.float32))
    seen = [bool(step(one, y)[1].asnumpy()) for y in (inf, one)]
    answer(str(mode), [seen, float(step.scale_sense.asnumpy()), net.shared.asnumpy().tolist(),
                       net.own.asnumpy().tolist()])
"""


def test_a_step_that_overflows_in_one_process_is_dropped_in_all(tmp_path):
    for answers in processes.run(2, OVERFLOWS, tmp_path):
        for seen, scale, shared, own in answers.values():
            assert seen == [True, False]
            assert scale == 4.0
            np.testing.assert_allclose(shared, [0.8, 0.8], rtol=1e-6)         # one step: 1 - 0.1 * (1 + 1)
            np.testing.assert_allclose(own, [0.9, 0.9], rtol=1e-6)
