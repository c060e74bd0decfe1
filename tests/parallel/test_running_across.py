"""Losses cut over the classes, normalisations and tables over their rows, in several processes."""
from __future__ import annotations

import numpy as np
import processes
import pytest

from mindspore.parallel import machines
from mindspore.parallel.costs import Machine

TRAIN = """
if SEVERAL:
    init()
    ms.set_auto_parallel_context(parallel_mode="auto_parallel", dataset_strategy="full_batch")
ms.set_context(mode=ms.GRAPH_MODE)
ms.set_seed(1)
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words, self.norm = nn.Embedding(13, 6), nn.LayerNorm((6,))
        self.wide, self.narrow = nn.Dense(6, 12, activation="tanh"), nn.Dense(12, 6)
    def construct(self, x):
        x = self.words(x)
        x = self.norm(x + self.narrow(self.wide(x)))
        return ops.matmul(x, self.words.embedding_table.T).reshape((-1, 13))
net = Net()
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss(ignore_index=2)), nn.Momentum(
    net.trainable_params(), 0.1, 0.9))
losses = []
for k in range(4):
    draw = np.random.RandomState(k)
    x, y = draw.randint(0, 13, (2, 3)).astype(np.int32), draw.randint(0, 13, 6).astype(np.int32)
    losses.append(float(step(Tensor(x), Tensor(y))))
answer("losses", losses)
ms.save_checkpoint(net, f"{FOLDER}/whole{get_rank()}")
whole = ms.load_checkpoint(f"{FOLDER}/whole{get_rank()}.ckpt")
answer("weights", [whole[k] for k in sorted(whole)])
answer("did", [n.op.name for held in step._compiled.programs.values() for p in held for n in p.graph.nodes])
if SEVERAL:
    answer("report", ms.parallel.explain())
    release()
"""


@pytest.mark.slow
def test_several_processes_train_with_what_is_cut_as_one_does(tmp_path):
    machine = tmp_path / "machine.json"
    machines.write(Machine(flops=1e5, memory=1e5, start=0.0, latency=1e-7), machine)       # it pays to cut everything
    alone, = processes.run(1, f"SEVERAL, FOLDER = False, {str(tmp_path)!r}\n" + TRAIN, tmp_path)
    found = processes.run(3, f"SEVERAL, FOLDER = True, {str(tmp_path)!r}\n" + TRAIN, tmp_path,
                          MS_MACHINE_FILE=str(machine))
    for one in found:
        np.testing.assert_allclose(one["losses"], alone["losses"], rtol=1e-5)
        for a, b in zip(one["weights"], alone["weights"], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        assert {"AtLabel", "ReduceParts"} <= set(one["did"])
        assert "over 3 devices: mesh 3" in one["report"]


DROPS = """
init()
ms.set_auto_parallel_context(parallel_mode="auto_parallel", dataset_strategy="full_batch")
ms.set_context(mode=ms.GRAPH_MODE)
net = nn.SequentialCell(nn.Dense(6, 12), nn.Dropout(p=0.4), nn.Dense(12, 4, has_bias=False))
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.0))
step.set_train()
x, y = Tensor(np.ones((8, 6), np.float32)), Tensor(np.zeros((8, 4), np.float32))
answer("losses", [float(step(x, y)) for _ in range(4)])
answer("did", [n.op.name for held in step._compiled.programs.values() for p in held for n in p.graph.nodes])
release()
"""


@pytest.mark.slow
def test_dropout_is_cut_and_drawn_alike_in_all_processes(tmp_path):
    machine = tmp_path / "machine.json"
    machines.write(Machine(flops=1e5, memory=1e5, start=0.0, latency=1e-7), machine)
    found = processes.run(2, DROPS, tmp_path, MS_MACHINE_FILE=str(machine))
    assert found[0]["losses"] == found[1]["losses"]
    assert len(set(found[0]["losses"])) == 4          # drawn anew each time
    assert "KeptPiece" in found[0]["did"]
