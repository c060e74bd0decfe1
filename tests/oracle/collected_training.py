"""A training with a `SummaryCollector`, in words that the original knows, too.  Arguments: folder, options as JSON."""
import json
import os
import sys

import numpy as np

import mindspore as ms
from mindspore import dataset, nn, ops, train
from mindspore.dataset import transforms, vision


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        draw = np.random.RandomState(0)
        shapes = (2, 3, 3, 3), (4, 128), (3, 4)
        weights = [ms.Tensor((draw.rand(*shape) - 0.5).astype(np.float32)) for shape in shapes]
        self.conv = nn.Conv2d(3, 2, 3, weight_init=weights[0], has_bias=True, bias_init="zeros")
        self.relu, self.flatten = nn.ReLU(), nn.Flatten()
        self.fc1 = nn.Dense(128, 4, weights[1], "zeros")
        self.fc2 = nn.Dense(4, 3, weights[2], "zeros")
        self.scalar, self.tensor = ops.ScalarSummary(), ops.TensorSummary()
        self.image, self.histogram = ops.ImageSummary(), ops.HistogramSummary()

    def construct(self, x):
        y = self.relu(self.conv(x))
        self.image("picture", x)
        self.tensor("active", y)
        self.histogram("spread", y)
        y = self.fc2(self.fc1(self.flatten(y)))
        self.scalar("mean", y.mean())
        return y


def batches(rows, batch):
    draw = np.random.RandomState(1)
    columns = {"x": draw.rand(rows, 8, 8, 3).astype(np.float32), "y": np.arange(rows) % 3}
    found = dataset.NumpySlicesDataset(columns, shuffle=False).map([vision.Rescale(0.5, 0.1), vision.HWC2CHW()], "x")
    return found.map(transforms.TypeCast(ms.int32), "y").batch(batch)


def main(folder, mode, epochs, rows, batch, evaluates, **options):
    ms.set_context(mode=mode)
    net = Net()
    model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        nn.Momentum(net.trainable_params(), 0.01, 0.9), metrics={"acc": nn.Accuracy()})
    collector = train.SummaryCollector(folder, **options)
    model.train(epochs, batches(rows, batch), callbacks=[collector], dataset_sink_mode=False)
    if evaluates:
        model.eval(batches(rows, batch), callbacks=[collector], dataset_sink_mode=False)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    main(sys.argv[1], **json.loads(sys.argv[2]))
