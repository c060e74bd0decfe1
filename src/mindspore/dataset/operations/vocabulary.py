"""Vocabularies made of the rows of a dataset."""

from __future__ import annotations

from typing import Any

from mindspore.dataset._methods import method


@method("build_vocab")
def build_vocab(dataset: Any, *options: Any) -> Any:
    """`text.Vocab.from_dataset`."""
    from mindspore.dataset.text.vocab import (
        Vocab,  # loads libraries that other pipelines do without
    )

    return Vocab.from_dataset(dataset, *options)


@method("build_sentencepiece_vocab")
def build_sentencepiece_vocab(dataset: Any, *options: Any) -> Any:
    """`text.SentencePieceVocab.from_dataset`."""
    from mindspore.dataset.text.sentencepiece import SentencePieceVocab  # as above

    return SentencePieceVocab.from_dataset(dataset, *options)
