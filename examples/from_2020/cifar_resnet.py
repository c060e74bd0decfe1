"""A residual network on small pictures with augmentation, by Model, schedule and checkpoints (1.0).

    python examples/from_2020/cifar_resnet.py [--mode graph|pynative] [--epochs N] [--data FOLDER]

FOLDER is CIFAR-10 in its binary form; without it the pictures are made: bars in three directions and rings.
"""
import argparse
import os
import tempfile

import numpy as np

import mindspore.common.dtype as mstype
import mindspore.dataset as ds
import mindspore.dataset.transforms.c_transforms as C2
import mindspore.dataset.vision.c_transforms as C
import mindspore.nn as nn
from mindspore import Tensor, context
from mindspore.common import set_seed
from mindspore.ops import operations as P
from mindspore.train.callback import CheckpointConfig, LossMonitor, ModelCheckpoint, TimeMonitor
from mindspore.train.loss_scale_manager import FixedLossScaleManager
from mindspore.train.model import Model
from mindspore.train.serialization import load_checkpoint, load_param_into_net

context.set_context(save_graphs=False)


def conv3x3(in_channel, out_channel, stride=1):
    return nn.Conv2d(in_channel, out_channel, kernel_size=3, stride=stride, padding=0, pad_mode="same")


class ResidualBlock(nn.Cell):
    """Two convolutions beside the identity, or beside one of 1x1."""

    def __init__(self, in_channel, out_channel, stride=1):
        super(ResidualBlock, self).__init__()
        self.conv1 = conv3x3(in_channel, out_channel, stride)
        self.bn1 = nn.BatchNorm2d(out_channel, momentum=0.9)
        self.conv2 = conv3x3(out_channel, out_channel)
        self.bn2 = nn.BatchNorm2d(out_channel, momentum=0.9)
        self.relu = nn.ReLU()
        self.down_sample = stride != 1 or in_channel != out_channel
        if self.down_sample:
            self.down_sample_layer = nn.SequentialCell([
                nn.Conv2d(in_channel, out_channel, kernel_size=1, stride=stride, pad_mode="same"),
                nn.BatchNorm2d(out_channel, momentum=0.9)])
        self.add = P.TensorAdd()

    def construct(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.down_sample:
            identity = self.down_sample_layer(identity)
        return self.relu(self.add(out, identity))


class ResNet(nn.Cell):
    """A stem, one block for each width, the mean over the picture, and a dense layer."""

    def __init__(self, widths, num_classes):
        super(ResNet, self).__init__()
        self.conv1 = conv3x3(3, widths[0])
        self.bn1 = nn.BatchNorm2d(widths[0])
        self.relu = P.ReLU()
        pairs = zip((widths[0],) + tuple(widths[:-1]), widths)
        self.layers = nn.SequentialCell([ResidualBlock(i, o, 1 if k == 0 else 2) for k, (i, o) in enumerate(pairs)])
        self.mean = P.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.end_point = nn.Dense(widths[-1], num_classes)

    def construct(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.layers(x)
        return self.end_point(self.flatten(self.mean(x, (2, 3))))


def pictures(count, seed):
    """Coloured pictures (32, 32, 3) of bars across, bars down, bars aslant and rings, and which they are."""
    rng = np.random.RandomState(seed)
    row, column = np.mgrid[:32, :32]
    images, labels = [], []
    for _ in range(count):
        kind, shift, width = rng.randint(4), rng.randint(8), rng.randint(4, 7)
        line = [row, column, row + column, np.hypot(row - 16, column - 16).astype(int)][kind]
        shape = ((line + shift) // width % 2)[..., None] * rng.randint(120, 256, 3)
        images.append(np.clip(shape + rng.normal(0, 20, shape.shape), 0, 255).astype(np.uint8))
        labels.append(np.int32(kind))
    return images, labels


def create_dataset(source, training, batch_size):
    """Augmented (for training) and normalised pictures in batches."""
    trans = []
    if training:
        trans += [C.RandomCrop((32, 32), (4, 4, 4, 4)), C.RandomHorizontalFlip(prob=0.5)]
    trans += [C.Rescale(1.0 / 255.0, 0.0), C.Normalize([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]), C.HWC2CHW()]
    data = source.map(operations=C2.TypeCast(mstype.int32), input_columns="label")
    data = data.map(operations=trans, input_columns="image")
    return data.batch(batch_size, drop_remainder=True)


def get_lr(base, total_steps):
    """A rate for each step: a tenth of the steps rising, then falling to 0."""
    warm = max(total_steps // 10, 1)
    rates = [base * (i + 1) / warm if i < warm else base * (total_steps - i) / (total_steps - warm)
             for i in range(total_steps)]
    return np.array(rates, np.float32)


def main(mode="graph", epochs=3, count=256, widths=(8, 16), data=None):
    """The loss of the first and the last step, the accuracy, and that of the network from its checkpoint."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE, device_target="CPU")
    set_seed(2)
    if data is None:
        make = lambda n, seed: ds.NumpySlicesDataset(pictures(n, seed), ["image", "label"])
        train, test, classes = make(count, 0), make(128, 1), 4
    else:
        train, test = (ds.Cifar10Dataset(data, usage=usage) for usage in ("train", "test"))
        classes = 10
    train, test = create_dataset(train, True, 32), create_dataset(test, False, 32)
    steps = train.get_dataset_size()

    net = ResNet(widths, classes)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    decayed = [p for p in net.trainable_params() if "beta" not in p.name and "gamma" not in p.name]
    others = [p for p in net.trainable_params() if "beta" in p.name or "gamma" in p.name]
    groups = [{"params": decayed, "weight_decay": 1e-4}, {"params": others}, {"order_params": net.trainable_params()}]
    opt = nn.Momentum(groups, Tensor(get_lr(0.1, epochs * steps)), 0.9, loss_scale=128.0)
    manager = FixedLossScaleManager(128.0, drop_overflow_update=False)
    model = Model(net, loss_fn=loss, optimizer=opt, loss_scale_manager=manager, metrics={"acc"})

    losses = []

    class Keep(LossMonitor):
        def step_end(self, run_context):
            losses.append(float(run_context.original_args().net_outputs.asnumpy()))
            super(Keep, self).step_end(run_context)

    with tempfile.TemporaryDirectory() as folder:
        config = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=2)
        saving = ModelCheckpoint(prefix="resnet", directory=folder, config=config)
        callbacks = [TimeMonitor(data_size=steps), Keep(steps), saving]
        model.train(epochs, train, callbacks=callbacks, dataset_sink_mode=False)
        accuracy = model.eval(test, dataset_sink_mode=False)["acc"]
        newest = os.path.join(folder, "resnet-%d_%d.ckpt" % (epochs, steps))
        again = ResNet(widths, classes)
        load_param_into_net(again, load_checkpoint(newest))
    loaded = Model(again, loss_fn=loss, metrics={"acc"}).eval(test, dataset_sink_mode=False)["acc"]
    print("accuracy %.3f, from the checkpoint %.3f" % (accuracy, loaded))
    return {"first": losses[0], "last": losses[-1], "accuracy": accuracy, "loaded": loaded}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--data")
    main(count=1024, widths=(16, 32, 64), **vars(parser.parse_args()))
