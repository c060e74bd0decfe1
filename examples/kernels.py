"""A layer whose normalisation and activation are one kernel, written as loops, learns to sort out two rings.

Run: python examples/kernels.py
"""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


@ops.kernel
def normalised_gelu(x, scale, shift):
    """LayerNorm over the last axis, then GELU."""
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[1]
    for i in parallel(x.shape[0]):
        total = 0.0
        for j in range(n):
            total += x[i, j]
        mean = total / n
        spread = 0.0
        for j in range(n):
            spread += (x[i, j] - mean) ** 2
        r = rsqrt(spread / n + 1e-5)
        for j in vectorize(n):
            h = (x[i, j] - mean) * r * scale[j] + shift[j]
            y[i, j] = 0.5 * h * (1.0 + erf(0.7071067811865475 * h))
    return y


class Net(nn.Cell):
    """Two layers with a kernel between them."""

    def __init__(self, width=32):
        super().__init__()
        self.first, self.last = nn.Dense(2, width), nn.Dense(width, 2)
        self.scale = Parameter(Tensor(np.ones(width), ms.float32))
        self.shift = Parameter(Tensor(np.zeros(width), ms.float32))

    def construct(self, x):
        return self.last(normalised_gelu(self.first(x), self.scale, self.shift))


def rings(count, draws):
    """Points on two rings, and which one each is on."""
    label = draws.integers(0, 2, count)
    angle = draws.uniform(0, 2 * np.pi, count)
    radius = 1 + label + draws.normal(0, 0.15, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return Tensor(points, ms.float32), Tensor(label, ms.int32)


def main(steps=150):
    """Train, and return the accuracy on new points."""
    ms.set_seed(1)
    draws = np.random.default_rng(0)
    net = Net()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
                               nn.Adam(net.trainable_params(), 0.01))
    for k in range(steps):
        loss = step(*rings(64, draws))
        if k % 50 == 49:
            print(f"step {k + 1}: loss {float(loss):.4f}")
    points, label = rings(500, draws)
    accuracy = float((net(points).argmax(1) == label).astype(ms.float32).mean())
    print(f"accuracy on new points: {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
