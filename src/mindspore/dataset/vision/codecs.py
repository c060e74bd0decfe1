"""Encoded images: decode, encode, read and write files."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.core.errors import shortened
from mindspore.dataset import checked as check
from mindspore.dataset import config
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.transforms.base import TensorOperation, to_array
from mindspore.dataset.vision.enums import ImageReadMode
from mindspore.dataset.vision.image import is_pil
from mindspore.dataset.vision.png import check_png
from mindspore.formats.files import atomic

SCANS = 100  # most scans of a JPEG file; a progressive one has about ten


def decode_image(content: np.ndarray) -> np.ndarray:
    """RGB pixels (H, W, 3) of an encoded image.

    Raises:
        PipelineError: The bytes are no image in a known format, are damaged, as far as the format shows it, or have
            more pixels than `config.set_image_limit` allows.
    """
    image = _opened(content)
    pixels = _by_opencv(content, cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION)
    return np.array(_loaded(image).convert("RGB")) if pixels is None else pixels


def _by_opencv(content: np.ndarray, flags: int) -> np.ndarray | None:
    """The pixels of an image whose size was looked at; None if OpenCV cannot read them."""
    try:
        return cv2.imdecode(content, flags)
    except cv2.error:  # where the content is damaged, some of its decoders raise
        return None


def _opened(content: np.ndarray) -> Image.Image:
    """An image whose header was read and found to be no danger."""
    with _telling():
        content = np.ascontiguousarray(content)
        if Image.MAX_IMAGE_PIXELS is not None:  # Pillow's own limit, where the program allows more
            Image.MAX_IMAGE_PIXELS = max(Image.MAX_IMAGE_PIXELS, config.image_limit_for(0))
        image = Image.open(io.BytesIO(content.data))
        check_size(image.width, image.height, content.size)
        if image.format == "PNG":
            check_png(content.data)
        elif image.format == "JPEG":
            _check_scans(content)
    return image


def _loaded(image: Image.Image) -> Image.Image:
    with _telling():
        image.load()
    return image


# what Pillow's decoders raise for content that they do not expect
_DAMAGE = (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, OverflowError, ZeroDivisionError,
           struct.error, zlib.error, Image.DecompressionBombError, Image.DecompressionBombWarning)


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except PipelineError:
        raise
    except _DAMAGE as error:
        raise PipelineError(
            "the bytes must be an image in a known format, and complete, but cannot be decoded: "
            f"{shortened(error)}"
        ) from None


def check_size(width: int, height: int, length: int) -> None:
    """Refuse to decode an image (or frames) of a size that its file does not account for.

    Raises:
        PipelineError: There are more pixels than `config.set_image_limit` allows.
    """
    most = config.image_limit_for(length)
    if width * height > most:
        raise PipelineError(
            f"an image of {width} x {height} pixels is refused: {most} pixels are the most for a file of {length} "
            "bytes. 'mindspore.dataset.config.set_image_limit' sets the limit for all files"
        )


def _check_scans(content: np.ndarray) -> None:
    """Refuse a JPEG file whose pixels would be gone over again and again; each scan takes a few bytes."""
    if (scans := content.tobytes().count(b"\xff\xda")) > SCANS:
        raise PipelineError(f"a JPEG file of {scans} scans is refused: {SCANS} are the most")


def encoded_bytes(owner: Any, value: Any) -> np.ndarray:
    """The bytes of an encoded image as a vector of uint8."""
    array = to_array(owner, value)
    if array.dtype.kind == "S":
        array = np.frombuffer(array.tobytes(), np.uint8)
    if array.ndim != 1 or array.dtype != np.uint8:
        raise InputError(
            f"For '{check.name_of(owner)}', the 'image' must be encoded bytes: a vector of uint8, but got "
            f"{array.dtype} of shape {array.shape}."
        )
    return array


class Decode(TensorOperation):
    """Encoded bytes as an RGB image: an array (H, W, 3), or a PIL image with `to_pil`.

    Args:
        to_pil: Whether a PIL image is given.

    Inputs:
        A vector of uint8, or bytes, in a format that Pillow knows: JPEG, PNG, BMP, ...

    Raises:
        TypeError: If `to_pil` is no bool, or the input is something else.
        PipelineError: If the bytes are no complete image.

    Examples:
        >>> encoded = vision.encode_png(np.zeros((4, 5, 3), np.uint8))
        >>> vision.Decode()(encoded).shape
        (4, 5, 3)
    """

    def __init__(self, to_pil: bool = False):
        self.to_pil = check.boolean(self, "to_pil", to_pil)

    def checked(self, value: Any) -> np.ndarray:
        return encoded_bytes(self, value)

    def apply(self, value: np.ndarray) -> Any:
        try:
            return _loaded(_opened(value)).convert("RGB") if self.to_pil else decode_image(value)
        except PipelineError as error:
            raise PipelineError(f"For 'Decode', {error}") from None


def _given_array(owner: str, value: Any) -> np.ndarray:
    """An array or Tensor as an array."""
    if isinstance(value, np.ndarray) or hasattr(value, "asnumpy"):
        return to_array(owner, value)
    raise check.fail(InputError, owner, "data", "an array or a Tensor", value)


def _bytes_image(owner: str, image: Any) -> np.ndarray:
    """An image to encode: uint8 (H, W), (H, W, 1) or (H, W, 3)."""
    array = _given_array(owner, image)
    if array.dtype != np.uint8:
        raise PipelineError(
            f"For '{owner}', the 'image' must be of type uint8, but is {array.dtype}."
        )
    if array.ndim not in (2, 3) or array.shape[2:] not in ((), (1,), (3,)) or not array.size:
        raise PipelineError(
            f"For '{owner}', the 'image' must have the shape (H, W), (H, W, 1) or (H, W, 3), but has "
            f"{array.shape}."
        )
    return array


def _encoded(owner: str, image: Any, ending: str, flags: list[int]) -> np.ndarray:
    array = _bytes_image(owner, image)
    colour = array.ndim == 3 and array.shape[-1] == 3
    return cv2.imencode(ending, cv2.cvtColor(array, cv2.COLOR_RGB2BGR) if colour else array, flags)[
        1
    ].reshape(-1)


def _level(owner: str, name: str, value: Any, low: int, high: int) -> int:
    check.integer(owner, name, value)
    if not low <= value <= high:
        raise PipelineError(
            f"For '{owner}', the '{name}' must be in [{low}, {high}], but got {value}."
        )
    return int(value)


def encode_jpeg(image: Any, quality: int = 75) -> np.ndarray:
    """An image as the bytes of a JPEG file; quality 1 to 100.

    Args:
        image: uint8 (H, W, 3), (H, W, 1) or (H, W).
        quality: 1 to 100.

    Examples:
        >>> vision.encode_jpeg(np.zeros((4, 6, 3), np.uint8))[:2].tolist()
        [255, 216]
    """
    return _encoded(
        "encode_jpeg",
        image,
        ".jpg",
        [cv2.IMWRITE_JPEG_QUALITY, _level("encode_jpeg", "quality", quality, 1, 100)],
    )


def encode_png(image: Any, compression_level: int = 6) -> np.ndarray:
    """An image as the bytes of a PNG file; compression 0 to 9.

    Args:
        image: uint8 (H, W, 3), (H, W, 1) or (H, W).
        compression_level: 0 to 9.

    Examples:
        >>> bytes(vision.encode_png(np.zeros((4, 6, 3), np.uint8))[1:4])
        b'PNG'
    """
    return _encoded(
        "encode_png",
        image,
        ".png",
        [
            cv2.IMWRITE_PNG_COMPRESSION,
            _level("encode_png", "compression_level", compression_level, 0, 9),
        ],
    )


def read_file(filename: str) -> np.ndarray:
    r"""The bytes of a file as a vector of uint8.

    Args:
        filename: Path of the file.

    Examples:
        >>> path = tempfile.mkdtemp() + "/bytes"
        >>> _ = Path(path).write_bytes(b"\x01\x02")
        >>> vision.read_file(path).tolist()
        [1, 2]
    """
    check.string("read_file", "filename", filename)
    if not os.path.isfile(filename):
        raise PipelineError(f"For 'read_file', the file '{filename}' does not exist.")
    return np.fromfile(filename, np.uint8)


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """The pixels (H, W, C) of an image file, as stored, grey or RGB.

    Args:
        filename: Path of the file.
        mode: Which channels, an `ImageReadMode`.

    Examples:
        >>> vision.write_png(path := tempfile.mkdtemp() + "/image.png", np.full((1, 2, 3), 7, np.uint8))
        >>> vision.read_image(path, vision.ImageReadMode.GRAYSCALE).tolist()
        [[[7], [7]]]
    """
    check.instance("read_image", "mode", mode, ImageReadMode)
    check.string("read_image", "filename", filename)
    if not os.path.isfile(filename):
        raise PipelineError(f"For 'read_image', the file '{filename}' does not exist.")
    flags = {
        ImageReadMode.UNCHANGED: cv2.IMREAD_UNCHANGED,
        ImageReadMode.GRAYSCALE: cv2.IMREAD_GRAYSCALE,
        ImageReadMode.COLOR: cv2.IMREAD_COLOR,
    }[mode]
    content = np.fromfile(filename, np.uint8)
    try:
        _opened(content)
    except PipelineError as error:
        raise PipelineError(f"For 'read_image', the file '{filename}' cannot be read: {error}.") from None
    image = _by_opencv(content, flags)
    if image is None:
        raise PipelineError(
            f"For 'read_image', the file '{filename}' must be an image in a known format."
        )
    if image.ndim == 2:
        return image[..., None]
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB if image.shape[-1] == 3 else cv2.COLOR_BGRA2RGB)


def write_file(filename: str, data: Any) -> None:
    r"""Write a vector of uint8 to a file.

    Args:
        filename, data: Path of the file; a vector of uint8.

    Examples:
        >>> vision.write_file(path := tempfile.mkdtemp() + "/bytes", np.array([1, 2], np.uint8))
        >>> Path(path).read_bytes()
        b'\x01\x02'
    """
    array = _given_array("write_file", data)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise PipelineError(
            f"For 'write_file', the 'data' must be a vector of uint8, but is "
            f"{array.dtype}{list(array.shape)}."
        )
    _write("write_file", filename, array)


def _write(owner: str, filename: str, content: np.ndarray) -> None:
    check.string(owner, "filename", filename)
    try:
        # A pipe or device is written to, not replaced.
        replaced = os.path.isfile(filename) or not os.path.exists(filename)
        with atomic(os.path.realpath(filename), None) if replaced else open(filename, "wb") as file:
            file.write(content.tobytes())
    except OSError as error:
        raise PipelineError(
            f"For '{owner}', the file '{filename}' cannot be written: {error.strerror}."
        ) from None


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Write an image to a JPEG file.

    Args:
        filename, image: Path of the file; uint8 (H, W, 3), (H, W, 1) or (H, W).
        quality: 1 to 100.

    Examples:
        >>> vision.write_jpeg(path := tempfile.mkdtemp() + "/image.jpg", np.zeros((4, 6, 3), np.uint8))
        >>> vision.read_image(path).shape
        (4, 6, 3)
    """
    _write("write_jpeg", filename, encode_jpeg(image, quality))


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Write an image to a PNG file.

    Args:
        filename, image: Path of the file; uint8 (H, W, 3), (H, W, 1) or (H, W).
        compression_level: 0 to 9.

    Examples:
        >>> vision.write_png(path := tempfile.mkdtemp() + "/image.png", np.full((1, 2, 3), 7, np.uint8))
        >>> vision.read_image(path).tolist()
        [[[7, 7, 7], [7, 7, 7]]]
    """
    _write("write_png", filename, encode_png(image, compression_level))


def get_image_size(image: Any) -> list[int]:
    """Height and width of an array (..., H, W, C) or (H, W), or of a PIL image.

    Args:
        image: The image.

    Examples:
        >>> vision.get_image_size(np.zeros((4, 6, 3), np.uint8))
        [4, 6]
    """
    if is_pil(image):
        return [image.height, image.width]
    array = check.instance("get_image_size", "image", image, np.ndarray)
    if array.ndim < 2:
        raise check.fail(InputError, "get_image_size", "image", "of two axes or more", array.shape)
    return list(array.shape[:2]) if array.ndim == 2 else list(array.shape[-3:-1])


def get_image_num_channels(image: Any) -> int:
    """Number of channels of an array (H, W) or (..., H, W, C), or of a PIL image.

    Args:
        image: The image.

    Examples:
        >>> vision.get_image_num_channels(np.zeros((4, 6, 3), np.uint8))
        3
    """
    if is_pil(image):
        return len(image.getbands())
    array = check.instance("get_image_num_channels", "image", image, np.ndarray)
    if array.ndim < 2:
        raise check.fail(
            InputError, "get_image_num_channels", "image", "of two axes or more", array.shape
        )
    return 1 if array.ndim == 2 else array.shape[-1]
