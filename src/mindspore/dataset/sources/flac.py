"""FLAC files, decoded by FFmpeg (the package `av`) and compared with the checksum that they hold of all samples.

Source: RFC 9639. "fLaC", then blocks, the first with the stream's figures: 18 bytes on, 20 bits of sample rate, 3 of
channels - 1, 5 of bits per sample - 1, 36 of the number of samples; then the MD5 of the samples as little-endian
integers of whole bytes, channel by channel for each point in time, or zeros if the writer had none.
"""

from __future__ import annotations

import hashlib
import io
from typing import Any, NamedTuple

import numpy as np

_FREE, _PER_BYTE = 2**23, 8192  # samples that a file may have, however short it is, and for each of its bytes


class _Figures(NamedTuple):
    rate: int
    channels: int
    bits: int
    samples: int  # of each channel; 0 if it is not said
    checksum: bytes


def is_flac(content: bytes) -> bool:
    """Whether the bytes begin as those of a FLAC file."""
    return content.startswith(b"fLaC")


def decoded(content: bytes) -> tuple[np.ndarray, int]:
    """Waveform float32 (channels, samples), full scale 1, and sample rate of a FLAC file.

    Raises:
        ValueError: It is damaged, as far as the format shows it, or longer than its content can be.
        ImportError: The package `av` is missing.
    """
    av = _package()
    figures = _figures(content)
    most = max(_FREE, _PER_BYTE * len(content))
    if figures.samples * figures.channels > most:
        raise ValueError(f"it says that it has {figures.samples} samples, which {len(content)} bytes cannot hold")
    parts: list[np.ndarray] = []
    checksum, count = hashlib.md5(usedforsecurity=False), 0
    try:
        with av.open(io.BytesIO(content), format="flac", metadata_errors="replace") as container:
            for frame in container.decode(audio=0):
                part = _integers(frame, figures)
                count += part.shape[0]
                if count * figures.channels > most:
                    raise ValueError(f"it has more than {most} samples, too many for {len(content)} bytes")
                checksum.update(_bytes(part, figures.bits))
                parts.append((part / (2.0 ** (figures.bits - 1) - 1)).astype(np.float32))
    except av.FFmpegError as error:
        raise ValueError(str(error)) from None
    if figures.samples not in (0, count) or not parts:
        raise ValueError(f"it ends after {count} of {figures.samples} samples")
    if figures.checksum not in (bytes(16), checksum.digest()):
        raise ValueError("its samples do not have the checksum that it holds")
    return np.concatenate(parts).T, figures.rate


def _package() -> Any:
    try:
        import av  # few programs read such files
    except ImportError:
        raise ImportError("FLAC files need the package 'av': pip install 'anyspore[audio]'.") from None
    return av


def _figures(content: bytes) -> _Figures:
    if len(content) < 42 or content[4] & 127:
        raise ValueError("it does not begin with the figures of its stream")
    word = int.from_bytes(content[18:26], "big")
    bits = (word >> 36 & 31) + 1
    rate = word >> 44
    if bits < 4 or not rate:
        raise ValueError(f"it says that it has {bits} bits for a sample and {rate} samples in a second")
    return _Figures(rate, (word >> 41 & 7) + 1, bits, word & 2**36 - 1, content[26:42])


def _integers(frame: Any, figures: _Figures) -> np.ndarray:
    """The samples of a frame, (samples, channels); FFmpeg gives them in the upper bits of 16 or 32."""
    array = frame.to_ndarray()
    array = array.T if frame.format.is_planar else array.reshape(-1, len(frame.layout.channels))
    if array.shape[1] != figures.channels or frame.sample_rate != figures.rate:
        raise ValueError("a part of it has another rate or other channels than the whole")
    return array >> (array.dtype.itemsize * 8 - figures.bits)


def _bytes(samples: np.ndarray, bits: int) -> bytes:
    """The samples as the checksum counts them."""
    width = -(-bits // 8)
    wide = np.ascontiguousarray(samples, "<i4")
    return wide.view(np.uint8).reshape(-1, 4)[:, :width].tobytes()
