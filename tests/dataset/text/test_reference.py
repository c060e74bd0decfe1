"""The vocabularies, vectors and sentences of the reference material."""

from __future__ import annotations

import os

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import text


@pytest.fixture
def data(reference):
    """Path of a file of the reference material."""
    return lambda *parts: os.path.join(reference, "data", "dataset", *parts)


def table(path):
    """Words and numbers of a file of vectors, without a line 'count length'."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return {line[0]: np.array(line[1:], np.float32) for line in lines if len(line) > 2}


@pytest.mark.parametrize(
    ("kind", "folder", "name"),
    [
        (text.Vectors, "testVectors", "vectors.txt"),
        (text.Vectors, "testVectors", "vectors_with_info.txt"),
        (text.GloVe, "testGloVe", "glove.6B.test.txt"),
        (text.GloVe, "testGloVe", "glove.6B.with_info.txt"),
        (text.FastText, "test_fast_text", "fast_text.vec"),
    ],
)
def test_vectors_are_those_of_the_file(kind, folder, name, data):
    path = data(folder, name)
    expected = table(path)
    found = text.ToVectors(kind.from_file(path))(np.array(list(expected)))
    np.testing.assert_array_equal(found, np.stack(list(expected.values())))
    assert len(expected) == 6


def test_character_ngrams_are_averaged(data):
    path = data("testVectors", "char_n_gram_20.txt")
    grams = table(path)
    wanted = ["2gram-#BEGIN#t", "2gram-th", "2gram-he", "2gram-e#END#"]
    found = text.ToVectors(text.CharNGram.from_file(path))("the")
    np.testing.assert_allclose(found, np.mean([grams[gram] for gram in wanted], 0), rtol=1e-6)


@pytest.mark.parametrize(
    ("kind", "folder", "name"),
    [
        (text.Vectors, "testVectors", "vectors_empty.txt"),
        (text.Vectors, "testVectors", "vectors_dim_different.txt"),
        (text.Vectors, "testVectors", "vectors_with_wrong_info.txt"),
        (text.CharNGram, "testVectors", "char_n_gram_20_dim_different.txt"),
        (text.GloVe, "testGloVe", "glove.6B.empty.txt"),
        (text.GloVe, "testGloVe", "glove.6B.dim_different.txt"),
        (text.GloVe, "testGloVe", "glove.6B.with_wrong_info.txt"),
        (text.GloVe, "testGloVe", "glove.6B.test.vec"),
        (text.FastText, "test_fast_text", "fast_text_empty.vec"),
        (text.FastText, "test_fast_text", "fast_text_dim_different.vec"),
        (text.FastText, "test_fast_text", "fast_text_with_wrong_info.vec"),
        (text.FastText, "test_fast_text", "fast_text.txt"),
    ],
)
def test_broken_vectors_are_refused(kind, folder, name, data):
    with pytest.raises(RuntimeError, match=f"For '{kind.__name__}'"):
        kind.from_file(data(folder, name))


def test_vocabularies_are_those_of_the_file(data):
    path = data("testVocab", "vocab_list.txt")
    with open(path, encoding="utf-8") as file:
        words = [line.split(",")[0].rstrip("\n") for line in file]
    vocab = text.Vocab.from_file(path, ",")
    assert vocab.vocab() == {word: number for number, word in enumerate(words)}
    assert vocab.ids_to_tokens(list(range(len(words)))) == words


def test_characters_of_every_language_come_back(data, column):
    path = data("testTokenizerData", "basic_tokenizer.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line]
    read = ds.TextFileDataset(path, shuffle=False).map(text.UnicodeCharTokenizer(), "text")
    assert ["".join(characters) for characters in column(read)] == lines


def test_numbers_in_text_become_numbers(data, column):
    path = data("testTokenizerData", "to_number.txt")
    read = ds.TextFileDataset(path, shuffle=False)
    numbers = column(read.skip(6).take(6).map(text.ToNumber(ms.float64), "text"))
    assert numbers == [float(line) for line in column(read)[6:12]]
