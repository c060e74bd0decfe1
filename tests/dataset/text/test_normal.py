"""Transforms of text into other text, and patterns in the syntax of ICU."""

from __future__ import annotations

import re
import time
import unicodedata

import numpy as np
import pytest

from mindspore.dataset import text


@pytest.mark.parametrize("letter", ["\u03d2", "\u03d3", "\u03f2", "\u1d2c", "\u2102", "\u3392", "\u1e9e", "\u0390"])
def test_folding_leaves_nothing_to_fold(letter):
    once = text.CaseFold()(letter).item()
    assert text.CaseFold()(once).item() == once == unicodedata.normalize("NFKC", once).lower()


@pytest.mark.parametrize(
    ("sentence", "folded"),
    [
        ("Straße ÄÖÜ", "strasse äöü"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("ＡＢ ﬁ", "ab fi"),
        ("a\u00adb\u200bc", "abc"),
        ("İ", "i\u0307"),
    ],
)
def test_case_folding_is_that_of_unicode(sentence, folded):
    assert text.CaseFold()(sentence).item() == folded


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFD", "NFKD"])
def test_normal_forms_are_those_of_unicode(form):
    words = np.array([["ṩ ḍ̇", "ﬁ 2⁵"], ["Ⅳ", "한"]])
    result = text.NormalizeUTF8(text.NormalizeForm[form])(words)
    assert result.tolist() == [[unicodedata.normalize(form, w) for w in row] for row in words]


def test_each_string_of_an_array_is_replaced_in():
    words = np.array([["hello", "sky"], ["x", "eel"]])
    assert text.RegexReplace("[aeiou]", "")(words).tolist() == [["hll", "sky"], ["x", "l"]]
    assert text.RegexReplace("[aeiou]", "", False)(words).tolist() == [["hllo", "sky"], ["x", "el"]]


@pytest.mark.parametrize(
    ("pattern", "replacement", "sentence", "result"),
    [  # observed: MindSpore 2.10, CPU
        ("(a)(b)", "$2$1$0", "abca", "baabca"),
        ("(a)", "$12", "abca", "a2bca2"),
        ("(?<x>a)", "<${x}>", "abca", "<a>bc<a>"),
        ("(a)|b", "<$1>", "abca", "<a><>c<a>"),
        ("a", r"\$\n", "abc", "$nbc"),
        ("", "-", "abc", "-a-b-c-"),
        ("(?m)^", "-", "a\nb\n", "-a\n-b\n"),
        ("$", "-", "a\nb\n", "a\nb-\n-"),
        (".", "-", "a\n\u2028\x85\x0b\x0cb", "-\n\u2028\x85\x0b\x0c-"),
        ("(?s).", "-", "a\nb", "---"),
        ("(?i)STRASSE", "-", "Straße strasse", "- -"),
        (r"\x{61}|\u0062|\x63|\0144", "-", "abcde", "----e"),
        (r"[\x{61}-\x{63}]", "-", "abcd", "---d"),
        ("[[a-z]&&[^aeiou]]", "-", "abcde", "a---e"),
        ("[a-c[x-z]]", "-", "abcdexyz", "---de---"),
        (r"\Qa.b\E", "-", "a.b axb", "- axb"),
        (r"\h", "-", "a\tb c\u3000d\n", "a-b-c-d\n"),
        (r"\R", "-", "a\r\nb\nc\u2028d", "a-b-c-d"),
        (r"\s", "-", "a\x1cb\x85c", "a\x1cb-c"),
        (r"\Z", "-", "a\n", "a-\n-"),
        (r"\z", "-", "a\n", "a\n-"),
        (r"\bfoo\b", "-", "foo foobar, foo's", "- foobar, -'s"),
        (r"\b", "|", "a\u00adb", "|a\u00adb|"),
        (r"(?<n>a)\k<n>", "-", "aab", "-b"),
        ("a++b", "-", "aaab", "-"),
        (r"[[:punct:]]", "-", "a$b,", "a$b-"),
        (r"\p{script=Greek}|\p{Latin}", "-", "aB1éα中", "--1--中"),
        ("[]a]", "-", "a]", "--"),
        (r"\y\_", "-", "y_", "-"),
    ],
)
def test_patterns_mean_what_they_mean_in_icu(pattern, replacement, sentence, result):
    assert text.RegexReplace(pattern, replacement)(sentence).item() == result


@pytest.mark.parametrize(
    "pattern", ["(", "[", "a{", "a{,2}", "}", "*", r"\p{Foo}", "(?P<n>a)", "\\"]
)
def test_what_is_no_pattern_of_icu_is_refused(pattern):
    with pytest.raises(RuntimeError, match="regular expression in the syntax of ICU"):
        text.RegexReplace(pattern, "")


@pytest.mark.parametrize("replacement", ["$1", "$", "${x}", "$x"])
def test_a_replacement_names_groups_that_there_are(replacement):
    with pytest.raises(RuntimeError, match="names a group that the pattern lacks"):
        text.RegexReplace("a", replacement)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Welcome to    China", "welcome to china"),
        ("#REDIRECT [[Anarchism]]", ""),
        ("<text xml:space=\"preserve\">'''It''' is [[a|b]] &amp; 12", "it is a b one two"),
        ("a <x> b <y> c", "a c"),
        ("English Revolution", "english revolution"),
        ("don't É stop_it", "don t stop it"),
    ],
)
def test_markup_of_wikipedia_leaves_words(line, words):
    assert text.FilterWikipediaXML()(line).item() == words


def test_numbers_are_no_text():
    for transform in (text.CaseFold(), text.NormalizeUTF8(), text.RegexReplace("a", "b")):
        with pytest.raises(RuntimeError, match="must be text, but is of dtype int64"):
            transform(np.array([1, 2]))


@pytest.mark.parametrize("sign", ["<", "&", "<a ", "&;<", "a<b>"])
def test_marks_without_an_end_take_linear_time(sign):
    began = time.process_time()
    text.FilterWikipediaXML()(sign * 100_000)     # minutes for a pattern that looks for each end
    assert time.process_time() - began < 2


def test_what_is_left_out_is_what_patterns_say():
    tags, entities = re.compile("<[^\n\x0b\x0c\r\x85\u2028\u2029]*>"), re.compile("&[^;]*;")
    rng = np.random.default_rng(7)
    for _ in range(300):
        line = "".join(rng.choice(list("<>&;ab\n\r\u2028 "), 12))
        plain = entities.sub(" ", tags.sub("", line))
        wanted = re.sub("[^a-z]+", " ", plain).strip()
        assert text.FilterWikipediaXML()(line) == wanted, line


@pytest.mark.parametrize(("pattern", "wanted"), [
    ("[{}]", "a__^.b|"), ("[.|^]", "a{}__b_"), ("[^a-z]", "a____b_"), ("[b-]", "a{}^._|"), ("[]a]", "_{}^.b|"),
    (r"[\Q{}\E.]", "a__^_b|"), (r"\x{7b}|\056", "a_}^_b|")])
def test_signs_in_brackets_stand_for_themselves(pattern, wanted):
    assert text.RegexReplace(pattern, "_")("a{}^.b|").item() == wanted
