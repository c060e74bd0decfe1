"""A training loop written out: jit, gradients, mixed precision, early stopping, the best checkpoint (2.x).

    python examples/today/training_loop.py [--mode graph|pynative] [--epochs N]
"""
import argparse
import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits

import mindspore as ms
import mindspore.dataset as ds
from mindspore import amp, nn
from mindspore.dataset import transforms, vision


def digits(training, batch):
    """Digits, moved a little in training; every fifth is kept for tests."""
    data = load_digits()
    chosen = (np.arange(len(data.target)) % 5 == 0) != training
    source = ds.NumpySlicesDataset((data.images[chosen].astype(np.float32)[..., None] / 16,
                                    data.target[chosen].astype(np.int32)), ["image", "label"], shuffle=training)
    steps = [vision.Pad(1), vision.RandomCrop(8)] if training else []
    source = source.map([*steps, vision.HWC2CHW()], "image").map(transforms.TypeCast(ms.int32), "label")
    return source.batch(batch, drop_remainder=training)


class Net(nn.Cell):
    """Two convolutions and a dense layer."""

    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, 16, 3, weight_init="HeUniform"), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(16, 32, 3, weight_init="HeUniform"), nn.ReLU(), nn.Flatten(),
            nn.Dropout(p=0.2), nn.Dense(512, 10))

    def construct(self, x):
        return self.layers(x)


def accuracy_of(net, data):
    net.set_train(False)
    right = total = 0
    for image, label in data.create_tuple_iterator():
        right += int((net(image).argmax(1) == label).sum())
        total += label.shape[0]
    net.set_train()
    return right / total


def main(mode="graph", epochs=5, patience=2):
    """The accuracies of the epochs, and that of the best network when it has come back from its checkpoint."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(4)
    train, test = digits(True, 64), digits(False, 120)
    net = amp.auto_mixed_precision(Net(), "O2")
    rate = nn.CosineDecayLR(0.001, 0.1, epochs * train.get_dataset_size())
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9, weight_decay=1e-4, use_nesterov=True)
    scaler = amp.DynamicLossScaler(scale_value=2 ** 10, scale_factor=2, scale_window=50)
    loss_fn = nn.CrossEntropyLoss()

    def forward(image, label):
        logits = net(image)
        loss = loss_fn(logits.astype(ms.float32), label)
        return scaler.scale(loss), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def train_step(image, label):
        (loss, _), grads = grad_fn(image, label)
        grads = scaler.unscale(grads)
        finite = amp.all_finite(grads)
        if finite:
            optimizer(grads)
        scaler.adjust(finite)
        return scaler.unscale(loss), finite

    step = ms.jit(train_step) if mode == "graph" else train_step
    accuracies, losses, best = [], [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "best.ckpt")
        for epoch in range(epochs):
            for image, label in train.create_tuple_iterator():
                loss, finite = step(image, label)
                losses.append(float(loss))
            accuracies.append(accuracy_of(net, test))
            print(f"epoch {epoch + 1}: loss {losses[-1]:.3f}, accuracy {accuracies[-1]:.3f}, finite {bool(finite)}")
            if accuracies[-1] > best:
                best, waited = accuracies[-1], 0
                ms.save_checkpoint(net, path, append_dict={"epoch": epoch})
            else:
                waited += 1
                if waited > patience:
                    break
        again = amp.auto_mixed_precision(Net(), "O2")
        missing, _ = ms.load_param_into_net(again, ms.load_checkpoint(path))
    return {"first": losses[0], "last": losses[-1], "accuracies": accuracies, "best": best,
            "loaded": accuracy_of(again, test), "missing": missing}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=10)
    main(**vars(parser.parse_args()))
