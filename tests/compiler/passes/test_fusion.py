"""Arithmetic becomes torch's combined kernels; sums of cotangents of slices become one stack."""

from __future__ import annotations

import pytest

import mindspore
from mindspore.compiler.passes import fuse_arithmetic, join_slices

X = "x0: f32[2,3], x1: f32[2,3], x2: f32[2,3]"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%0 = Mul(x1, x2): f32[2,3]; %1 = Add(x0, %0): f32[2,3]; %1",
         "%0 = MultiplyAdd(x0, x1, x2, value=1.0): f32[2,3]; %0"),
        ("%0 = Mul(x1, x2): f32[2,3]; %1 = Add(%0, x0): f32[2,3]; %1",
         "%0 = MultiplyAdd(x0, x1, x2, value=1.0): f32[2,3]; %0"),
        ("%0 = Mul(x1, x2): f32[2,3]; %1 = Sub(x0, %0): f32[2,3]; %1",
         "%0 = MultiplyAdd(x0, x1, x2, value=-1.0): f32[2,3]; %0"),
        ("%0 = Mul(x1, 3.0): f32[2,3]; %1 = Add(x0, %0): f32[2,3]; %1",
         "%0 = ScaledAdd(x0, x1, alpha=3.0): f32[2,3]; %0"),
        ("%0 = Mul(3.0, x1): f32[2,3]; %1 = Sub(x0, %0): f32[2,3]; %1",
         "%0 = ScaledAdd(x0, x1, alpha=-3.0): f32[2,3]; %0"),
    ],
)  # fmt: skip
def test_a_sum_with_a_product_is_one_node(assert_rewrites, before, after):
    assert_rewrites(fuse_arithmetic, f"{X} -> {before}", f"{X} -> {after}")


@pytest.mark.parametrize(
    "same",
    [
        f"{X} -> %0 = Mul(x1, x2): f32[2,3]; %1 = Sub(%0, x0): f32[2,3]; %1",
        f"{X} -> %0 = Mul(x1, x2): f32[2,3]; %1 = Add(%0, %0): f32[2,3]; %1",
        f"{X} -> %0 = Mul(x1, x2): f32[2,3]; %1 = Add(x0, %0): f32[2,3]; %2 = Exp(%0): f32[2,3]; "
        "%3 = Div(%1, %2): f32[2,3]; %3",
        "x0: f32[3], x1: f32[2,3], x2: f32[2,3] -> %0 = Mul(x1, x2): f32[2,3]; %1 = Add(x0, %0): f32[2,3]; %1",
        "x0: i32[3], x1: i32[3], x2: i32[3] -> %0 = Mul(x1, x2): i32[3]; %1 = Add(x0, %0): i32[3]; %1",
    ],
)
def test_a_product_that_is_used_again_or_broadcast_stays(assert_rewrites, same):
    assert_rewrites(fuse_arithmetic, same, same)


def slices(*places):
    """Statements that add up cotangents of x[place], and the name of the sum."""
    made = [f"%{k} = GetItemGrad(x{k}, spec=({i},), shape=(3, 2)): f32[3,2]" for k, i in enumerate(places)]
    sums = [f"%{len(places) + k - 1} = Add(%{k - 1 if k == 1 else len(places) + k - 2}, %{k}): f32[3,2]"
            for k in range(1, len(places))]  # fmt: skip
    return "; ".join([*made, *sums, f"%{2 * len(places) - 2}"])


ROWS = "x0: f32[2], x1: f32[2], x2: f32[2]"


@pytest.mark.parametrize(("places", "rows"), [((0, 1, 2), "x0, x1, x2"), ((2, -2, 0), "x2, x1, x0")])
def test_cotangents_of_all_slices_are_stacked(assert_rewrites, places, rows):
    before = slices(*places)
    after = before.replace("%4 = Add(%3, %2)", f"%4 = Stack({rows}, axis=0)")
    assert_rewrites(join_slices, f"{ROWS} -> {before}", f"{ROWS} -> {after}")


@pytest.mark.parametrize("places", [(0, 1), (0, 1, 1), (0, 1, -3)])
def test_cotangents_of_some_slices_or_of_one_twice_are_added(assert_rewrites, places):
    before = f"{ROWS} -> {slices(*places)}"
    assert_rewrites(join_slices, before, before)


def test_an_element_that_is_read_twice_gets_both_cotangents():
    """Under two spellings of its place, in a row as long as the number of reads but one."""
    x = mindspore.Tensor([2.0, 5.0])

    @mindspore.jit
    def run(x):
        return mindspore.grad(lambda x: x[0] * 3 + x[-2] * x[1] + x[0] * x[0] * x[-1])(x)
    assert run(x).tolist() == [3 + 5 + 2 * 2 * 5, 2 + 2 * 2]
