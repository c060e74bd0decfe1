"""Train LeNet-5 on handwritten digits and measure it on digits that it has not seen.

    python3 run.py demo [--mode graph|pynative] [--epochs N] [--data-path FOLDER] [--devices N]

With `--devices` that many processes train together, each on its part of every batch. The losses of
two are those of one in every step, to 1e-5: one process computes the halves of a batch for
themselves, too, so that gradients are rounded alike (training would enlarge the smallest difference,
within 40 steps to all digits). Without `--data-path` the digits are the 1,797 real ones that scikit-learn ships;
FOLDER is a copy of MNIST in its published form, four binary files.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small tensors: several threads only wait

from digits import digits

import mindspore as ms
from mindspore import nn, ops
from mindspore.common.initializer import Normal
from mindspore.communication import get_group_size, get_rank, init
from mindspore.train import Accuracy, Callback, Model

PARTS = 2  # of a batch, that are computed for themselves


class LeNet5(nn.Cell):
    """LeCun et al. 1998: two convolutions, three dense layers; logits of ten classes."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Normal(0.1))
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Normal(0.05))
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


class InParts(nn.Cell):
    """A network applied to parts of a batch, one after the other."""

    def __init__(self, net: nn.Cell, parts: int):
        super().__init__(auto_prefix=False)
        self.net, self.parts = net, parts

    def construct(self, x):
        n, k = x.shape[0], self.parts
        return ops.cat([self.net(x[i * n // k:(i + 1) * n // k]) for i in range(k)])


class Losses(Callback):
    """Keeps the loss of every step, the mean of those of all processes; the first one shows each epoch's last."""

    def __init__(self, steps: int):
        super().__init__()
        self.steps = steps
        self.values: list[float] = []

    def on_train_step_end(self, run_context):
        loss = run_context.original_args().net_outputs
        self.values.append(float((ops.AllReduce()(loss) / get_group_size()).asnumpy()))
        epoch, rest = divmod(len(self.values), self.steps)
        if not rest and get_rank() == 0:
            print(f"epoch {epoch}, step {len(self.values)}: loss {self.values[-1]:.6f}", flush=True)


def train(mode: str, epochs: int, folder: str | None) -> tuple[list[float], float]:
    """The loss of every step, and the accuracy on the digits that were held out."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    init()
    if get_group_size() > 1:
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    data = digits("train", 32, folder, distort=True, share=(get_rank(), get_group_size()))
    steps = data.get_dataset_size()
    net = LeNet5()
    rates = nn.cosine_decay_lr(0.0, 0.02, epochs * steps, steps, epochs)
    model = Model(
        InParts(net, PARTS // get_group_size()) if get_group_size() < PARTS else net,
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
        nn.Momentum(net.trainable_params(), rates, 0.9, weight_decay=1e-4),
        metrics={"accuracy": Accuracy()},
    )
    print(f"{mode} mode, {epochs} epochs of {steps} steps", flush=True)
    losses = Losses(steps)
    model.train(epochs, data, callbacks=losses, dataset_sink_mode=False)
    held_out = digits("test", 100, folder)
    return losses.values, model.eval(held_out, dataset_sink_mode=False)["accuracy"]


def start(devices: int) -> int:
    """Run this program in several processes and show what the first one says."""
    from mindspore.distributed.msrun import main as msrun

    with tempfile.TemporaryDirectory() as logs:
        return msrun(["--worker_num", str(devices), "--local_worker_num", str(devices),
                      "--master_port", "0", "--log_dir", logs,
                      "--join", "True", "--tail_worker_log", "0", __file__, *sys.argv[1:]])


def main() -> None:
    """Read the arguments, train, print what came out."""
    parser = argparse.ArgumentParser(prog="run.py demo", description=__doc__.split("\n")[0])
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--data-path", metavar="FOLDER", help="a copy of MNIST")
    parser.add_argument("--epochs", type=int, help="default: 24, or 2 for MNIST")
    parser.add_argument("--devices", type=int, default=1, help="processes that train together")
    options = parser.parse_args()
    if options.devices > 1 and "WORLD_SIZE" not in os.environ:
        sys.exit(start(options.devices))
    epochs = options.epochs or (2 if options.data_path else 24)
    started = time.perf_counter()
    losses, accuracy = train(options.mode, epochs, options.data_path)
    print(f"loss of the first step {losses[0]:.6f}, of the last step {losses[-1]:.6f}")
    print(f"accuracy on held-out digits: {accuracy:.2%}")
    print(f"time: {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
