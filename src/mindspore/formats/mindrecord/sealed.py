"""Encrypted MindRecord files: data file and index, each in pieces with a trailer that names the mode.

Piece: length of what follows (32 bits, big endian) and cipher blocks of 64 MiB of the file. After the last one a length
of 0, the mode in 7 bytes and the word ENCRYPT. What a function of the user writes stands before that without lengths.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO

from mindspore.core.errors import CheckpointError
from mindspore.formats import cipher
from mindspore.formats.mindrecord.errors import MindRecordFileError

# Of a file to read, its size in bytes, a file to write to and the key.
Function = Callable[[BinaryIO, int, BinaryIO, str], object]
_END, _OWN, _GCM = b"ENCRYPT", b"UDF-ENC", b"AES-GCM"
_TRAILER = 4 + len(_GCM) + len(_END)


def is_sealed(path: str) -> bool:
    """Whether a file is encrypted."""
    size = os.path.getsize(path)
    if size < _TRAILER:
        return False
    with open(path, "rb") as file:
        file.seek(size - len(_END))
        return file.read() == _END


def seal(source: str, file: BinaryIO, key: str, mode: str | Function) -> None:
    """Encrypt the file `source` into the open file `file`, which is empty."""
    with open(source, "rb") as plain:
        if callable(mode):
            mode(plain, os.path.getsize(source), file, key)
            file.seek(0, os.SEEK_END)
        else:
            while piece := plain.read(cipher.PIECE):
                block = cipher.encrypted(piece, key.encode(), mode)
                file.write(len(block).to_bytes(4, "big") + block)
        file.write(bytes(4) + (_OWN if callable(mode) else _GCM) + _END)


def unseal(source: str, target: str, key: str, mode: str | Function, name: str) -> None:
    """Decrypt the file `source`, which errors call `name`, into the new file `target`.

    Raises:
        MindRecordFileError: The key or mode is wrong, or the file is damaged.
    """
    size = os.path.getsize(source) - _TRAILER
    with open(source, "rb") as file, open(target, "x+b") as plain:
        file.seek(size + 4)
        own = file.read(len(_OWN)) == _OWN
        file.seek(0)
        if own != callable(mode):
            raise MindRecordFileError(
                f"The file '{name}' is encrypted by {'a function' if own else 'AES-GCM'}, but it is to be decrypted "
                f"by {'a function' if callable(mode) else mode}. Call 'mindspore.mindrecord.set_dec_mode'."
            )
        if callable(mode):
            mode(file, size, plain, key)
            return
        try:
            for piece in _pieces(file, size):
                plain.write(cipher.decrypted(memoryview(piece), key.encode(), mode))
        except (CheckpointError, ValueError) as error:
            raise MindRecordFileError(
                f"The file '{name}' cannot be decrypted: {error}."
            ) from None


def _pieces(file: BinaryIO, size: int):
    """The pieces of an encrypted file whose trailer begins at `size`."""
    at = 0
    while at < size:
        length = int.from_bytes(file.read(4), "big")
        at += 4 + length
        if not length or at > size:
            raise ValueError(f"it is damaged before byte {at}")
        yield file.read(length)
