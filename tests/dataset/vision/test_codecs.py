from __future__ import annotations

import os

import numpy as np
import pytest

from mindspore.dataset import vision


def test_pictures_decode_from_what_was_encoded(image, close):
    png = vision.encode_png(image)
    assert (vision.Decode()(png) == image).all()
    assert (np.asarray(vision.Decode(to_pil=True)(png)) == image).all()
    smooth = np.tile(np.arange(0, 128, 8, dtype=np.uint8)[None, :, None], (12, 1, 3))
    close(vision.Decode()(vision.encode_jpeg(smooth, 100)), smooth, levels=3)
    assert vision.RandomCropDecodeResize(5)(png).shape == (5, 5, 3)
    with pytest.raises(RuntimeError, match="known format"):
        vision.Decode()(np.zeros(10, np.uint8))
    with pytest.raises(TypeError, match="vector of uint8"):
        vision.Decode()(image)


def test_files_hold_what_was_written(tmp_path, image):
    path = str(tmp_path / "x.png")
    vision.write_png(path, image)
    assert (vision.read_image(path) == image).all()
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (12, 16, 1)
    assert (vision.read_file(path) == np.fromfile(path, np.uint8)).all()
    with pytest.raises(RuntimeError, match="does not exist"):
        vision.read_image(str(tmp_path / "none.png"))


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    content = np.arange(9, dtype=np.uint8)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    vision.write_file(str(tmp_path / "link"), content)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == content.tobytes()
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        vision.write_file(str(tmp_path / "pipe"), content)
        assert os.read(reader, 20) == content.tobytes()
    finally:
        os.close(reader)
