"""Programs of the founding documents, as written there, in both modes."""
from __future__ import annotations

import re

import numpy as np
import pytest
import torch

import mindspore as ms
import mindspore.common.dtype as mstype
import mindspore.nn as nn
from mindspore import Model, Parameter, Tensor, context
from mindspore.common.initializer import Uniform, initializer
from mindspore.context import ParallelMode
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.train.callback import Callback, LossMonitor, ModelCheckpoint, TimeMonitor

pytestmark = pytest.mark.usefixtures("both_modes")


# ---------------------------------------------------------------------- 1. a function and its derivatives

def f(x):
    a = x * x
    b = x * a
    c = a + b
    return c


@pytest.mark.parametrize("x", [Tensor(3.0), Tensor([0.5, 2.0])])
def test_three_derivatives_of_a_function(x):
    v = x.asnumpy()
    first, second, third = ms.grad(f), ms.grad(ms.grad(f)), ms.grad(ms.grad(ms.grad(f)))
    for derivative, formula in ((first, 2 * v + 3 * v * v), (second, 2 + 6 * v), (third, 0 * v + 6)):
        assert np.allclose(derivative(x).asnumpy(), formula)
        assert np.allclose(ms.jit(lambda x, d=derivative: d(x))(x).asnumpy(), formula)


def test_a_python_number_is_differentiated_as_a_tensor():
    assert ms.grad(f)(Tensor(2)).asnumpy() == 16


def test_the_graph_of_the_derivative_is_what_a_person_would_write():
    """2x + 3x^2 from a = x*x and b = x*a: no more than four products and three sums."""
    from mindspore.compiler.program import Program

    program = Program("grad_f", ms.grad(f), (Tensor(3.0),), {})
    source = program.executable.source
    operations = re.findall(r"^    v\d+ = (.*)$", source, re.MULTILINE)
    kernels = [o for o in operations if "k_Full" not in o]
    print(source)
    assert len(kernels) <= 7
    assert program([Tensor(3.0)]).asnumpy() == 33


# ---------------------------------------------------------------------- 2. loss with a scalar summary

class CrossEntropyLoss(nn.Cell):
    """Define loss for network"""

    def __init__(self):
        super(CrossEntropyLoss, self).__init__()
        self.cross_entropy = P.SoftmaxCrossEntropyWithLogits()
        self.mean = P.ReduceMean()
        self.one_hot = P.OneHot()
        self.on_value = Tensor(1.0, mstype.float32)
        self.off_value = Tensor(0.0, mstype.float32)
        self.scalar_summary = P.ScalarSummary()

    def construct(self, logits, label):
        label = self.one_hot(label, F.shape(logits)[1], self.on_value, self.off_value)
        loss = self.cross_entropy(logits, label)[0]
        loss = self.mean(loss, (-1,))
        self.scalar_summary("loss", loss)
        return loss


def test_a_scalar_summary_is_recorded_once_per_step_in_order():
    from mindspore.ir.runtime import runtime

    runtime.summaries = []
    net, loss = nn.Dense(4, 3), CrossEntropyLoss()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.1))
    x, y = Tensor(np.eye(4, dtype=np.float32)), Tensor([0, 1, 2, 0], mstype.int32)
    losses = [float(step(x, y).asnumpy()) for _ in range(3)]
    assert [c.tag for c in runtime.summaries] == ["loss"] * 3
    assert [float(c.value) for c in runtime.summaries] == losses
    runtime.summaries = None


# ---------------------------------------------------------------------- 3. AlexNet with an image summary

def conv(in_channels, out_channels, kernel_size, stride=1, padding=0, pad_mode="valid"):
    fan_in = in_channels * kernel_size * kernel_size
    return nn.Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, has_bias=True,
                     weight_init=Uniform(fan_in ** -0.5))


def fc_with_initialize(input_channels, out_channels):
    return nn.Dense(input_channels, out_channels, Uniform(input_channels ** -0.5),
                    Uniform(input_channels ** -0.5))


class AlexNet(nn.Cell):
    """Alexnet"""

    def __init__(self, num_classes=1001):
        super(AlexNet, self).__init__()
        self.batch_size = 32
        self.conv1 = conv(3, 96, 11, stride=4)
        self.conv2 = conv(96, 256, 5, pad_mode="same")
        self.conv3 = conv(256, 384, 3, pad_mode="same")
        self.conv4 = conv(384, 384, 3, pad_mode="same")
        self.conv5 = conv(384, 96, 3, pad_mode="same")
        self.relu = nn.ReLU()
        self.max_pool2d = P.MaxPool(ksize=3, strides=2)
        self.reshape = P.Reshape()
        self.fc1 = fc_with_initialize(6 * 6 * 96, 4096)
        self.fc2 = fc_with_initialize(4096, 4096)
        self.fc3 = fc_with_initialize(4096, num_classes)
        self.image_summary = P.ImageSummary()

    def construct(self, x):
        self.image_summary("image", x)
        x = self.conv1(x)
        x = self.relu(x)
        x = self.max_pool2d(x)
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.relu(self.conv3(x))
        x = self.relu(self.conv4(x))
        x = self.max_pool2d(self.relu(self.conv5(x)))
        x = self.reshape(x, (-1, 6 * 6 * 96))
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


@pytest.mark.slow
def test_alexnet_learns():
    from mindspore.ir.runtime import runtime

    runtime.summaries = []
    ms.set_seed(1)
    net = AlexNet(10)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, CrossEntropyLoss()),
                               nn.Momentum(net.trainable_params(), 0.01, 0.9))
    x = Tensor(np.random.rand(32, 3, 227, 227).astype(np.float32))
    y = Tensor(np.random.randint(0, 10, 32).astype(np.int32))
    losses = [float(step(x, y).asnumpy()) for _ in range(10)]
    assert losses[-1] < losses[0]
    assert [c.tag for c in runtime.summaries] == ["image", "loss"] * 10
    runtime.summaries = None


# ---------------------------------------------------------------------- 4. automatic parallel

class DenseNet(nn.Cell):
    def __init__(self):
        super(DenseNet, self).__init__()
        self.embedding_weight = Parameter(Tensor(np.random.randn(128, 128).astype(np.float32)),
                                          name="embedding_weight")
        self.embedding = P.MatMul()
        self.fc1 = nn.Dense(128, 768, activation='relu')
        self.fc2 = nn.Dense(128, 768, activation='relu')
        self.fc3 = nn.Dense(128, 768, activation='relu')
        self.transpose = P.Transpose()
        self.matmul1 = P.MatMul()
        self.matmul2 = P.MatMul()

    def construct(self, x):
        x = self.embedding(x, self.embedding_weight)
        q = self.fc1(x)
        k = self.fc2(x)
        v = self.fc3(x)
        k = self.transpose(k, (1, 0))
        c = self.matmul1(q, k)
        s = self.matmul2(c, v)
        return s


class Losses(Callback):
    def __init__(self):
        self.values = []

    def step_end(self, run_context):
        self.values.append(float(run_context.original_args().net_outputs.asnumpy()))


@pytest.mark.parametrize("mode", [ParallelMode.STAND_ALONE, ParallelMode.AUTO_PARALLEL])
def test_a_network_for_automatic_parallelism_trains_in_one_process(mode):
    context.set_auto_parallel_context(parallel_mode=mode)
    try:
        ms.set_seed(3)
        data = ms.dataset.NumpySlicesDataset((np.ones([64, 128], np.float32),
                                              np.zeros([64, 768], np.float32)), ["x", "y"]).batch(32)
        net = DenseNet()
        model = Model(net, nn.MSELoss(), nn.Adam(net.trainable_params(), 1e-3))
        losses = Losses()
        model.train(3, data, callbacks=[losses], dataset_sink_mode=False)
        assert len(losses.values) == 6
        assert losses.values[-1] < losses.values[0]
    finally:
        context.reset_auto_parallel_context()


# ---------------------------------------------------------------------- 5., 6. tensors, initializers, seeds

def test_tensors_and_initializers():
    t1 = Tensor(np.zeros([1, 2, 3]), ms.float32)
    assert (t1.shape, t1.dim(), t1.ndim, t1.dtype) == ((1, 2, 3), 3, 3, ms.float32)
    assert t1.asnumpy().dtype == np.float32
    weight = Parameter(initializer("normal", [400, 300], ms.float32), name="weight")
    bias = Parameter(initializer("zeros", [300], ms.float32), name="bias")
    assert abs(weight.asnumpy().std() - 0.01) < 1e-3
    assert not bias.asnumpy().any()
    wide = initializer(Uniform(0.5), [1000], ms.float32).init_data().asnumpy()
    assert 0.4 < abs(wide).max() <= 0.5


def test_the_seed_also_seeds_numpy():
    ms.common.seed.set_seed(1)
    first = np.random.rand()
    ms.common.seed.set_seed(1)
    assert np.random.rand() == first


# ---------------------------------------------------------------------- 7. BatchNorm on 2-D input

@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_on_two_dimensions_equals_torch_and_four_dimensions(training):
    x = np.random.randn(32, 100).astype(np.float32)
    dout = np.random.randn(32, 100).astype(np.float32)
    flat, deep = nn.BatchNorm1d(100), nn.BatchNorm2d(100)
    theirs = torch.nn.BatchNorm1d(100)
    theirs.train(training)
    leaf = torch.tensor(x, requires_grad=True)
    wanted = theirs(leaf)
    wanted.backward(torch.tensor(dout))
    for net, shape in ((flat, (32, 100)), (deep, (32, 100, 1, 1))):
        net.set_train(training)
        out, dx = ms.value_and_grad(net, sens_param=True)(Tensor(x.reshape(shape)),
                                                          Tensor(dout.reshape(shape)))
        assert np.allclose(out.asnumpy().reshape(32, 100), wanted.detach().numpy(), atol=1e-5)
        assert np.allclose(dx.asnumpy().reshape(32, 100), leaf.grad.numpy(), atol=1e-5)
        moving = net.moving_mean.asnumpy()
        assert np.allclose(moving, theirs.running_mean.numpy(), atol=1e-6)


# ---------------------------------------------------------------------- 8. handwritten digits

def write_mnist(folder, count):
    """Published layout: big-endian headers, then bytes; the class is a bright square's place."""
    folder.mkdir(parents=True)
    labels = np.arange(count, dtype=np.uint8) % 10
    images = np.random.randint(0, 40, (count, 28, 28)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[label * 2 + 2:label * 2 + 8, 4:24] = 250
    (folder / "train-images-idx3-ubyte").write_bytes(
        np.array([2051, count, 28, 28], ">i4").tobytes() + images.tobytes())
    (folder / "train-labels-idx1-ubyte").write_bytes(
        np.array([2049, count], ">i4").tobytes() + labels.tobytes())


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


def test_lenet_on_mnist_files(tmp_path, capsys):
    import mindspore.dataset as ds
    import mindspore.dataset.transforms.c_transforms as C
    import mindspore.dataset.vision.c_transforms as CV

    write_mnist(tmp_path / "train", 320)
    data = ds.MnistDataset(str(tmp_path / "train"), shuffle=True)
    for operations, column in (([CV.Resize((32, 32)), CV.Rescale(1 / 255.0, 0.0), CV.HWC2CHW()], "image"),
                               (C.TypeCast(mstype.int32), "label")):
        data = data.map(operations, input_columns=column)
    data = data.batch(32, drop_remainder=True)
    net = LeNet5()
    model = Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                  nn.Momentum(net.trainable_params(), 0.02, 0.9), metrics={"Accuracy": nn.Accuracy()})
    losses = Losses()
    model.train(6, data, dataset_sink_mode=False, callbacks=[
        ModelCheckpoint("lenet", str(tmp_path / "ckpt")), LossMonitor(10), TimeMonitor(), losses])
    assert losses.values[-1] < 0.5 * losses.values[0]
    assert "epoch: 1 step: 10, loss is" in capsys.readouterr().out
    written = sorted((tmp_path / "ckpt").glob("lenet-6_10.ckpt"))
    twin = LeNet5()
    assert ms.load_param_into_net(twin, ms.load_checkpoint(str(written[0])))[0] == []
    assert model.eval(data, dataset_sink_mode=False) == Model(
        twin, nn.SoftmaxCrossEntropyWithLogits(sparse=True), metrics={"Accuracy": nn.Accuracy()}).eval(
            data, dataset_sink_mode=False)


def test_cifar_in_its_binary_layout(tmp_path):
    import mindspore.dataset as ds

    rows = np.random.randint(0, 256, (20, 3073)).astype(np.uint8)
    rows[:, 0] %= 10
    (tmp_path / "data_batch_1.bin").write_bytes(rows.tobytes())
    found = list(ds.Cifar10Dataset(str(tmp_path), usage="train", shuffle=False).create_dict_iterator(
        num_epochs=1, output_numpy=True))
    assert len(found) == 20
    assert found[7]["label"] == rows[7, 0]
    assert np.array_equal(found[7]["image"], rows[7, 1:].reshape(3, 32, 32).transpose(1, 2, 0))
