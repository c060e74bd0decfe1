"""A data set, layer, loss, optimizer, metric and callback of one's own, put together by Model (1.5).

    python examples/from_2021/own_parts.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import Model, Parameter, ParameterTuple, Tensor, context, set_seed
from mindspore.common.initializer import initializer
from mindspore.ops import functional as F
from mindspore.train.callback import Callback


class Waves:
    """Noisy points of a wave, each with its place on the axis."""

    def __init__(self, count, seed):
        rng = np.random.RandomState(seed)
        self.x = rng.uniform(-3, 3, (count, 1)).astype(np.float32)
        self.y = (np.sin(2 * self.x) * 2 + rng.normal(0, 0.1, (count, 1))).astype(np.float32)

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return len(self.x)


class RandomFeatures(nn.Cell):
    """cos(x W + b) with W and b that may be trained."""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.weight = Parameter(initializer("normal", (in_channels, out_channels), ms.float32) * 200, name="weight")
        self.bias = Parameter(initializer("uniform", (out_channels,), ms.float32) * 40, name="bias")
        self.matmul, self.cos = ops.MatMul(), ops.Cos()

    def construct(self, x):
        return self.cos(self.matmul(x, self.weight) + self.bias)


class HuberLoss(nn.LossBase):
    """Square errors up to a limit, absolute ones beyond (Huber 1964)."""

    def __init__(self, limit=1.0, reduction="mean"):
        super().__init__(reduction)
        self.limit = limit
        self.abs, self.select = ops.Abs(), ops.Select()

    def construct(self, logits, labels):
        error = self.abs(logits - labels)
        near, far = 0.5 * error * error, self.limit * (error - 0.5 * self.limit)
        return self.get_loss(self.select(error < self.limit, near, far))


class SignMomentum(nn.Optimizer):
    """Steps of one size, in the direction of a running mean of the gradients."""

    def __init__(self, params, learning_rate=0.01, momentum=0.9):
        super().__init__(learning_rate, params)
        self.momentum = Tensor(momentum, ms.float32)
        self.moments = self.parameters.clone(prefix="moments", init="zeros")
        self.assign, self.sign = ops.Assign(), ops.Sign()

    def construct(self, gradients):
        rate = self.get_lr()
        done = True
        for i in range(len(self.parameters)):
            moment = self.momentum * self.moments[i] + (1 - self.momentum) * gradients[i]
            done = F.depend(done, self.assign(self.moments[i], moment))
            done = F.depend(done, self.assign(self.parameters[i], self.parameters[i] - rate * self.sign(moment)))
        return done


class LargestError(nn.Metric):
    """The largest error of all."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._largest = 0.0

    def update(self, *inputs):
        found, wanted = [self._convert_data(v) for v in inputs]
        self._largest = max(self._largest, float(np.abs(found - wanted).max()))

    def eval(self):
        return self._largest


class StopBelow(Callback):
    """Ends the training when the mean loss of an epoch is below a limit."""

    def __init__(self, limit):
        super().__init__()
        self.limit, self.means, self.losses = limit, [], []

    def epoch_begin(self, run_context):
        self.losses = []

    def step_end(self, run_context):
        self.losses.append(float(run_context.original_args().net_outputs.asnumpy()))

    def epoch_end(self, run_context):
        self.means.append(float(np.mean(self.losses)))
        if self.means[-1] < self.limit:
            run_context.request_stop()


class EvaluationCell(nn.Cell):
    """What Model evaluates: the outputs beside the labels."""

    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, data, label):
        return self.network(data), label


def main(mode="graph", epochs=30, limit=0.05):
    """The mean losses of the epochs, how many there were, and the largest error on other points."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    set_seed(3)
    train = ds.GeneratorDataset(Waves(256, 0), ["data", "label"], shuffle=True).batch(32)
    test = ds.GeneratorDataset(Waves(64, 1), ["data", "label"], shuffle=False).batch(64)
    net = nn.SequentialCell(RandomFeatures(1, 32), nn.Dense(32, 1, "zeros"))
    trained = ParameterTuple(net.trainable_params())
    model = Model(nn.WithLossCell(net, HuberLoss()), optimizer=SignMomentum(trained, 0.01),
                  metrics={"largest": LargestError()}, eval_network=EvaluationCell(net))
    stop = StopBelow(limit)
    model.train(epochs, train, callbacks=[stop], dataset_sink_mode=False)
    largest = model.eval(test, dataset_sink_mode=False)["largest"]
    found = {"first": stop.means[0], "last": stop.means[-1], "epochs": len(stop.means), "largest": largest}
    print("{epochs} epochs, loss {first:.3f} -> {last:.3f}, largest error {largest:.3f}".format(**found))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=60)
    main(**vars(parser.parse_args()))
