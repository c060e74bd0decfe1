"""Windows, n-grams, cuts, numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mindspore as ms
from mindspore.dataset import text

WORDS = np.array(["a", "b", "c", "d"])


def test_ngrams_of_several_lengths_follow_each_other():
    assert text.Ngram([1, 2])(WORDS).tolist() == ["a", "b", "c", "d", "a b", "b c", "c d"]


def test_pads_of_ngrams_stand_at_most_n_minus_one_times():
    grams = text.Ngram(3, ("l", 1), ("r", 5), "-")(WORDS)
    assert grams.tolist() == ["l-a-b", "a-b-c", "b-c-d", "c-d-r", "d-r-r"]


def test_a_sequence_too_short_for_a_length_gives_an_empty_string_for_it():
    assert text.Ngram([9, 1])(WORDS).tolist() == ["", "a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, [0]),
        (ValueError, [[]]),
        (ValueError, ["2"]),
        (TypeError, [[1.5]]),
        (TypeError, [True]),
        (ValueError, [2, "l"]),
        (ValueError, [2, ("l", -1)]),
        (ValueError, [2, ("l", 0), ("r", "1")]),
        (TypeError, [2, ("l", 0), ("r", 0), 5]),
    ],
)
def test_ngrams_refuse_wrong_arguments(error, arguments):
    with pytest.raises(error, match="For 'Ngram'"):
        text.Ngram(*arguments)


def test_a_window_slides_over_any_dtype():
    assert text.SlidingWindow(3)(WORDS).tolist() == [["a", "b", "c"], ["b", "c", "d"]]
    numbers = text.SlidingWindow(2, -1)(np.array([1, 2, 3], np.float32))
    assert numbers.dtype == np.float32
    assert numbers.tolist() == [[1, 2], [2, 3]]
    assert text.SlidingWindow(5)(WORDS).shape == (0,)


@pytest.mark.parametrize("window", [text.SlidingWindow(2, 1), text.SlidingWindow(2, -2)])
def test_a_window_slides_along_an_axis_that_there_is(window):
    with pytest.raises(RuntimeError, match="'axis' must be 0 or -1"):
        window(WORDS)


def test_truncate_cuts_the_last_axis():
    assert text.Truncate(2)(WORDS).tolist() == ["a", "b"]
    assert text.Truncate(2)(np.arange(6).reshape(2, 3)).tolist() == [[0, 1], [3, 4]]
    with pytest.raises(RuntimeError, match="one or two axes"):
        text.Truncate(2)("abc")


@given(first=st.integers(0, 9), second=st.integers(0, 9), most=st.integers(0, 20))
def test_of_a_pair_the_longer_one_loses_its_end(first, second, most):
    a, b = first, second
    while a + b > most:
        a, b = (a - 1, b) if a > b else (a, b - 1)
    cut = text.TruncateSequencePair(most)(np.arange(first), np.arange(second))
    assert [part.tolist() for part in cut] == [list(range(a)), list(range(b))]


def test_a_token_is_added_to_each_row():
    rows = np.array([["a", "b"], ["c", "d"]])
    assert text.AddToken("<s>")(rows).tolist() == [["<s>", "a", "b"], ["<s>", "c", "d"]]
    assert text.AddToken("</s>", False)(WORDS).tolist() == ["a", "b", "c", "d", "</s>"]
    with pytest.raises(RuntimeError, match="must be text"):
        text.AddToken("x")(np.array([1]))


@pytest.mark.parametrize(
    "name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
)
def test_whole_numbers_keep_within_their_type(name):
    limits = np.iinfo(name)
    convert = text.ToNumber(getattr(ms, name))
    values = np.array([str(limits.min), str(limits.max)])
    assert convert(values).tolist() == [limits.min, limits.max]
    for number in (limits.min - 1, limits.max + 1):
        with pytest.raises(RuntimeError, match=f"a number that {name} can hold"):
            convert(np.array([str(number)]))


def test_what_follows_a_number_is_left_out():  # observed: MindSpore 2.10, CPU
    values = np.array([" 1", "+2", "3.9", "4x", "010"])
    assert text.ToNumber(ms.int32)(values).tolist() == [1, 2, 3, 4, 10]
    values = np.array(["1.5.5", "0x1p3", ".5", "2e", "-1e2x"])
    assert text.ToNumber(ms.float32)(values).tolist() == [1.5, 8, 0.5, 2, -100]


@pytest.mark.parametrize("value", ["", "x", "1e39", "-1e39", "1e-50", "inf", "-"])
def test_what_is_no_float32_is_refused(value):
    with pytest.raises(RuntimeError, match="a number that float32 can hold"):
        text.ToNumber(ms.float32)(np.array([value]))


def test_half_precision_rounds_small_numbers_to_zero():
    values = text.ToNumber(ms.float16)(np.array(["1.5", "1e-9", "65504"]))
    assert values.dtype == np.float16
    assert values.tolist() == [1.5, 0, 65504]
    with pytest.raises(RuntimeError, match="float16"):
        text.ToNumber(ms.float16)(np.array(["65505"]))


@pytest.mark.parametrize(
    "data_type", [ms.bool_, ms.string, ms.bfloat16, ms.complex64, int, "int32"]
)
def test_only_types_of_numbers_are_made(data_type):
    with pytest.raises(TypeError, match="'data_type' must be an integer or float type"):
        text.ToNumber(data_type)


@pytest.mark.parametrize("kind", [ms.uint8, ms.uint16, ms.uint32, ms.uint64])
def test_unsigned_numbers_have_no_minus_sign(kind):
    # observed: MindSpore 2.10 refuses "-0", too
    for wrong in ("-0", "-1", " -3"):
        with pytest.raises(RuntimeError, match="must begin with a number"):
            text.ToNumber(kind)(np.array([wrong]))
    assert text.ToNumber(kind)(np.array(["+7", "0"])).tolist() == [7, 0]


@pytest.mark.parametrize("most", range(8))
@pytest.mark.parametrize(("one", "other"), [(5, 2), (2, 5), (3, 3), (4, 3), (0, 5), (1, 1)])
def test_a_pair_of_sequences_is_cut_where_it_is_longer(one, other, most):
    """The one that is at most half as long as both may be stays whole; else the first has the odd element."""
    half = most // 2
    if one + other <= most:
        wanted = one, other
    elif other <= half:
        wanted = most - other, other
    elif one <= most - half:
        wanted = one, most - one
    else:
        wanted = most - half, half
    cut = text.TruncateSequencePair(most)(np.arange(one), -np.arange(other))
    assert tuple(map(len, cut)) == wanted
    assert cut[0].tolist() == list(range(wanted[0]))
    assert cut[1].tolist() == [-i for i in range(wanted[1])]
