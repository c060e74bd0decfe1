from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def numbers(count, **more):
    return ds.NumpySlicesDataset({"x": np.arange(count), **more}, shuffle=False)


def test_a_shuffle_keeps_every_row_and_columns_together(rows):
    read = rows(numbers(500, y=np.arange(500) * 2).shuffle(40))
    assert sorted(read) == [(i, 2 * i) for i in range(500)]
    assert read != sorted(read)


def test_a_shuffled_row_cannot_leave_before_it_entered_the_buffer(column):
    order = column(numbers(500).shuffle(40))
    assert all(row <= place + 40 for place, row in enumerate(order))


def test_shuffling_mixes_uniformly_when_the_buffer_holds_all(column):
    first = column(numbers(6).shuffle(6).repeat(400))[::6]
    counts = np.bincount(first, minlength=6)
    assert (np.abs(counts - 400 / 6) < 4 * np.sqrt(400 / 6)).all()


def test_rows_of_different_shapes_can_be_shuffled(rows):
    data = ds.GeneratorDataset(lambda: (np.arange(i) for i in range(60)), ["x"]).shuffle(7)
    assert sorted(len(row) for (row,) in rows(data)) == list(range(60))


def test_text_can_be_shuffled(column):
    words = [f"word {'x' * i}" for i in range(30)]
    assert sorted(column(ds.NumpySlicesDataset(words, ["s"], shuffle=False).shuffle(5))) == sorted(
        words
    )


@pytest.mark.parametrize(
    ("build", "wanted"),
    [
        (lambda d: d.take(3), [0, 1, 2]),
        (lambda d: d.take(-1), [0, 1, 2, 3, 4]),
        (lambda d: d.take(9), [0, 1, 2, 3, 4]),
        (lambda d: d.skip(3), [3, 4]),
        (lambda d: d.skip(9), []),
        (lambda d: d.skip(1).take(2), [1, 2]),
        (lambda d: d.repeat(2).skip(4), [4, 0, 1, 2, 3, 4]),
        (lambda d: d.take(2).repeat(3), [0, 1] * 3),
        (lambda d: d.filter(lambda x: x > 2).repeat(2), [3, 4, 3, 4]),
    ],
)
def test_take_skip_and_repeat_are_as_for_lists(column, build, wanted):
    data = build(numbers(5))
    assert column(data) == wanted
    assert data.get_dataset_size() == len(wanted)


def test_repeating_without_end_does_not_stop():
    iterator = numbers(2).repeat().create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert [int(next(iterator)[0]) for _ in range(7)] == [0, 1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("method", ["take", "repeat"])
@pytest.mark.parametrize("count", [0, -2])
def test_counts_must_make_sense(method, count):
    with pytest.raises(ValueError, match="count"):
        getattr(numbers(3), method)(count)


def test_a_shuffle_buffer_holds_two_rows_at_least():
    with pytest.raises(ValueError, match="buffer_size"):
        numbers(3).shuffle(1)


def test_every_place_of_a_buffer_is_left_from_the_beginning(column):
    first = column(numbers(8).shuffle(3).repeat(200))[::8]
    assert np.bincount(first, minlength=8)[:3].min() > 30          # 67 are expected, with a deviation of 6.7


def test_shuffles_at_two_places_have_orders_of_their_own(rows):
    one, other = zip(*rows(numbers(50).shuffle(50).zip(numbers(50).shuffle(50).rename("x", "y"))), strict=True)
    assert sorted(one) == sorted(other)
    assert one != other
