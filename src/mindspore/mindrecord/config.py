"""How MindRecord files are encrypted and decrypted; nothing is unless a key is set."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any

from mindspore.formats.files import atomic
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.mindrecord.sealed import seal

__all__ = ["encrypt", "set_dec_mode", "set_enc_key", "set_enc_mode"]

KEY_LENGTHS = (16, 24, 32)
MODES = ("AES-GCM",)


class _Settings:
    key: str | None = None
    enc_mode: str | Callable[..., Any] = "AES-GCM"
    dec_mode: str | Callable[..., Any] | None = None


settings = _Settings()


def set_enc_key(enc_key: str | None) -> None:
    """Encrypt what is written and decrypt what is read with this key; None: neither.

    Args:
        enc_key: 16, 24 or 32 characters of one byte each. Sets with a key have one file only.

    Raises:
        ValueError: The key is no str or has another length.
    """
    settings.key = None if enc_key is None else _key("set_enc_key", enc_key, "a str or None")


def _key(owner: str, value: Any, kind: str) -> str:
    if not isinstance(value, str):
        raise ValueError(
            f"For '{owner}', the 'enc_key' must be {kind}, but got {type(value).__name__}."
        )
    if len(value.encode()) not in KEY_LENGTHS:
        raise ValueError(
            f"For '{owner}', the 'enc_key' must have 16, 24 or 32 bytes, but got {len(value.encode())}."
        )
    return value


def set_enc_mode(enc_mode: str | Callable[..., Any] = "AES-GCM") -> None:
    """How to encrypt: "AES-GCM", or a function of an open file, its size in bytes, a file to write to, and the key.

    Raises:
        ValueError: It is neither.
    """
    settings.enc_mode = _mode("set_enc_mode", "enc_mode", enc_mode)


def set_dec_mode(dec_mode: str | Callable[..., Any] | None = "AES-GCM") -> None:
    """How to decrypt: "AES-GCM", or a function as for `set_enc_mode`; None: as `set_enc_mode` says.

    Raises:
        ValueError: It is neither.
    """
    settings.dec_mode = None if dec_mode is None else _mode("set_dec_mode", "dec_mode", dec_mode)


def _mode(owner: str, name: str, value: Any) -> str | Callable[..., Any]:
    if not callable(value) and value not in MODES:
        raise ValueError(
            f"For '{owner}', the '{name}' must be one of {list(MODES)} or a function, but got {value!r}."
        )
    return value


def encrypt(filename: str, enc_key: str, enc_mode: str | Callable[..., Any]) -> bool:
    """Replace a file by the same file encrypted, in one step; True when it is done.

    Args:
        filename: Path of the file.
        enc_key: As for `set_enc_key`.
        enc_mode: As for `set_enc_mode`.

    Raises:
        RuntimeError: There is no such file.
        ValueError: The key or the mode is none.
        ImportError: The package `cryptography` is missing.
    """
    _key("encrypt", enc_key, "a str")
    mode = _mode("encrypt", "enc_mode", enc_mode)
    if not isinstance(filename, str) or not os.path.isfile(filename):
        raise MindRecordFileError(
            f"For 'encrypt', the 'filename' must be a file that exists, but got {filename!r}."
        )
    with atomic(filename, stat.S_IMODE(os.stat(filename).st_mode)) as file:
        seal(filename, file, enc_key, mode)
    return True


def reading_mode() -> str | Callable[..., Any]:
    """How to decrypt now.

    Raises:
        RuntimeError: A function encrypts, and none is set to decrypt.
    """
    if settings.dec_mode is not None:
        return settings.dec_mode
    if callable(settings.enc_mode):
        raise RuntimeError(
            "For reading what a function has encrypted, a function must decrypt. Call "
            "'mindspore.mindrecord.set_dec_mode' with it."
        )
    return settings.enc_mode
