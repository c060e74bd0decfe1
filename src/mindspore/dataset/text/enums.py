"""Choices that text transforms offer."""

from __future__ import annotations

from enum import IntEnum


class NormalizeForm(IntEnum):
    """Normalisation forms of Unicode (Unicode Standard Annex 15).

    Examples:
        >>> [member.name for member in text.NormalizeForm]
        ['NONE', 'NFC', 'NFKC', 'NFD', 'NFKD']
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class JiebaMode(IntEnum):
    """How Chinese text is cut: by the dictionary (MP), by the hidden Markov model (HMM), or by both (MIX).

    Examples:
        >>> [member.name for member in text.JiebaMode]
        ['MIX', 'MP', 'HMM']
    """

    MIX = 0
    MP = 1
    HMM = 2


class SentencePieceModel(IntEnum):
    """Algorithms that learn pieces of words.

    Examples:
        >>> [member.name for member in text.SentencePieceModel]
        ['UNIGRAM', 'BPE', 'CHAR', 'WORD']
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerOutType(IntEnum):
    """What SentencePieceTokenizer gives: the pieces or their numbers.

    Examples:
        >>> [member.name for member in text.SPieceTokenizerOutType]
        ['STRING', 'INT']
    """

    STRING = 0
    INT = 1


class SPieceTokenizerLoadType(IntEnum):
    """What a SentencePieceTokenizer is made from: a file or a vocabulary in memory.

    Examples:
        >>> [member.name for member in text.SPieceTokenizerLoadType]
        ['FILE', 'MODEL']
    """

    FILE = 0
    MODEL = 1
