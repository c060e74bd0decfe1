"""Pieces of words learnt from text."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import text
from mindspore.formats import wire

pytest.importorskip("sentencepiece", reason="needs the extra 'text'")

UNIGRAM, STRING = text.SentencePieceModel.UNIGRAM, text.SPieceTokenizerOutType.STRING
SENTENCES = [
    f"{a} {b} {c}" for a in ("the home", "a world") for b in ("is", "was") for c in "abcdefgh"
]


@pytest.fixture
def corpus(tmp_path):
    """A file of sentences."""
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(SENTENCES), encoding="utf-8")
    return str(path)


@pytest.fixture
def vocab(corpus):
    return text.SentencePieceVocab.from_file([corpus], 30, 1.0, UNIGRAM, {})


def test_pieces_joined_give_the_sentence(vocab):
    pieces = text.SentencePieceTokenizer(vocab, STRING)("the world was a home")
    assert "".join(pieces.tolist()).replace("▁", " ").strip() == "the world was a home"


def test_numbers_stand_for_the_pieces(vocab):
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_proto=vocab.model)
    numbers = text.SentencePieceTokenizer(vocab, text.SPieceTokenizerOutType.INT)("the world")
    assert numbers.dtype == np.int32
    assert numbers.tolist() == model.EncodeAsIds("the world")


def test_a_dataset_teaches_what_a_file_does(corpus, vocab):
    data = ds.NumpySlicesDataset({"t": SENTENCES}, shuffle=False)
    learnt = [
        text.SentencePieceVocab.from_dataset(data, ["t"], 30, 1.0, UNIGRAM, {}),
        data.build_sentencepiece_vocab([], 30, 1.0, UNIGRAM, {}),
    ]
    sentence = "a home is the world"
    expected = text.SentencePieceTokenizer(vocab, STRING)(sentence).tolist()
    for other in learnt:
        assert text.SentencePieceTokenizer(other, STRING)(sentence).tolist() == expected


def test_a_saved_model_is_read_again(vocab, tmp_path, column):
    text.SentencePieceVocab.save_model(vocab, str(tmp_path), "m.model")
    data = ds.NumpySlicesDataset({"t": ["the home", ""]}, shuffle=False)
    data = data.map(text.SentencePieceTokenizer(str(tmp_path / "m.model"), STRING), "t")
    expected = text.SentencePieceTokenizer(vocab, STRING)("the home").tolist()
    assert column(data) == [expected, []]


@pytest.mark.parametrize("kind", list(text.SentencePieceModel))
def test_every_algorithm_learns(corpus, kind):
    size = 30
    options = {"hard_vocab_limit": "false"}
    vocab = text.SentencePieceVocab.from_file([corpus], size, 1.0, kind, options)
    assert len(text.SentencePieceTokenizer(vocab, STRING)("the home is a")) >= 4


@pytest.mark.parametrize(
    ("error", "change"),
    [
        (TypeError, {"vocab_size": 1.5}),
        (ValueError, {"vocab_size": -1}),
        (RuntimeError, {"vocab_size": 5000}),
        (TypeError, {"character_coverage": 1}),
        (RuntimeError, {"character_coverage": 0.5}),
        (TypeError, {"model_type": "unigram"}),
        (TypeError, {"params": None}),
        (TypeError, {"params": {"bos_id": 1}}),
        (RuntimeError, {"params": {"no_such_option": "1"}}),
        (TypeError, {"file_path": "a path"}),
        (RuntimeError, {"file_path": ["/does/not/exist"]}),
    ],
)
def test_wrong_arguments_are_refused(corpus, error, change):
    arguments = {
        "file_path": [corpus],
        "vocab_size": 30,
        "character_coverage": 1.0,
        "model_type": UNIGRAM,
        "params": {},
    }
    with pytest.raises(error, match="For 'from_file'"):
        text.SentencePieceVocab.from_file(**(arguments | change))


def test_a_broken_model_is_refused(corpus):
    for path in (corpus, "/does/not/exist"):
        with pytest.raises(RuntimeError, match="cannot be read"):
            text.SentencePieceTokenizer(path, STRING)
    with pytest.raises(RuntimeError, match="no pieces yet"):
        text.SentencePieceTokenizer(text.SentencePieceVocab(), STRING)
    with pytest.raises(TypeError, match="dataset"):
        text.SentencePieceVocab.from_dataset(5, ["t"], 30, 1.0, UNIGRAM, {})


def test_a_missing_package_is_named(monkeypatch, vocab):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"pip install 'anyspore\[text\]'"):
        text.SentencePieceTokenizer(vocab, STRING)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: wire.bytes_field(1, wire.bytes_field(1, b"")) + m,        # an empty piece ended the process
        lambda m: m[: len(m) // 2],
        lambda m: b"\xff" * 20,
        lambda m: m + wire.bytes_field(3, wire.bytes_field(2, struct.pack("<I", 8) + b"\xff\xff\xff\x7f" * 2 + b"\0")),
        lambda m: m + wire.bytes_field(3, wire.bytes_field(2, struct.pack("<I", 2**31) + b"\0" * 8)),
    ],
    ids=["empty piece", "cut", "noise", "places outside", "length"],
)
def test_malformed_models_are_told_and_the_process_lives(vocab, tmp_path, change):
    path = tmp_path / "m.model"
    path.write_bytes(change(vocab.model))
    with pytest.raises(RuntimeError, match=r"m\.model.* cannot be read"):
        text.SentencePieceTokenizer(str(path), STRING)
