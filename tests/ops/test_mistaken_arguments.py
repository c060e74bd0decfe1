"""Choices that are no bools, and what is no tensor in the place of one: TypeErrors that name the argument."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, mint, nn, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)
INTS = X.astype(np.int32)
FLAGS = [
    (ops.matrix_solve, (X[:, :2], X[:, :2]), "adjoint"), (ops.svd, (X,), "full_matrices"),
    (ops.svd, (X,), "compute_uv"),
    (ops.searchsorted, (X[0], X[0]), "out_int32"), (ops.cholesky, (np.eye(2, dtype=np.float32),), "upper"),
    (Tensor.argsort, (X,), "stable"), (Tensor.sort, (X,), "stable"), (Tensor.fill_diagonal, (X, 1.0), "wrap"),
    (Tensor.index_put, (X, [INTS[0, :1]], X[0]), "accumulate"), (Tensor.max, (X,), "return_indices"),
    (ops.isclose, (X, X), "equal_nan"), (mnp.linspace, (0, 1), "endpoint"), (mnp.linspace, (0, 1), "retstep"),
    (mnp.meshgrid, (X[0], X[0]), "sparse")]


@pytest.mark.parametrize(("function", "given", "name"), FLAGS, ids=[f"{f.__name__}-{n}" for f, _, n in FLAGS])
@pytest.mark.parametrize("value", [3, "x", [1]], ids=["3", "x", "list"])
def test_a_choice_takes_a_bool_and_nothing_else(function, given, name, value):
    given = [Tensor(x) if isinstance(x, np.ndarray) else [Tensor(y) for y in x] if isinstance(x, list) else x
             for x in given]
    with pytest.raises(TypeError, match=f"the '{name}' must be .*bool.*, but got .*{type(value).__name__}"):
        function(*given, **{name: value})


T = Tensor(X)
MISTAKEN = {
    "copy_": lambda x: Tensor(X).copy_(x), "expand_as": T.expand_as, "view_as": T.view_as, "frac": ops.frac,
    "reverse_sequence": lambda x: ops.reverse_sequence(T, x, 1),
    "diagonal_scatter": lambda x: ops.diagonal_scatter(T, x),
    "dyn_shape": ops.dyn_shape, "hsplit": lambda x: ops.hsplit(x, 1), "scatter": lambda x: ops.scatter(T, 0, x, T),
    "vander": ops.vander, "vecdot": lambda x: ops.vecdot(x, T), "kron": lambda x: ops.kron(x, T), "exp2": ops.exp2,
    "positive": ops.positive, "put_": lambda x: ops.put_(x, T, T), "zero_": ops.zero_, "clamp_": ops.clamp_,
    "renorm": lambda x: ops.renorm(x, 2, 0, 1.0), "searchsorted": lambda x: mint.searchsorted(x, T),
    "bincount": lambda x: mint.bincount(Tensor(INTS[0]), x or 0), "block_diag": ops.block_diag,
    "column_stack": lambda x: ops.column_stack([x]), "array_to_scalar": ops.array_to_scalar,
    "Pad": nn.Pad(((1, 1),)), "Softmax2d": nn.Softmax2d(), "BiDense": lambda x: nn.BiDense(3, 3, 1)(x, T),
    "ConstantPad1d": nn.ConstantPad1d(1, 0.5), "CentralCrop": nn.CentralCrop(0.5), "Norm": nn.Norm(),
    "L1Regularizer": nn.L1Regularizer(0.1), "ImageGradients": nn.ImageGradients()}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("value", [[1, 2], "x", 2.5, None], ids=["list", "str", "float", "None"])
@pytest.mark.parametrize("name", MISTAKEN)
def test_what_is_no_tensor_is_a_type_error_that_shows_it(name, value):
    with pytest.raises(TypeError, match=r"must (all )?be (a )?[Tt]ensors?\b|must be a list or tuple"):
        MISTAKEN[name](value)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("value", [int, ms.float32], ids=["class", "dtype"])
@pytest.mark.parametrize("name", ["ImageGradients", "Norm", "Softmax2d"])
def test_a_type_in_the_place_of_a_tensor_is_a_type_error(name, value):
    with pytest.raises(TypeError, match="must be a Tensor"):
        MISTAKEN[name](value)


HUGE = {
    "x + n": lambda x, n: x + n, "n - x": lambda x, n: n - x, "x >= n": lambda x, n: x >= n, "maximum": ops.maximum,
    "mint.sub": mint.sub, "addcmul": lambda x, n: mint.addcmul(x, x, x, value=n)}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("number", [10**30, -(10**30)], ids=["large", "small"])
@pytest.mark.parametrize("name", HUGE)
def test_a_number_of_more_than_64_bits_is_told(name, number):             # a RuntimeError in MindSpore 2.10, too
    for x in (T, Tensor(INTS)):
        with pytest.raises(RuntimeError, match="do not fit") as error:
            HUGE[name](x, number)
        assert isinstance(error.value, ValueError)


MATRIX, NUMBER = Tensor(X), Tensor(1.0)
REFUSED = [                                                               # classes of MindSpore 2.10
    (lambda: ops.vander(NUMBER), ValueError), (lambda: mnp.vander(NUMBER), ValueError),
    (lambda: mnp.hsplit(MATRIX, 0), ValueError), (lambda: mnp.dsplit(MATRIX, 2), ValueError),
    (lambda: mnp.hsplit(NUMBER, 1), ValueError), (lambda: mnp.size(1, 0), ValueError),
    (lambda: mnp.cross(0, 2), ValueError), (mnp.broadcast_arrays, ValueError),
    (lambda: mnp.tril_indices_from(NUMBER), ValueError), (lambda: mnp.triu_indices_from(T[0]), ValueError),
    (lambda: mnp.bartlett(float("inf")), TypeError), (lambda: mnp.blackman(float("nan")), TypeError),
    (lambda: mnp.hamming("x"), TypeError), (lambda: nn.InstanceNorm3d(1, dtype=MATRIX), TypeError),
    (lambda: nn.MAE().update(0, 0), TypeError), (lambda: nn.TopKCategoricalAccuracy(2).update((), 2), TypeError),
    (lambda: ms.dataset.SubsetRandomSampler(2**63), ValueError)]


@pytest.mark.parametrize(("act", "error"), REFUSED)
def test_what_does_not_fit_has_an_error_with_words(act, error):
    with pytest.raises(error, match=r"[Tt]he .* must|[Tt]here must") as found:
        act()
    assert not isinstance(found.value, (LookupError, ArithmeticError))


def test_cells_of_the_program_raise_errors_of_their_own():
    class Net(nn.Cell):
        def construct(self, x):
            return x.ndim

    for net in (Net(), nn.SequentialCell(Net())):
        with pytest.raises(AttributeError, match="'list' object has no attribute 'ndim'"):
            net([1, 2])


WHOLE = Tensor(np.array([[1, 2, 3], [4, 5, 6]], np.int32))
REFUSED = [
    (ops.hardswish, (Tensor([True, False]),), TypeError), (ops.lrn, (WHOLE.reshape((1, 2, 3, 1)),), TypeError),
    (ops.multi_margin_loss, (WHOLE, Tensor([1, 0])), TypeError), (nn.BatchNorm1d(3), (WHOLE,), TypeError),
    (nn.OneHot(axis=-2, depth=3), (WHOLE,), ValueError), (ops.Split(0, True), (WHOLE,), TypeError),
    (lambda x: ops.unsorted_segment_sum(x, Tensor([0, 0]), 0), (WHOLE,), ValueError),
    (ops.SoftmaxCrossEntropyWithLogits(), (Tensor(X), Tensor(X[:, :1])), ValueError),
    (ops.LogSpace(3, 10), (Tensor(0.0), Tensor([2.0, 3.0])), ValueError),
    (lambda x: ops.repeat_elements(x, 2, None), (WHOLE,), TypeError),
    (ops.Eig(), (WHOLE[:, :2].astype("int8"),), TypeError)]


@pytest.mark.parametrize(("program", "given", "error"), REFUSED, ids=range(len(REFUSED)))
def test_what_a_graph_refuses_is_refused_in_pynative_mode_too(program, given, error):
    for run in program, ms.jit(program):
        with pytest.raises(error, match=r"^For '|must be"):
            run(*given)


def test_logarithms_of_determinants_have_the_type_of_the_matrix():
    x = np.array([[2 + 1j, 1], [0, 1j]], np.complex64)
    for run in ops.slogdet, ms.jit(ops.slogdet):
        sign, logarithm = run(Tensor(x))
        np.testing.assert_allclose(sign.asnumpy(), np.linalg.slogdet(x)[0], rtol=1e-6)
        np.testing.assert_allclose(logarithm.asnumpy(), np.linalg.slogdet(x)[1], rtol=1e-6)
        assert logarithm.dtype == ms.complex64
