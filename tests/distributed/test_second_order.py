"""`nn.thor` on several processes gives the losses and weights of one process with the whole batch."""
from __future__ import annotations

import numpy as np
import processes
import pytest

TRAINED = """
class Images(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.head, self.last = nn.Conv2d(2, 4, 3), nn.Dense(4, 5, activation="tanh"), nn.Dense(5, 3)
    def construct(self, x):
        return self.last(self.head(ops.tanh(self.conv(x)).mean((2, 3))))
def trained(rank, size, split, batch=12):
    draw = np.random.RandomState(3)
    net = Images()
    for p in net.trainable_params():
        p.set_data(Tensor(draw.randn(*p.shape).astype(np.float32) * 0.3))
    optimizer = nn.thor(net, Tensor(0.05), Tensor(0.03), 0.9, batch_size=batch // size, frequency=2,
                        split_indices=split)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, optimizer).set_train()
    share, losses = batch // size, []
    for _ in range(5):
        x, y = draw.randn(batch, 2, 5, 5).astype(np.float32), draw.randint(0, 3, (batch,)).astype(np.int32)
        mine = slice(rank * share, (rank + 1) * share)
        losses.append(float(step(Tensor(x[mine]), Tensor(y[mine])).asnumpy()))
    return losses, {p.name: p.asnumpy().tolist() for p in net.trainable_params()}
"""
SEVERAL = """
ms.set_context(mode=MODE)
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
answer("thor", trained(get_rank(), get_group_size(), SPLIT))
"""


@pytest.mark.parametrize(("size", "mode", "split"), [(2, 0, None), (3, 1, [0, 2])])
def test_losses_and_weights_are_those_of_one_process(tmp_path, size, mode, split):
    space: dict = {}
    exec(processes.START + TRAINED, space)
    losses, weights = space["trained"](0, 1, None)
    found = [f["thor"] for f in processes.run(size, f"MODE, SPLIT = {mode}, {split}\n" + TRAINED + SEVERAL, tmp_path)]
    np.testing.assert_allclose(np.mean([f[0] for f in found], 0), losses, rtol=1e-4)
    for _, other in found:
        for key, value in weights.items():
            np.testing.assert_allclose(other[key], value, rtol=2e-4, atol=1e-5, err_msg=key)
