"""What operators say of wrong arguments is the same in both modes: class of the error, or result."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)
BOOLS, INTS = X > 2, X.astype(np.int32)


def outcome(program, *arrays):
    """The type of the error, or the results as lists."""
    try:
        result = program(*[Tensor(a) for a in arrays])
    except Exception as error:  # whatever it is: it is compared
        return type(error)
    parts = result if isinstance(result, tuple) else (result,)
    return [(str(p.dtype), p.asnumpy().tolist()) if isinstance(p, Tensor) else p for p in parts]


@pytest.mark.parametrize(("program", "arrays", "error"), [
    (ops.batch_dot, (BOOLS, BOOLS), TypeError),
    (lambda x: ops.argmax(x, keepdim=5), (X,), TypeError),
    (ops.inner, (BOOLS, BOOLS), TypeError),
    (ops.ceil, (BOOLS,), TypeError),
    (ops.erf, (X.astype(np.complex64),), TypeError),
    (ops.neg, (BOOLS,), TypeError),
    (ops.softmin, (BOOLS,), TypeError),
    (ops.eigvals, (X[0],), ValueError),
    (lambda x: ops.bernoulli(x, 1.5), (X,), ValueError),
    (lambda x: ops.rms_norm(x, x), (X[0, 0],), ValueError),
    (lambda x: ops.cumsum(x, True), (X,), TypeError),
    (lambda x: ops.logsumexp(x, (1.0,)), (X,), TypeError),
    (lambda x: x.fill_diagonal(x), (X,), ValueError),
    (lambda x: ops.ApplyGradientDescent()(1.0, 1.0, x), (X,), TypeError),
    (ops.BatchMatMul(), (X[0], X[0]), ValueError),
    (lambda x: ops.Stack()([]), (X,), ValueError),
    (lambda x: ops.Betainc()(x, 1, 0), (X,), TypeError),
    (lambda x: ops.RandomShuffle()(0), (X,), TypeError),
])
def test_errors_have_one_class(program, arrays, error):
    found, compiled = outcome(program, *arrays), outcome(ms.jit(program, fullgraph=True), *arrays)
    assert isinstance(found, type)
    assert issubclass(found, error)
    assert isinstance(compiled, type)
    assert issubclass(compiled, error)


@pytest.mark.parametrize(("program", "arrays"), [
    (ops.trace, (INTS[:, :2],)), (ops.trace, (BOOLS[:, :2],)),
    (lambda x: x.unique(), (X,)), (lambda x: x.unique(True, True), (INTS,)),
    (lambda x: ops.minimum(x, True), (BOOLS,)), (lambda x: x.unbind(), (X[:0],)),
    (lambda x: (ops.relu(x - 2, True), x), (X,)),
])
def test_results_are_the_same(program, arrays):
    found = outcome(program, *arrays)
    assert not isinstance(found, type)
    assert outcome(ms.jit(program, fullgraph=True), *arrays) == found


@pytest.mark.parametrize("change", [ops.tanh_, ops.inplace_sigmoid, lambda x: ops.relu(x, inplace=True)])
def test_in_place_activations_change_their_input(change):
    for run in change, ms.jit(change):
        x = Tensor(X - 2)
        assert np.array_equal(run(x).asnumpy(), x.asnumpy())
        assert not np.array_equal(x.asnumpy(), X - 2)


@pytest.mark.parametrize("ask", [lambda x: x.is_contiguous(), lambda x: x.storage_offset(),
                                 lambda x: x.view(ms.int32), lambda x: x.move_to("CPU")])
def test_what_needs_memory_runs_in_python(ask):
    assert outcome(ms.jit(ask), X) == outcome(ask, X)


def test_messages_speak_of_tensors():
    for program, said in ((lambda x: x.summ(), "'Tensor' object has no attribute 'summ'"),
                          (lambda x: x + "a", "unsupported operand type.* 'Tensor' and 'str'"),
                          (lambda x: ops.adaptive_avg_pool1d(x, x), r"but got f32\[2,3\] with type 'Tensor'")):
        for run in program, ms.jit(program):
            with pytest.raises((AttributeError, TypeError), match=said):
                run(Tensor(X))


@pytest.mark.parametrize("run", [nn.Conv2d(3, 6, 3), nn.Conv2d(3, 6, 3, pad_mode="valid"), nn.Conv3d(2, 6, 3)])
def test_convolutions_say_how_many_dimensions_they_take(run):
    with pytest.raises(ValueError, match=f"'{type(run).__name__}', the 'x' must have . dimensions, batch and channels"):
        run(Tensor(X))


def test_labels_must_be_integers_in_both_modes():
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    for run in loss, ms.jit(loss):
        with pytest.raises(TypeError, match=r"labels must be integers, .* Cast them: '.*astype\(mindspore.int32\)'"):
            run(Tensor(X), Tensor(X[:, 0]))


@pytest.mark.parametrize(("call", "error"), [
    (lambda: ops.fftfreq(0), ValueError), (lambda: ops.fftfreq(4, 0.0), ValueError),
    (lambda: ops.fftfreq(2.0), TypeError),
    (lambda: ops.rfftfreq(-1), ValueError), (lambda: ops.rfftfreq(4, "a"), TypeError),
    (lambda: ops.fftshift(Tensor([1.0]), 3), ValueError), (lambda: ops.ifftshift(Tensor([1.0]), (0, -2)), ValueError)])
def test_frequencies_name_what_is_wrong(call, error):
    with pytest.raises(error, match=r"r?i?fft(freq|shift)'"):
        call()
