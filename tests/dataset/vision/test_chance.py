from __future__ import annotations

from mindspore.dataset import vision


def test_random_colours_stay_within_their_ranges(image, close):
    fixed = vision.RandomColorAdjust(brightness=(0.5, 0.5))
    close(fixed(image), image * 0.5)
    results = {vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)(image).tobytes() for _ in range(10)}
    assert len(results) == 10
