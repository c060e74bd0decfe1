"""Chinese words by a dictionary and a hidden Markov model."""

from __future__ import annotations

import itertools
import math
import os

import pytest

from mindspore.dataset import text
from mindspore.dataset.text.jieba import Dictionary, HiddenMarkov

WORDS = {"今天": 30, "天气": 20, "天": 40, "气": 5, "好": 60, "今": 3, "今天天气": 4}
MODEL = """#B E M S
-0.3 -3.14e+100 -3.14e+100 -1.4
-3.14e+100 -0.5 -0.9 -3.14e+100
-0.6 -3.14e+100 -3.14e+100 -0.8
-3.14e+100 -0.3 -1.3 -3.14e+100
-0.7 -3.14e+100 -3.14e+100 -0.7
#B
甲:-1.0,乙:-5.0
#E
乙:-1.0,甲:-6.0
#M
甲:-4.0,乙:-4.0
#S
甲:-5.0,乙:-6.0,丙:-1.0
"""


@pytest.fixture
def files(tmp_path):
    """Paths of a small model and a small dictionary."""
    hmm, mp = tmp_path / "hmm.utf8", tmp_path / "dict.utf8"
    hmm.write_text(MODEL, encoding="utf-8")
    mp.write_text("".join(f"{w} {n} n\n" for w, n in WORDS.items()), encoding="utf-8")
    return str(hmm), str(mp)


def best_cut(sentence):
    """The most probable segmentation of a sentence, by trying all."""
    total = sum(WORDS.values())
    least = math.log(min(WORDS.values()) / total)

    def score(words):
        parts = [
            math.log(WORDS[w] / total) if w in WORDS else least if len(w) == 1 else -math.inf
            for w in words
        ]
        return sum(parts)

    cuts = itertools.product([False, True], repeat=len(sentence) - 1)
    ways = []
    for cut in cuts:
        marks = [0, *(i + 1 for i, yes in enumerate(cut) if yes), len(sentence)]
        ways.append([sentence[a:b] for a, b in itertools.pairwise(marks)])
    return max(ways, key=score)


@pytest.mark.parametrize("sentence", ["今天天气好", "天天好", "气天今", "今天好天气", "甲天气乙"])
def test_the_dictionary_gives_the_most_probable_words(files, sentence):
    tokenizer = text.JiebaTokenizer(*files, text.JiebaMode.MP)
    assert tokenizer(sentence).tolist() == best_cut(sentence)


def most_probable_states(model, sentence):
    """The most probable states, by trying all that end a word at the end."""

    def score(states):
        value = model.start[states[0]]
        for a, b in itertools.pairwise(states):
            value += model.steps[a][b]
        return value + sum(
            model.signs[s].get(c, -3.14e100) for s, c in zip(states, sentence, strict=True)
        )

    return max(
        (s for s in itertools.product(range(4), repeat=len(sentence)) if s[-1] in (1, 3)), key=score
    )


@pytest.mark.parametrize("sentence", ["甲乙", "甲甲乙丙", "丙甲乙", "乙甲"])
def test_the_model_gives_the_most_probable_states(files, sentence):
    model = HiddenMarkov(files[0])
    ends = [i + 1 for i, s in enumerate(most_probable_states(model, sentence)) if s in (1, 3)]
    assert model.cut(sentence) == list(zip([0, *ends], ends, strict=False))


def test_both_cut_what_the_dictionary_lacks_by_the_model(files):
    assert text.JiebaTokenizer(*files)("今天甲乙天气").tolist() == ["今天", "甲乙", "天气"]
    by_dictionary = text.JiebaTokenizer(*files, text.JiebaMode.MP)
    assert by_dictionary("今天甲乙天气").tolist() == ["今天", "甲", "乙", "天气"]


def test_letters_digits_and_separators_are_words(files):
    tokens = text.JiebaTokenizer(*files)("x86 3.14，今天。ok-2")
    assert tokens.tolist() == ["x86", " ", "3.14", "，", "今天", "。", "ok", "-", "2"]


def test_offsets_are_bytes(files):
    tokens, begins, ends = text.JiebaTokenizer(*files, with_offsets=True)("今天 ok好")
    assert tokens.tolist() == ["今天", " ", "ok", "好"]
    assert begins.tolist() == [0, 6, 7, 9]
    assert ends.tolist() == [6, 7, 9, 12]


def test_words_are_added_with_or_without_a_frequency(files, tmp_path):
    tokenizer = text.JiebaTokenizer(*files, text.JiebaMode.MP)
    tokenizer.add_word("甲乙")
    assert tokenizer("甲乙").tolist() == ["甲乙"]
    tokenizer.add_word("天好", 10**6)
    assert tokenizer("今天好").tolist() == ["今", "天好"]
    own = tmp_path / "own.txt"
    own.write_text("丙丁\n戊己 7 n\n", encoding="utf-8")
    tokenizer.add_dict(str(own))
    tokenizer.add_dict({"庚辛": 3})
    assert tokenizer("丙丁戊己庚辛").tolist() == ["丙丁", "戊己", "庚辛"]


def test_a_word_without_frequency_has_the_median_of_the_dictionary(files):
    dictionary = Dictionary(files[1])
    dictionary.add("新词", None)
    assert dictionary.weights["新词"] == pytest.approx(math.log(20 / sum(WORDS.values())))


def test_broken_files_are_refused(files, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("no dictionary\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="'word frequency tag'"):
        text.JiebaTokenizer(files[0], str(broken))
    with pytest.raises(RuntimeError, match="no hidden Markov model"):
        text.JiebaTokenizer(str(broken), files[1])
    with pytest.raises(ValueError, match="must be a file that exists"):
        text.JiebaTokenizer(str(tmp_path / "none"), files[1])
    with pytest.raises(TypeError, match="mode"):
        text.JiebaTokenizer(*files, 0)
    with pytest.raises(ValueError, match="not empty"):
        text.JiebaTokenizer(*files).add_word("")


def test_the_model_of_cppjieba_cuts_sentences(reference, files):  # observed: MindSpore 2.10, CPU
    path = os.path.join(reference, "data/dataset/jiebadict/hmm_model.utf8")
    tokens = text.JiebaTokenizer(path, files[1], text.JiebaMode.HMM)(
        "今天天气太好了我们一起去外面玩吧"
    )
    assert tokens.tolist() == [
        "今天",
        "天气",
        "太",
        "好",
        "了",
        "我们",
        "一起",
        "去",
        "外面",
        "玩",
        "吧",
    ]


@pytest.mark.parametrize("line", ["a 0 n", "a -3 n", "a nan n", "a inf n", " 3 n", "a x n"])
def test_frequencies_that_are_none_are_told(files, line):
    with open(files[1], "a", encoding="utf-8") as words:
        words.write(f"{line}\n")
    with pytest.raises(RuntimeError, match=r"dict\.utf8' must be 'word frequency tag'"):
        text.JiebaTokenizer(*files)


def test_probabilities_that_are_no_numbers_are_told(files):
    with open(files[0], encoding="utf-8") as model:
        content = model.read()
    with open(files[0], "w", encoding="utf-8") as model:
        model.write(content.replace("-5.0", "nan", 1))
    with pytest.raises(RuntimeError, match=r"hmm\.utf8' is no hidden Markov model"):
        text.JiebaTokenizer(*files)
