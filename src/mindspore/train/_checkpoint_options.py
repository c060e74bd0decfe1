"""Checks of what `save_checkpoint` and `load_checkpoint` are told, and which names are read."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

FORMATS = ("ckpt", "safetensors")


def prefixes_of(prefix: Any) -> tuple[str, ...]:
    if prefix is None:
        return ()
    where, name = "load_checkpoint", "specify_prefix' or 'filter_prefix"
    if not isinstance(prefix, str | list | tuple):
        raise wrong(TypeError, where, name, "a str, or a list or tuple of str", prefix)
    prefixes = (prefix,) if isinstance(prefix, str) else tuple(prefix)
    if not prefixes:
        raise wrong(ValueError, where, name, "at least one prefix", prefix)
    for item in prefixes:
        if not isinstance(item, str):
            raise wrong(TypeError, where, name, "a str, or a list or tuple of str", item)
        if not item:
            raise wrong(ValueError, where, name, "without ''", prefix)
    return prefixes


def wanted_names(without: tuple[str, ...], only: tuple[str, ...], choice: Any) -> Callable[[str], bool]:
    if not (choice is None or callable(choice)):
        raise wrong(ValueError, "load_checkpoint", "choice_func", "callable", choice)

    def wanted(name: str) -> bool:
        return (
            not (without and name.startswith(without))
            and (not only or name.startswith(only))
            and (choice is None or bool(choice(name)))
        )

    return wanted


def check_options(function: str, prefix: str, key: Any, mode: Any, crc: Any, format: Any) -> None:
    if not isinstance(key, bytes | None) or key == b"":
        raise wrong(ValueError, function, f"{prefix}_key", "None or bytes", key)
    if not isinstance(mode, str):
        raise wrong(ValueError, function, f"{prefix}_mode", "a str", mode)
    if not isinstance(crc, bool):
        raise wrong(ValueError, function, "crc_check", "True or False", crc)
    if format not in FORMATS:
        raise wrong(ValueError, function, "format", "'ckpt' or 'safetensors'", format)
    if format == "safetensors" and key is not None:
        raise ValueError(f"For '{function}', when the 'format' is 'safetensors', the '{prefix}_key' must be None: "
                         "only a .ckpt file can be encrypted.")


def wrong(error: type[Exception], function: str, name: str, wanted: str, value: Any) -> Exception:
    got = type(value).__name__ if error is TypeError else repr(value)
    return error(f"For '{function}', the '{name}' must be {wanted}, but got {got}.")
