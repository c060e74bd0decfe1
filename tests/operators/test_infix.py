"""Lists and tuples beside tensors, and what is no operand."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor, ops


@pytest.mark.parametrize(("dtype", "numbers", "wanted"), [
    (ms.int32, [1, 2], ms.int32), (ms.uint8, [True, False], ms.uint8), (ms.float16, [1.5, 2.5], ms.float16),
    (ms.int32, [1, 2.5], ms.float32), (ms.bool_, [1, 2], ms.int64), (ms.float64, (0.1, 0.2), ms.float64),
])  # fmt: skip
def test_a_list_of_numbers_lifts_the_dtype_as_a_number_does(dtype, numbers, wanted):
    x = Tensor([1, 0], dtype)
    total = x + numbers
    assert total.dtype is wanted is (x + max(numbers)).dtype
    assert total.tolist() == (numbers + x).tolist() == pytest.approx([1 + numbers[0], 0 + numbers[1]])


@pytest.mark.usefixtures("both_modes")
def test_the_methods_add_and_sub_take_lists():
    @ms.jit
    def both(x):
        return x.add((1.0, x[0])), x.sub([0.5, 2])
    total, rest = both(Tensor([3.0, 4.0]))
    assert (total.tolist(), rest.tolist()) == ([4, 7], [2.5, 2])


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("function", [ops.add, ops.equal, ops.not_equal, ops.maximum, ops.pow])
@pytest.mark.parametrize("strange", [(1.0, 2.0), "a", None])
def test_what_is_neither_tensor_nor_number_is_a_type_error(function, strange):
    for call in (function, ms.jit(lambda x: function(x, strange))):
        with pytest.raises(TypeError, match="the inputs must be tensors or numbers"):
            call(*([Tensor([1.0, 2.0])] if call is not function else [Tensor([1.0, 2.0]), strange]))


def test_what_may_be_left_out_may_be_none():
    assert ops.clamp(Tensor([1.0, 5.0]), None, 3.0).tolist() == [1, 3]
