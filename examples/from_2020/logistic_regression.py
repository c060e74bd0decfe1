"""Logistic regression on two kinds of iris, as in the first course on MindSpore (1.0).

    python examples/from_2020/logistic_regression.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np
from sklearn.datasets import load_iris

import mindspore.dataset as ds
import mindspore.nn as nn
from mindspore import Tensor, context
from mindspore.common import set_seed
from mindspore.common.initializer import Normal
from mindspore.ops import composite as C
from mindspore.ops import operations as P
from mindspore.train.callback import LossMonitor
from mindspore.train.model import Model


class Loss(nn.Cell):
    """The mean binary cross entropy of logits."""

    def __init__(self):
        super(Loss, self).__init__()
        self.sigmoid_cross_entropy_with_logits = P.SigmoidCrossEntropyWithLogits()
        self.reduce_mean = P.ReduceMean(keep_dims=False)

    def construct(self, x, y):
        return self.reduce_mean(self.sigmoid_cross_entropy_with_logits(x, y))


class GradWrap(nn.Cell):
    """The gradients of a network with a loss."""

    def __init__(self, network):
        super(GradWrap, self).__init__()
        self.network = network
        self.grad = C.GradOperation(get_by_list=True)

    def construct(self, x, y):
        return self.grad(self.network, self.network.trainable_params())(x, y)


def iris(seed=0):
    """Measures and kinds of setosa and versicolor: 80 plants to learn from, 20 to test on."""
    data = load_iris()
    x = data.data[:100].astype(np.float32)
    y = data.target[:100].astype(np.float32).reshape(-1, 1)
    order = np.random.RandomState(seed).permutation(100)
    return (x[order[:80]], y[order[:80]]), (x[order[80:]], y[order[80:]])


def main(mode="graph", epochs=5):
    """The first and the last loss, and the part of the test plants that are told rightly."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE, device_target="CPU")
    set_seed(1)
    (x, y), (x_test, y_test) = iris()
    data = ds.GeneratorDataset(list(zip(x, y)), ["data", "label"], shuffle=True)
    data = data.batch(16, drop_remainder=True)

    net = nn.Dense(4, 1, weight_init=Normal(0.02))
    opt = nn.optim.SGD(net.trainable_params(), learning_rate=0.1)
    first = float(nn.WithLossCell(net, Loss())(Tensor(x), Tensor(y)).asnumpy())
    model = Model(net, loss_fn=Loss(), optimizer=opt)
    model.train(epochs, data, callbacks=[LossMonitor(per_print_times=5)], dataset_sink_mode=False)

    slopes = GradWrap(nn.WithLossCell(net, Loss()))(Tensor(x), Tensor(y))
    last = float(nn.WithLossCell(net, Loss())(Tensor(x), Tensor(y)).asnumpy())
    told = P.Sigmoid()(model.predict(Tensor(x_test))).asnumpy().round()
    accuracy = float(np.mean(told == y_test))
    print("slope of the bias: %.4f, loss %.4f -> %.4f, accuracy %.2f"
          % (float(slopes[1].asnumpy()[0]), first, last, accuracy))
    return {"first": first, "last": last, "accuracy": accuracy}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=5)
    main(**vars(parser.parse_args()))
