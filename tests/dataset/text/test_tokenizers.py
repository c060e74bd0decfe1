"""Tokenizers that know no words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mindspore.dataset as ds
from mindspore.dataset import text

MIXED = "我喜欢English! 12+3=15, don't."


def parts(sentence, begins, ends):
    """The parts of a sentence that offsets in bytes point to."""
    data = sentence.encode()
    return [data[b:e].decode() for b, e in zip(begins.tolist(), ends.tolist(), strict=True)]


@pytest.mark.parametrize(
    "tokenizer",
    [
        text.WhitespaceTokenizer(True),
        text.UnicodeCharTokenizer(True),
        text.UnicodeScriptTokenizer(True, True),
        text.RegexTokenizer(r"\s+|\p{P}", r"\p{P}", True),
        text.BasicTokenizer(with_offsets=True),
    ],
    ids=lambda tokenizer: type(tokenizer).__name__,
)
@pytest.mark.parametrize("sentence", [MIXED, "plain words", " é 😀x ", "한국어 日本語カタカナ"])
def test_offsets_point_to_the_bytes_of_the_tokens(tokenizer, sentence):
    tokens, begins, ends = tokenizer(sentence)
    assert begins.dtype == ends.dtype == np.uint32
    assert parts(sentence, begins, ends) == tokens.tolist()


@pytest.mark.parametrize(
    ("tokenizer", "kept"),
    [
        (text.UnicodeCharTokenizer(), MIXED),
        (text.UnicodeScriptTokenizer(True), MIXED),
        (text.UnicodeScriptTokenizer(), MIXED.replace(" ", "")),
        (text.WhitespaceTokenizer(), MIXED.replace(" ", "")),
        (text.BasicTokenizer(keep_whitespace=True), MIXED),
    ],
)
def test_tokens_joined_give_the_text(tokenizer, kept):
    assert "".join(tokenizer(MIXED).tolist()) == kept


def test_white_space_is_that_of_unicode_and_not_of_ascii_separators():
    spaced = "a\u00a0b\u2003c\u3000d\x85e\x1cf\u200bg"
    assert text.WhitespaceTokenizer()(spaced).tolist() == ["a", "b", "c", "d", "e\x1cf\u200bg"]


def test_scripts_separate_tokens():
    tokens = text.UnicodeScriptTokenizer()("Жук日本カナαβ, x")
    assert tokens.tolist() == ["Жук", "日本", "カナ", "αβ", ",", "x"]


@pytest.mark.parametrize(
    "tokenizer",
    [
        text.WhitespaceTokenizer(),
        text.UnicodeCharTokenizer(),
        text.UnicodeScriptTokenizer(),
        text.RegexTokenizer(","),
        text.BasicTokenizer(),
    ],
    ids=lambda tokenizer: type(tokenizer).__name__,
)
def test_a_text_without_tokens_gives_one_empty_token(tokenizer):
    assert tokenizer("").tolist() == [""]


def test_a_separator_is_kept_if_the_second_pattern_matches_all_of_it():
    cut = text.RegexTokenizer("[a-z]+", "a.c|g")
    assert cut("abc DEF b g").tolist() == ["abc", " DEF ", " ", "g"]
    assert text.RegexTokenizer("[a-z]+", "[a-z]")("abc DEF g").tolist() == [" DEF ", "g"]


def test_a_pattern_that_matches_nothing_separates_every_character():
    assert text.RegexTokenizer("x*", "x*")("abxxc").tolist() == ["a", "b", "xx", "c"]


@pytest.mark.parametrize("value", [np.array(["a", "b"]), np.array([1, 2]), b"a", 3, []])
def test_anything_but_one_string_is_refused(value):
    with pytest.raises(RuntimeError, match=r"For 'WhitespaceTokenizer', the input must"):
        text.WhitespaceTokenizer()(value)


def test_what_is_no_array_is_a_wrong_type():
    with pytest.raises(TypeError, match="None"):
        text.WhitespaceTokenizer()(None)
    with pytest.raises(ValueError, match="cannot be an array"):
        text.CaseFold()([["a"], ["b", "c"]])


def test_a_python_function_cuts_each_string_of_an_array():
    tokenizer = text.PythonTokenizer(str.split)
    assert tokenizer(np.array("a b c")).tolist() == ["a", "b", "c"]
    assert tokenizer(np.array([b"a b", b"c d"])).tolist() == [["a", "b"], ["c", "d"]]
    with pytest.raises(RuntimeError, match="same number of tokens"):
        tokenizer(np.array(["a b", "c"]))


def test_the_error_of_a_python_function_is_the_cause_of_the_pipelines():
    with pytest.raises(RuntimeError, match="ZeroDivisionError") as failure:
        text.PythonTokenizer(lambda sentence: 1 // 0)(np.array("a"))
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


def test_a_pipeline_gives_what_eager_calls_give(rows):
    sentences = ["a b", "c  d e", "", MIXED]
    tokenizer = text.WhitespaceTokenizer()
    data = ds.NumpySlicesDataset({"t": sentences}, shuffle=False).map(tokenizer, "t")
    assert [row[0] for row in rows(data)] == [tokenizer(s).tolist() for s in sentences]


def test_offsets_are_columns_of_their_own(rows):
    data = ds.NumpySlicesDataset({"t": ["é x"]}, shuffle=False)
    data = data.map(text.WhitespaceTokenizer(True), "t", ["token", "begin", "end"])
    assert data.get_col_names() == ["token", "begin", "end"]
    assert rows(data) == [(["é", "x"], [0, 3], [2, 4])]


LETTERS = st.text("aB 1\t\x1c,[]é中カЖ\u200b😀\u0301Ａ", max_size=12)
SPECIAL = st.sampled_from(["[CLS]", "[unused7]", "[SEP", "ﬁ", "İ"])


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (text.WhitespaceTokenizer, {}),
        (text.UnicodeCharTokenizer, {}),
        (text.UnicodeScriptTokenizer, {}),
        (text.UnicodeScriptTokenizer, {"keep_whitespace": True}),
        (text.RegexTokenizer, {"delim_pattern": r"\s*"}),
        (text.RegexTokenizer, {"delim_pattern": r"\b"}),
        (text.RegexTokenizer, {"delim_pattern": r"(\w)\W"}),
        (text.BasicTokenizer, {}),
        (text.BasicTokenizer, {"lower_case": True}),
        (text.BasicTokenizer, {"lower_case": True, "keep_whitespace": True}),
        (text.BasicTokenizer, {"preserve_unused_token": False}),
    ],
)
@settings(deadline=None)  # machines are shared
@given(parts=st.lists(LETTERS | SPECIAL | st.text(max_size=4), max_size=4))
def test_tokens_are_the_same_with_and_without_offsets(kind, arguments, parts):
    sentence = "".join(parts)
    alone = kind(**arguments)(sentence)
    tokens, begins, ends = kind(**arguments, with_offsets=True)(sentence)
    assert alone.tolist() == tokens.tolist()
    assert len(tokens) == len(begins) == len(ends)
