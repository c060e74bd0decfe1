"""Vocabularies and the transform that looks words up."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import text


def words(*columns):
    return ds.NumpySlicesDataset(dict(zip("xy", columns, strict=False)), shuffle=False)


def test_words_of_a_list_are_numbered_in_its_order():
    assert text.Vocab.from_list(["b", "a"]).vocab() == {"b": 0, "a": 1}
    assert text.Vocab.from_list(["b", "a"], ["<p>"]).vocab() == {"<p>": 0, "b": 1, "a": 2}
    assert text.Vocab.from_list(["b"], ["<p>"], False).vocab() == {"b": 0, "<p>": 1}


def test_words_of_a_dataset_are_numbered_by_how_often_they_occur():
    data = words(["b", "a", "b", "c"], ["z", "b", "a", "c"])
    assert text.Vocab.from_dataset(data, "x").vocab() == {"b": 0, "a": 1, "c": 2}
    assert text.Vocab.from_dataset(data).vocab() == {"b": 0, "a": 1, "c": 2, "z": 3}
    assert text.Vocab.from_dataset(data, ["x"], (2, None), 1, ["<p>"], False).vocab() == {
        "b": 0,
        "<p>": 1,
    }


def test_equally_frequent_words_are_ordered_by_their_bytes():
    data = words(["中", "é", "Z", "b"])
    assert list(text.Vocab.from_dataset(data).vocab()) == ["Z", "b", "é", "中"]


def test_the_dataset_itself_builds_a_vocabulary():
    built = words(["b", "a", "b"]).build_vocab("x", (1, 5), 1, ["<p>"], True)
    assert built.vocab() == {"<p>": 0, "b": 1}


def test_a_word_of_a_file_ends_before_a_delimiter(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("a,1\nb;2\n\nc\n", encoding="utf-8")
    assert text.Vocab.from_file(str(file)).vocab() == {"a,1": 0, "b;2": 1, "": 2, "c": 3}
    assert text.Vocab.from_file(str(file), ",;", 2, ["<p>"]).vocab() == {"<p>": 0, "a": 1, "b": 2}


def test_numbers_and_words_are_looked_up_in_both_directions():
    vocab = text.Vocab.from_dict({"home": 3, "the": 7})
    assert vocab.tokens_to_ids("home") == 3
    assert vocab.tokens_to_ids(["the", "zzz"]) == [7, -1]
    assert vocab.tokens_to_ids(np.array(["home"])) == 3  # observed: MindSpore 2.10, of one word
    assert vocab.ids_to_tokens(7) == "the"
    assert vocab.ids_to_tokens([3, 4]) == ["home", ""]


def test_an_empty_vocabulary_says_how_to_make_one():
    with pytest.raises(RuntimeError, match=r"Vocab\.from_list"):
        text.Vocab().vocab()


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: text.Vocab.from_list(["a", "a"])),
        (ValueError, lambda: text.Vocab.from_list(["a"], ["a"])),
        (TypeError, lambda: text.Vocab.from_list([1])),
        (TypeError, lambda: text.Vocab.from_list(("a",))),
        (ValueError, lambda: text.Vocab.from_dict({"a": -1})),
        (TypeError, lambda: text.Vocab.from_dict({"a": "b"})),
        (TypeError, lambda: text.Vocab.from_dict({"a": True})),
        (RuntimeError, lambda: text.Vocab.from_file("/does/not/exist")),
        (ValueError, lambda: text.Vocab.from_file("x", "", -1)),
        (ValueError, lambda: text.Vocab.from_dataset(words(["a"]), "x", (3, 1))),
        (TypeError, lambda: text.Vocab.from_dataset(words(["a"]), "x", [1, 3])),
        (ValueError, lambda: text.Vocab.from_dataset(words(["a"]), "x", None, 0)),
        (RuntimeError, lambda: text.Vocab.from_dataset(words(["a"]), "z")),
        (RuntimeError, lambda: text.Vocab.from_dataset(words([1]), "x")),
        (RuntimeError, lambda: text.Vocab.from_dataset(words(["a"]), "x", None, None, ["a"])),
        (TypeError, lambda: text.Vocab.from_list(["a"]).tokens_to_ids(3)),
        (ValueError, lambda: text.Vocab.from_list(["a"]).ids_to_tokens(-1)),
        (TypeError, lambda: text.Vocab.from_list(["a"]).ids_to_tokens(1.0)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error, match="For '"):
        make()


def test_lookup_gives_numbers_of_the_wanted_type():
    vocab = text.Vocab.from_list(["deep", "learn", "ing"])
    found = text.Lookup(vocab, None, ms.float16)(np.array([["learn"], ["ing"]]))
    assert found.dtype == np.float16
    assert found.tolist() == [[1], [2]]
    assert text.Lookup(vocab)("deep").shape == ()


def test_an_unknown_word_is_replaced_or_named():
    vocab = text.Vocab.from_list(["deep", "<unk>"])
    assert text.Lookup(vocab, "<unk>")(np.array(["deep", "x"])).tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="lacks the word 'x'"):
        text.Lookup(vocab)(np.array(["x"]))
    with pytest.raises(RuntimeError, match="a word of the vocabulary"):
        text.Lookup(vocab, "x")


def test_a_pipeline_looks_up_every_row(rows):
    data = words(["a b", "b c a", "c"]).map(
        [text.WhitespaceTokenizer(), text.Lookup(text.Vocab.from_list(list("abc")))], "x"
    )
    assert rows(data) == [([0, 1],), ([1, 2, 0],), ([2],)]


def test_the_row_of_an_unknown_word_is_named(rows):
    data = words(["a", "b", "z"]).map(text.Lookup(text.Vocab.from_list(["a", "b"])), "x")
    with pytest.raises(RuntimeError, match="row 2"):
        rows(data)


def test_words_are_given_as_a_copy_and_unknown_ones_have_no_number():
    vocab = text.Vocab.from_list(["a", "b", "c"])
    vocab.vocab()["d"] = 7
    assert vocab.vocab() == {"a": 0, "b": 1, "c": 2}
    assert vocab.tokens_to_ids("d") == -1
    assert vocab.tokens_to_ids(["c", "d", "a"]) == [2, -1, 0]


def test_a_vocabulary_does_not_follow_the_dict_that_it_was_made_of():
    words = {"a": 4, "b": 9}
    vocab = text.Vocab.from_dict(words)
    words["c"] = 1
    assert vocab.vocab() == {"a": 4, "b": 9}


def test_a_word_ends_at_the_first_of_several_delimiters(tmp_path):
    (tmp_path / "words.txt").write_text("one,1;x\ntwo;2,y\nthree\n")
    assert text.Vocab.from_file(str(tmp_path / "words.txt"), ",;").vocab() == {"one": 0, "two": 1, "three": 2}


def test_a_window_may_be_as_wide_as_the_sequence():
    for width, found in ((3, [["a", "b", "c"]]), (2, [["a", "b"], ["b", "c"]]), (4, [])):
        assert text.SlidingWindow(width)(np.array(["a", "b", "c"])).tolist() == found


@pytest.mark.parametrize(("limits", "wanted"), [
    ((1, 1), "c"), ((2, 2), "b"), ((3, 3), "a"), ((2, 3), "ab"), ((1, 2), "bc"), ((None, 2), "bc"), ((2, None), "ab"),
    ((4, 9), ""), ((0, 0), "")])
def test_both_limits_of_how_often_words_occur_belong_to_them(limits, wanted):
    data = words(list("abcaba"))
    assert list(text.Vocab.from_dataset(data, "x", limits).vocab()) == list(wanted)


def test_special_words_do_not_count_among_the_most_frequent():
    data = words(list("abcaba"))
    assert text.Vocab.from_dataset(data, "x", None, 2, ["<p>", "<q>"]).vocab() == {"<p>": 0, "<q>": 1, "a": 2, "b": 3}


def test_a_vocabulary_is_not_changed_with_the_dict_that_it_gives():
    vocab = text.Vocab.from_list(["a", "b"])
    vocab.vocab()["a"] = 7
    assert vocab.tokens_to_ids(["a", "b"]) == [0, 1]
