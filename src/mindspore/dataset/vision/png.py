"""What the chunks of a PNG file say before its pixels are decoded: checksums, and whether the pixels can be there."""

from __future__ import annotations

import zlib

from mindspore.dataset.errors import PipelineError

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by the type of colours
_RATIO = 1032  # the most bytes that one of a DEFLATE stream becomes


def check_png(content: memoryview) -> None:
    """Compare the checksums of the chunks, which OpenCV does not, and the size with what the data can hold.

    Raises:
        PipelineError: A checksum differs, the file is cut off, or its data cannot hold so many pixels.
    """
    at, name, held = 8, b"", 0
    while name != b"IEND":
        length = int.from_bytes(content[at : at + 4], "big")
        end = at + 12 + length
        if end > len(content):
            raise PipelineError(f"the PNG file is cut off in the chunk at byte {at}")
        name = bytes(content[at + 4 : at + 8])
        if zlib.crc32(content[at + 4 : end - 4]) != int.from_bytes(content[end - 4 : end], "big"):
            raise PipelineError(f"the chunk {name!r} at byte {at} of the PNG file does not have its checksum")
        held += length if name in (b"IDAT", b"fdAT") else 0
        at = end
    _check_held(bytes(content[12:26]), held)


def _check_held(head: bytes, held: int) -> None:
    """Refuse a header whose pixels the compressed data cannot hold; the decoder would make room for all of them."""
    if len(head) < 14 or head[:4] != b"IHDR":
        return  # the decoder says so
    width, height = int.from_bytes(head[4:8], "big"), int.from_bytes(head[8:12], "big")
    wanted = width * height * head[12] * _CHANNELS.get(head[13], 1) // 8
    if wanted > _RATIO * held:
        raise PipelineError(
            f"the PNG file has {held} bytes of data, which cannot hold its {width} x {height} pixels"
        )
