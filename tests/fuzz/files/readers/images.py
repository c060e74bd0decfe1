"""Encoded images and videos, and sets of them in folders."""

from __future__ import annotations

import io

import cv2
import numpy as np
from chunks import chunks_changed
from mutators import png_repaired
from PIL import Image

from mindspore import dataset as ds
from mindspore.dataset import vision
from mindspore.dataset.errors import PipelineError
from readers import equal, plain, reader, rows

PIXELS = np.random.default_rng(3).integers(0, 255, (13, 17, 3), np.uint8)


def encoded(kind, pixels=PIXELS, **more):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind, **more)
    return stream.getvalue()


def _decoder(kind, ending, **more):
    def write(folder):
        (folder / f"a.{ending}").write_bytes(encoded(kind))

    @reader(write, PipelineError, name=f"decode_{ending}", names_the_file=False, **more)
    def decode(folder):
        return plain(vision.Decode()(np.fromfile(folder / f"a.{ending}", np.uint8)))

    @reader(write, PipelineError, name=f"read_image_{ending}", **more)
    def read(folder):
        return plain(vision.read_image(str(folder / f"a.{ending}")))


for _kind, _ending in (("JPEG", "jpg"), ("BMP", "bmp"), ("GIF", "gif"), ("TIFF", "tiff"), ("WEBP", "webp"),
                       ("PPM", "ppm")):
    _decoder(_kind, _ending, structure=chunks_changed)
_decoder("PNG", "png", same=equal, repaired=png_repaired)
_decoder("PNG", "apng", structure=chunks_changed)


@reader(lambda folder: (folder / "a.png").write_bytes(encoded("PNG")), PipelineError, names_the_file=False, same=equal,
        repaired=png_repaired)
def decode_to_pil(folder):
    return plain(np.array(vision.Decode(to_pil=True)(np.fromfile(folder / "a.png", np.uint8))))


def _classes(folder):
    for name, content in (("a/1.png", encoded("PNG")), ("a/2.jpg", encoded("JPEG")), ("b/1.gif", encoded("GIF"))):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


@reader(_classes, PipelineError, structure=chunks_changed)
def image_folder(folder):
    return rows(ds.ImageFolderDataset(str(folder), decode=True, shuffle=False))


def _video(folder):
    import av

    with av.open(str(folder / "a.avi"), "w") as container:
        stream = container.add_stream("mpeg4", 5)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for i in range(4):
            frame = av.VideoFrame.from_ndarray(cv2.resize(PIXELS, (32, 32)) // (i + 1), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


@reader(_video, PipelineError, structure=chunks_changed)
def video(folder):
    return plain(vision.read_video(str(folder / "a.avi"))[:2])


@reader(_video, PipelineError, structure=chunks_changed)
def video_times(folder):
    return plain(list(vision.read_video_timestamps(str(folder / "a.avi"))))
