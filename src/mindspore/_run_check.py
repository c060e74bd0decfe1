"""One training step on the current device, compared with the numbers that it must give."""

from __future__ import annotations

import numpy as np

from mindspore import nn, ops
from mindspore._names import version
from mindspore.core import context
from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor


def run_check() -> None:
    """Compute a product and a training step; RuntimeError if the numbers are wrong."""
    print(f"MindSpore version:  {version.MINDSPORE} (AnySpore {version.ANYSPORE})")
    product()
    step()
    target = context.target_in_use()
    print(
        f"The result of multiplication calculation is correct, "
        f"MindSpore has been installed on platform [{target}] successfully!"
    )


def product() -> None:
    """Multiply two matrices of ones."""
    ones = Tensor(np.ones((2, 3), np.float32))
    expect("product", ops.matmul(ones, ones.T).asnumpy(), np.full((2, 2), 3.0))


def step() -> None:
    """One step of gradient descent on a mean square: w - 0.1 * 2 * mean(x * (w x - y))."""
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    x, y = Tensor([[1.0], [3.0]], float32), Tensor([[2.0], [4.0]], float32)
    weights = net.trainable_params()
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(weights, 0.1))
    train(x, y)
    expect("step", weights[0].asnumpy(), np.array([[1.0 + 0.1 * 2 * (1 * 1 + 3 * 1) / 2]]))


def expect(what: str, got: np.ndarray, wanted: np.ndarray) -> None:
    """RuntimeError unless the numbers agree to single precision."""
    if not np.allclose(got, wanted, rtol=1e-5):
        raise RuntimeError(f"The {what} must be {wanted.tolist()}, but got {got.tolist()}.")
