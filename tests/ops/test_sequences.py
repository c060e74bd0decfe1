"""Primitives of tuples and lists."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor, jit, mutable
from mindspore.ops.operations import _sequence_ops as seq

CASES = [
    ("SequenceCount", ((3, 1, 3), 3), 2), ("SequenceIndex", ((3, 1, 3), 3, 1), 2), ("SequenceMul", ([1, "a"], 2),
     [1, "a", 1, "a"]), ("SequenceAdd", ((1,), (2, 3)), (1, 2, 3)), ("SequenceSlice", ([0, 1, 2, 3], 3, 0, -2), [3, 1]),
    ("InSequence", (5, (1, 2)), False), ("SequenceMax", ((4, 9, 1),), 9), ("SequenceMin", ((4, 9, 1),), 1),
    ("SequenceZerosLike", ((7, (2.5, True)),), (0, (0.0, False))), ("ListAppend", ([1], (2,)), [1, (2,)]),
    ("ListInsert", ([1, 2], -1, 9), [1, 9, 2]), ("make_range", (1, 7, 3), range(1, 7, 3)),
    ("sequence_len", ((1, (2, 3)),), 2), ("tuple_equal", ((1, 2), (1, 3)), False), ("list_lt", ([1, 2], [1, 3]), True),
    ("tuple_greater_than", ((2,), (1, 9)), True), ("list_le", ([1], [1]), True),
    ("tuple_greater_equal", ((1,), (1, 0)), False), ("TensorToList", (Tensor([4, 5]),), [4, 5]),
    ("TensorToScalar", (Tensor(2.5),), 2.5),
]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "args", "found"), CASES)
def test_a_primitive_is_the_operation_of_python(name, args, found):
    made = getattr(seq, name)()(*args)
    assert made == found
    assert type(made) is type(found)


def test_sequences_of_tensors():
    x, y = Tensor([1, 2]), Tensor([3, 4])
    assert seq.SequenceAddN()((x, y)).tolist() == [4, 6]
    assert seq.SequenceStack(1)((x, y)).tolist() == [[1, 3], [2, 4]]
    assert [part.tolist() for part in seq.SequenceUnstack(1)(Tensor([[1, 3], [2, 4]]))] == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match="the 'num' must be the extent of axis 0, 2, but got 3"):
        seq.SequenceUnstack(0, 3)(x)
    made = seq.TupleToTensor()((1, 2), ms.float16)
    assert made.dtype is ms.float16
    assert seq.ListToTensor()([1, 2]).tolist() == [1, 2]


@pytest.mark.usefixtures("both_modes")
def test_in_a_compiled_function():
    repeat, join = seq.SequenceMul(), seq.SequenceAddN()

    @jit
    def net(x, y):
        pair = repeat((x, y), 2)
        return pair[2] * 10, join(pair), seq.SequenceCount()(mutable((1, 2, 1), True), 1)

    ten, total, count = net(Tensor([1]), Tensor([2]))
    assert (ten.tolist(), total.tolist(), count) == ([10], [6], 2)
