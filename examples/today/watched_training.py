"""A training that leaves what is to be looked at: summaries, a profile of some steps, the network as a file (2.x).

    python examples/today/watched_training.py [--mode graph|pynative] [--epochs N] [--folder F]

The summaries are for MindInsight or TensorBoard, `trace_view.json` of the profile is for https://ui.perfetto.dev, the
files of the network for `mindspore.load` and, where the package `onnx` is installed, ONNX Runtime.
"""
import argparse
import csv
import glob
import importlib.util
import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops, train
from mindspore.dataset import transforms, vision
from mindspore.profiler import profile, schedule, tensorboard_trace_handler


def digits(training, batch):
    """Images of 8 by 8 with their labels; every fifth is kept for tests."""
    data = load_digits()
    chosen = (np.arange(len(data.target)) % 5 == 0) != training
    source = ds.NumpySlicesDataset((data.images[chosen].astype(np.float32)[..., None],
                                    data.target[chosen].astype(np.int32)), ["image", "label"], shuffle=training)
    source = source.map([vision.Rescale(1 / 16, 0.0), vision.HWC2CHW()], "image")
    return source.map(transforms.TypeCast(ms.int32), "label").batch(batch, drop_remainder=training)


class Net(nn.Cell):
    """A convolution and a dense layer; a summary shows what the convolution lets through."""

    def __init__(self):
        super().__init__()
        self.conv, self.pool = nn.Conv2d(1, 16, 3, weight_init="HeUniform"), nn.MaxPool2d(2, 2)
        self.flatten, self.out = nn.Flatten(), nn.Dense(256, 10)
        self.histogram = ops.HistogramSummary()

    def construct(self, x):
        x = self.pool(ops.relu(self.conv(x)))
        self.histogram("features", x)
        return self.out(self.flatten(x))


class Steps(train.Callback):
    """Tells a profile where steps end."""

    def __init__(self, measured):
        self.measured = measured

    def on_train_step_end(self, run_context):
        self.measured.step()


def trained(net, model, folder, epochs):
    """Train with a collector of summaries, and measure five steps after a warm-up."""
    handler = tensorboard_trace_handler(os.path.join(folder, "profile"))
    with profile(schedule=schedule(wait=2, warmup=2, active=5, repeat=1), on_trace_ready=handler) as measured:
        watching = [train.SummaryCollector(os.path.join(folder, "summary"), collect_freq=5), Steps(measured)]
        model.train(epochs, digits(True, 64), watching, dataset_sink_mode=False)


def exported(net, folder):
    """Write the network, which takes any number of images; the names of the files."""
    net.set_train(False)
    image = ms.Tensor(shape=[None, 1, 8, 8], dtype=ms.float32)
    formats = ["MINDIR"] + (["ONNX"] if importlib.util.find_spec("onnx") else [])
    for name in formats:
        ms.export(net, image, file_name=os.path.join(folder, "net"), file_format=name)
    return [os.path.join(folder, f"net.{name.lower()}") for name in formats]


def most_expensive(folder):
    """The rows of `step_time.csv`: where the time of the steps went."""
    (file,) = glob.glob(os.path.join(folder, "profile", "*", "ASCEND_PROFILER_OUTPUT", "step_time.csv"))
    with open(file, encoding="utf-8") as rows:
        return {f"{row['where']} {row['what']}": float(row["percent"]) for row in csv.DictReader(rows)}


def main(mode="graph", epochs=3, folder=None):
    """The accuracy, that of the network from its file, where the time went, and what lies in the folder."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(4)
    with tempfile.TemporaryDirectory() as temporary:
        folder = folder or temporary
        net = Net()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        model = train.Model(net, loss, nn.Adam(net.trainable_params(), 0.01), metrics={"accuracy"})
        trained(net, model, folder, epochs)
        accuracy = model.eval(digits(False, 120), dataset_sink_mode=False)["accuracy"]
        files = exported(net, folder)
        again = train.Model(nn.GraphCell(ms.load(files[0])), loss, metrics={"accuracy"})
        loaded = again.eval(digits(False, 120), dataset_sink_mode=False)["accuracy"]
        spent = most_expensive(folder)
        summaries = glob.glob(os.path.join(folder, "summary", "*_MS"))
    for name, percent in spent.items():
        print(f"{percent:5.1f} %  {name}")
    print(f"accuracy {accuracy:.3f}, of the network from its file {loaded:.3f}")
    return {"accuracy": accuracy, "loaded": loaded, "spent": spent, "files": files, "summaries": len(summaries)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--folder")
    main(**vars(parser.parse_args()))
