"""Types that few programs give: integers, halves and mixtures where torch has no kernel; against NumPy and torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("both_modes")
RANDOM = np.random.RandomState(0)


def both(function):
    """The function, compiled in graph mode."""
    return ms.jit(function) if ms.get_context("mode") == ms.GRAPH_MODE else function


def test_quotients_of_uint64_near_its_end():
    x, y = np.array([2**64 - 1, 2**63, 2**63 + 1, 5], np.uint64), np.array([3, 2**63, 7, 2**64 - 1], np.uint64)
    np.testing.assert_allclose(both(lambda a, b: a / b)(Tensor(x), Tensor(y)).asnumpy(), x / y, rtol=1e-6)
    np.testing.assert_array_equal(both(lambda a, b: a // b)(Tensor(x), Tensor(y)).asnumpy(), x // y)


@pytest.mark.parametrize("function", [ops.tensor_scatter_max, ops.tensor_scatter_min])
@pytest.mark.parametrize("dtypes", [(ms.int64, ms.uint64), (ms.uint64, ms.int32)])
def test_extrema_of_uint64_with_other_types_are_refused(function, dtypes):
    x, new = Tensor([1, 2, 3], dtypes[0]), Tensor([5, 1], dtypes[1])
    with pytest.raises(TypeError, match="uint64 must have updates of uint64"):
        both(function)(x, Tensor([[0], [1]]), new)


def test_extrema_of_uint64():
    x, new = np.array([2**63 + 5, 1, 3], np.uint64), np.array([7, 2**64 - 1], np.uint64)
    found = both(ops.tensor_scatter_max)(Tensor(x), Tensor([[0], [1]]), Tensor(new))
    np.testing.assert_array_equal(found.asnumpy(), np.array([2**63 + 5, 2**64 - 1, 3], np.uint64))


def test_ftrl_of_bools_is_refused():
    def step(var, accum, linear, grad, indices):
        return ops.SparseApplyFtrl(0.01, 0.0, 0.0, -0.5)(var, accum, linear, grad, indices)
    slots = [Parameter(Tensor([[True], [False]]), name=n) for n in "abc"]
    with pytest.raises(TypeError, match="'var' must be a floating-point tensor"):
        both(step)(*slots, Tensor([[True]]), Tensor([0], ms.int32))


def test_masks_and_counts_of_huge_numbers_are_refused():
    with pytest.raises(ValueError, match="give a 'maxlen'"):
        ops.sequence_mask(Tensor([1, 2**40]))
    with pytest.raises(ValueError, match="give a 'length'"):
        mnp.bincount(Tensor([1, 2**40]))


@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 1.0, 4.0]])
def test_counts(weights):
    x = np.array([1, 4, 1, 0])
    np.testing.assert_allclose(mnp.bincount(Tensor(x), weights, minlength=6).asnumpy(),
                               np.bincount(x, weights, minlength=6))
    np.testing.assert_allclose(both(lambda a: mnp.bincount(a, weights, length=3))(Tensor(x)).asnumpy(),
                               np.bincount(x, weights, minlength=6)[:3])


def test_max_unpool_of_integers():
    x, places = np.arange(1, 5, dtype=np.int32).reshape(1, 1, 2, 2), np.array([[[[0, 3], [10, 15]]]])
    found = both(nn.MaxUnpool2d(2))(Tensor(x), Tensor(places))
    want = np.zeros(16, np.int32)
    want[places.ravel()] = x.ravel()
    assert found.dtype == ms.int32
    np.testing.assert_array_equal(found.asnumpy().ravel(), want)


def test_means_of_integers_in_adaptive_cells_have_no_fraction():
    x = RANDOM.randint(-9, 9, (1, 2, 4, 4, 4)).astype(np.int32)
    found = both(ops.AdaptiveAvgPool3D((2, 2, 2)))(Tensor(x))
    means = x.reshape(1, 2, 2, 2, 2, 2, 2, 2).mean((3, 5, 7))
    assert found.dtype == ms.int32
    np.testing.assert_array_equal(found.asnumpy(), np.trunc(means))        # observed: MindSpore 2.10


def test_greatest_integers_in_adaptive_cells():
    x = RANDOM.randint(-9, 9, (1, 2, 4, 4, 4)).astype(np.int16)
    found = both(lambda a: ops.adaptive_max_pool3d(a, (2, 2, 2)))(Tensor(x))
    assert found.dtype == ms.int16
    np.testing.assert_array_equal(found.asnumpy(), x.reshape(1, 2, 2, 2, 2, 2, 2, 2).max((3, 5, 7)))


def test_nll_loss_of_integers():
    x = RANDOM.randint(-9, 9, (3, 4)).astype(np.int32)
    loss = both(ops.nll_loss)(Tensor(x), Tensor([0, 1, 2], ms.int32))
    np.testing.assert_allclose(loss.asnumpy(), -(x[0, 0] + x[1, 1] + x[2, 2]) / 3, rtol=1e-6)


@pytest.mark.parametrize(("program", "name"), [
    (lambda x: ops.Conv2D(2, (1, 1))(x, [1, 2]), "weight"), (lambda x: ops.BiasAdd()(x, [1, 2]), "bias"),
    (lambda x: ops.LayerNorm()(x, 2, x), "gamma"), (lambda x: ops.ReverseSequence(1)(x, "x"), "seq_lengths")])
def test_what_is_no_tensor_is_a_type_error_that_names_it(program, name):
    with pytest.raises(TypeError, match=f"the '{name}' must be a Tensor, but got"):
        both(program)(Tensor(np.ones((1, 1, 2, 2), np.float32)))


def test_nearest_elements_of_integers():
    x = RANDOM.randint(-9, 9, (1, 2, 8, 8)).astype(np.int32)
    np.testing.assert_array_equal(both(ops.ResizeNearestNeighbor((4, 4)))(Tensor(x)).asnumpy(), x[:, :, ::2, ::2])


def test_mean_in_windows_of_half_volumes():
    x = RANDOM.rand(1, 2, 4, 4, 4).astype(np.float16)
    found = both(ops.AvgPool3D(2, 2))(Tensor(x))
    want = torch.nn.functional.avg_pool3d(torch.tensor(x).double(), 2)
    assert found.dtype == ms.float16
    np.testing.assert_allclose(found.asnumpy(), want, rtol=2e-3)


def test_ctc_loss_of_halves_and_its_gradient():
    x = RANDOM.rand(4, 2, 5).astype(np.float16)
    labels = Tensor([[0, 0], [0, 1], [1, 0], [1, 1]], ms.int64)
    lengths = Tensor([4, 4], ms.int32)
    loss, gradient = both(ops.CTCLoss())(Tensor(x), labels, Tensor([1, 2, 2, 3], ms.int32), lengths)
    given = torch.tensor(x).double().requires_grad_()
    want = torch.nn.functional.ctc_loss(given.log_softmax(2), torch.tensor([[1, 2], [2, 3]]), torch.tensor([4, 4]),
                                        torch.tensor([2, 2]), blank=4, reduction="none")
    want.sum().backward()
    assert loss.dtype == gradient.dtype == ms.float16
    np.testing.assert_allclose(loss.asnumpy(), want.detach(), rtol=2e-3)
    np.testing.assert_allclose(gradient.asnumpy(), given.grad, atol=2e-3)


@pytest.mark.parametrize("dtypes", [(np.float16, np.float32), (np.float32, np.float16)])
def test_nll_loss_with_weights_of_another_type(dtypes):
    x, weights = RANDOM.rand(3, 4).astype(dtypes[0]), RANDOM.rand(4).astype(dtypes[1])
    labels = Tensor([0, 1, 2], ms.int32)
    loss, total = both(ops.NLLLoss())(Tensor(x), labels, Tensor(weights))
    want = torch.nn.functional.nll_loss(torch.tensor(x).double(), torch.arange(3), torch.tensor(weights).double())
    assert loss.dtype == Tensor(x).dtype
    np.testing.assert_allclose(loss.asnumpy(), want, rtol=3e-3)
    np.testing.assert_allclose(total.asnumpy(), weights[:3].sum(), rtol=3e-3)
    gradient = both(ms.grad(lambda a: ops.NLLLoss()(a, labels, Tensor(weights))[0]))(Tensor(x))
    np.testing.assert_allclose(gradient.asnumpy()[0, 0], -weights[0] / weights[:3].sum(), rtol=3e-3)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("dtypes", [(np.float32, np.float16), (np.float64, np.float32)])
def test_batch_norm_with_statistics_of_another_type(training, dtypes):
    x = RANDOM.rand(3, 2, 3, 3).astype(dtypes[0])
    scale, shift, mean = [RANDOM.rand(2).astype(dtypes[1]) for _ in range(3)]
    variance = np.ones(2, dtypes[1])
    vectors = [Tensor(v) for v in (scale, shift, mean, variance)]
    out = both(lambda *a: ops.BatchNorm(is_training=training)(*a)[0])(Tensor(x), *vectors)
    wide = [torch.tensor(v).double() for v in (mean, variance, scale, shift)]
    want = torch.nn.functional.batch_norm(torch.tensor(x).double(), *wide, training)
    assert out.dtype == Tensor(x).dtype
    np.testing.assert_allclose(out.asnumpy(), want, rtol=2e-3, atol=2e-3)
    rates = RANDOM.rand(*x.shape).astype(dtypes[0])
    gradient = both(ms.grad(lambda a, *v: (ops.BatchNorm(is_training=training)(a, *v)[0] * Tensor(rates)).sum(), 0))(
        Tensor(x), *vectors)
    given = torch.tensor(x).double().requires_grad_()
    (torch.nn.functional.batch_norm(given, *wide, training) * torch.tensor(rates).double()).sum().backward()
    np.testing.assert_allclose(gradient.asnumpy(), given.grad, rtol=5e-3, atol=5e-3)


def test_vector_products_of_halves_that_overflow():
    x, y = np.array([65504, 65504, 1], np.float16), np.array([65504, 2, 65504], np.float16)
    with np.errstate(all="ignore"):
        want = np.cross(x, y)
    np.testing.assert_array_equal(both(ops.cross)(Tensor(x), Tensor(y)).asnumpy(), want)


def test_layer_norm_of_double_precision_with_single_parameters():
    x = RANDOM.rand(2, 3)
    found = nn.LayerNorm((3,))(Tensor(x))
    assert found.dtype == ms.float64
    want = torch.nn.functional.layer_norm(torch.tensor(x), (3,), eps=1e-7)
    np.testing.assert_allclose(found.asnumpy(), want, rtol=1e-7)


@pytest.mark.parametrize("program", [lambda x: ops.add([1, 2], 2.5), lambda x: ops.Sub()(None, 2.5),
                                     lambda x: ops.maximum("x", 1), lambda x: nn.Conv2d(1, 1, 1)([1, 2])])
def test_operands_that_are_neither_tensors_nor_numbers(program):
    with pytest.raises(TypeError, match=r"must be (a Tensor|tensors or numbers)"):
        both(program)(Tensor([1.0]))
