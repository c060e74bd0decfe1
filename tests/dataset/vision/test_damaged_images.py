"""Images that claim more than they hold, and checksums."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

import mindspore.dataset as ds
from mindspore.dataset import vision

PIXELS = np.random.default_rng(3).integers(0, 255, (13, 17, 3), np.uint8)


def encoded(kind, pixels=PIXELS):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def claimed(kind, width, height):
    """The bytes of a small file whose header has another size."""
    content = bytearray(encoded(kind))
    if kind == "GIF":
        for at in (6, content.index(b"\x2c\0\0\0\0") + 5):
            content[at : at + 4] = struct.pack("<HH", width, height)
    elif kind == "BMP":
        content[18:26] = struct.pack("<ii", width, height)
    elif kind == "PNG":
        content[16:24] = struct.pack(">II", width, height)
        content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    elif kind == "JPEG":
        at = content.index(b"\xff\xc0") + 5
        content[at : at + 4] = struct.pack(">HH", height, width)
    elif kind == "PPM":
        content = content.replace(b"17 13", b"%d %d" % (width, height))
    return np.frombuffer(bytes(content), np.uint8)


@pytest.fixture
def limit():
    before = ds.config._settings.values["image_limit"]
    yield ds.config.set_image_limit
    ds.config._settings.values["image_limit"] = before


@pytest.mark.parametrize("to_pil", [False, True])
@pytest.mark.parametrize("kind", ["GIF", "BMP", "PNG", "JPEG", "PPM"])
def test_a_few_bytes_are_no_huge_image(kind, to_pil):
    with pytest.raises(RuntimeError, match=r"60000 x 40000 pixels is refused.*set_image_limit|exceeds limit"):
        vision.Decode(to_pil)(claimed(kind, 60000, 40000))


@pytest.mark.parametrize("kind", ["GIF", "BMP", "PNG", "JPEG", "PPM", "TIFF", "WEBP"])
def test_one_limit_holds_for_all_codecs(kind, limit, tmp_path):
    content = np.frombuffer(encoded(kind), np.uint8)
    path = tmp_path / f"a.{kind.lower()}"
    path.write_bytes(content)
    limit(13 * 17)
    assert vision.Decode()(content).shape == vision.read_image(str(path)).shape == (13, 17, 3)
    limit(13 * 17 - 1)
    for read in (lambda: vision.Decode()(content), lambda: vision.Decode(True)(content),
                 lambda: vision.read_image(str(path))):
        with pytest.raises(RuntimeError, match="17 x 13 pixels is refused: 220 pixels are the most"):
            read()


@pytest.mark.parametrize("to_pil", [False, True])
def test_a_jpeg_file_does_not_go_over_its_pixels_for_ever(to_pil):
    stream = io.BytesIO()
    Image.fromarray(PIXELS).save(stream, "JPEG", progressive=True)
    content = stream.getvalue()
    last = content[content.rindex(b"\xff\xda") : -2]
    assert vision.Decode(to_pil)(np.frombuffer(content, np.uint8)) is not None
    with pytest.raises(RuntimeError, match=r"a JPEG file of \d{3} scans is refused: 100 are the most"):
        vision.Decode(to_pil)(np.frombuffer(content[:-2] + last * 120 + content[-2:], np.uint8))


def test_the_limit_is_checked(limit):
    assert ds.config.get_image_limit() == 2**27
    with pytest.raises(ValueError, match="'pixels'"):
        limit(0)
    with pytest.raises(TypeError, match="'pixels'"):
        limit(1.5)


def test_a_program_may_allow_more_than_a_file_accounts_for(limit, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    content = claimed("PPM", 60000, 5000)
    with pytest.raises(RuntimeError, match=r"300000000 pixels|is refused"):
        vision.Decode()(content)
    limit(60000 * 5000)
    with pytest.raises(RuntimeError, match="cannot be decoded"):        # the pixels are missing
        vision.Decode()(content)


def test_an_even_area_may_be_large_if_its_file_accounts_for_it():
    pixels = np.zeros((4200, 4200), np.uint8)       # more than 2**24
    content = np.frombuffer(encoded("PNG", pixels), np.uint8)
    assert len(content) < 2**16
    assert vision.Decode()(content).shape == (4200, 4200, 3)


def test_a_changed_byte_of_a_png_file_is_told():
    whole = encoded("PNG")
    for at in range(len(whole)):
        content = bytearray(whole)
        content[at] ^= 1
        try:
            found = vision.Decode()(np.frombuffer(bytes(content), np.uint8))
        except RuntimeError:
            continue
        np.testing.assert_array_equal(found, PIXELS)        # a length of zero behind the end, say


@pytest.mark.parametrize("chunk", [b"IHDR", b"IDAT", b"IEND"])
def test_every_chunk_of_a_png_file_has_its_checksum(chunk):
    content = bytearray(encoded("PNG"))
    length = int.from_bytes(content[content.index(chunk) - 4 : content.index(chunk)], "big")
    content[content.index(chunk) + 4 + length] ^= 128
    with pytest.raises(RuntimeError, match=r"checksum|cannot be decoded"):
        vision.Decode()(np.frombuffer(bytes(content), np.uint8))


def test_a_png_file_without_its_end_is_told():
    content = np.frombuffer(encoded("PNG")[:-12], np.uint8)
    with pytest.raises(RuntimeError, match="cut off"):
        vision.Decode()(content)


@pytest.mark.parametrize(("width", "height"), [(4000, 4000), (200000, 70), (70, 200000)])
def test_a_png_file_whose_data_cannot_hold_its_pixels_is_refused_before_they_get_room(width, height):
    with pytest.raises(RuntimeError, match=rf"bytes of data, which cannot hold its {width} x {height} pixels"):
        vision.Decode()(claimed("PNG", width, height))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pictures_of_one_colour_are_the_densest_that_there_are(mode):
    """DEFLATE makes at most 1032 bytes of one: files of nothing but zeros come near that and are read."""
    stream = io.BytesIO()
    Image.new(mode, (3000, 2000)).save(stream, "PNG", compress_level=9)
    found = vision.Decode()(np.frombuffer(stream.getvalue(), np.uint8))
    assert found.shape == (2000, 3000, 3)
    assert len(set(found.ravel().tolist()[:1000])) == 1
