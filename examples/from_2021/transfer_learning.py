"""A network that has learned the digits 0 to 4 learns 5 to 9: its convolutions stay as they are (1.3).

    python examples/from_2021/transfer_learning.py [--mode graph|pynative] [--epochs N]
"""
import argparse
import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits

import mindspore.dataset as ds
import mindspore.nn as nn
from mindspore import (
    Model,
    context,
    load_checkpoint,
    load_param_into_net,
    save_checkpoint,
    set_seed,
)
from mindspore.nn.metrics import Accuracy


class Backbone(nn.Cell):
    """Two convolutions and the mean over the picture."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, pad_mode="same", weight_init="HeUniform")
        self.conv2 = nn.Conv2d(16, 32, 3, pad_mode="same", weight_init="HeUniform")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        return self.flatten(x)


class Net(nn.Cell):
    """A backbone with a head of its own."""

    def __init__(self, backbone, num_classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Dense(32 * 2 * 2, num_classes)

    def construct(self, x):
        return self.head(self.backbone(x))


def create_dataset(first, training):
    """The five digits from `first` on, numbered from 0; every fifth is kept for tests."""
    images, labels = load_digits(return_X_y=True)
    wanted = (labels >= first) & (labels < first + 5)
    images = (images[wanted].reshape(-1, 1, 8, 8) / 16).astype(np.float32)
    labels = (labels[wanted] - first).astype(np.int32)
    held_out = np.arange(len(labels)) % 5 == 0
    chosen = ~held_out if training else held_out
    data = ds.NumpySlicesDataset((images[chosen], labels[chosen]), ["image", "label"], shuffle=training)
    return data.batch(32, drop_remainder=training)


def learn(net, first, epochs, rate):
    """Train what may be trained; the accuracy on digits that were kept."""
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    params = filter(lambda p: p.requires_grad, net.get_parameters())
    model = Model(net, loss, nn.Momentum(list(params), rate, 0.9), metrics={"Accuracy": Accuracy()})
    model.train(epochs, create_dataset(first, True), dataset_sink_mode=False)
    return model.eval(create_dataset(first, False), dataset_sink_mode=False)["Accuracy"]


def main(mode="graph", epochs=4):
    """The accuracy before the head has learned, after it has, and of the first network."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    set_seed(1)
    first = Net(Backbone(), 5)
    accuracy_first = learn(first, 0, epochs, 0.1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "first.ckpt")
        save_checkpoint(first, path)
        param_dict = load_checkpoint(path)

    net = Net(Backbone(), 5)
    for name in [name for name in param_dict if name.startswith("head.")]:
        param_dict.pop(name)
    load_param_into_net(net, param_dict)
    for param in net.backbone.get_parameters():
        param.requires_grad = False
    before = net.backbone.conv1.weight.asnumpy().copy()
    accuracy_untrained = learn(net, 5, 1, 0.0)
    accuracy = learn(net, 5, epochs, 0.1)
    frozen = bool((net.backbone.conv1.weight.asnumpy() == before).all())
    print(f"digits 0-4: {accuracy_first:.3f}; digits 5-9: {accuracy_untrained:.3f} -> {accuracy:.3f}")
    return {"first": accuracy_first, "untrained": accuracy_untrained, "accuracy": accuracy, "frozen": frozen}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=10)
    main(**vars(parser.parse_args()))
