"""Damage: what disks, networks, editors and attackers do to files."""

from __future__ import annotations

import json
import re
import zlib

EXTREMES = [0, 1, 2, 127, 128, 255, 256, 2**15 - 1, 2**15, 2**16 - 1, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**40,
            2**63 - 1, 2**63, 2**64 - 1]
NUMBERS = ["-1", "0", "1", "1e999", "-1e999", "nan", "inf", "0.5", "1_0", "9" * 30, "9" * 5000, "\u0663", "\u00b2",
           str(2**31), str(2**63), str(2**64), "0x10", "", " "]
VALUES = [None, True, -1, 0, 1.5, 1e300, 2**31, 2**63, 2**64, 10**400, "", "x", "\ud800", "\0", [], [[]], [None],
          {}, {"x": 1}, [1, [2]], float("nan"), float("inf")]
WORDS = ["", "\0", "..", "/", "../../x", "/dev/zero", "/dev/null", "3", "-1", "\ufeff", "\u2028", "\U0001f600", "<a>",
         "]]>", "&", "&lt;", "\"", "'", "\\", "\t", "\r\n", ",", "\x1a", "x" * 5000]
LARGEST = 2**23       # bytes of a damaged file; the time that its reader has is the same for all
DEEP = 20_000
DEEPER = 200_000      # levels of nesting


def mutated(rng, content: bytes, others: list[bytes]) -> bytes:
    """The content of a file after one to three mutations; `others` are contents that may take its place."""
    ways = [*BYTES, *(TEXT if _is_text(content) else BINARY)]
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        way = rng.choice(ways)
        new = way(rng, content, others) if way is swapped else way(rng, content)
        content = new if len(new) <= LARGEST else content
    return content


def _is_text(content: bytes) -> bool:
    return b"\0" not in content[:4096] and content[:4096].decode("utf-8", "ignore").encode() == content[:4096]


# ---------------------------------------------------------------- any content


def flipped(rng, content):
    """One bit, or up to eight."""
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 8]) if found else 0):
        found[_place(rng, found)] ^= 1 << rng.randrange(8)
    return bytes(found)


def overwritten(rng, content):
    """Some bytes, by noise, zeros or ones."""
    at, length = _block(rng, content)
    return content[:at] + _filling(rng, length) + content[at + length :]


def cut(rng, content):
    """The end is missing."""
    return content[: rng.choice([_place(rng, content), _boundary(rng, content), max(len(content) - 1, 0)])]


def beginning_lost(rng, content):
    """The beginning is missing."""
    return content[_boundary(rng, content) :]


def inserted(rng, content):
    """Bytes come in between."""
    at = _boundary(rng, content)
    return content[:at] + _filling(rng, rng.choice([1, 2, 4, 64, 4096])) + content[at:]


def repeated(rng, content):
    """A block stands there twice or more often."""
    first, last = sorted((_boundary(rng, content), _boundary(rng, content)))
    return content[:last] + content[first:last] * min(rng.choice([1, 2, 50]), 2**20 // max(last - first, 1)) + content[
        last:]


def removed(rng, content):
    """A block is missing."""
    first, last = sorted((_boundary(rng, content), _boundary(rng, content)))
    return content[:first] + content[last:]


def exchanged(rng, content):
    """Two blocks in the order of the other."""
    one, two, three = sorted(_boundary(rng, content) for _ in range(3))
    return content[:one] + content[two:three] + content[one:two] + content[three:]


def swapped(rng, content, others):
    """Another file in its place, or nothing."""
    return rng.choice([*others, b"", b"\0", b"\n", b"\0" * 4096])


# ---------------------------------------------------------------- binary content


def number_changed(rng, content):
    """A number of 1 to 8 bytes, in either order, most likely in a header, or what fits as a length."""
    width, order = rng.choice([1, 2, 4, 8]), rng.choice(["little", "big"])
    if len(content) < width:
        return content
    lengths = [at for at in range(min(len(content) - width, 512) + 1)
               if 0 < int.from_bytes(content[at : at + width], order) <= len(content)]
    at = rng.choice(lengths) if lengths and rng.random() < 0.7 else _place(rng, content[: len(content) - width + 1])
    old = int.from_bytes(content[at : at + width], order)
    new = rng.choice([*EXTREMES, old + 1, old - 1, old * 2, old // 2, len(content), len(content) - at])
    return content[:at] + (new % 2 ** (8 * width)).to_bytes(width, order) + content[at + width :]


def varint_changed(rng, content):
    """A number in base 128, as protocol buffers have it, becomes a very long one."""
    at = _place(rng, content)
    return content[:at] + rng.choice([b"\xff" * 4 + b"\x0f", b"\xff" * 9 + b"\x01", b"\xff" * 20]) + content[at + 1 :]


# ---------------------------------------------------------------- text


def line_changed(rng, content):
    """A line is missing, there twice, elsewhere, cut or empty."""
    lines = content.splitlines(True) or [b""]
    at = rng.randrange(len(lines))
    line = lines.pop(at)
    new = rng.choice([[], [line, line], [line[: len(line) // 2]], [b"\n"], [line.rstrip(b"\r\n")], [line] * 300])
    lines[at:at] = new
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


def number_text_changed(rng, content):
    """A number, by one that is no number or far too large."""
    return _replaced(rng, content, rb"-?\d+(\.\d+)?", NUMBERS)


def word_changed(rng, content):
    """A word, by one that means something to a parser or a file system."""
    return _replaced(rng, content, rb"[\w./-]+", WORDS)


def sign_changed(rng, content):
    """A sign of the syntax, by another or none."""
    return _replaced(rng, content, rb"[^\w\s]", [*"{}[]()<>,:;\"'|\t\n=/&#\0", ""])


def not_utf8(rng, content):
    """Bytes that are no UTF-8."""
    at = _place(rng, content)
    return content[:at] + rng.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82"]) + content[at:]


def json_changed(rng, content):
    """A value of a JSON text (or of a line that is one), by a value of another type; a name is missing or doubled."""
    lines = [content] if _parsed(content) is not None else content.splitlines(True)
    at = rng.randrange(len(lines)) if lines else 0
    tree = _parsed(lines[at]) if lines else None
    if not isinstance(tree, (dict, list)) or not tree:
        return number_text_changed(rng, content)
    node = tree
    while True:
        key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        inner = node[key]
        if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.25:
            break
        node = inner
    if rng.random() < 0.2:
        del node[key]
    else:
        node[key] = rng.choice([*VALUES, [inner], {"x": inner}, str(inner), [inner, inner]])
    lines[at] = json.dumps(tree).encode() + (b"\n" if len(lines) > 1 else b"")
    return b"".join(lines)


def nested(rng, content):
    """Very deep nesting, in place of a block or around all."""
    levels = rng.choice([DEEP, DEEPER])
    opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"(", b")"), (b"<", b"")])
    first, last = sorted((_boundary(rng, content), _boundary(rng, content)))
    middle = rng.choice([b"", b"1", content[first:last]])
    whole = opening * levels + middle + closing * rng.choice([levels, levels, 0])
    return rng.choice([whole, content[:first] + whole + content[last:]])


BYTES = [flipped, flipped, overwritten, cut, beginning_lost, inserted, repeated, removed, exchanged, swapped]
BINARY = [number_changed, number_changed, number_changed, number_changed, varint_changed]
TEXT = [line_changed, line_changed, number_text_changed, number_text_changed, word_changed, word_changed, sign_changed,
        not_utf8, json_changed, json_changed, nested]


# ---------------------------------------------------------------- checksums made right again


def png_repaired(content: bytes) -> bytes:
    """The checksums of a PNG file as its chunks now need them, so that the decoder sees what they say."""
    found, at = content[:8], 8
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        chunk = content[at + 4 : at + 8 + length]
        found += content[at : at + 4] + chunk + zlib.crc32(chunk).to_bytes(4, "big")
        at += 12 + length
    return found + content[at:]


# ---------------------------------------------------------------- places


def _place(rng, content) -> int:
    """A position, often near the beginning, where the headers are."""
    if not content:
        return 0
    return rng.randrange(min(len(content), 128)) if rng.random() < 0.4 else rng.randrange(len(content))


def _boundary(rng, content) -> int:
    """A position between two parts, as far as one can tell: at a sign, behind a line or at a multiple."""
    at = _place(rng, content)
    if rng.random() < 0.6:
        behind = [place for sign in (b"\n", b",", b"}", b">", b"\0") if (place := content.find(sign, at)) >= 0]
        return min(behind) + rng.randrange(2) if behind else at
    return at - at % rng.choice([1, 4, 8, 512])


def _block(rng, content) -> tuple[int, int]:
    at = _place(rng, content)
    return at, min(rng.choice([1, 2, 4, 8, 64, 1024]), len(content) - at)


def _filling(rng, length) -> bytes:
    return rng.choice([rng.randbytes(length), b"\0" * length, b"\xff" * length, b" " * length])


def _replaced(rng, content, pattern, new) -> bytes:
    found = list(re.finditer(pattern, content))
    if not found:
        return content
    match = rng.choice(found)
    return content[: match.start()] + rng.choice(new).encode() + content[match.end() :]


def _parsed(content):
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
