"""Shape, order, joining, repetition and padding agree with NumPy, in both modes."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, grad, jit, ops

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
V = np.arange(3, dtype=np.float32)
CASES = {
    "reshape": (lambda x: ops.reshape(x, (4, -1)), X.reshape(4, -1)),
    "reshape method": (lambda x: x.reshape(4, 6), X.reshape(4, 6)),
    "view": (lambda x: x.view((6, 4)), X.reshape(6, 4)),
    "flatten": (ops.flatten, X.reshape(2, 12)),
    "flatten method": (lambda x: x.flatten(), X.reshape(-1)),
    "flatten columns": (lambda x: ops.flatten(x, "F", start_dim=0), X.flatten("F")),
    "flatten middle": (lambda x: ops.flatten(x, start_dim=0, end_dim=1), X.reshape(6, 4)),
    "ravel": (ops.ravel, X.ravel()),
    "expand_dims": (lambda x: ops.expand_dims(x, -1), X[..., None]),
    "unsqueeze": (lambda x: x.unsqueeze(1), X[:, None]),
    "squeeze": (lambda x: ops.expand_dims(x, 1).squeeze(), X),
    "squeeze axis": (lambda x: x.reshape(1, 24, 1).squeeze(0), X.reshape(24, 1)),
    "transpose": (lambda x: ops.transpose(x, (2, 0, 1)), X.transpose(2, 0, 1)),
    "transpose method": (lambda x: x.transpose(2, 0, 1), X.transpose(2, 0, 1)),
    "transpose pair": (lambda x: x.transpose(0, 2), X.swapaxes(0, 2)),
    "T": (lambda x: x.T, X.T),
    "permute": (lambda x: x.permute(1, 0, 2), X.transpose(1, 0, 2)),
    "swapaxes": (lambda x: ops.swapaxes(x, 0, -1), X.swapaxes(0, -1)),
    "moveaxis": (lambda x: ops.moveaxis(x, (0, 1), (1, 2)), np.moveaxis(X, (0, 1), (1, 2))),
    "flip": (lambda x: ops.flip(x, (0, 2)), X[::-1, :, ::-1]),
    "roll": (lambda x: ops.roll(x, (1, -1), (0, 2)), np.roll(X, (1, -1), (0, 2))),
    "roll flat": (lambda x: ops.roll(x, 5), np.roll(X, 5)),
    "rot90": (lambda x: ops.rot90(x, 1, (0, 1)), np.rot90(X, 1, (0, 1))),
    "rot90 back": (lambda x: ops.rot90(x, -1, (1, 2)), np.rot90(X, -1, (1, 2))),
    "rot90 twice": (lambda x: ops.rot90(x, 2, (0, 2)), np.rot90(X, 2, (0, 2))),
    "concat": (lambda x: ops.concat((x, x), 1), np.concatenate((X, X), 1)),
    "stack": (lambda x: ops.stack((x, x), -1), np.stack((X, X), -1)),
    "hstack": (lambda x: ops.hstack((x, x)), np.hstack((X, X))),
    "dstack": (lambda x: ops.dstack((x, x)), np.dstack((X, X))),
    "split": (lambda x: ops.split(x, 3, -1)[1], X[..., 3:]),
    "split sizes": (lambda x: ops.split(x, [1, 2], 1)[1], X[:, 1:]),
    "chunk": (lambda x: ops.chunk(x, 2, 1)[0], X[:, :2]),
    "tensor_split": (lambda x: ops.tensor_split(x, (1, 3), 2)[1], X[..., 1:3]),
    "tensor_split count": (lambda x: ops.tensor_split(x, 3, 2)[0], X[..., :2]),
    "unstack": (lambda x: ops.unstack(x, 1)[2], X[:, 2]),
    "narrow": (lambda x: ops.narrow(x, 2, 1, 2), X[..., 1:3]),
    "tile": (lambda x: ops.tile(x, (2, 1, 1, 3)), np.tile(X, (2, 1, 1, 3))),
    "repeat_interleave": (lambda x: ops.repeat_interleave(x, 2, 1), np.repeat(X, 2, 1)),
    "repeat_interleave each": (lambda x: x.repeat_interleave([1, 0, 2], 1),
                               np.repeat(X, [1, 0, 2], 1)),
    "repeat_interleave flat": (lambda x: ops.repeat_interleave(x, 2), np.repeat(X, 2)),
    "broadcast_to": (lambda x: ops.broadcast_to(x, (2, -1, 3, 4)), np.broadcast_to(X, (2, 2, 3, 4))),
    "pad": (lambda x: ops.pad(x, (1, 2, 0, 1), value=5.0),
            np.pad(X, ((0, 0), (0, 1), (1, 2)), constant_values=5)),
    "pad reflect": (lambda x: ops.pad(x, (2, 1), "reflect"), np.pad(X, ((0, 0),) * 2 + ((2, 1),),
                                                                    "reflect")),
    "pad replicate": (lambda x: ops.pad(x, (2, 1), "replicate"),
                      np.pad(X, ((0, 0),) * 2 + ((2, 1),), "edge")),
    "pad circular": (lambda x: ops.pad(x, (2, 1), "circular"),
                     np.pad(X, ((0, 0),) * 2 + ((2, 1),), "wrap")),
    "pad cut": (lambda x: ops.pad(x, (-1, 1)), np.pad(X[..., 1:], ((0, 0),) * 2 + ((0, 1),))),
    "mirror": (lambda x: ops.MirrorPad("SYMMETRIC")(x, ((0, 0), (1, 1), (2, 0))),
               np.pad(X, ((0, 0), (1, 1), (2, 0)), "symmetric")),
    "tril": (lambda x: ops.tril(x, 1), np.tril(X, 1)),
    "triu": (lambda x: ops.triu(x, -1), np.triu(X, -1)),
    "diagonal": (lambda x: ops.diagonal(x, 1, 1, 2), np.diagonal(X, 1, 1, 2)),
    "trace": (lambda x: ops.trace(x[0]), np.trace(X[0])),
    "band": (lambda x: ops.matrix_band_part(x, 1, 0), np.tril(np.triu(X, -1))),
    "reverse_sequence": (lambda x: ops.reverse_sequence(x, Tensor([2, 3]), 1),
                         np.stack([X[0][[1, 0, 2]], X[1][::-1]])),
}


@pytest.mark.parametrize(("function", "wanted"), CASES.values(), ids=CASES)
def test_the_result_is_that_of_numpy_in_both_modes(function, wanted):
    np.testing.assert_array_equal(function(Tensor(X)).asnumpy(), wanted)
    np.testing.assert_array_equal(jit(lambda x: function(x))(Tensor(X)).asnumpy(), wanted)


@pytest.mark.parametrize(("function", "wanted"), CASES.values(), ids=CASES)
def test_the_gradient_counts_how_often_an_element_was_used(function, wanted):
    found = grad(lambda x: function(x).sum())(Tensor(X))
    marks = [function(Tensor(np.where(v == X, 1e6, 0).astype(np.float32))).asnumpy() for v in (5, 17)]
    counts = [(m > 1e5).sum() for m in marks] if wanted.ndim else [round(m / 1e6) for m in marks]
    assert found.shape == X.shape
    assert [found.asnumpy().ravel()[i] for i in (5, 17)] == counts


def test_concat_casts_to_the_common_type():
    assert ops.concat((Tensor([1]), Tensor([1.5]))).dtype == mindspore.float32


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid_agrees_with_numpy(indexing):
    found = ops.meshgrid(Tensor(V), Tensor(X[0, 0]), indexing=indexing)
    for one, wanted in zip(found, np.meshgrid(V, X[0, 0], indexing=indexing), strict=True):
        np.testing.assert_array_equal(one.asnumpy(), wanted)


def test_pixels_and_channels_change_places_and_back():
    x = np.arange(64, dtype=np.float32).reshape(1, 4, 4, 4)
    back = ops.pixel_unshuffle(ops.pixel_shuffle(Tensor(x), 2), 2)
    np.testing.assert_array_equal(back.asnumpy(), x)
    assert ops.pixel_shuffle(Tensor(x), 2).asnumpy()[0, 0, 0, 1] == x[0, 1, 0, 0]
    deep = ops.SpaceToDepth(2)(Tensor(x))
    assert deep.shape == (1, 16, 2, 2)
    np.testing.assert_array_equal(ops.DepthToSpace(2)(deep).asnumpy(), x)


def test_blocks_of_the_plane_become_the_batch_and_back():
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    blocks = ops.space_to_batch_nd(Tensor(x), [2, 2], [[0, 0], [0, 0]])
    np.testing.assert_array_equal(blocks.asnumpy()[1, 0], x[0, 0, ::2, 1::2])
    np.testing.assert_array_equal(
        ops.batch_to_space_nd(blocks, [2, 2], [[0, 0], [0, 0]]).asnumpy(), x)


def test_a_band_of_diagonals_is_taken_and_put_back():
    x = Tensor(X[0])
    band = ops.matrix_diag_part(x, Tensor([-1, 1]), Tensor(0.0))
    # observed: MindSpore 2.10, CPU
    np.testing.assert_array_equal(band.asnumpy(), [[1, 6, 11], [0, 5, 10], [4, 9, 0]])
    kept = ops.matrix_set_diag(ops.zeros_like(x), band, Tensor([-1, 1]))
    np.testing.assert_array_equal(kept.asnumpy(), np.tril(np.triu(X[0], -1), 1))


def test_element_types_are_changed_by_name_and_by_method():
    x = Tensor([1.5, -1.5])
    assert x.astype("int32").asnumpy().tolist() == [1, -1]
    assert x.half().dtype == mindspore.float16
    assert x.to(mindspore.float64).dtype == mindspore.float64
    assert x.type() == "Float32"
    assert x.int().dtype == mindspore.int32


def test_a_copy_has_elements_of_its_own():
    x = Tensor([1.0, 2.0])
    y = x.copy()
    y[0] = 9.0
    assert x.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize(("call", "error"), [
    (lambda x: ops.reshape(x, (5, 5)), ValueError), (lambda x: ops.reshape(x, 2.5), TypeError),
    (lambda x: ops.reshape(x, (-1, -1)), ValueError), (lambda x: ops.transpose(x, (0, 0, 1)), ValueError),
    (lambda x: ops.transpose(x, 1), TypeError), (lambda x: ops.concat(x), TypeError),
    (lambda x: ops.concat([]), ValueError), (lambda x: ops.concat((x, 3)), TypeError),
    (lambda x: ops.concat((x, x[:, :2])), ValueError), (lambda x: ops.stack((x, x[0])), ValueError),
    (lambda x: ops.split(x, 0), ValueError), (lambda x: ops.split(x, 1.5), TypeError),
    (lambda x: ops.split(x, [1, 2]), ValueError), (lambda x: ops.Split(1, 2)(x), ValueError),
    (lambda x: ops.tile(x, "a"), TypeError), (lambda x: ops.flip(x, (5,)), ValueError),
    (lambda x: ops.pad(x, (1, 2), "other"), ValueError), (lambda x: ops.pad(x, (9, 0), "reflect"), ValueError),
    (lambda x: ops.expand_dims(x, 9), ValueError), (lambda x: ops.squeeze(x, 9), ValueError),
    (lambda x: ops.meshgrid(3), TypeError), (lambda x: ops.broadcast_to(x, (2, 5, 4)), ValueError),
    (lambda x: ops.diag_embed(x, 1.5), TypeError), (lambda x: ops.unstack(x, 7), ValueError),
], ids=lambda v: getattr(v, "__name__", "case"))
def test_wrong_arguments_are_refused_by_name(call, error):
    with pytest.raises(error):
        call(Tensor(X))


def test_forms_of_1_x_are_taken():
    np.testing.assert_array_equal(ops.split(Tensor(X), axis=2, output_num=2)[1].asnumpy(), X[..., 2:])
    np.testing.assert_array_equal(Tensor(X).repeat(2, axis=1).asnumpy(), np.repeat(X, 2, 1))
    np.testing.assert_array_equal(Tensor(V).repeat(2).asnumpy(), np.tile(V, 2))


@pytest.mark.parametrize("arguments", [((mindspore.float32, False, True), {}), ((), {"copy": True}), (
    (mindspore.float32,), {"copy": True}), (("CPU", mindspore.float32), {})])
def test_to_may_ask_for_a_storage_of_its_own(arguments):
    x = Tensor([1.0, 2.0])
    args, options = arguments
    y = x.to(*args, **options)
    y.add_(1)
    assert (x.tolist(), y.tolist()) == ([1, 2], [2, 3])


def test_to_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="there is no argument 'blocking'"):
        Tensor(1.0).to(mindspore.float16, blocking=True)


@pytest.mark.parametrize("extents", [(-1,), (2, -1)])
def test_resized_tensors_have_no_negative_extents(extents):
    with pytest.raises(ValueError, match="must not be negative"):
        Tensor([1.0, 2.0]).resize(*extents)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("lengths", [(3,), (3, 2), (3, 2, 4), (3, 1, 2, 4)])
def test_the_gradient_of_a_grid_sums_over_the_other_axes(indexing, lengths):
    rng = np.random.default_rng(3)
    vectors = [rng.standard_normal(n) for n in lengths]
    factors = [rng.standard_normal(g.shape) for g in np.meshgrid(*vectors, indexing=indexing)]

    def run(*xs):
        return sum((g * Tensor(f)).sum() for g, f in zip(ops.meshgrid(*xs, indexing=indexing), factors, strict=True))
    found = grad(run, tuple(range(len(lengths))))(*map(Tensor, vectors))
    for k, (mine, n) in enumerate(zip(found if isinstance(found, tuple) else (found,), lengths, strict=True)):
        for at in range(n):
            changed = [v.copy() for v in vectors]
            changed[k][at] += 1    # the function is linear
            grids = [np.meshgrid(*v, indexing=indexing) for v in (changed, vectors)]
            wanted = sum(((a - b) * f).sum() for a, b, f in zip(*grids, factors, strict=True))
            np.testing.assert_allclose(mine.asnumpy()[at], wanted, rtol=1e-9)
