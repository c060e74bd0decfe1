"""What text transforms have in common: places in bytes, tokenizers joined with what follows them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import text
from mindspore.dataset.text.base import TokenChain, byte_length, byte_places

VOCAB = text.Vocab.from_list(["the", "home", "##s", "is", "[UNK]", "<s>", "中", ","])
SENTENCES = ["the homes, is 中", "", "  the", "HOME is\tunknown é", "x " * 20]


@given(st.text())
def test_places_count_the_bytes_before_each_character(sentence):
    lengths = [len(character.encode()) for character in sentence]
    assert byte_places(sentence).tolist() == np.cumsum([0, *lengths]).tolist()
    assert byte_length(sentence) == sum(lengths)


@pytest.mark.parametrize(
    "operations",
    [
        [text.WhitespaceTokenizer(), text.Lookup(VOCAB, "[UNK]")],
        [text.WhitespaceTokenizer(), text.Truncate(2), text.AddToken("<s>")],
        [text.BasicTokenizer(True), text.WordpieceTokenizer(VOCAB), text.Lookup(VOCAB, "[UNK]")],
        [text.BertTokenizer(VOCAB), text.Lookup(VOCAB, "[UNK]", ms.int64), text.Truncate(3)],
        [text.UnicodeCharTokenizer(), text.CaseFold(), text.Ngram([1, 2])],
        [text.RegexTokenizer(r"\s+"), text.AddToken("x", False), text.RegexReplace("e", "3")],
    ],
    ids=lambda operations: "-".join(type(operation).__name__ for operation in operations),
)
def test_steps_after_a_tokenizer_are_joined_with_it_and_give_the_same(operations, rows):
    joined, count = operations[0].joined(operations[1:])
    assert (type(joined), count) == (TokenChain, len(operations))
    expected = []
    for sentence in SENTENCES:
        value = np.array(sentence)
        for operation in operations:
            value = operation(value)
        expected.append(value)
        alone = joined(sentence)
        assert (alone.tolist(), alone.dtype.kind) == (value.tolist(), value.dtype.kind)
        assert value.dtype.kind == "U" or alone.dtype == value.dtype
    data = ds.NumpySlicesDataset({"t": SENTENCES}, shuffle=False).map(operations, "t")
    assert [row[0] for row in rows(data)] == [value.tolist() for value in expected]


def test_only_steps_on_tokens_are_joined():
    tokenizer, lookup = text.WhitespaceTokenizer(), text.Lookup(VOCAB)
    assert tokenizer.joined([text.SlidingWindow(2)]) == (tokenizer, 1)
    assert tokenizer.joined([str]) == (tokenizer, 1)
    assert tokenizer.joined([lookup, text.AddToken("x")])[1] == 2
    with_offsets = text.WhitespaceTokenizer(True)
    assert with_offsets.joined([lookup]) == (with_offsets, 1)


def test_the_error_of_a_joined_step_names_the_step_and_the_row(rows):
    data = ds.NumpySlicesDataset({"t": ["the", "the zzz"]}, shuffle=False)
    data = data.map([text.WhitespaceTokenizer(), text.Lookup(VOCAB)], "t")
    with pytest.raises(
        RuntimeError, match=r"row 1: .*For 'Lookup', the vocabulary lacks the word 'zzz'"
    ):
        rows(data)
