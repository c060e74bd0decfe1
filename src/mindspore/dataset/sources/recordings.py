"""Samples of audio files: WAVE, FLAC and NIST SPHERE."""

from __future__ import annotations

import wave

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.sources.flac import decoded, is_flac

_HEAD = 1024  # bytes at the beginning of a SPHERE file that tell how long its header is, and mostly are it


def read_audio(filename: str) -> tuple[np.ndarray, int]:
    """The samples of a WAVE or FLAC file.

    Args:
        filename: The file; its content says which it is. WAVE files must hold integers (PCM); FLAC files need the
            package `av` (`pip install 'anyspore[audio]'`).

    Returns:
        The waveform, float32 (channels, samples), full scale 1; the sample rate in Hz.

    Raises:
        TypeError: `filename` is no str.
        ValueError: There is no such file.
        PipelineError: It is damaged (the checksum of a FLAC file is compared) or of another format.
        ImportError: The package `av` is missing.

    Examples:
        >>> import tempfile, wave
        >>> from mindspore.dataset import audio
        >>> with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        ...     with wave.open(file.name, "wb") as made:
        ...         made.setparams((1, 2, 8000, 0, "NONE", ""))
        ...         made.writeframes(bytes(8))
        ...     waveform, rate = audio.read_audio(file.name)
        >>> waveform.shape, rate
        ((1, 4), 8000)
    """
    check.string("read_audio", "filename", filename)
    return read_recording("read_audio", check.file("read_audio", "filename", filename))


def read_recording(owner: str, path: str) -> tuple[np.ndarray, int]:
    """Waveform and sample rate of a file, as `read_audio` gives them.

    Raises:
        PipelineError: There is no such file, it is damaged or of another format.
        ImportError: The package `av` is missing.
    """
    with telling(owner, lambda: f"the file '{path}'"), open(path, "rb", opener=regular) as file:
        content = file.read(4)
        if is_flac(content):
            return decoded(content + file.read())
    return read_wav(owner, path)


_WIDTHS = (1, 2, 3, 4, 8)  # bytes of an integer


def read_wav(owner: str, path: str) -> tuple[np.ndarray, int]:
    """Waveform float32 (channels, samples), full scale 1, and sample rate of a WAVE file of integers.

    Raises:
        PipelineError: There is no such file, it is damaged or holds something else.
    """
    try:
        with open(path, "rb", opener=regular) as stream, wave.open(stream) as file:
            content = file.readframes(file.getnframes())
            frames, channels, width = file.getnframes(), file.getnchannels(), file.getsampwidth()
            rate = file.getframerate()
    except OSError as error:
        raise PipelineError(
            f"For '{owner}', the file '{path}' cannot be read: {error.strerror}."
        ) from None
    except (wave.Error, EOFError, RuntimeError) as error:
        raise PipelineError(
            f"For '{owner}', the file '{path}' must be a WAVE file of integers (PCM), but is not: "
            f"{error or 'it ends too early'}."
        ) from None
    if width not in _WIDTHS:
        raise PipelineError(
            f"For '{owner}', the file '{path}' must have numbers of 1, 2, 3, 4 or 8 bytes, but they have {width}."
        )
    if len(content) != frames * channels * width:
        raise PipelineError(
            f"For '{owner}', the file '{path}' must have {frames} frames, as it says, but is damaged: it ends "
            f"after {len(content) // (channels * width)}."
        )
    return scaled(content, width).reshape(-1, channels).T, rate


def scaled(content: bytes, width: int, order: str = "<") -> np.ndarray:
    """Integers of `width` bytes (one byte: 128 is silence) as float32, the highest as 1."""
    if width == 1:
        samples = np.frombuffer(content, np.uint8).astype(np.int32) - 128
    elif width == 3:
        parts = np.frombuffer(content, np.uint8).reshape(-1, 3)
        padded = np.zeros((len(parts), 4), np.uint8)
        padded[:, 1:] = parts
        samples = padded.view("<i4")[:, 0] >> 8
    else:
        samples = np.frombuffer(content, f"{order}i{width}")
    return (samples / (2 ** (8 * width - 1) - 1)).astype(np.float32)


def read_sph(owner: str, path: str, begin: float, end: float) -> tuple[np.ndarray, int]:
    """Waveform and sample rate of a SPHERE file from `begin` to `end`, in s.

    Raises:
        PipelineError: There is no such file or part, or the file is damaged or compressed.
    """
    try:
        with open(path, "rb", opener=regular) as file:
            content = file.read()
    except OSError as error:
        raise PipelineError(
            f"For '{owner}', the file '{path}' cannot be read: {error.strerror}."
        ) from None
    length, values = _header(owner, path, content)
    width, channels = int(values["sample_n_bytes"]), int(values["channel_count"])
    if width != 2 or values.get("sample_coding", "pcm") != "pcm":
        raise PipelineError(
            f"For '{owner}', the file '{path}' must hold integers of 2 bytes (pcm), but its coding is "
            f"'{values.get('sample_coding', 'pcm')}' with {width}."
        )
    rate, size = int(values["sample_rate"]), width * channels
    first, last = int(begin * rate), int(end * rate)
    if not 0 <= first <= last or length + last * size > len(content):
        raise PipelineError(
            f"For '{owner}', the file '{path}' must reach from {begin} s to {end} s, but has "
            f"{max(len(content) - length, 0) / size / rate} s."
        )
    order = ">" if values.get("sample_byte_format") == "10" else "<"
    part = content[length + first * size : length + last * size]
    return scaled(part, width, order).reshape(-1, channels).T, rate


def _header(owner: str, path: str, content: bytes) -> tuple[int, dict[str, str]]:
    """Length and fields of the header: lines of name, type and value."""
    lines = content[:_HEAD].split(b"\n")
    length = lines[1].strip() if len(lines) > 1 else b""
    fields: dict[str, str] = {}
    if lines[0].strip() == b"NIST_1A" and length.isdigit():
        for line in content[: int(length)].decode("ascii", "replace").split("\n")[2:]:
            name, _, rest = line.strip().partition(" ")
            if name == "end_head":
                break
            fields[name] = rest.partition(" ")[2]
    needed = ("sample_n_bytes", "channel_count", "sample_rate")
    if not all(fields.get(name, "").isdigit() and int(fields[name]) for name in needed):
        raise PipelineError(
            f"For '{owner}', the file '{path}' must be a NIST SPHERE file with {', '.join(needed)} in its header."
        )
    return int(length), fields
