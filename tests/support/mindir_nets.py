"""Small networks for MindIR, in terms that the original has, too: run by file name, it writes or runs them there."""
from __future__ import annotations

import sys

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops


def chain(*layers):
    return nn.SequentialCell(*layers)


class Residual(nn.Cell):
    def __init__(self, *, channels=4):
        super().__init__()
        self.a = nn.Conv2d(channels, channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.n = nn.BatchNorm2d(channels)
        self.b = nn.Conv2d(channels, channels, 3, pad_mode="pad", padding=1)

    def construct(self, x):
        return ops.relu(self.b(ops.relu(self.n(self.a(x)))) + x)


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Dense(8, 8), nn.Dense(8, 8), nn.Dense(8, 8)
        self.norm = nn.LayerNorm((8,))

    def construct(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = ops.softmax(ops.matmul(q, k.transpose(0, 2, 1)) / 3.0, -1)
        return self.norm(ops.matmul(weights, v) + x)


class Heads(nn.Cell):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Dense(8, 24)

    def construct(self, x):
        x = self.qkv(x).reshape(2, 3, 3, 2, 4).transpose(2, 0, 3, 1, 4)
        q, k, v = x[0], x[1], x[2]
        return ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)), -1), v).transpose(0, 2, 1, 3).reshape(2, 3, 8)


class Embedded(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 6)
        self.fc = nn.Dense(6, 3)

    def construct(self, ids):
        return self.fc(self.table(ids).mean(1))


class Several(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x, y):
        z = self.fc(x)
        return z + y, ops.concat((z, y), 1), ops.relu(z)


class Branch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(4, 4), nn.Dense(4, 4)

    def construct(self, x):
        if x.sum() > 0:
            y = self.a(x)
        elif x.mean() > -5:
            y = self.b(x) * 2
        else:
            y = x
        return y + 1


class Loop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        i = Tensor(0, ms.int32)
        while x.sum() < 10:
            if x.sum() < 5:
                x = ops.abs(self.fc(x)) + x * x + 1
            else:
                x = x + 3
            i = i + 1
        return x, i


class Halving(nn.Cell):
    def construct(self, x):
        while x.max() > 1:
            while x.min() < 0:
                x = x + 1
            x = x / 2
        return x


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = ms.Parameter(Tensor(np.zeros((3, 4), np.float32)), name="n")
        self.m = ms.Parameter(Tensor(np.ones((3, 4), np.float32)), name="m")

    def construct(self, x):
        y = self.n * 2 + x
        ops.assign(self.m, self.n + 10)
        ops.assign_add(self.n, x)
        return y, self.n + self.m


def step():
    """A training step, which gives the loss and changes the weights."""
    net = chain(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3))
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))


class Classifier(nn.Cell):
    """The loss of a training step with labels that are constants."""

    def __init__(self):
        super().__init__()
        net = chain(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3))
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        self.step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.1))

    def construct(self, x):
        return self.step(x, Tensor([0, 2, 1], ms.int32))


class Open(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 6)

    def construct(self, x):
        y = self.fc(x).reshape(x.shape[0], x.shape[1], 2, 3).transpose(0, 2, 1, 3)
        y = ops.matmul(ops.softmax(ops.matmul(y, y.swapaxes(-1, -2)), -1), y)
        return y[:, 0], ops.relu(y).mean((1, 2)), ops.broadcast_to(y[:, :1], y.shape)


class Formula(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.w = ms.Parameter(Tensor(np.linspace(0.5, 1.5, 4).astype(np.float32)), name="w")
        self.function = function

    def construct(self, x):
        return self.function(x, self.w)


def add_mul(x, w):
    return (x + w) * w - 2.0


def divide(x, w):
    return x / w + 1 / w


def power(x, w):
    return (x * x) ** 0.5 + w ** 2


def reduce(x, w):
    return (x * w).sum(0, keepdims=True) + x.mean()


def extremes(x, w):
    return ops.maximum(x, w) - ops.minimum(x, w) + x.min()


def slices(x, w):
    return x[1:, ::2] + w[:2] + x[0, 1]


def choose(x, w):
    return ops.select(x > w, x, ops.zeros_like(x) + w)


def exponents(x, w):
    return ops.exp(-ops.abs(x)) + ops.log(w) + ops.sqrt(w)


def waves(x, w):
    return ops.sin(x) * ops.cos(w) + ops.erf(x)


def casts(x, w):
    return (x > 0).astype(ms.float32) + w.astype(ms.float16).astype(ms.float32)


def shapes(x, w):
    return (x.reshape(2, 6).T.expand_dims(0) * 2).squeeze(0) + w[0]


def elements(x, w):
    x = ops.sigmoid(x) + ops.tanh(x) + ops.square(x) + ops.rsqrt(w) + ops.sign(x) + ops.erfc(x) - ops.tan(w * 0.5)
    x = x + ops.sinh(w) + ops.cosh(w) + ops.reciprocal(w) + ops.mish(x) + ops.log1p(w) + ops.expm1(w)
    return x + ops.atan(x) + ops.asin(w * 0.1) + ops.atan2(x, w)


def rounded(x, w):
    return ops.floor(x) + ops.ceil(x) * 2 + ops.trunc(x * 3) + ops.floor_div(x * 5, w)


def tests(x, w):
    one = ops.logical_or(ops.logical_and(x > w, ops.logical_not(x < 0.1)), x == w)
    two = ops.logical_and(x >= -1.0, ops.logical_or(x <= w, x != w))
    return ops.select(one, x, -w + x), two


def broadcast(x, w):
    return ops.broadcast_to(w, (3, 4)) @ x.T


def images(*shape, seed=1):
    return [np.random.RandomState(seed).randn(*shape).astype(np.float32)]


def rows():
    return images(3, 4)


def times(factor):
    return [factor * np.abs(x) for x in rows()]


def lenet():
    return chain(nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2),
                 nn.Conv2d(6, 16, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
                 nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10))


# how a network is made, and what it is given: once, or in several calls
NETS = {
    "lenet": (lenet, images(2, 1, 32, 32)),
    "perceptron": (lambda: chain(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 2), nn.Sigmoid()), rows()),
    "three_axes": (lambda: nn.Dense(4, 5), images(2, 3, 4)),
    "unbiased": (lambda: nn.Dense(4, 5, has_bias=False), rows()),
    "residual": (Residual, images(2, 4, 6, 6)),
    "strided": (lambda: chain(nn.Conv2d(3, 4, 3, stride=2, pad_mode="same"), nn.ReLU6()), images(1, 3, 9, 9)),
    "grouped": (lambda: nn.Conv2d(4, 4, 3, group=4, pad_mode="pad", padding=1, has_bias=True), images(2, 4, 5, 5)),
    "dilated": (lambda: nn.Conv2d(2, 3, 3, dilation=2, pad_mode="valid"), images(1, 2, 9, 9)),
    "padded": (lambda: nn.Conv2d(2, 3, (3, 2), pad_mode="pad", padding=(0, 1, 2, 3)), images(1, 2, 6, 5)),
    "padded_unevenly": (lambda: nn.Conv2d(2, 3, 3, pad_mode="pad", padding=(1, 1, 2, 2)), images(1, 2, 6, 5)),
    "volumes": (lambda: chain(nn.Conv3d(2, 3, 3, stride=(2, 1, 1), pad_mode="pad", padding=(1, 0, 2, 1, 0, 1)),
                              nn.Conv3d(3, 4, 2, dilation=2, pad_mode="valid", has_bias=True)), images(1, 2, 9, 4, 6)),
    "volumes_back": (lambda: chain(nn.Conv3dTranspose(2, 4, 3, stride=2, pad_mode="pad", padding=1, output_padding=1),
                                   nn.Conv3dTranspose(4, 2, 3, stride=2, pad_mode="same", group=2)),
                     images(1, 2, 2, 3, 2)),
    "attention": (Attention, images(2, 3, 8)),
    "heads": (Heads, images(2, 3, 8)),
    "embedding": (Embedded, [np.array([[1, 2, 3], [9, 0, 4]], np.int32)]),
    "several": (Several, rows() + rows()),
    "gelu": (lambda: chain(nn.Dense(4, 8), nn.GELU(), nn.Dense(8, 4)), rows()),
    "silu": (lambda: chain(nn.Dense(4, 8), nn.SiLU()), rows()),
    "log_softmax": (lambda: chain(nn.Dense(4, 8), nn.LogSoftmax()), rows()),
    "softmax": (lambda: chain(nn.Dense(4, 8), nn.Softmax(0)), rows()),
    "hard": (lambda: chain(nn.HSwish(), nn.HSigmoid()), rows()),
    "dropout": (lambda: chain(nn.Dense(4, 4), nn.Dropout(p=0.5)), rows()),
    "layer_norm": (lambda: nn.LayerNorm((3, 4), 1, 1), images(2, 3, 4)),
    "batch_norm": (lambda: nn.BatchNorm1d(4), rows()),
    "add_mul": (lambda: Formula(add_mul), rows()),
    "divide": (lambda: Formula(divide), rows()),
    "power": (lambda: Formula(power), rows()),
    "reduce": (lambda: Formula(reduce), rows()),
    "extremes": (lambda: Formula(extremes), rows()),
    "slices": (lambda: Formula(slices), rows()),
    "choose": (lambda: Formula(choose), rows()),
    "exponents": (lambda: Formula(exponents), rows()),
    "waves": (lambda: Formula(waves), rows()),
    "casts": (lambda: Formula(casts), rows()),
    "shapes": (lambda: Formula(shapes), rows()),
    "elements": (lambda: Formula(elements), rows()),
    "rounded": (lambda: Formula(rounded), rows()),
    "tests": (lambda: Formula(tests), rows()),
    "broadcast": (lambda: Formula(broadcast), rows()),
    "branch": (Branch, times(1), times(-1), times(-20)),
    "loop": (Loop, rows(), times(6)),
    "nested_loops": (Halving, times(-3), times(7), times(0.5)),
    "state": (Counting, rows(), rows(), times(2)),
    "step": (step, *[rows() + images(3, 3, seed=2)] * 4),
    "classifier_step": (Classifier, *[rows()] * 4),
    "open": (Open, images(2, 3, 4), images(3, 5, 4), images(1, 2, 4)),
}


def flat(value):
    return [v.asnumpy() for v in value] if isinstance(value, (tuple, list)) else [value.asnumpy()]


def example(calls):
    """What a network is exported with: extents in which its calls differ are open."""
    shapes = [[n if all(x.shape[k] == n for x in xs) else None for k, n in enumerate(xs[0].shape)]
              for xs in zip(*calls, strict=True)]
    return [Tensor(shape=shape, dtype=ms.float32) if None in shape else Tensor(x)
            for shape, x in zip(shapes, calls[0], strict=True)]


def results(net, calls):
    return [out for inputs in calls for out in flat(net(*[Tensor(x) for x in inputs]))]


def write(folder, nets):
    """Write networks and what they compute; a training step is made in training."""
    for name, (make, *calls) in nets.items():
        ms.set_seed(3)
        net = make()
        net.set_train(isinstance(net, nn.TrainOneStepCell))
        ms.export(net, *example(calls), file_name=f"{folder}/{name}", file_format="MINDIR")
        np.savez(f"{folder}/{name}.npz", *results(net, calls))


def difference(found, wanted):
    """The largest difference between arrays, for numbers above 1 relative to the largest of them."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return np.inf
    return float(np.abs(found * 1.0 - wanted).max() / max(1.0, float(np.abs(wanted * 1.0).max())))


def differences(folder, nets):
    """Load and run networks: the largest difference from what was written beside each."""
    found = {}
    for name, (_, *calls) in nets.items():
        outs = results(nn.GraphCell(ms.load(f"{folder}/{name}.mindir")), calls)
        with np.load(f"{folder}/{name}.npz") as wanted:
            found[name] = (len(outs) - len(wanted.files)
                           or max(difference(a, b) for a, b in zip(outs, wanted.values(), strict=True)))
    return found


def with_parameters(nets):
    """The networks that have parameters, without training steps."""
    return {name: one for name, one in nets.items()
            if not isinstance(net := one[0](), nn.TrainOneStepCell) and net.parameters_dict()}


def save(folder, nets, suffix):
    """Write checkpoints of networks, and what they compute in evaluation."""
    for name, (make, *calls) in nets.items():
        ms.set_seed(3)
        net = make()
        net.set_train(False)
        ms.save_checkpoint(net, f"{folder}/{name}", format=suffix)
        np.savez(f"{folder}/{name}.npz", *results(net, calls))


def restored(folder, nets, suffix):
    """Load checkpoints into networks with other weights: the largest differences from what was written beside them."""
    found = {}
    for name, (make, *calls) in nets.items():
        ms.set_seed(4)
        net = make()
        net.set_train(False)
        values = ms.load_checkpoint(f"{folder}/{name}.{suffix}", format=suffix)
        missing, unknown = ms.load_param_into_net(net, values)
        assert not missing, (name, missing)
        assert not unknown, (name, unknown)
        with np.load(f"{folder}/{name}.npz") as wanted:
            outs = results(net, calls)
            found[name] = max(difference(a, b) for a, b in zip(outs, wanted.values(), strict=True))
    return found


def main(nets):
    """Write or read networks, as the command line says."""
    ms.set_context(mode=ms.GRAPH_MODE)
    if sys.argv[1] == "write":
        write(sys.argv[2], nets)
    elif sys.argv[1] == "save":
        save(sys.argv[2], with_parameters(nets), sys.argv[3])
    elif sys.argv[1] == "restore":
        print("DIFFERENCES", restored(sys.argv[2], with_parameters(nets), sys.argv[3]))
    else:
        print("DIFFERENCES", differences(sys.argv[2], nets))


if __name__ == "__main__":
    main(NETS)
