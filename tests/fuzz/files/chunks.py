"""Damage to files of chunks: pictures, recordings and videos whose parts are lost, doubled, moved, resized.

A file falls into its head, its chunks and its end; what changes is one chunk as a whole, a field of it, or its length,
and lengths around it are made right, so that readers come further than with damage that any of them notices.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

SHORT = [0, 1, 2, 3, 7, 8, 15, 16, 127, 128, 255, 256, 2**15, 2**16 - 1]
LONG = [*SHORT, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1]


class Chunk(NamedTuple):
    """A part of a file: its name, and what it holds."""

    name: bytes
    body: bytes


def chunks_changed(rng, content: bytes) -> bytes:
    """The file with one of its chunks changed; unchanged if it has none that are known here."""
    for known, read, write in KINDS:
        if known(content):
            head, chunks, end = read(content)
            if chunks:
                change = rng.choice(CHANGES)
                return write(head, change(rng, list(chunks)), end)
    return content


# ---------------------------------------------------------------- changes


def _lost(rng, chunks):
    del chunks[rng.randrange(len(chunks))]
    return chunks


def _doubled(rng, chunks):
    chunks.insert(rng.randrange(len(chunks) + 1), rng.choice(chunks))
    return chunks


def _many(rng, chunks):
    at = rng.randrange(len(chunks))
    return chunks[:at] + [chunks[at]] * (200 if len(chunks[at].body) < 5000 else 3) + chunks[at:]


def _moved(rng, chunks):
    one = chunks.pop(rng.randrange(len(chunks)))
    chunks.insert(rng.randrange(len(chunks) + 1), one)
    return chunks


def _renamed(rng, chunks):
    at = rng.randrange(len(chunks))
    other = rng.choice([rng.choice(chunks).name, bytes(len(chunks[at].name)), rng.randbytes(len(chunks[at].name))])
    chunks[at] = chunks[at]._replace(name=other[: len(chunks[at].name)].ljust(len(chunks[at].name), b" "))
    return chunks


def _resized(rng, chunks):
    at = rng.randrange(len(chunks))
    body = chunks[at].body
    size = rng.choice([0, 1, len(body) // 2, max(len(body) - 1, 0)])
    chunks[at] = chunks[at]._replace(body=rng.choice([body[:size], body + bytes(rng.choice([1, 3, 1000])), body * 2]))
    return chunks


def _field(rng, chunks):
    """A number of two or four bytes, most often near the beginning of a chunk, where the sizes are."""
    at = rng.choice([rng.randrange(len(chunks)), 0])
    body, wide = chunks[at].body, rng.choice([1, 2, 4])
    if len(body) < wide:
        return chunks
    place = rng.randrange(0, max(min(len(body), rng.choice([16, 64, 10**6])) - wide + 1, 1))
    value = rng.choice([n for n in LONG if n < 256**wide]).to_bytes(wide, rng.choice(["little", "big"]))
    chunks[at] = chunks[at]._replace(body=body[:place] + value + body[place + wide :])
    return chunks


CHANGES = [_lost, _doubled, _many, _moved, _renamed, _resized, _field, _field, _field]


# ---------------------------------------------------------------- kinds of files


def _read_riff(content):
    found, at = [], 12
    while at + 8 <= len(content):
        name, length = content[at : at + 4], struct.unpack_from("<I", content, at + 4)[0]
        found.append(Chunk(name, content[at + 8 : at + 8 + length]))
        at += 8 + length + length % 2
    return content[8:12], found, b""


def _written_riff(form, chunks, end):
    body = b"".join([c.name + struct.pack("<I", len(c.body)) + c.body + b"\0" * (len(c.body) % 2) for c in chunks])
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + form + body + end


def _read_png(content):
    found, at = [], 8
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        found.append(Chunk(content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += 12 + length
    return content[:8], found, content[at:]


def _written_png(head, chunks, end):
    return head + b"".join([struct.pack(">I", len(c.body)) + c.name + c.body
                            + struct.pack(">I", zlib.crc32(c.name + c.body)) for c in chunks]) + end


def _read_jpeg(content):
    found, at = [], 2
    while at + 4 <= len(content) and content[at] == 0xFF and content[at + 1] not in (0xD9, 0xDA):
        length = int.from_bytes(content[at + 2 : at + 4], "big")
        found.append(Chunk(content[at : at + 2], content[at + 4 : at + 2 + length]))
        at += 2 + max(length, 2)
    return content[:2], found, content[at:]


def _written_jpeg(head, chunks, end):
    return head + b"".join([c.name + struct.pack(">H", (len(c.body) + 2) % 2**16) + c.body for c in chunks]) + end


def _read_flac(content):
    found, at, last = [], 4, False
    while at + 4 <= len(content) and not last:
        last, length = bool(content[at] & 0x80), int.from_bytes(content[at + 1 : at + 4], "big")
        found.append(Chunk(bytes([content[at] & 0x7F]), content[at + 4 : at + 4 + length]))
        at += 4 + length
    return content[:4], found, content[at:]


def _written_flac(head, chunks, end):
    parts = [bytes([c.name[0] | (0x80 if k == len(chunks) - 1 else 0)]) + (len(c.body) % 2**24).to_bytes(3, "big")
             + c.body for k, c in enumerate(chunks)]
    return head + b"".join(parts) + end


def _read_tiff(content):
    """The entries of the first directory as chunks: tag and type are the name, count and value the body."""
    order = "<" if content[:2] == b"II" else ">"
    place = struct.unpack_from(order + "I", content, 4)[0]
    if place + 2 > len(content):
        return content, [], b""
    count = struct.unpack_from(order + "H", content, place)[0]
    entries = [content[place + 2 + 12 * k : place + 14 + 12 * k] for k in range(count)]
    return content[:place], [Chunk(e[:4], e[4:]) for e in entries if len(e) == 12], content[place + 2 + 12 * count :]


def _written_tiff(head, chunks, end):
    order = "<" if head[:2] == b"II" else ">"
    entries = b"".join([c.name + c.body[:8].ljust(8, b"\0") for c in chunks])
    return head + struct.pack(order + "H", len(chunks) % 2**16) + entries + end


def _read_gif(content):
    """The screen with its table of colours, then each block; the last one takes the rest."""
    table = 3 * 2 ** ((content[10] & 7) + 1) if len(content) > 10 and content[10] & 0x80 else 0
    found, at = [Chunk(b"", content[6 : 13 + table])], 13 + table
    while at < len(content) and content[at] in b"!,":
        start, at = at, at + (2 if content[at] == 0x21 else 10)
        at += content[start] == 0x2C
        while at < len(content) and content[at]:
            at += 1 + content[at]
        at += 1
        found.append(Chunk(content[start : start + 1], content[start + 1 : at]))
    return content[:6], found, content[at:]


def _written_plainly(head, chunks, end):
    return head + b"".join([c.name + c.body for c in chunks]) + end


KINDS = [
    (lambda c: c[:4] == b"RIFF" and len(c) > 12, _read_riff, _written_riff),
    (lambda c: c[:8] == b"\x89PNG\r\n\x1a\n", _read_png, _written_png),
    (lambda c: c[:2] == b"\xff\xd8", _read_jpeg, _written_jpeg),
    (lambda c: c[:4] == b"fLaC", _read_flac, _written_flac),
    (lambda c: c[:4] in (b"II*\0", b"MM\0*") and len(c) > 8, _read_tiff, _written_tiff),
    (lambda c: c[:4] == b"GIF8" and len(c) > 13, _read_gif, _written_plainly),
]
