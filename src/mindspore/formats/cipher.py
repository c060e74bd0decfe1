"""Cipher container of checkpoints, MindIR and MindRecord files: blocks of at most 64 MiB of plain text each.

A block is: magic; with GCM a tag of 16 bytes; L = 24 + length of the cipher text; length of the vector (16);
vector (16 bytes); length of the cipher text; cipher text. Numbers are of 32 bits, little endian. GCM uses the first
12 bytes of the vector. The key is used unchanged.
"""
from __future__ import annotations

import os
import struct
from typing import Any, BinaryIO

from mindspore.core.errors import CheckpointError

PIECE = 64 * 2**20
MAGIC = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
VECTOR_BYTES, NONCE_BYTES, TAG_BYTES = 16, 12, 16


class EncryptingFile:
    """Collects what is written and passes it on in encrypted blocks; `finish` writes the last one."""

    def __init__(self, file: BinaryIO, key: bytes, mode: str):
        check_key(key, mode, "enc")
        self.file, self.key, self.mode = file, key, mode
        self.waiting = bytearray()

    def write(self, data: Any) -> None:
        for start in range(0, len(data), PIECE):
            self.waiting += data[start : start + PIECE]
            if len(self.waiting) >= PIECE:
                self._pass_on(PIECE)

    def finish(self) -> None:
        if self.waiting:
            self._pass_on(len(self.waiting))

    def _pass_on(self, count: int) -> None:
        self.file.write(encrypted(bytes(self.waiting[:count]), self.key, self.mode))
        del self.waiting[:count]


def is_encrypted(data: memoryview) -> bool:
    """Whether the bytes start like a cipher block."""
    return len(data) >= 4 and int.from_bytes(data[:4], "little") in MAGIC.values()


def decrypted(data: memoryview, key: bytes, mode: str) -> bytearray:
    """The plain text of all blocks.

    Raises:
        CheckpointError: The bytes are not encrypted in this mode, end too early, or the key is wrong.
    """
    check_key(key, mode, "dec")
    text, at = bytearray(), 0
    while at < len(data):
        at = _append_block(text, data, at, key, mode)
    return text


def check_key(key: bytes, mode: str, prefix: str) -> None:
    """Refuses unknown modes and keys of the wrong length."""
    if mode not in MAGIC:
        raise ValueError(f"For a checkpoint, the '{prefix}_mode' must be one of {list(MAGIC)}, but got {mode!r}.")
    if len(key) not in KEY_BYTES[mode]:
        wanted = " or ".join(map(str, KEY_BYTES[mode]))
        raise ValueError(f"For a checkpoint, the '{prefix}_key' of {mode} must have {wanted} bytes, "
                         f"but got {len(key)}.")


def encrypted(text: bytes, key: bytes, mode: str) -> bytes:
    """One block that holds `text`, which is at most PIECE long."""
    vector = os.urandom(VECTOR_BYTES)
    if mode == "AES-GCM":
        sealed = _libraries()["gcm"](key).encrypt(vector[:NONCE_BYTES], text, None)
        cipher, tag = sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]
    else:
        padder = _libraries()["padding"].PKCS7(128).padder()
        encryptor = _cbc(key, vector, mode).encryptor()
        cipher = encryptor.update(padder.update(text) + padder.finalize()) + encryptor.finalize()
        tag = b""
    head = struct.pack("<I", MAGIC[mode]) + tag
    sizes = struct.pack("<ii", 24 + len(cipher), VECTOR_BYTES)
    return head + sizes + vector + struct.pack("<i", len(cipher)) + cipher


def _append_block(text: bytearray, data: memoryview, at: int, key: bytes, mode: str) -> int:
    """Adds the plain text of the block at `at`; returns where the next one starts."""
    tag_bytes = TAG_BYTES if mode == "AES-GCM" else 0
    head = struct.Struct(f"<I{tag_bytes}sii16si")
    if at + head.size > len(data):
        raise CheckpointError(f"the encrypted block at byte {at} is cut off")
    magic, tag, whole, vector_bytes, vector, length = head.unpack_from(data, at)
    start = at + head.size
    if magic != MAGIC[mode]:
        raise CheckpointError(f"there is no block encrypted with {mode} at byte {at}")
    if vector_bytes != VECTOR_BYTES or length < 0 or whole != 24 + length or start + length > len(data):
        raise CheckpointError(f"the encrypted block at byte {at} is cut off or damaged")
    text += _plain(data[start : start + length], tag, vector, key, mode)
    return start + length


def _plain(cipher: memoryview, tag: bytes, vector: bytes, key: bytes, mode: str) -> bytes:
    library = _libraries()
    try:
        if mode == "AES-GCM":
            return library["gcm"](key).decrypt(vector[:NONCE_BYTES], bytes(cipher) + tag, None)
        decryptor = _cbc(key, vector, mode).decryptor()
        unpadder = library["padding"].PKCS7(128).unpadder()
        return unpadder.update(decryptor.update(cipher) + decryptor.finalize()) + unpadder.finalize()
    except (library["wrong"], ValueError):
        raise CheckpointError("the key is wrong or the encrypted bytes were changed") from None


def _cbc(key: bytes, vector: bytes, mode: str) -> Any:
    library = _libraries()
    algorithm = library["algorithms"].AES if mode == "AES-CBC" else library["algorithms"].SM4
    return library["cipher"](algorithm(key), library["modes"].CBC(vector))


def _libraries() -> dict[str, Any]:
    """The parts of the package `cryptography`, which is needed for encrypted files only."""
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives import padding
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise ImportError("Encrypted files need the package 'cryptography': pip install 'anyspore[crypto]'.") from None
    return {
        "wrong": InvalidTag, "padding": padding, "cipher": Cipher, "algorithms": algorithms,
        "modes": modes, "gcm": AESGCM,
    }
