"""U-Net marks discs among squares, with a loss, a metric and data of its own (1.3).

    python examples/from_2021/unet.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np

import mindspore.dataset as ds
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import Model, Tensor, context, set_seed
from mindspore.nn import Metric


def double_conv(in_channel, out_channel):
    return nn.SequentialCell(nn.Conv2d(in_channel, out_channel, 3), nn.BatchNorm2d(out_channel), nn.ReLU(),
                             nn.Conv2d(out_channel, out_channel, 3), nn.BatchNorm2d(out_channel), nn.ReLU())


class UNet(nn.Cell):
    """Down two levels and up again, each level with what was there on the way down."""

    def __init__(self, width=8):
        super().__init__()
        self.down1, self.down2 = double_conv(1, width), double_conv(width, 2 * width)
        self.bottom = double_conv(2 * width, 4 * width)
        self.pool = nn.MaxPool2d(2, 2)
        self.up2 = nn.Conv2dTranspose(4 * width, 2 * width, 2, stride=2, pad_mode="same")
        self.up1 = nn.Conv2dTranspose(2 * width, width, 2, stride=2, pad_mode="same")
        self.right2, self.right1 = double_conv(4 * width, 2 * width), double_conv(2 * width, width)
        self.outc = nn.Conv2d(width, 1, 1)
        self.concat = ops.Concat(axis=1)

    def construct(self, x):
        x1 = self.down1(x)
        x2 = self.down2(self.pool(x1))
        x3 = self.bottom(self.pool(x2))
        y2 = self.right2(self.concat((x2, self.up2(x3))))
        y1 = self.right1(self.concat((x1, self.up1(y2))))
        return self.outc(y1)


class DiceAndEntropy(nn.LossBase):
    """Binary cross entropy of logits, plus one minus the Dice coefficient."""

    def __init__(self):
        super().__init__()
        self.entropy = nn.BCEWithLogitsLoss()
        self.sigmoid = ops.Sigmoid()

    def construct(self, logits, label):
        chance = self.sigmoid(logits)
        shared = (chance * label).sum()
        return self.entropy(logits, label) + 1 - (2 * shared + 1) / (chance.sum() + label.sum() + 1)


class DiceCoefficient(Metric):
    """Twice the common part over the sum of both."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._common, self._both = 0.0, 0.0

    def update(self, *inputs):
        predicted, wanted = self._convert_data(inputs[0]) > 0, self._convert_data(inputs[1]) > 0.5
        self._common += float((predicted & wanted).sum())
        self._both += float(predicted.sum() + wanted.sum())

    def eval(self):
        if self._both == 0:
            raise RuntimeError("The Dice coefficient cannot be computed without any pixel.")
        return 2 * self._common / self._both


class Cells:
    """Noisy pictures (1, 32, 32) of discs and squares, with masks of the discs."""

    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        rng = np.random.RandomState(self.seed * 1000 + int(index))
        rows, columns = np.mgrid[:32, :32]
        image, mask = rng.normal(0, 0.1, (32, 32)), np.zeros((32, 32), bool)
        for kind in (0, 1):
            row, column, size = rng.randint(6, 26), rng.randint(6, 26), rng.randint(3, 6)
            down, across = rows - row, columns - column
            apart = np.hypot(down, across) if kind else np.maximum(abs(down), abs(across))
            image[apart <= size] += 1.0 if kind else 0.6
            mask = mask | (apart <= size) if kind else mask
        return image[None].astype(np.float32), mask[None].astype(np.float32)


def main(mode="graph", epochs=2, count=48):
    """The first and the last loss, and the Dice coefficient on other pictures."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    set_seed(1)
    train = ds.GeneratorDataset(Cells(count, 1), ["image", "mask"], shuffle=True).batch(8)
    test = ds.GeneratorDataset(Cells(16, 2), ["image", "mask"], shuffle=False).batch(8)
    net, loss = UNet(), DiceAndEntropy()
    image, mask = Cells(1, 1)[0]
    before = float(loss(net(Tensor(image[None])), Tensor(mask[None])).asnumpy())
    metrics = {"dice": DiceCoefficient(), "loss": nn.Loss()}
    model = Model(net, loss, nn.Adam(net.trainable_params(), 0.01), metrics=metrics)
    model.train(epochs, train, dataset_sink_mode=False)
    found = model.eval(test, dataset_sink_mode=False)
    print(f"loss {before:.3f} -> {found['loss']:.3f}, Dice coefficient {found['dice']:.3f}")
    return {"first": before, "last": found["loss"], "dice": found["dice"]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=8)
    main(count=128, **vars(parser.parse_args()))
