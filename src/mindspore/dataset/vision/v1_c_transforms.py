"""Image transforms of 1.x for arrays (H, W, C), where they differ: `vision.c_transforms`."""

from __future__ import annotations

from mindspore.dataset import checked as check
from mindspore.dataset.vision import codecs, former_py

__all__ = ["Decode", "RgbToBgr"]


class Decode(codecs.Decode):
    """Encoded bytes as an RGB array (H, W, 3)."""

    def __init__(self, rgb: bool = True):
        if not check.boolean(self, "rgb", rgb):
            raise check.fail(
                ValueError, self, "rgb", "True; use RgbToBgr after Decode for the other order", rgb
            )
        super().__init__()


class RgbToBgr(former_py.RgbToBgr):
    """An array (H, W, C) with the channels reversed."""

    def __init__(self) -> None:
        super().__init__(is_hwc=True)
