"""Operators that few programs use; numbers observed: MindSpore 2.10, CPU, where no formula is given."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops


def test_eps_is_the_precision_of_the_dtype():
    for dtype, name in ((ms.float16, np.float16), (ms.float32, np.float32), (ms.float64, np.float64)):
        assert ops.Eps()(Tensor([1.0, 2.0], dtype)).asnumpy().tolist() == [np.finfo(name).eps] * 2
    with pytest.raises(TypeError, match="floating point"):
        ops.eps(Tensor([1]))


def test_check_numerics_hands_on_finite_numbers_only():
    x = Tensor([1.0, 2.0])
    assert ops.CheckNumerics()(x).asnumpy().tolist() == [1, 2]
    assert ms.grad(ops.CheckNumerics())(x).asnumpy().tolist() == [1, 1]
    for wrong in (np.inf, np.nan):
        with pytest.raises(RuntimeError, match="finite"):
            ops.CheckNumerics()(Tensor([1.0, wrong]))


def test_multivariate_gamma_is_a_primitive_too():
    np.testing.assert_allclose(ops.Mvlgamma(2)(Tensor([3.0, 4.0])).asnumpy(), [1.550195, 3.565098], rtol=1e-5)


def test_comparisons_are_packed_into_bytes():
    x = Tensor([[1.0, -1, 2, 3, -4, 5, 6, 7]])
    assert ops.CompareAndBitpack()(x, Tensor(0.0)).asnumpy().tolist() == [[0b10110111]]
    with pytest.raises(ValueError, match="multiple of 8"):
        ops.CompareAndBitpack()(Tensor([1.0]), Tensor(0.0))


def test_ngrams_do_not_repeat():
    tokens = Tensor(np.array([[[1, 2, 1, 2, 1], [3, 3, 0, 3, 1]]], np.int32))
    out = ops.NoRepeatNGram(2)(tokens, Tensor(np.zeros((1, 2, 4), np.float32))).asnumpy()
    least = np.finfo(np.float32).min
    assert out.tolist() == [[[0, 0, least, 0], [0, 0, 0, 0]]]
    with pytest.raises(ValueError, match="ngram_size"):
        ops.NoRepeatNGram(9)(tokens, Tensor(np.zeros((1, 2, 4), np.float32)))


def test_least_squares_with_a_penalty():
    a = np.array([[1.0, 2], [3, 4], [5, 6]], np.float32)
    b = np.ones((3, 1), np.float32)
    got = ops.MatrixSolveLs()(Tensor(a), Tensor(b), Tensor(0.5, ms.float64)).asnumpy()
    np.testing.assert_allclose(got, np.linalg.solve(a.T @ a + 0.5 * np.eye(2), a.T @ b), rtol=1e-4)
    got = ops.MatrixSolveLs(fast=False)(Tensor(a), Tensor(b), Tensor(0.0, ms.float64)).asnumpy()
    np.testing.assert_allclose(got, np.linalg.lstsq(a, b, rcond=None)[0], rtol=1e-3, atol=1e-5)


def test_patches_are_added_to_an_image():
    x = Tensor(np.ones((1, 1, 4, 4), np.float32))
    wanted = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
    size = Tensor([3, 3], ms.int32)
    assert ops.col2im(x, size, [2, 2], [1, 1], [0, 0], [1, 1]).asnumpy()[0, 0].tolist() == wanted
    assert x.col2im(size, [2, 2], [1, 1], [0, 0], [1, 1]).asnumpy()[0, 0].tolist() == wanted


def test_a_part_of_a_sparse_tensor():
    places, values, shape = ops.SparseSlice()(Tensor([[0, 1], [1, 2], [2, 3]]), Tensor([1.0, 2.0, 3.0]),
                                              Tensor([3, 4]), Tensor([1, 1]), Tensor([2, 9]))
    assert places.asnumpy().tolist() == [[0, 1], [1, 2]]
    assert values.asnumpy().tolist() == [2, 3]
    assert shape.asnumpy().tolist() == [2, 3]


def test_short_time_transforms_are_a_primitive_too():
    x, window = Tensor(np.arange(8, dtype=np.float32)), Tensor(np.ones(4, np.float32))
    got = ops.STFT(4, 2, 4, False, True, True)(x, window).asnumpy()
    wanted = np.stack([np.fft.rfft(x.asnumpy()[i:i + 4]) for i in (0, 2, 4)], 1)
    np.testing.assert_allclose(got, wanted, atol=1e-5)


def test_windows_of_volumes_become_channels():
    x = Tensor(np.arange(54, dtype=np.float32).reshape(1, 2, 3, 3, 3))
    out = ops.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 1, 1, 1], "VALID")(x)
    assert out.shape == (1, 16, 2, 2, 2)
    assert out.asnumpy()[0, :8, 0, 0, 0].tolist() == [0, 27, 1, 28, 3, 30, 4, 31]
    padded = ops.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 2, 2, 2], "SAME")(x)
    assert padded.asnumpy()[0, :4, 1, 1, 1].tolist() == [26, 53, 0, 0]


@pytest.mark.parametrize(("normalize", "wanted"), [(True, [0.5, 1.0]), (False, [1.0, 1.0])])
def test_distances_of_sequences(normalize, wanted):
    got = ops.EditDistance(normalize)(
        Tensor([[0, 0], [1, 0], [1, 1]]), Tensor([1, 2, 3]), Tensor([2, 2]),
        Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([1, 3, 2]), Tensor([2, 2]))
    assert got.asnumpy().tolist() == wanted


@pytest.mark.parametrize(("count", "wanted"), [(3, [0, 2]), (1, [0])])
def test_boxes_are_chosen_by_their_overlaps(count, wanted):
    overlaps = Tensor([[1.0, 0.8, 0.1], [0.8, 1.0, 0.3], [0.1, 0.3, 1.0]])
    got = ops.NonMaxSuppressionWithOverlaps()(overlaps, Tensor([0.9, 0.8, 0.7]), Tensor(count, ms.int32),
                                              Tensor(0.5), Tensor(0.0))
    assert got.asnumpy().tolist() == wanted


@pytest.mark.parametrize(("call", "error"), [
    (lambda x: ops.scatter_nd(Tensor([[0], [2]], ms.int32), ops.ones((6,)), (4, 3)), ValueError),
    (lambda x: ops.tensor_scatter_update(x, Tensor([[0]]), ops.ones((2, 3))), ValueError),
    (lambda x: ops.gather_elements(x, 0, Tensor([[0.0, 1.0, 2.0]])), TypeError),
    (lambda x: ops.stack([x, x.astype(ms.int32)]), TypeError),
    (lambda x: ops.tensor_dot(x, x, ((1,), (2,))), ValueError),
    (lambda x: ops.smooth_l1_loss(x, x[0]), ValueError),
    (lambda x: ops.binary_cross_entropy(x, x[0]), ValueError),
    (lambda x: ops.nll_loss(x, Tensor([0.0, 1.0, 2.0, 0.0])), TypeError)])
def test_what_does_not_fit_is_refused(call, error):
    with pytest.raises(error):
        call(ops.zeros((4, 3)))


def test_the_method_index_add_of_a_parameter_changes_it_as_the_function_does():
    p = ms.Parameter(ops.zeros((2, 3)), name="p")
    p.index_add(Tensor([0, 1], ms.int32), ops.ones((2, 3)), 0)
    assert p.asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.usefixtures("both_modes")
def test_sizes_in_bytes_are_known_in_both_modes():
    @ms.jit
    def sizes(x):
        return x.itemsize, x.nbytes
    assert sizes(ops.zeros((2, 3), ms.float16)) == (2, 12)


@pytest.mark.parametrize("compiled", [False, True])
def test_unique_consecutive_gives_what_is_asked_for_and_0_for_the_rest(compiled):
    x = Tensor([1.0, 1, 2, 2, 3, 1])
    for inverse in (False, True):
        for counts in (False, True):
            op = ops.UniqueConsecutive(inverse, counts)
            found = (ms.jit(lambda x, op=op: op(x)) if compiled else op)(x)
            assert [y.asnumpy().tolist() for y in found] == [
                [1, 2, 3, 1], [0, 0, 1, 1, 2, 3] if inverse else 0, [2, 2, 1, 1] if counts else 0]


@pytest.mark.parametrize("compiled", [False, True])
def test_the_number_of_slices_must_be_the_extent(compiled):
    op = ops.Unstack(0, 3)
    with pytest.raises(ValueError, match="'num' must be the extent 2 along 'axis', but got 3"):
        (ms.jit(lambda x: op(x)) if compiled else op)(Tensor(np.ones((2, 3))))


@pytest.mark.parametrize("compiled", [False, True])
def test_counts_of_a_histogram_of_fixed_width_are_int32(compiled):
    def counted(dtype):
        op = ops.HistogramFixedWidth(5, dtype)
        return (ms.jit(lambda x, limits: op(x, limits)) if compiled else op)(Tensor([0.0, 4.5]), Tensor([0.0, 5.0]))

    assert counted("int32").asnumpy().tolist() == [1, 0, 0, 0, 1]
    with pytest.raises(ValueError, match="'dtype' must be 'int32', but got 'int64'"):
        counted("int64")


def test_the_page_of_a_function_with_implementations_stands_in_its_error():
    function = ops.MultitypeFuncGraph("step")
    function.register("Tensor")(lambda x: x)
    function.register("Number")(lambda x: -x)
    function.set_doc_url("docs/step.md")
    with pytest.raises(ValueError, match=r"registered are \(Tensor\); \(Number\)\. See docs/step\.md\."):
        function("text")


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_only_implementation_of_a_function_takes_all_arguments(mode):
    function = ops.MultitypeFuncGraph("share")              # observed: MindSpore 2.10, both modes
    function.register("Tensor", "Tensor")(_shared)

    class Net(ms.nn.Cell):
        def construct(self, parts):
            return ops.HyperMap()(ops.partial(function, 4), parts), function(6, 3)

    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        parts, number = Net()((Tensor([8.0]), 2))
    finally:
        ms.set_context(mode=before)
    assert (parts[0].asnumpy().tolist(), parts[1], number) == ([2.0], 0.5, 0.5)


def _shared(count, part):
    return part / count


def test_whether_a_move_waits_is_a_bool():
    x = Tensor([1.0])
    assert x.move_to("CPU", blocking=False).asnumpy().tolist() == [1]
    with pytest.raises(ValueError, match="blocking"):       # observed: MindSpore 2.10, CPU
        x.move_to("CPU", blocking=3)


def test_the_number_of_the_type_of_a_dynamic_shape_is_that_of_int64():
    kind = ms.ops.operations.DynamicShape
    assert kind()(Tensor(np.ones((2, 3)))).asnumpy().tolist() == [2, 3]
    with pytest.raises(ValueError, match="'dtype' must be 9"):
        kind(dtype=3)(Tensor([1.0]))


@pytest.mark.parametrize("descending", [False, True])
def test_equal_elements_keep_their_order(descending):
    x = np.random.default_rng(0).integers(0, 3, (2, 500)).astype(np.float32)
    values, places = ops.Sort(descending=descending)(Tensor(x))
    wanted = np.argsort(-x if descending else x, 1, kind="stable")
    np.testing.assert_array_equal(places.asnumpy(), wanted)
    np.testing.assert_array_equal(values.asnumpy(), np.take_along_axis(x, wanted, 1))
