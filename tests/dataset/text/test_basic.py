"""BERT's tokenizers."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import text

PIECES = text.Vocab.from_list(
    ["un", "##want", "##ed", "runn", "##ing", "run", "床", "##前", "[UNK]"]
)


def test_signs_and_chinese_characters_are_words():
    tokens = text.BasicTokenizer()("ab,c 明朝（1368—1644年）$5")
    assert tokens.tolist() == [
        "ab",
        ",",
        "c",
        "明",
        "朝",
        "（",
        "1368",
        "—",
        "1644",
        "年",
        "）",
        "$",
        "5",
    ]


def test_lower_case_takes_off_accents_and_width():
    tokens = text.BasicTokenizer(True)("Tĥïŝ Straße ＡＢ ²")
    assert tokens.tolist() == ["this", "strasse", "ab", "2"]


def test_special_tokens_are_kept_whole_in_any_case():
    sentence = "[CLS] Ab [unused12] [SEP]x [cls]"
    assert text.BasicTokenizer(True)(sentence).tolist() == (
        ["[CLS]", "ab", "[unused12]", "[SEP]", "x", "[", "cls", "]"]
    )
    assert text.BasicTokenizer(preserve_unused_token=False)("[CLS]").tolist() == ["[", "CLS", "]"]


def test_control_characters_are_white_space():
    assert text.BasicTokenizer()("a\x07b\u200dc").tolist() == ["a", "b", "c"]
    assert text.BasicTokenizer(keep_whitespace=True)("a\tb").tolist() == ["a", " ", "b"]


def test_a_normal_form_holds_without_lower_case():
    forms = {
        form.name: text.BasicTokenizer(False, False, form)("ﬁ²") for form in text.NormalizeForm
    }
    assert forms["NFKC"].tolist() == ["fi2"]
    assert forms["NFC"].tolist() == forms["NONE"].tolist() == ["ﬁ²"]


def test_the_longest_piece_is_taken_from_the_left():
    cut = text.WordpieceTokenizer(PIECES)
    assert cut(np.array(["unwanted", "running", "床前"])).tolist() == (
        ["un", "##want", "##ed", "runn", "##ing", "床", "##前"]
    )


def test_a_word_that_pieces_do_not_make_up_is_unknown():
    words = np.array(["unx", "run"])
    assert text.WordpieceTokenizer(PIECES)(words).tolist() == ["[UNK]", "run"]
    assert text.WordpieceTokenizer(PIECES, unknown_token="")(words).tolist() == ["unx", "run"]


def test_the_longest_word_is_counted_in_bytes():
    cut = text.WordpieceTokenizer(PIECES, max_bytes_per_token=5)
    assert cut(np.array(["床前", "run"])).tolist() == ["[UNK]", "run"]


def test_every_piece_has_its_offsets():
    tokens, begins, ends = text.WordpieceTokenizer(PIECES, with_offsets=True)(
        np.array(["unwanted", "unx", "床前"])
    )
    assert tokens.tolist() == ["un", "##want", "##ed", "[UNK]", "床", "##前"]
    assert begins.tolist() == [0, 2, 6, 0, 0, 3]
    assert ends.tolist() == [2, 6, 8, 3, 3, 6]


def test_bert_is_words_then_pieces_with_offsets_in_the_text():
    tokens, begins, ends = text.BertTokenizer(PIECES, lower_case=True, with_offsets=True)(
        "UNwanted, 床 run"
    )
    assert tokens.tolist() == ["un", "##want", "##ed", "[UNK]", "床", "run"]
    assert begins.tolist() == [0, 2, 6, 8, 10, 14]
    assert ends.tolist() == [2, 6, 8, 9, 13, 17]


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, [None]),
        (TypeError, [5]),
        (ValueError, [PIECES, "##", -1]),
        (TypeError, [PIECES, 5]),
        (TypeError, [PIECES, "##", 100, None]),
    ],
)
def test_wrong_arguments_are_refused(error, arguments):
    for tokenizer in (text.WordpieceTokenizer, text.BertTokenizer):
        with pytest.raises(error, match="For 'WordpieceTokenizer'"):
            tokenizer(*arguments)
