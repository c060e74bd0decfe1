"""A pipeline of real processes, against one process."""
from __future__ import annotations

import numpy as np
import processes
import pytest

TRAIN = """
import os
init()
ms.set_context(mode=ms.GRAPH_MODE)
ms.set_seed(5)
size, rank = get_group_size(), get_rank()
if size > 1:
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=2, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(6, 16, activation="tanh"), nn.Dense(16, 16, activation="tanh")
        self.third, self.loss = nn.Dense(16, 3), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    def construct(self, x, y):
        return self.loss(self.third(self.second(self.first(x))), y)
net = Net()
if size > 1:
    net.first.matmul.shard(((1, 1), (1, 1)))               # of what is sent to the next stage
pipe = nn.PipelineCell(net, 4, stage_config={"first": 0, "second": 1, "third": 1, "loss": 1})
step = nn.TrainOneStepCell(pipe, nn.Adam(net.trainable_params(), 0.02))
losses = []
for k in range(5):
    draw = np.random.RandomState(k)
    x, y = draw.randn(16, 6).astype(np.float32), draw.randint(0, 3, 16).astype(np.int32)
    losses.append(float(step(Tensor(x), Tensor(y))))
answer("losses", losses)
answer("held", [list(p.shape) for p in net.get_parameters()])
ms.save_checkpoint(net, f"{FOLDER}/whole{rank}")
ms.save_checkpoint(step, f"{FOLDER}/own{rank}", integrated_save=False)
whole = ms.load_checkpoint(f"{FOLDER}/whole{rank}.ckpt")
answer("weights", [p for p in whole.values()])
answer("saved", sorted(ms.load_checkpoint(f"{FOLDER}/own{rank}.ckpt")))
answer("evaluated", float(net(Tensor(x), Tensor(y))))
programs = [p for held in step._compiled.programs.values() for p in held]
answer("moved", [n.op.name for p in programs for n in p.graph.nodes if n.op.effect == "communication"])
release()
"""


@pytest.mark.dist
def test_two_stages_train_as_one_process(tmp_path):
    one, = processes.run(1, f"FOLDER = {str(tmp_path)!r}\n" + TRAIN, tmp_path)
    found = processes.run(2, f"FOLDER = {str(tmp_path)!r}\n" + TRAIN, tmp_path)
    for two in found:
        np.testing.assert_allclose(two["losses"], one["losses"], rtol=1e-5)
        np.testing.assert_allclose(two["evaluated"], one["evaluated"], rtol=1e-5)
        for a, b in zip(two["weights"], one["weights"], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        assert {"SendAway", "ReceiveFrom"} <= set(two["moved"])
    assert found[0]["held"] == [[16, 6], [16], [0], [0], [0], [0]]             # a stage has its parameters only
    assert found[1]["held"] == [[0], [0], [16, 16], [16], [3, 16], [3]]
    for k, own in enumerate(({"first"}, {"second", "third"})):
        assert {name.split(".")[1] for name in found[k]["saved"] if name.startswith("moment1.")} == own
