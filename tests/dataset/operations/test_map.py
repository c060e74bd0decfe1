from __future__ import annotations

import traceback

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import config, transforms


def pairs(count=4):
    return ds.NumpySlicesDataset({"a": np.arange(count), "b": np.arange(count) * 10}, shuffle=False)


def test_functions_work_on_the_first_column_unless_others_are_named(rows):
    assert rows(pairs(2).map(lambda x: x + 1)) == [(1, 0), (2, 10)]
    assert rows(pairs(2).map(lambda x: x + 1, "b")) == [(0, 1), (1, 11)]


def test_operations_follow_one_another(rows):
    data = pairs(2).map([lambda x: x + 1, transforms.TypeCast(np.float32), lambda x: x * 2], ["a"])
    assert rows(data) == [(2.0, 0), (4.0, 10)]


def test_columns_can_become_fewer_and_more(rows):
    fewer = pairs(2).map(lambda a, b: a + b, ["a", "b"], ["sum"])
    assert fewer.get_col_names() == ["sum"]
    assert rows(fewer) == [(0,), (11,)]
    more = pairs(2).map(lambda a: (a, a + 100), ["a"], ["c", "d"])
    assert more.get_col_names() == ["c", "d", "b"]
    assert rows(more) == [(0, 100, 0), (1, 101, 10)]


def test_the_order_of_columns_can_be_given_as_in_1_x():
    assert pairs().map(lambda a: a, "a", column_order=["b", "a"]).get_col_names() == ["b", "a"]


@pytest.mark.parametrize("workers", [None, 1, 3])
def test_workers_keep_the_order(column, workers):
    data = ds.NumpySlicesDataset(np.arange(2000), ["x"], shuffle=False)
    assert column(data.map(lambda x: x * 2, num_parallel_workers=workers)) == list(
        range(0, 4000, 2)
    )


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_names_the_row_and_keeps_its_own_traceback(rows, workers):
    def fails_at_two(x):
        if x == 2:
            raise KeyError("nothing here")
        return x

    with pytest.raises(
        RuntimeError, match="fails_at_two' failed at row 2: KeyError: 'nothing here'"
    ) as caught:
        rows(pairs().map(fails_at_two, num_parallel_workers=workers))
    cause = caught.value.__cause__
    assert isinstance(cause, KeyError)
    assert traceback.extract_tb(cause.__traceback__)[-1].name == "fails_at_two"


def test_a_transform_that_fails_on_one_of_many_rows_names_it(rows):
    with pytest.raises(RuntimeError, match=r"'OneHot' failed at row 3: .*contains 3"):
        rows(pairs().map(transforms.OneHot(3), "a"))


def test_a_transform_that_fails_on_all_rows_at_once_only_is_told_of(rows, warned):
    class Halves(transforms.TypeCast):
        def apply(self, value):
            return value // 2

        def apply_stack(self, stack):
            return stack[len(stack)]

    assert rows(pairs().map(Halves(np.int64), "a")) == [(0, 0), (0, 10), (1, 20), (1, 30)]
    (text,) = warned
    assert "'Halves' failed on 4 rows at once and not row by row" in text
    assert "IndexError" in text


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [
        (config.ErrorSamplesMode.SKIP, [(0, 0), (1, 10), (3, 30)]),
        (config.ErrorSamplesMode.REPLACE, [(0, 0), (1, 10), (1, 20), (3, 30)]),
    ],
)
def test_failing_rows_can_be_left_out_or_replaced(rows, mode, wanted):
    def fails_at_two(x):
        if x == 2:
            raise ValueError
        return x

    config.set_error_samples_mode(mode)
    assert rows(pairs().map(fails_at_two)) == wanted


def test_unknown_columns_are_named_with_those_that_exist(rows):
    with pytest.raises(
        RuntimeError, match=r"'zz' does not exist; the dataset has the columns \['a', 'b'\]"
    ):
        rows(pairs().map(lambda x: x, "zz"))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: None, "gave None at row 0"),
        (lambda x: (x, x), "as many columns"),
        (lambda x: object(), "cannot be read"),
    ],
)
def test_results_must_be_arrays_and_as_many_as_columns(rows, function, message):
    with pytest.raises(RuntimeError, match=message):
        rows(pairs().map(function))


@pytest.mark.parametrize(
    ("operations", "error"), [([], RuntimeError), (5, ValueError), ([abs, 3], ValueError)]
)
def test_operations_must_be_callable(operations, error):
    with pytest.raises(error, match="operations"):
        pairs().map(operations)


def test_transforms_give_the_same_row_by_row_and_many_at_once(rows):
    cast = transforms.TypeCast(np.int8)
    stacked = rows(pairs().map([cast, transforms.OneHot(4)], "a"))
    single = rows(pairs().map(lambda x: transforms.OneHot(4)(cast(x)), "a"))
    assert stacked == single
