"""Layers against torch, forward and gradient, in both modes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops

F = torch.nn.functional
pytestmark = pytest.mark.usefixtures("both_modes")


def draw(*shape):
    return np.random.randn(*shape).astype(np.float32)


def weights_of(cell):
    return [torch.tensor(p.asnumpy().copy(), requires_grad=True) for p in cell.trainable_params()]


def check_against(cell, function, *arrays, rtol=1e-4, atol=1e-5):
    """Output, input gradients and parameter gradients of a cell equal those of a torch function."""
    inputs = [Tensor(a) for a in arrays]
    peers = [torch.tensor(a, requires_grad=True) for a in arrays]
    weights = weights_of(cell)
    expected = function(*peers, *weights)
    np.testing.assert_allclose(cell(*inputs).asnumpy(), expected.detach().numpy(), rtol, atol)
    factor = draw(*expected.shape)
    (expected * torch.tensor(factor)).sum().backward()
    scale = Tensor(factor)
    places = tuple(range(len(inputs)))
    trained = cell.trainable_params()

    def loss(*xs):
        return (cell(*xs) * scale).sum()

    if trained:
        found, by_weight = ms.grad(loss, places, trained)(*inputs)
    else:
        found, by_weight = ms.grad(loss, places)(*inputs), ()
    found = found if isinstance(found, tuple) else (found,)
    for mine, peer in zip([*found, *by_weight], [*peers, *weights], strict=True):
        np.testing.assert_allclose(mine.asnumpy(), peer.grad.numpy(), 10 * rtol, 10 * atol)


ACTIVATIONS = {
    "CELU": (nn.CELU(1.5), lambda x: F.celu(x, 1.5)), "ELU": (nn.ELU(), F.elu),
    "GELU": (nn.GELU(), lambda x: F.gelu(x, approximate="tanh")),
    "GELU exact": (nn.GELU(False), F.gelu), "GLU": (nn.GLU(), F.glu),
    "HShrink": (nn.HShrink(0.3), lambda x: F.hardshrink(x, 0.3)),
    "HSigmoid": (nn.HSigmoid(), F.hardsigmoid), "HSwish": (nn.HSwish(), F.hardswish),
    "Hardtanh": (nn.Hardtanh(-0.5, 0.7), lambda x: F.hardtanh(x, -0.5, 0.7)),
    "LeakyReLU": (nn.LeakyReLU(), lambda x: F.leaky_relu(x, 0.2)),
    "LeakyReLU steep": (nn.LeakyReLU(2), lambda x: torch.minimum(x, 2 * x)),
    "LogSigmoid": (nn.LogSigmoid(), F.logsigmoid),
    "LogSoftmax": (nn.LogSoftmax(0), lambda x: F.log_softmax(x, 0)), "Mish": (nn.Mish(), F.mish),
    "ReLU": (nn.ReLU(), F.relu), "ReLU6": (nn.ReLU6(), F.relu6), "SeLU": (nn.SeLU(), F.selu),
    "SiLU": (nn.SiLU(), F.silu), "Sigmoid": (nn.Sigmoid(), torch.sigmoid),
    "SoftShrink": (nn.SoftShrink(0.3), lambda x: F.softshrink(x, 0.3)),
    "Softmax": (nn.Softmax(0), lambda x: F.softmax(x, 0)),
    "Softmin": (nn.Softmin(), lambda x: F.softmin(x, -1)), "Softsign": (nn.Softsign(), F.softsign),
    "Tanh": (nn.Tanh(), torch.tanh), "Tanhshrink": (nn.Tanhshrink(), F.tanhshrink),
    "Threshold": (nn.Threshold(0.1, 2.0), lambda x: F.threshold(x, 0.1, 2.0)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_an_activation_is_its_function(name):
    cell, function = ACTIVATIONS[name]
    check_against(cell, function, 2 * draw(3, 4))


def test_prelu_trains_a_slope_per_channel():
    check_against(nn.PReLU(3, [0.1, 0.2, 0.3]), F.prelu, draw(2, 3, 4))


@pytest.mark.parametrize("shape", [(4, 3), (2, 5, 3), (3,)])
def test_dense_is_affine_in_the_last_axis(shape):
    check_against(nn.Dense(3, 2), F.linear, draw(*shape))
    check_against(nn.Linear(3, 2), F.linear, draw(*shape))
    check_against(nn.Dense(3, 2, has_bias=False, activation="tanh"),
                  lambda x, w: torch.tanh(F.linear(x, w)), draw(*shape))


def test_bidense_is_bilinear():
    check_against(nn.BiDense(3, 4, 2), F.bilinear, draw(5, 3), draw(5, 4))


@pytest.mark.parametrize(("kernel", "stride", "dilation"), [(3, 1, 1), (3, 2, 1), (2, 2, 1), (3, 1, 2),
                                                            ((2, 3), (1, 2), 1), (1, 2, 1)])
def test_same_padding_gives_the_extents_over_the_stride(kernel, stride, dilation):
    cell = nn.Conv2d(2, 3, kernel, stride, dilation=dilation, has_bias=True)
    strides = (stride, stride) if isinstance(stride, int) else stride
    y = cell(Tensor(draw(2, 2, 7, 6)))
    assert y.shape == (2, 3, -(-7 // strides[0]), -(-6 // strides[1]))

    def function(x, w, b):
        ends = []
        for i in (1, 0):
            reach = dilation * (w.shape[2 + i] - 1) + 1
            total = max((y.shape[2 + i] - 1) * strides[i] + reach - x.shape[2 + i], 0)
            ends += [total // 2, total - total // 2]
        return F.conv2d(F.pad(x, ends), w, b, strides, 0, dilation)

    check_against(cell, function, draw(2, 2, 7, 6))


def test_convolutions_pad_as_told():
    check_against(nn.Conv2d(4, 6, 3, 2, "pad", (1, 2, 0, 1), group=2),
                  lambda x, w: F.conv2d(F.pad(x, (0, 1, 1, 2)), w, None, 2, groups=2), draw(2, 4, 6, 7))
    check_against(nn.Conv1d(2, 3, 3, 2, "pad", 1, has_bias=True),
                  lambda x, w, b: F.conv1d(x, w[:, :, 0], b, 2, 1), draw(2, 2, 8))
    check_against(nn.Conv3d(2, 3, 2, pad_mode="valid", has_bias=True), F.conv3d, draw(1, 2, 4, 4, 4))


def test_channels_last_is_the_same_convolution():
    cell = nn.Conv2d(2, 3, 3, data_format="NHWC")
    assert cell.weight.shape == (3, 3, 3, 2)
    check_against(cell, lambda x, w: F.conv2d(x.permute(0, 3, 1, 2), w.permute(0, 3, 1, 2),
                                              padding=1).permute(0, 2, 3, 1), draw(2, 5, 5, 2))


def test_transposed_convolutions_reverse_the_extents():
    check_against(nn.Conv2dTranspose(3, 2, 3, 2, "pad", 1, output_padding=1, has_bias=True),
                  lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1), draw(2, 3, 4, 4))
    check_against(nn.Conv2dTranspose(3, 2, 3, 2), lambda x, w: F.conv_transpose2d(x, w, stride=2)[..., :-1, :-1],
                  draw(2, 3, 4, 4))
    check_against(nn.Conv1dTranspose(3, 2, 4, 2, "valid"),
                  lambda x, w: F.conv_transpose1d(x, w[:, :, 0], stride=2), draw(2, 3, 4))
    assert nn.Conv3dTranspose(2, 1, 2, 3)(Tensor(draw(1, 2, 4, 4, 4))).shape == (1, 1, 12, 12, 12)
    assert nn.Conv2dTranspose(1, 1, 2, 3, "valid")(Tensor(draw(1, 1, 4, 4))).shape == (1, 1, 12, 12)


def test_pooling_takes_maxima_and_means():
    x = draw(2, 3, 7, 8)
    check_against(nn.MaxPool2d(3, 2), lambda x: F.max_pool2d(x, 3, 2), x)
    check_against(nn.MaxPool2d(3, 2, "pad", 1, ceil_mode=True),
                  lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True), x)
    check_against(nn.AvgPool2d(3, 2, "pad", 1, count_include_pad=False),
                  lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), x)
    check_against(nn.AvgPool2d(2, 2, ceil_mode=True, divisor_override=3),
                  lambda x: F.avg_pool2d(x, 2, 2, ceil_mode=True, divisor_override=3), x)
    check_against(nn.MaxPool1d(2, 2), lambda x: F.max_pool1d(x, 2, 2), draw(2, 3, 7))
    check_against(nn.AvgPool1d(2, 2), lambda x: F.avg_pool1d(x, 2, 2), draw(2, 3, 7))
    check_against(nn.AvgPool3d(2, 2), lambda x: F.avg_pool3d(x, 2, 2), draw(1, 2, 4, 5, 4))
    check_against(nn.MaxPool3d(2, 2), lambda x: F.max_pool3d(x, 2, 2), draw(1, 2, 4, 5, 4))


@pytest.mark.parametrize("kernel", [2, 3, 4])
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_same_pooling_leaves_the_padding_out(kernel, stride):
    x = draw(1, 2, 7, 8)

    def windows(pool, fill):
        ends = []
        for extent in (8, 7):
            total = max((-(-extent // stride) - 1) * stride + kernel - extent, 0)
            ends += [total // 2, total - total // 2]
        return lambda x: pool(F.pad(x, ends, value=fill), kernel, stride)

    check_against(nn.MaxPool2d(kernel, stride, "same"), windows(F.max_pool2d, -1e30), x)
    mean = windows(F.avg_pool2d, 0.0)
    check_against(nn.AvgPool2d(kernel, stride, "same"),
                  lambda x: mean(x) / mean(torch.ones_like(x)), x)


def test_adaptive_pooling_covers_the_plane():
    x = draw(2, 3, 7, 8)
    check_against(nn.AdaptiveAvgPool2d((3, None)), lambda x: F.adaptive_avg_pool2d(x, (3, 8)), x)
    check_against(nn.AdaptiveMaxPool2d(2), lambda x: F.adaptive_max_pool2d(x, 2), x)


def test_unpooling_puts_the_maxima_back():
    x = Tensor(draw(1, 2, 4, 4))
    y, places = nn.MaxPool2d(2, 2, "pad", return_indices=True)(x)
    back = nn.MaxUnpool2d(2)(y, places).asnumpy()
    assert back.shape == (1, 2, 4, 4)
    assert np.count_nonzero(back) == y.size
    assert np.array_equal(back[back != 0], x.asnumpy()[back != 0])


def test_embeddings_are_rows():
    ids = np.array([[0, 3], [1, 0]], np.int32)
    for hot in (False, True):
        cell = nn.Embedding(4, 3, use_one_hot=hot)
        y = cell(Tensor(ids)).asnumpy()
        np.testing.assert_allclose(y, cell.embedding_table.asnumpy()[ids], rtol=1e-6)
        found, = ms.grad(lambda i, cell=cell: cell(i).sum(), None, cell.trainable_params())(Tensor(ids))
        np.testing.assert_allclose(found.asnumpy()[:, 0], [2, 1, 0, 1])
    assert not nn.Embedding(4, 3, padding_idx=2).embedding_table.asnumpy()[2].any()


def test_embedding_lookup_limits_norms_and_indices():
    cell = nn.EmbeddingLookup(3, 4, "normal", max_norm=0.01)
    y = cell(Tensor(np.array([0, 2, 9], np.int32))).asnumpy()
    table = cell.embedding_table.asnumpy()
    for row, source in zip(y[:2], table[[0, 2]], strict=True):
        norm = np.linalg.norm(source)
        np.testing.assert_allclose(row, source * min(1, 0.01 / norm), rtol=1e-5)
    assert not y[2].any()


def test_fields_are_combined():
    indices = Tensor(np.array([[2, 4, 3]], np.int32))
    values = Tensor(np.array([[1.0, 3.0, 2.0]], np.float32))
    fields = Tensor(np.array([[0, 1, 1]], np.int32))
    expected = {"SUM": [1, 5], "MEAN": [1, 1], "MAX": [1, 3]}        # of a table of ones
    for name, numbers in expected.items():
        y = nn.MultiFieldEmbeddingLookup(6, 2, 2, "ones", operator=name)(indices, values, fields)
        np.testing.assert_allclose(y.asnumpy()[0, :, 0], numbers, rtol=1e-6)


def test_paddings_continue_the_plane():
    x = draw(2, 3, 4, 5)
    for kind, mode in (("ReflectionPad2d", "reflect"), ("ReplicationPad2d", "replicate")):
        check_against(getattr(nn, kind)((1, 2, 0, 1)), lambda x, m=mode: F.pad(x, (1, 2, 0, 1), m), x)
    check_against(nn.ConstantPad2d((1, -1, 0, 1), 9.0), lambda x: F.pad(x, (1, -1, 0, 1), value=9.0), x)
    check_against(nn.ZeroPad2d(1), lambda x: F.pad(x, (1, 1, 1, 1)), x)
    y = nn.Pad(((0, 0), (0, 0), (1, 1), (2, 0)), "SYMMETRIC")(Tensor(x)).asnumpy()
    np.testing.assert_array_equal(y, np.pad(x, ((0, 0), (0, 0), (1, 1), (2, 0)), "symmetric"))


def test_patches_are_channels():
    x = draw(2, 3, 5, 6)
    y = nn.Unfold([1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1])(Tensor(x)).asnumpy()
    assert y.shape == (2, 18, 4, 2)
    for place, (i, j) in enumerate([(i, j) for i in range(2) for j in range(3)]):
        np.testing.assert_array_equal(y[:, 3 * place:3 * place + 3], x[:, :, i:i + 4, j:j + 4:2])


def test_resizing_interpolates():
    x = draw(1, 2, 4, 5)
    check_against(nn.Upsample((8, 7), mode="bilinear", align_corners=True),
                  lambda x: F.interpolate(x, (8, 7), mode="bilinear", align_corners=True), x)
    y = nn.ResizeBilinear()(Tensor(x), scale_factor=2, align_corners=True)
    expected = F.interpolate(torch.tensor(x), scale_factor=2, mode="bilinear", align_corners=True)
    np.testing.assert_allclose(y.asnumpy(), expected.numpy(), 1e-5, 1e-6)


def test_norms_and_moments_follow_their_formulas():
    x = draw(3, 4)
    mean, variance = nn.Moments(0)(Tensor(x))
    np.testing.assert_allclose(mean.asnumpy(), x.mean(0), 1e-5, 1e-6)
    np.testing.assert_allclose(variance.asnumpy(), x.var(0), 1e-5, 1e-6)
    np.testing.assert_allclose(nn.Norm(1)(Tensor(x)).asnumpy(), np.linalg.norm(x, axis=1), 1e-5)
    clipped = nn.ClipByNorm(1)(Tensor(x), Tensor(0.5)).asnumpy()
    np.testing.assert_allclose(clipped, x * 0.5 / np.maximum(np.linalg.norm(x, axis=1, keepdims=True),
                                                             0.5), 1e-5)
    np.testing.assert_allclose(nn.L1Regularizer(0.1)(Tensor(x)).asnumpy(), 0.1 * np.abs(x).sum(), 1e-5)


def test_diagonals_are_made_taken_and_replaced():
    m, d = draw(2, 3, 4), draw(2, 3)
    expected = m.copy()
    for i in range(3):
        expected[:, i, i] = d[:, i]
    np.testing.assert_array_equal(nn.MatrixSetDiag()(Tensor(m), Tensor(d)).asnumpy(), expected)
    tall = np.swapaxes(m, 1, 2).copy()
    expected = tall.copy()
    for i in range(3):
        expected[:, i, i] = d[:, i]
    np.testing.assert_array_equal(nn.MatrixSetDiag()(Tensor(tall), Tensor(d)).asnumpy(), expected)
    np.testing.assert_array_equal(nn.MatrixDiag()(Tensor(d)).asnumpy(),
                                  np.stack([np.diag(row) for row in d]))
    np.testing.assert_array_equal(nn.MatrixDiagPart()(Tensor(m)).asnumpy(),
                                  np.diagonal(m, axis1=1, axis2=2))


def test_sparse_products_equal_dense_ones():
    indices, values = np.array([[0, 1], [1, 2], [0, 3]]), draw(3)
    dense = np.zeros((3, 4), np.float32)
    dense[tuple(indices.T)] = values
    given = Tensor(indices), Tensor(values), (3, 4)
    right = draw(4, 2)
    np.testing.assert_allclose(nn.SparseTensorDenseMatmul()(*given, Tensor(right)).asnumpy(),
                               dense @ right, 1e-5, 1e-6)
    left = draw(3, 2)
    np.testing.assert_allclose(nn.SparseTensorDenseMatmul(True)(*given, Tensor(left)).asnumpy(),
                               dense.T @ left, 1e-5, 1e-6)


def test_a_time_distributed_layer_sees_every_step():
    layer, x = nn.Dense(3, 4), draw(2, 5, 3)
    expected = x @ layer.weight.asnumpy().T + layer.bias.asnumpy()
    for other in (None, 0):
        y = nn.TimeDistributed(layer, 1, other)(Tensor(x)).asnumpy()
        np.testing.assert_allclose(y, expected, 1e-4, 1e-5)


def test_image_measures_agree_with_their_definitions():
    a = np.random.rand(2, 3, 16, 16).astype(np.float32)
    b = np.clip(a + 0.05 * draw(2, 3, 16, 16), 0, 1).astype(np.float32)
    psnr = nn.PSNR()(Tensor(a), Tensor(b)).asnumpy()
    np.testing.assert_allclose(psnr, 10 * np.log10(1 / ((a - b) ** 2).mean((1, 2, 3))), 1e-4)
    same = nn.SSIM()(Tensor(a), Tensor(a)).asnumpy()
    np.testing.assert_allclose(same, 1.0, 1e-4)
    assert (nn.SSIM()(Tensor(a), Tensor(b)).asnumpy() < 1).all()
    dy, dx = nn.ImageGradients()(Tensor(a))
    np.testing.assert_allclose(dy.asnumpy()[:, :, :-1], np.diff(a, axis=2), 1e-5, 1e-6)
    np.testing.assert_allclose(dx.asnumpy()[..., :-1], np.diff(a, axis=3), 1e-5, 1e-6)
    assert nn.CentralCrop(0.5)(Tensor(a)).shape == (2, 3, 8, 8)


def test_a_tensor_condition_does_not_stop_a_layer_from_compiling():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 2)

        def construct(self, x):
            if x.sum() > 0:
                return self.dense(x)
            return ops.neg(x)

    net, x = Net(), draw(1, 2)
    for value in (np.abs(x), -np.abs(x)):
        y = net(Tensor(value)).asnumpy()
        dense = value @ net.dense.weight.asnumpy().T + net.dense.bias.asnumpy()
        np.testing.assert_allclose(y, dense if value.sum() > 0 else -value, 1e-5, 1e-6)


@pytest.mark.parametrize(("layer", "probability"), [
    (nn.Dropout(p=0.25), 0.25), (nn.Dropout(0.75), 0.25), (nn.Dropout1d(0.25), 0.25), (nn.Dropout2d(0.25), 0.25),
    (nn.Dropout3d(0.25), 0.25)], ids=lambda v: type(v).__name__)
def test_dropout_takes_its_share_in_training_and_nothing_else(layer, probability):
    x = Tensor(np.ones((40, 50, *[1] * (int(type(layer).__name__[-2:-1]) if type(layer) is not nn.Dropout else 0)),
                       np.float32))
    y = layer.set_train()(x).asnumpy()
    assert abs((y == 0).mean() - probability) < 0.05
    np.testing.assert_allclose(y[y != 0], 1 / (1 - probability), 1e-6)
    assert (layer.set_train(False)(x).asnumpy() == 1).all()
