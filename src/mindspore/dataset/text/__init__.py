"""Transforms of text: `mindspore.dataset.text`."""

from __future__ import annotations

from mindspore.dataset.text.base import TextTensorOperation
from mindspore.dataset.text.basic import BasicTokenizer, BertTokenizer, WordpieceTokenizer
from mindspore.dataset.text.encoding import to_bytes, to_str
from mindspore.dataset.text.enums import (
    JiebaMode,
    NormalizeForm,
    SentencePieceModel,
    SPieceTokenizerLoadType,
    SPieceTokenizerOutType,
)
from mindspore.dataset.text.jieba import JiebaTokenizer
from mindspore.dataset.text.normal import (
    CaseFold,
    FilterWikipediaXML,
    NormalizeUTF8,
    RegexReplace,
)
from mindspore.dataset.text.sentencepiece import SentencePieceTokenizer, SentencePieceVocab
from mindspore.dataset.text.sequences import (
    AddToken,
    Ngram,
    SlidingWindow,
    ToNumber,
    Truncate,
    TruncateSequencePair,
)
from mindspore.dataset.text.tokenizers import (
    PythonTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
)
from mindspore.dataset.text.vectors import CharNGram, FastText, GloVe, ToVectors, Vectors
from mindspore.dataset.text.vocab import Lookup, Vocab

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "CharNGram",
    "FastText",
    "FilterWikipediaXML",
    "GloVe",
    "JiebaMode",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeForm",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceTokenizer",
    "SentencePieceVocab",
    "SlidingWindow",
    "TextTensorOperation",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "Vectors",
    "Vocab",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
    "to_bytes",
    "to_str",
]
