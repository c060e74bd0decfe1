"""What operators give where their documentation leaves it open, as MindSpore 2.10 does."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops


def test_regions_end_behind_their_last_pixel_where_the_mode_says_so_and_may_be_of_any_size():
    # x and y of the samples of linear images say where the regions lie; observed: MindSpore 2.10
    y, x = np.meshgrid(np.arange(40.0), np.arange(40.0), indexing="ij")
    images = Tensor(np.stack([x, y])[None].astype(np.float32))
    regions = [[0, 5, 5, 5.4, 5.2], [0, 5, 5, 7, 9], [0, 7, 8, 6, 5]]
    for mode, sizes in ((0, [(1, 1), (2, 4), (1, 1)]), (1, [(1.4, 1.2), (3, 5), (0, -2)])):
        found = ops.ROIAlign(2, 2, 1.0, 1, mode)(images, Tensor(regions, ms.float32)).asnumpy()
        wide, high = (found[:, 0, 0, 1] - found[:, 0, 0, 0]) * 2, (found[:, 1, 1, 0] - found[:, 1, 0, 0]) * 2
        np.testing.assert_allclose(np.stack([wide, high], 1), sizes, atol=1e-5)


def test_forward_variables_are_as_long_as_the_labels_may_be():
    logp = Tensor(np.array([[[0.3, 0.6, 0.6]], [[0.9, 0.4, 0.2]]], np.float32))
    lengths = Tensor([2], ms.int32), Tensor([1], ms.int32)
    _, alpha = ops.ctc_loss(logp, Tensor([[0, 1]], ms.int32), *lengths)
    assert alpha.shape == (1, 2, 5)                                     # observed: MindSpore 2.10
    np.testing.assert_allclose(alpha.asnumpy()[0, 1], [1.2, 1.8931472, 1.2, -np.inf, -np.inf], rtol=1e-6)
    slope = ms.grad(lambda x: ops.ctc_loss(x, Tensor([[1, 2]], ms.int32), *lengths)[0])(logp)
    again = ms.grad(lambda x: ops.ctc_loss(x, Tensor([[1]], ms.int32), *lengths)[0])(logp)
    np.testing.assert_array_equal(slope.asnumpy(), again.asnumpy())     # what follows the label does not count


def test_a_class_that_a_row_names_twice_is_hit_twice():
    rows, ids, _ = ops.ComputeAccidentalHits(2)(Tensor([[1, 2], [0, 4], [3, 3]]), Tensor([0, 1, 2, 3, 4]))
    assert (rows.tolist(), ids.tolist()) == ([0, 0, 1, 1, 2, 2], [1, 2, 0, 4, 3, 3])


def test_weights_of_drawn_places_may_be_integers():
    assert sorted(ops.multinomial(Tensor([90, 10, 0]), 2, replacement=False).tolist()) == [0, 1]


def test_shapes_of_draws_and_parameters_broadcast():
    assert ops.gamma((3, 1, 2), Tensor([[3.0, 4.0], [5.0, 6.0]]), Tensor([1.0])).shape == (3, 2, 2)
    assert ops.poisson((4, 1), Tensor([5.0, 10.0])).shape == (4, 2)
    rates = Tensor([[1.0], [1000.0]])
    found = ops.poisson((2, 500), rates).asnumpy().mean(1)
    np.testing.assert_allclose(found, [1, 1000], rtol=0.3)
    with pytest.raises(ValueError, match="'Gamma', the shapes"):
        ops.gamma((3,), Tensor([1.0, 2.0]), Tensor([1.0]))


def test_matrices_without_a_batch_are_multiplied_and_their_rows_added():
    a, b = np.array([[8.0, 7.0], [5.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 5.0]])
    np.testing.assert_allclose(ops.baddbmm(Tensor(1.0), Tensor(a), Tensor(b)).asnumpy(), 1 + a @ b)
    np.testing.assert_allclose(ops.addbmm(Tensor(1.0), Tensor(a), Tensor(b)).asnumpy(), 1 + (a @ b).sum(0))


def test_a_contiguous_tensor_lies_in_its_order():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = x.T.contiguous()
    assert (y.is_contiguous(), y.tolist()) == (True, [[1, 4], [2, 5], [3, 6]])
    assert x.contiguous() is x
    slope = ms.grad(lambda t: (t.T.contiguous() * Tensor([[1.0, 2.0]])).sum())(x)
    assert slope.tolist() == [[1, 1, 1], [2, 2, 2]]


def test_one_further_result_comes_alone():
    def one(x):
        return x * x, x

    def two(x):
        return x * x, x, x * 3

    x = Tensor([1.0, 2.0])
    for found in (lambda f: ops.jvp(f, x, x, has_aux=True)[2], lambda f: ops.vjp(f, x, has_aux=True)[2],
                  lambda f: ms.jacfwd(f, has_aux=True)(x)[1], lambda f: ms.jacrev(f, has_aux=True)(x)[1]):
        assert found(one).tolist() == [1, 2]                            # observed: MindSpore 2.10
        assert [part.tolist() for part in found(two)] == [[1, 2], [3, 6]]


def test_steps_of_optimizers_and_scattered_updates_change_tensors_in_place():
    # observed: MindSpore 2.10
    x = Tensor([1.0, 2.0])
    out = ops.ApplyGradientDescent()(x, 0.5, Tensor([2.0, 4.0]))
    assert (x.tolist(), out.tolist()) == ([0, 0], [0, 0])
    out = ops.ScatterNdUpdate()(x, Tensor([[1]], ms.int32), Tensor([5.0]))
    assert (x.tolist(), out.tolist()) == ([0, 5], [0, 5])
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    out = ops.ScatterAdd()(p, Tensor([0], ms.int32), Tensor([5.0]))
    assert (type(out), p.tolist(), out.tolist()) == (Tensor, [6, 2], [6, 2])


def test_places_along_an_axis_broadcast_over_the_others():
    x, places = np.arange(24).reshape(2, 3, 4), np.array([[[2, 0]]])
    for axis in (-1, 2):
        found = ms.numpy.take_along_axis(ms.numpy.array(x), ms.numpy.array(places), axis)
        np.testing.assert_array_equal(found.asnumpy(), np.take_along_axis(x, places, axis))
    with pytest.raises(ValueError, match="3 axes"):
        ms.numpy.take_along_axis(ms.numpy.array(x), ms.numpy.array([0]), 1)
