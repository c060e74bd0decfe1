"""Names and parameters that branches of an `if` on a tensor bind, assign or delete, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

UP, DOWN = [10.0, 20.0], [-10.0, -20.0]


def test_a_parameter_that_a_branch_assigned_and_gives_back():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w, self.v = Parameter(Tensor([1.0, 2.0]), name="w"), Parameter(Tensor([5.0, 6.0]), name="v")

        @ms.jit
        def construct(self, x):
            if x.sum() > 0:
                ops.assign(self.w, x)
                chosen = self.w
            else:
                chosen = self.v
            return chosen + 1

    np.testing.assert_array_equal(Net()(Tensor(UP)).asnumpy(), [11, 21])
    np.testing.assert_array_equal(Net()(Tensor(DOWN)).asnumpy(), [6, 7])


def test_a_parameter_that_both_branches_assigned_and_one_reads():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0, 2.0]), name="w")

        @ms.jit
        def construct(self, x):
            if x.sum() > 0:
                ops.assign(self.w, x * 2)
                y = x + self.w
            else:
                y = self.w
                ops.assign(self.w, x * 3)
            return y * 1, self.w * 1

    for x, wanted in ((UP, ([30, 60], [20, 40])), (DOWN, ([-30, -60], [-30, -60]))):
        for found, one in zip(Net()(Tensor(x)), wanted, strict=True):
            np.testing.assert_array_equal(found.asnumpy(), one)


def test_a_tensor_that_a_branch_changed_and_gives_back_beside_a_parameter():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.v = Parameter(Tensor([5.0, 6.0]), name="v")

        @ms.jit
        def construct(self, x):
            y = x * 1
            if x.sum() > 0:
                y[0] = 7.0
                chosen = y
            else:
                chosen = self.v
            return chosen + y

    np.testing.assert_array_equal(Net()(Tensor(UP)).asnumpy(), [14, 40])
    np.testing.assert_array_equal(Net()(Tensor(DOWN)).asnumpy(), [-5, -14])


def test_a_name_that_both_branches_delete_has_no_value():
    @ms.jit
    def f(x):
        y = x * 2
        if x.sum() > 0:
            z = y + 1
            del y
        else:
            z = y - 1
            del y
        try:
            return z + y
        except UnboundLocalError:
            return z

    np.testing.assert_array_equal(f(Tensor(UP)).asnumpy(), [21, 41])
    np.testing.assert_array_equal(f(Tensor(DOWN)).asnumpy(), [-21, -41])


def test_a_name_that_one_branch_deletes():
    def f(x):
        y = x * 2
        if x.sum() > 0:
            del y
        return y

    with pytest.raises(UnboundLocalError):
        ms.jit(f)(Tensor(UP))
    np.testing.assert_array_equal(ms.jit(f)(Tensor(DOWN)).asnumpy(), [-20, -40])


def test_a_name_around_a_comprehension_over_chosen_items():
    def f(x, w):
        last, other = 0.0, [x, w]
        items = [x, w, x] if x.sum() > 0 else other
        found = [(last := v) * 2 for v in items]
        return found[0] + found[-1], last * 1

    compiled = ms.jit(f)
    for x in (UP, DOWN):
        w = [1.0, 3.0]
        for found, one in zip(compiled(Tensor(x), Tensor(w)), f(np.array(x), np.array(w)), strict=True):
            np.testing.assert_array_equal(found.asnumpy(), one)


def test_a_name_that_a_loop_may_bind_is_asked_for_by_an_inner_function_in_a_branch():
    def f(x, n):
        def inner():
            return z + 1

        while n > 0:
            z = x * n
            n = n - 1
        if x.sum() > 0:
            return inner() + z
        return z

    compiled = ms.jit(f)
    for x, n in ((UP, 2), (DOWN, 3)):
        found = compiled(Tensor(x), Tensor(n))
        np.testing.assert_array_equal(found.asnumpy(), f(np.array(x), n))
    with pytest.raises(NameError):
        compiled(Tensor(UP), Tensor(0))


def test_names_of_a_function_around_that_only_one_branch_binds_by_an_inner_one():
    def f(x):
        def bind():
            nonlocal y
            y = x * 3

        y = None
        if x.sum() > 0:
            bind()
        return x if y is None else y

    compiled = ms.jit(f)
    for x in (UP, DOWN, UP):
        np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), f(np.array(x)))


def test_a_name_that_an_inner_function_deletes_in_a_branch():
    def f(x):
        def drop():
            nonlocal y
            del y

        y = x * 2
        if x.sum() > 0:
            drop()
            y = x
        return y

    compiled = ms.jit(f)
    for x in (UP, DOWN):
        np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), f(np.array(x)))
