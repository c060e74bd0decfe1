"""Functions of numbers, strings, tuples, lists and dictionaries: what Python gives, in both modes."""
from __future__ import annotations

import math
import operator

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

NUMBERS = [(7, 2), (-7, 3), (2.5, -0.5), (4, 4)]
PLAIN = {
    "scalar_add": operator.add, "scalar_sub": operator.sub, "scalar_mul": operator.mul, "scalar_div": operator.truediv,
    "scalar_floordiv": operator.floordiv, "scalar_mod": operator.mod, "scalar_pow": operator.pow,
    "scalar_eq": operator.eq, "scalar_ne": operator.ne, "scalar_lt": operator.lt, "scalar_le": operator.le,
    "scalar_gt": operator.gt, "scalar_ge": operator.ge, "scalar_max": max, "scalar_min": min, "bool_eq": operator.eq,
}
LOGICAL = {"bool_and": operator.and_, "bool_or": operator.or_, "bool_eq": operator.eq}
OBJECTS = [
    ("dict_getitem", ({"a": 1, "b": 2}, "b"), 2),
    ("in_dict", ("a", {"a": 0}), True), ("in_dict", ("b", {"a": 0}), False),
    ("not_in_dict", ("a", {"a": 0}), False), ("not_in_dict", ("b", {"a": 0}), True),
    ("list_equal", ([1, 2], [1, 2]), True), ("list_equal", ([1, 2], [2, 1]), False),
    ("tuple_equal", ((1, 2), (1, 2)), True), ("tuple_equal", ((1, 2), (1, 3)), False),
    ("list_getitem", ([5, 6, 7], -1), 7), ("tuple_getitem", ((5, 6, 7), 1), 6), ("tuple_getitem", ((5, 6, 7), -3), 5),
    ("list_len", ([1, 2, 3],), 3), ("tuple_len", ((1, 2, 3, 4),), 4), ("tuple_reversed", ((1, 2, 3),), (3, 2, 1)),
    ("string_concat", ("ab", "cd"), "abcd"), ("string_eq", ("ab", "ab"), True), ("string_eq", ("ab", "ba"), False),
    ("list_setitem", ([5, 6, 7], -2, 9), [5, 9, 7]), ("tuple_setitem", ((5, 6, 7), 2, 9), (5, 6, 9)),
    ("dict_setitem", ({"a": 1}, "b", 2), {"a": 1, "b": 2}), ("dict_setitem", ({"a": 1}, "a", 2), {"a": 2}),
    ("make_list", (1, 2, 3), [1, 2, 3]), ("make_tuple", (1, 2, 3), (1, 2, 3)),
    ("make_dict", (("a", "b"), (1, 2)), {"a": 1, "b": 2}), ("make_range", (2, 9, 3), (2, 5, 8)),
    ("make_slice", (1, 5, 2), slice(1, 5, 2)), ("reduced_shape", ((2, 3, 4), (0, -1)), (1, 3, 1)),
    ("reduced_shape", ((2, 3, 4), 1), (2, 1, 4)), ("tail", ((1, 2, 3),), (2, 3)),
    ("tuple_div", ((6, 8), (2, 4)), (3, 2)),
    ("bool_not", (True,), False), ("bool_not", (False,), True), ("scalar_uadd", (-3,), -3), ("scalar_usub", (-3,), 3),
    ("broadcast_gradient_args", ((2, 3, 4), (3, 1)), ((), (0, 2))),
    ("broadcast_gradient_args", ((1, 3), (5, 1, 3)), ((0,), ())),
    ("broadcast_gradient_args", ((2, 3), (2, 3)), ((), ())),
]


@pytest.mark.parametrize("name", PLAIN)
def test_functions_of_two_numbers(name):
    for x, y in NUMBERS:
        if name == "scalar_pow" and x < 0:
            continue
        found = getattr(ops, name)(x, y)
        assert found == PLAIN[name](x, y)
        assert type(found) is type(PLAIN[name](x, y))


@pytest.mark.parametrize("name", LOGICAL)
def test_functions_of_two_truths(name):
    for x in (False, True):
        for y in (False, True):
            assert getattr(ops, name)(x, y) is LOGICAL[name](x, y)


@pytest.mark.parametrize(("name", "given", "wanted"), OBJECTS, ids=[f"{c[0]}-{i}" for i, c in enumerate(OBJECTS)])
def test_functions_of_objects_in_both_modes(name, given, wanted):
    function = getattr(ops, name)
    found = function(*given)
    assert (found, type(found)) == (wanted, type(wanted))
    seen = []

    @ms.jit
    def compiled(x):
        seen.append(function(*given))
        return x + 1
    compiled(Tensor([1.0]))
    assert seen[-1] == wanted


def test_what_is_given_stays_as_it_was():
    numbers, table = [1, 2, 3], {"a": 1}
    ops.list_setitem(numbers, 0, 9)
    ops.dict_setitem(table, "a", 9)
    assert (numbers, table) == ([1, 2, 3], {"a": 1})


def test_identity_and_casts():
    first, other = Tensor([1.0]), Tensor([1.0])
    assert ops.is_(first, first)
    assert not ops.is_(first, other)
    assert ops.is_not(first, other)
    assert not ops.is_not(first, first)
    assert ops.scalar_log(2.5) == math.log(2.5)
    assert [(v, type(v)) for v in (ops.scalar_cast(2.75, ms.int32), ops.scalar_cast(3, ms.float32))] == [
        (2, int), (3.0, float)]
    assert ops.array_to_scalar(Tensor([[2.5]])) == 2.5
    assert not ops.hastype(1, ms.float32)
    assert ops.control_depend(first, other) is first


@pytest.mark.parametrize("call", [lambda: ops.tuple_div((5, 4), (2, 2)), lambda: ops.tuple_div((4,), (2, 2)),
                                  lambda: ops.make_dict(("a", "b"), (1,))])
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError, match=r"multiples|do not fit"):
        call()


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "floordiv", "mod"])
def test_augmented_assignments_as_functions(name):
    x, y = np.array([7.0, -7.0, 5.0], np.float32), np.array([2.0, 2.0, 3.0], np.float32)
    formulas = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
                "floordiv": np.floor_divide, "mod": np.mod}
    function = getattr(ops, f"augassign_{name}")
    given = Tensor(x)
    np.testing.assert_allclose(function(given, Tensor(y)).asnumpy(), formulas[name](x, y), 1e-6)
    np.testing.assert_array_equal(given.asnumpy(), x)


def test_shapes_as_tensors_and_tuples():
    x = Tensor(np.zeros((2, 0, 3), np.float32))
    assert ops.dyn_shape(x).tolist() == [2, 0, 3]
    assert ops.dyn_shape(x).dtype is ms.int64
    assert ops.shape_(x) == (2, 0, 3)
    assert ops.numel(Tensor(np.zeros((2, 5), np.float32))) == 10


def test_printing_writes_a_line_for_each_value(capfd):
    assert ops.print_("seen", 3, Tensor([1, 2])) is None
    written = capfd.readouterr().out
    assert written.splitlines()[:2] == ["seen", "3"]
    assert "[1, 2]" in written


def test_what_is_known_of_values():
    known = []

    @ms.jit
    def compiled(x):
        known.append((ops.isconstant(x), ops.isconstant(3), ops.isconstant((1, 2))))
        return x
    compiled(Tensor([1.0]))
    assert known[-1] == (False, True, True)
    assert ops.isconstant(Tensor([1.0]))
    assert ops.is_dynamic_sequence_element_unknown((1, 2)) is False
