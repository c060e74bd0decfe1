"""Half precision with loss scaling, and gradients gathered over several batches before a step (1.3).

    python examples/from_2021/precision_and_accumulation.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np
from sklearn.datasets import load_digits

import mindspore.dataset as ds
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import DynamicLossScaleManager, Model, ParameterTuple, Tensor, context, set_seed
from mindspore.ops import functional as F

_sum_op = ops.MultitypeFuncGraph("grad_sum_op")
_clear_op = ops.MultitypeFuncGraph("clear_op")


@_sum_op.register("Tensor", "Tensor")
def _cumulative_grad(grad_sum, grad):
    return ops.AssignAdd()(grad_sum, grad)


@_clear_op.register("Tensor", "Tensor")
def _clear_grad_sum(grad_sum, zero):
    return ops.Assign()(grad_sum, zero)


class TrainForwardBackward(nn.Cell):
    """The loss of a batch, whose gradients are added to sums."""

    def __init__(self, network, optimizer, grad_sum, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer, self.grad_sum, self.sens = optimizer, grad_sum, sens
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = ops.HyperMap()

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.Fill()(ops.DType()(loss), ops.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        return F.depend(loss, self.hyper_map(F.partial(_sum_op), self.grad_sum, grads))


class TrainOptim(nn.Cell):
    """A step by the sums."""

    def __init__(self, optimizer, grad_sum):
        super().__init__(auto_prefix=False)
        self.optimizer, self.grad_sum = optimizer, grad_sum

    def construct(self):
        return self.optimizer(self.grad_sum)


class TrainClear(nn.Cell):
    """The sums become zero again."""

    def __init__(self, grad_sum, zeros):
        super().__init__(auto_prefix=False)
        self.grad_sum, self.zeros, self.hyper_map = grad_sum, zeros, ops.HyperMap()

    def construct(self):
        return self.hyper_map(F.partial(_clear_op), self.grad_sum, self.zeros)


def digits(batch, training):
    """Digits as vectors; every fifth is kept for tests."""
    images, labels = load_digits(return_X_y=True)
    chosen = (np.arange(len(labels)) % 5 == 0) != training
    arrays = ((images[chosen] / 16).astype(np.float32), labels[chosen].astype(np.int32))
    return ds.NumpySlicesDataset(arrays, ["data", "label"], shuffle=False).batch(batch, drop_remainder=training)


def network():
    return nn.SequentialCell(nn.Dense(64, 32, activation="relu"), nn.Dense(32, 10))


def accumulated(mini_steps, batch, epochs):
    """The weights after epochs of steps by `mini_steps` batches each."""
    set_seed(1)
    net = network()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    grad_sum = optimizer.parameters.clone(prefix="grad_sum", init="zeros")
    zeros = optimizer.parameters.clone(prefix="zeros", init="zeros")
    forward = TrainForwardBackward(nn.WithLossCell(net, loss), optimizer, grad_sum, 1.0 / mini_steps)
    update, clear = TrainOptim(optimizer, grad_sum), TrainClear(grad_sum, zeros)
    for cell in (forward, update, clear):
        cell.set_train()
    for _ in range(epochs):
        for number, row in enumerate(digits(batch, True).create_dict_iterator()):
            forward(row["data"], row["label"])
            if (number + 1) % mini_steps == 0:
                update()
                clear()
        clear()                         # what is left is too little for a step
    return net


def accuracy_of(net):
    told = net(Tensor(next(digits(360, False).create_tuple_iterator(output_numpy=True))[0])).asnumpy().argmax(1)
    return float(np.mean(told == next(digits(360, False).create_tuple_iterator(output_numpy=True))[1]))


def mixed(level, epochs):
    """The accuracy of a training at that level of mixed precision, and what the weights are held in."""
    set_seed(1)
    net = network()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = DynamicLossScaleManager(init_loss_scale=2 ** 10, scale_window=50)
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"acc"}, amp_level=level,
                  loss_scale_manager=manager)
    model.train(epochs, digits(32, True), dataset_sink_mode=False)
    return model.eval(digits(60, False), dataset_sink_mode=False)["acc"]


def main(mode="graph", epochs=4):
    """Whether four batches of 8 train as one of 32, and the accuracies in half and in full precision."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    whole, parts = accumulated(1, 32, epochs), accumulated(4, 8, epochs)
    apart = max(float(np.abs(p.asnumpy() - q.asnumpy()).max())
                for p, q in zip(whole.get_parameters(), parts.get_parameters()))
    found = {"apart": apart, "accumulated": accuracy_of(parts)}
    for level in ("O0", "O2", "O3"):
        found[level] = float(mixed(level, epochs))
    print(", ".join(f"{k} {v:.4g}" for k, v in found.items()))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=10)
    main(**vars(parser.parse_args()))
