"""Networks of many kinds and training steps for MindIR; run by file name, it writes or runs them in the original."""
from __future__ import annotations

import mindir_nets
import numpy as np
from export_networks import NETS
from export_networks_more import MORE

import mindspore as ms
from mindspore import nn, ops


class Small(nn.Cell):
    """All that the first networks of most programs have."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3, pad_mode="pad", padding=1, has_bias=True), nn.BatchNorm2d(4)
        self.pool, self.mean, self.flat = nn.MaxPool2d(3, 2, pad_mode="same"), nn.AvgPool2d(2, 2), nn.Flatten()
        self.dense = nn.Dense(16, 3)

    def construct(self, x):
        return self.dense(self.flat(self.mean(self.pool(ops.relu(self.norm(self.conv(x)))))))


def step(net, optimizer, loss=None):
    """How a training step is made."""
    def made():
        ready = net()
        found = loss or nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        return nn.TrainOneStepCell(nn.WithLossCell(ready, found), optimizer(ready.trainable_params()))
    return made


def tokens_net():
    """Embeddings and a block of attention, with a mean over tokens."""
    return TokensNet()


class TokensNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words, self.norm, self.out = nn.Embedding(20, 8), nn.LayerNorm((8,)), nn.Dense(8, 3)
        self.q, self.k, self.v = nn.Dense(8, 8), nn.Dense(8, 8), nn.Dense(8, 8)

    def construct(self, tokens):
        x = self.words(tokens)
        weights = ops.softmax(ops.matmul(self.q(x), self.k(x).swapaxes(1, 2)) / 3.0)
        x = self.norm(x + ops.gelu(ops.matmul(weights, self.v(x))))
        return self.out(x.mean(1))


IMAGES = [mindir_nets.images(2, 1, 8, 8)[0], np.array([0, 2], np.int32)]
TOKENS = [np.array([[1, 2, 3], [4, 19, 1]], np.int32), np.array([2, 1], np.int32)]
RATE = 0.01


def scheduled(params):
    return nn.Adam(params, nn.ExponentialDecayLR(0.05, 0.9, 4), weight_decay=1e-3)


STEPS = {
    "step_adam": (step(Small, lambda p: nn.Adam(p, RATE)), *[IMAGES] * 4),
    "step_adam_scheduled": (step(Small, scheduled), *[IMAGES] * 4),
    "step_adam_weight_decay": (step(Small, lambda p: nn.AdamWeightDecay(p, RATE)), *[IMAGES] * 4),
    "step_momentum": (step(Small, lambda p: nn.Momentum(p, RATE, 0.9, weight_decay=1e-3)), *[IMAGES] * 4),
    "step_sgd": (step(Small, lambda p: nn.SGD(p, RATE, momentum=0.9)), *[IMAGES] * 4),
    "step_rmsprop": (step(Small, lambda p: nn.RMSProp(p, RATE)), *[IMAGES] * 4),
    "step_adagrad": (step(Small, lambda p: nn.Adagrad(p, RATE)), *[IMAGES] * 4),
    "step_tokens": (step(tokens_net, lambda p: nn.Adam(p, RATE)), *[TOKENS] * 4),
    "step_lenet": (step(mindir_nets.lenet, lambda p: nn.Momentum(p, RATE, 0.9)),
                   *[[mindir_nets.images(2, 1, 32, 32)[0], np.array([3, 9], np.int32)]] * 3),
}
NETWORKS = {**{name.replace(" ", "_"): (make, [x.asnumpy() for x in inputs]) for name, make, inputs in [*NETS, *MORE]},
            **STEPS}

if __name__ == "__main__":
    mindir_nets.main(NETWORKS)

__all__ = ["NETWORKS", "STEPS", "ms"]
