"""Tensors: making them, giving them back, printing."""
from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor


@pytest.mark.parametrize(("data", "dtype"), [
    (1, ms.int64), (1.5, ms.float32), (True, ms.bool_), (1j, ms.complex128), ([1, 2], ms.int64),
    ((1, 2.5), ms.float32), ([[True], [False]], ms.bool_), (np.float64(1), ms.float64),
    ([np.float64(1)], ms.float32), ([np.ones(2)], ms.float32), ([np.float16(1)], ms.float16),
    (np.ones(2), ms.float64), (np.ones(2, np.float16), ms.float16), (np.ones(2, np.uint16), ms.uint16)])
def test_dtype_follows_the_data(data, dtype):           # observed: MindSpore 2.10, CPU
    assert Tensor(data).dtype == dtype


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float64, ms.int8, ms.uint8, ms.bool_])
def test_a_given_dtype_casts(dtype):
    t = Tensor([0.0, 1.0], dtype)
    assert t.dtype is dtype
    assert t.asnumpy().tolist() == [0, 1]


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [value]])
def test_numbers_out_of_range_are_converted_alone_as_in_lists(wrap):      # observed: MindSpore 2.10, CPU
    assert Tensor(wrap(300), ms.int8).asnumpy().tolist() == wrap(44)
    assert Tensor(wrap(-1), ms.uint8).asnumpy().tolist() == wrap(255)
    assert Tensor(wrap(1.9), ms.int32).asnumpy().tolist() == wrap(1)


@pytest.mark.parametrize(("error", "arguments"), [
    (ValueError, {"init": np.ones}), (ValueError, {"init": np.ones, "shape": (2,)}),
    (TypeError, {"init": "ones", "shape": (2,), "dtype": ms.float32})])
def test_an_initializer_needs_shape_and_dtype(error, arguments):
    with pytest.raises(error, match="init"):
        Tensor(**arguments)


def test_division_by_zero_of_whole_numbers_says_so():
    with pytest.raises(ValueError, match="whole numbers can not be divided by zero"):
        Tensor([1]) // Tensor([0])


def test_whether_a_tensor_is_a_constant_is_a_bool():
    assert Tensor(1.0, const_arg=True).set_const_arg().item() == 1
    for wrong in (lambda: Tensor(1.0, const_arg=3), lambda: Tensor(1.0).set_const_arg(3)):
        with pytest.raises(TypeError, match="const_arg"):       # observed: MindSpore 2.10, CPU
            wrong()


def test_an_array_is_copied_and_from_numpy_shares():
    array = np.zeros(3, np.float32)
    copied, shared = Tensor(array), Tensor.from_numpy(array)
    array[0] = 5
    assert copied.asnumpy()[0] == 0
    assert shared.asnumpy()[0] == 5
    assert np.shares_memory(shared.asnumpy(), array)


def test_asnumpy_shares_the_memory_of_a_tensor():
    t = Tensor(np.zeros(3, np.float32))
    assert np.shares_memory(t.asnumpy(), t.asnumpy())


def test_a_parameters_array_keeps_the_values_of_its_time():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    before = p.asnumpy()
    p.set_data(Tensor([3.0, 4.0]))
    assert before.tolist() == [1, 2]
    assert p.asnumpy().tolist() == [3, 4]


def test_numpy_takes_a_tensor_as_an_array():
    assert np.asarray(Tensor([1.0, 2.0])).dtype == np.float32
    assert np.add(Tensor([1.0]), 1).tolist() == [2.0]
    assert np.array(Tensor([1, 2]), np.float64).dtype == np.float64


@pytest.mark.parametrize("value", [Tensor([1.0, 2.0], ms.bfloat16), Tensor(3), Tensor(np.zeros((0, 2)))])
def test_pickle_and_copy_keep_dtype_shape_and_values(value):
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert twin.dtype is value.dtype
        assert twin.shape == value.shape
        assert twin.asnumpy().tolist() == value.asnumpy().tolist()


def test_a_pickled_parameter_keeps_its_name_and_wish():
    p = pickle.loads(pickle.dumps(Parameter(Tensor([1.0]), name="w", requires_grad=False)))
    assert (p.name, p.requires_grad, p.asnumpy().tolist()) == ("w", False, [1.0])


def test_dlpack_shares_with_torch():
    t = Tensor([1.0, 2.0])
    torch.from_dlpack(t)[0] = 7
    assert t.asnumpy().tolist() == [7, 2]


def test_printing_looks_like_the_original():             # observed: MindSpore 2.10, CPU
    t = Tensor(np.ones((2, 2), np.float32))
    assert str(t) == "[[1. 1.]\n [1. 1.]]"
    assert repr(t) == ("Tensor(shape=[2, 2], dtype=Float32, value=\n"
                       "[[ 1.00000000e+00,  1.00000000e+00],\n [ 1.00000000e+00,  1.00000000e+00]])")
    assert repr(Tensor(1.5)) == "Tensor(shape=[], dtype=Float32, value= 1.5)"
    assert repr(Tensor([1, 2])) == "Tensor(shape=[2], dtype=Int64, value= [1, 2])"
    assert repr(Tensor([[1.0]], ms.float16)) == "Tensor(shape=[1, 1], dtype=Float16, value=\n[[ 1.0000e+00]])"
    assert str(Parameter(t, name="w")) == ("Parameter (name=w, shape=(2, 2), dtype=Float32, "
                                           "requires_grad=True)")


@pytest.mark.parametrize("data", ["abc", None, [[1, 2], [3]], object(), np.array(["a", None])])
def test_what_is_no_number_is_refused(data):
    with pytest.raises(TypeError, match="Tensor"):
        Tensor(data)


def test_a_shape_that_contradicts_the_data_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        Tensor([1, 2, 3], shape=(2, 2))


def test_shape_and_dtype_alone_make_zeros():
    t = Tensor(shape=(2,), dtype=ms.float32)
    assert t.asnumpy().tolist() == [0, 0]


def test_conversion_to_python_needs_one_element():
    assert (int(Tensor([1.5])), float(Tensor(2)), bool(Tensor([[1]]))) == (1, 2.0, True)
    with pytest.raises(ValueError, match="only one element"):
        bool(Tensor([1, 2]))
    with pytest.raises(TypeError, match="0-D"):
        len(Tensor(1))
    assert Tensor([[1, 2], [3, 4]]).item(3) == 4


def test_comparison_with_what_is_no_tensor_is_a_plain_bool():
    t = Tensor([1, 2])
    assert (t == None) is False                # noqa: E711  # the operator is what is tested
    assert (t != "a") is True
    assert hash(t) != hash(Tensor([1, 2]))


def test_parameters_of_a_tuple_have_different_names():
    a, b = Parameter(Tensor(1.0), name="a"), Parameter(Tensor(1.0), name="a")
    with pytest.raises(ValueError, match="twice"):
        ms.ParameterTuple([a, b])
    assert [p.name for p in ms.ParameterTuple([a]).clone("moments")] == ["moments.a"]


def test_a_parameter_without_a_name_gets_one():             # observed: MindSpore 2.10, CPU
    assert Parameter(Tensor(1.0), name="").name.startswith("Parameter#")
    with pytest.raises(ValueError, match="at most 1024 characters"):
        Parameter(Tensor(1.0), name="a" * 1025)


def test_flags_of_a_parameter_are_bools():
    for name in ("requires_grad", "layerwise_parallel", "parallel_optimizer"):
        with pytest.raises(TypeError, match=name):
            Parameter(Tensor(1.0), **{name: 1})
    p = Parameter(Tensor(1.0), name="p")
    p.requires_grad_(False)
    assert not p.requires_grad


def test_data_can_be_assigned():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    p.data = Tensor([3, 4])
    assert (p.asnumpy().tolist(), p.dtype) == ([3, 4], ms.float32)


@pytest.mark.parametrize("make", [Tensor, lambda values: Parameter(Tensor(values), name="p")])
def test_set_dtype_converts_in_place(make):
    t = make([1.5, 2.5])
    before = t.asnumpy()
    assert t.set_dtype(ms.int32) == ms.int32
    assert (t.asnumpy().tolist(), t.dtype) == ([1, 2], ms.int32)
    assert before.tolist() == [1.5, 2.5]


def test_set_data_checks_the_shape_and_casts():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    p.set_data(Tensor([3, 4]))
    assert p.dtype is ms.float32
    with pytest.raises(ValueError, match="shape"):
        p.set_data(Tensor([1.0]))


def test_nothing_is_taken_over_by_a_device():           # observed: MindSpore 2.10, CPU
    parameter = Parameter(1.0)
    assert (Tensor(1.0).is_init(), parameter.is_init) == (False, False)
    parameter.is_init = True
    assert parameter.is_init
