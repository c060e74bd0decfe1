"""Vectors of words."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import text


@pytest.fixture
def write(tmp_path):
    """Writes a file and gives its path."""

    def written(content, name="vectors.txt"):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return str(tmp_path / name)

    return written


def test_words_become_their_vectors(write):
    vectors = text.Vectors.from_file(write("home 1 2\nis 3 4.5\n"))
    found = text.ToVectors(vectors)(np.array(["is", "zzz", "home"]))
    assert found.dtype == np.float32
    assert found.tolist() == [[3, 4.5], [0, 0], [1, 2]]
    assert text.ToVectors(vectors)("home").tolist() == [1, 2]


def test_a_first_line_may_tell_count_and_length(write):
    vectors = text.Vectors.from_file(write("2 2\nhome 1 2\nis 3 4\n"), 1)
    assert text.ToVectors(vectors)(np.array(["home", "is"])).tolist() == [[1, 2], [0, 0]]


def test_unknown_words_have_a_vector_of_their_own(write):
    vectors = text.Vectors.from_file(write("home 1 2\nhome 3 4\n"))
    find = text.ToVectors(vectors, [5, -1.5], True)
    assert find(np.array(["HOME", "zzz"])).tolist() == [[1, 2], [5, -1.5]]
    with pytest.raises(RuntimeError, match="as many numbers as the vectors, 2"):
        text.ToVectors(vectors, [1, 2, 3])("home")


def test_a_word_is_the_mean_of_its_character_ngrams(write):
    content = "2gram-#BEGIN#a 1 2\n2gram-ab 3 4\n3gram-ab#END# 5 9\n1gram-a 100 100\n"
    vectors = text.CharNGram.from_file(write(content))
    found = text.ToVectors(vectors)(np.array(["ab", "z"]))
    np.testing.assert_allclose(found, [[3, 5], [0, 0]])


@pytest.mark.parametrize(
    "content",
    ["", "2 2\n", "a 1 2\nb 3\n", "a 1 2\n\nb 3 4\n", "a 1 x\n", "a\t1\t2\n", "a 1\nb 2\n"],
)
def test_broken_files_are_refused(write, content):
    with pytest.raises(RuntimeError, match="For 'Vectors', "):
        text.Vectors.from_file(write(content))


def test_the_names_of_files_tell_their_kind(write):
    content = "a 1 2\n"
    for name in ("glove.6B.50d.txt", "glove.840B.300d.txt", "glove.twitter.27B.25d.txt"):
        assert text.GloVe.from_file(write(content, name)).lookup("a").tolist() == [1, 2]
    assert text.FastText.from_file(write(content, "wiki.vec")).lookup("a").tolist() == [1, 2]
    for kind, name in ((text.GloVe, "a.txt"), (text.FastText, "a.txt")):
        with pytest.raises(RuntimeError, match="the name of the file must match"):
            kind.from_file(write(content, name))


def test_wrong_arguments_are_refused(write):
    path = write("a 1 2\n")
    with pytest.raises(ValueError, match="max_vectors"):
        text.Vectors.from_file(path, -1)
    with pytest.raises(TypeError, match="file_path"):
        text.Vectors.from_file(5)
    with pytest.raises(RuntimeError, match="cannot be read"):
        text.Vectors.from_file(path + "x")
    with pytest.raises(TypeError, match="unk_init"):
        text.ToVectors(text.Vectors.from_file(path), np.zeros(2))
