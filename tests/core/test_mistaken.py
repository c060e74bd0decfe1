"""Errors of Python inside of public functions become words of the user's; errors of the user's code stay."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
import mindspore.scipy as msp
from mindspore import Tensor, nn, ops
from mindspore.core.mistaken import bound, mistaken, told

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def summed(x, axes, scale=1):
    """A function of the user's, as one of the package would be."""
    return x[axes[0]] * scale


def test_the_argument_that_an_error_names_is_shown():
    function = told("summed", eval("lambda x, axes, scale=1: x[axes[0]] * scale", {}))
    with pytest.raises(TypeError) as raised:
        function([1, 2], 3)
    assert str(raised.value) == "'int' object is not subscriptable"            # of the user's code: `<string>`
    with pytest.raises(TypeError, match=r"^For 'select', the 'choicelist' can not be None of type 'NoneType', in "
                                        r"\(condlist=3, choicelist=None\)\.$") as raised:
        mnp.select(3, None)
    assert isinstance(raised.value.__cause__, TypeError)
    assert "not iterable" in str(raised.value.__cause__)


def test_calls_without_an_argument_keep_the_words_of_python():
    with pytest.raises(TypeError, match=r"tile\(\) missing 1 required positional argument: 'reps'"):
        mnp.tile(X)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'unheard_of'"):
        mnp.tile(X, 2, unheard_of=1)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("call", [lambda y: ops.ne(y, y), lambda y: ops.Equal()(X, y), lambda y: X.equal(y),
                                  lambda y: ops.NotEqual()(y, X)], ids=["ne", "Equal", "equal", "NotEqual"])
@pytest.mark.parametrize("array", [np.ones((2, 4)), np.array([None, "x"])], ids=["numbers", "objects"])
def test_an_array_is_no_tensor(call, array):
    with pytest.raises((TypeError, ValueError), match=r"^For '\w+', "):
        call(array)


def test_windows_beyond_64_bits_do_not_fit():
    with pytest.raises(ValueError, match=r"^For 'unfold', the window \(1099511627776, 1099511627776\) does not fit"):
        ops.unfold(Tensor(np.ones((1, 2, 4, 4), np.float32)), 2**40)


def test_of_two_arguments_of_a_type_none_is_blamed():
    with pytest.raises(TypeError, match=r"^For 'choose', the arguments do not fit: \(a=3, choices=4\)\.$"):
        mnp.choose(3, 4)


@pytest.mark.parametrize("call", [lambda: mnp.full((2,), 10**30), lambda: mnp.full((2,), fill_value=-(10**30))],
                         ids=["position", "name"])
def test_a_number_that_is_too_large_is_shown(call):
    with pytest.raises(ValueError, match=r"For 'full', the 'fill_value' is out of range: got -?10{30}, in "):
        call()


def test_arguments_are_bound_to_names_as_far_as_they_fit():
    assert bound(summed, (1, 2), {"scale": 3}) == {"x": 1, "axes": 2, "scale": 3}
    assert bound(summed, (), {"other": 3}) == {"other": 3}
    assert bound(summed, (1, 2, 3, 4), {}) == {"0": 1, "1": 2, "2": 3, "3": 4}


class Wrong(nn.Cell):
    """A cell of the user's with a fault."""

    def construct(self, x):
        return x, [][2]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("call", [lambda: Wrong()(X), lambda: nn.SequentialCell([Wrong()])(X),
                                  lambda: ops.vmap(lambda y: (y, [][2]))(X), lambda: ops.grad(lambda y: [][2])(X)],
                         ids=["cell", "in a cell", "vmap", "grad"])
def test_an_error_of_the_users_code_stays_what_it_is(call):
    with pytest.raises(IndexError, match=r"^list index out of range"):
        call()


def test_an_error_that_a_check_raised_stays_the_same_object():
    with pytest.raises(ValueError, match="of a check") as raised:
        raise ValueError("of a check")
    assert mistaken("f", dict, raised.value) is raised.value


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("call", "name", "shown"), [
    (lambda: nn.MultiheadAttention(4, 2)({1}, X, X), "MultiheadAttention", r"'query' can not be \{1\} of type 'set'"),
    (lambda: ops.rot90(X, 1, 3), "rot90", r"\(input=f32\[2,3\], k=1, dims=3\)"),
    (lambda: ops.cross(X, X, dim="q"), "cross", r"'dim' can not be 'q' of type 'str'"),
    (lambda: X.cross(X, "q"), "cross", r"'q'"),
    (lambda: mnp.tri("x", k=Tensor(1.0)), "arange", "'x'")], ids=["cell", "function", "name", "method", "numpy"])
def test_functions_methods_and_cells_say_what_they_were_given(call, name, shown):
    with pytest.raises(TypeError, match=f"^For '{name}', .*{shown}"):
        call()


def test_the_function_that_was_called_is_named_rather_than_one_that_it_calls():
    with pytest.raises(TypeError, match=r"^For 'outer', .*k=1, dims=3\)"):
        told("outer", ops.rot90)(X, 1, 3)
    with pytest.raises(TypeError, match=r"^For 'lu_solve', the arguments do not fit: "):
        msp.linalg.lu_solve(3, X)


@pytest.mark.parametrize("call", [lambda: nn.Dense(2**40, 2**20), lambda: ops.zeros(10**13),
                                  lambda: nn.ReplicationPad1d(2**40)(X), lambda: ops.combinations(X[0], r=2**40),
                                  lambda: ops.Zeros()((10**7, 10**7), ms.float32)],
                         ids=["parameter", "function", "border", "list", "primitive"])
def test_what_no_memory_holds_is_told_by_name(call):
    with pytest.raises(RuntimeError, match=r"^For '.*', there is not enough memory for the result of "):
        call()


LAYER = nn.TransformerDecoderLayer(4, 2, 5)
ENDLESS = {
    "tril_indices": lambda n: mnp.tril_indices(n), "triu_indices columns": lambda n: mnp.triu_indices(3, 0, n),
    "diag_indices": lambda n: mnp.diag_indices(2, n), "derivative": lambda n: ops.derivative(ops.sin, (X,), n),
    "Mvlgamma": lambda n: ops.Mvlgamma(n)(X), "mvlgamma": lambda n: ops.mvlgamma(X, n), "fftfreq": ops.fftfreq,
    "rfftfreq": ops.rfftfreq, "Range": nn.Range, "GRU": lambda n: nn.GRU(4, 3, n),
    "TransformerDecoder": lambda n: nn.TransformerDecoder(LAYER, n),
    "exponential_decay_lr": lambda n: nn.exponential_decay_lr(0.1, 0.9, n, 2, 2),
    "warmup_lr": lambda n: nn.warmup_lr(0.1, n, 2, 2)}


@pytest.mark.parametrize("number", [2**40, 10**30], ids=["2**40", "10**30"])
@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_never_end_is_refused(name, number):
    with pytest.raises(ValueError, match=f"^For '{name.partition(' ')[0]}', .*{str(number)[:9]}"):
        ENDLESS[name](number)


def test_differences_of_nothing_end():
    assert ops.diff(X, n=10**30).shape == (2, 0)


@pytest.mark.parametrize("k", [-4, -3, -1, 0, 1, 2, 5, 10**30, -(10**30)])
@pytest.mark.parametrize(("n", "m"), [(3, None), (2, 4), (4, 2), (0, 3)])
@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_indices_of_triangles_are_those_of_numpy(name, n, m, k):
    found = [x.asnumpy() for x in getattr(mnp, name)(n, k, m)]
    expected = getattr(np, name)(n, max(min(k, 99), -99), m)
    assert all([np.array_equal(a, b) for a, b in zip(found, expected, strict=True)])
    assert {str(x.dtype) for x in found} == {"int32"}
