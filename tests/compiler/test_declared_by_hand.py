"""What is declared of arguments and what was observed of them, asked directly: places, names, ranks, extents."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Symbol, Tensor, mutable
from mindspore.compiler.dynamic import NUMBER, Declared, Observed, examples, masked, with_numbers


def given(*shape, dtype=ms.float32):
    return Tensor(shape=list(shape), dtype=dtype)


def numbers(*shape):
    return Tensor(np.ones(shape, np.float32))


def takes(x, y=None, z=None):
    """The function whose arguments are declared."""


def test_an_extent_of_one_is_no_open_one():
    declared = Declared("set_inputs", (given(1, None, 3),), takes)
    assert declared((numbers(1, 7, 3),), {}) == [(1,)]
    for wrong in ((2, 7, 3), (1, 7, 1)):
        with pytest.raises(ValueError, match=r"the shape of argument 1 must be \(1, None, 3\), but got"):
            declared((numbers(*wrong),), {})


def test_arguments_are_counted_from_one():
    declared = Declared("set_inputs", (given(None, 2), given(3, None), 5), takes)
    assert declared((numbers(4, 2), numbers(3, 9), 5), {}) == [(0,), (1,)]
    for args, place in (((numbers(4, 3), numbers(3, 9), 5), 1), ((numbers(4, 2), numbers(4, 9), 5), 2),
                        ((numbers(4, 2), numbers(3, 9), 6), 3)):
        with pytest.raises(ValueError, match=f"argument {place} must be"):
            declared(args, {})


def test_unique_extents_are_equal_within_a_call_and_not_from_call_to_call():
    same = Symbol(unique=True)
    declared = Declared("set_inputs", (given(same, 2), given(3, same)), takes)
    for n in (4, 6, 4):
        assert declared((numbers(n, 2), numbers(3, n)), {}) == [(0,), (1,)]
        with pytest.raises(ValueError, match=f"dimension 1 of argument 2 must be {n}, as for the other"):
            declared((numbers(n, 2), numbers(3, n + 1)), {})
    free = Symbol(min=2)
    assert Declared("set_inputs", (given(free, 2), given(3, free)), takes)((numbers(4, 2), numbers(3, 5)), {})


@pytest.mark.parametrize("owner", ["set_inputs", "input_signature"])
def test_arguments_by_name_follow_those_by_place(owner):
    declared = Declared(owner, (given(None, 2), given(3, None), given(None, None)), takes)
    assert declared((numbers(5, 2),), {"y": numbers(3, 6), "z": numbers(7, 8)}) == [(0,), (1,), (0, 1)]


def test_a_signature_of_the_first_arguments_leaves_those_by_name_open():
    declared = Declared("input_signature", (given(None, 2), given(3, None)), takes)
    assert declared((numbers(5, 2),), {"y": numbers(3, 6), "z": numbers(7, 8)}) == [(0,), (1,), ()]
    with pytest.raises(ValueError, match="the shape of argument 2 must be"):
        declared((numbers(5, 2),), {"y": numbers(4, 6), "z": numbers(7, 8)})
    with pytest.raises(ValueError, match="the number of arguments must be the declared 2, but got 3"):
        Declared("set_inputs", (given(None, 2), given(3, None)), takes)((numbers(5, 2),) * 3, {})


def test_names_may_be_declared_in_any_order():
    declared = Declared("set_inputs", {"z": given(None, 2), "x": given(3, None)}, takes)
    assert declared((numbers(3, 6), numbers(4, 4)), {"z": numbers(9, 2)}) == [(1,), (), (0,)]


@pytest.mark.parametrize(("wanted", "value"), [(5, 6), ("a", "b"), (True, False), (None, 3), (2.5, 3.5)])
def test_constants_are_as_declared(wanted, value):
    declared = Declared("set_inputs", (given(None), wanted), takes)
    assert declared((numbers(2), wanted), {}) == [(0,)]
    with pytest.raises(ValueError, match=f"argument 2 must be the declared {wanted!r}, but got {value!r}"):
        declared((numbers(2), value), {})


@pytest.mark.parametrize("after", [1, 2])
def test_a_dimension_is_open_once_it_had_more_sizes(after):
    seen = Observed(after)
    found = [seen((numbers(n, 3), numbers(2, n + m)), {}) for n, m in [(4, 0), (4, 0), (5, -1), (6, -2), (4, 0)]]
    closed, opened = [(), ()], [(0,), ()]
    assert found == ([closed, closed, opened, opened, opened] if after == 1 else
                     [closed, closed, closed, opened, opened])


def test_sizes_of_tensors_of_other_ranks_are_counted_apart():
    seen = Observed(1)
    assert seen((numbers(4, 3), numbers(5)), {}) == [(), ()]
    assert seen((numbers(6), numbers(7, 8)), {}) == [(), ()]
    assert seen((numbers(4, 3), numbers(5)), {}) == [(), ()]
    assert seen((numbers(4, 9), numbers(5)), {}) == [(1,), ()]
    assert seen((numbers(6), numbers(7, 8)), {}) == [(), ()]


def test_extents_are_those_of_tensors_and_numbers_lie_between():
    args = (numbers(4, 3), mutable(2), numbers(5))
    assert with_numbers([(1,), (0,)], args, {}) == [(1,), NUMBER, (0,)]
    assert with_numbers([], args, {}) == [(), NUMBER, ()]
    assert with_numbers([(1,)], (numbers(4, 3),), {}) == [(1,)]
    shape_of = masked([(1,), NUMBER, ()])
    assert [shape_of(v) for v in args] == [(4, None), NUMBER, (5,)]


def test_examples_of_patterns_have_eight_for_what_is_open():
    made = examples({"a": [given(None, 3), 5], "b": given(None, None, 2, dtype=ms.int32)})
    assert (made["a"][0].shape, made["a"][1], made["b"].shape, made["b"].dtype) == ((8, 3), 5, (8, 8, 2), ms.int32)
