"""Models of SentencePiece from files: looked at before the library loads them, which ends the process for some."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from mindspore.formats import wire

_SECONDS = 120
_LAST_LINES = 300  # characters of what a process says at its end
# A load in another process, and texts in several scripts: what ends that one would have ended this one.
_TRIAL = """
import sys
sys.path[:] = sys.argv[1].split("\\n")
import sentencepiece
model = sentencepiece.SentencePieceProcessor()
model.LoadFromSerializedProto(sys.stdin.buffer.read())
for text in ("", " ", "a", "The cat.", "\\u00e4\\ufb01\\u00bd \\u4e2d\\u6587 \\uac00 \\uff21 \\U0001f600", "x" * 999):
    model.EncodeAsIds(text)
    model.EncodeAsPieces(text)
"""


def check_model(model: bytes) -> None:
    """Make sure that a model can be loaded, and used for any text.

    Raises:
        ValueError: It is damaged or of another format.
    """
    _check_characters(model)
    try:
        done = subprocess.run([sys.executable, "-c", _TRIAL, "\n".join(sys.path)], input=model,
                              capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"loading it takes more than {_SECONDS} s") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip()[-_LAST_LINES:]
        raise ValueError(f"a process that loads it ends with {done.returncode}: {words}")


def _check_characters(model: bytes) -> None:
    """Check the table by which characters are normalised: places in it are not compared when it is used.

    It is a length (four bytes), a double-array trie of that length, and texts that end with zeros. A unit of the trie
    has where its children stand in bits 9 to 31, and in bit 8 whether a value, the place of a text, is one of them.
    """
    for table in _tables(memoryview(model)):
        length = int.from_bytes(table[:4], "little")
        texts = table[4 + length :]
        if length % 4 or 4 + length > len(table) or not len(texts) or texts[-1] != 0:
            raise ValueError("its table of characters is damaged")
        units = np.frombuffer(table[4 : 4 + length], "<u4").astype(np.int64)
        inner = np.flatnonzero(units < 2**31)
        children = inner ^ ((units[inner] >> 10) << ((units[inner] & 512) >> 6))
        values = children[units[inner] & 256 != 0]
        if not length or (children | 255).max(initial=0) >= len(units) or (
                (units[values] & (2**31 - 1)).max(initial=0) >= len(texts)):
            raise ValueError("its table of characters leads to places outside of it")


def _tables(model: memoryview) -> list[memoryview]:
    """The tables of characters: field 2 of the messages in field 3 (to normalise) and 5 (to make texts again)."""
    rules = [value for number, _, value in wire.fields(model) if number in (3, 5) and isinstance(value, memoryview)]
    return [value for rule in rules for number, _, value in wire.fields(rule)
            if number == 2 and isinstance(value, memoryview) and len(value)]
