"""Handwritten digits as a data pipeline: the 1,797 images of scikit-learn, scaled to the 32 x 32
pixels of LeNet-5.

    from digits import digits
    for images, labels in digits("train", 32).create_tuple_iterator(): ...

With a folder that holds the four files of MNIST the same pipeline reads them instead.
"""

from __future__ import annotations

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

HELD_OUT = 360  # images for testing, the last ones: written by other people than most of the first


def digits(
    split: str, batch_size: int, folder: str | None = None, distort: bool = False,
    share: tuple[int, int] = (0, 1)
) -> ds.Dataset:
    """Batches of images float32 (N, 1, 32, 32), about 0 +- 1, and labels int32 (N,).

    Args:
        split: "train" (shuffled, full batches only) or "test" (in order, all images).
        batch_size: Images in a batch.
        folder: Folder of the MNIST files; None for the digits of scikit-learn.
        distort: Whether images are turned, moved, scaled and sheared a little, anew in every pass.
        share: Which part of every batch, out of how many: a process of several trains on its own
            part. All processes prepare whole batches, so that a distortion does not depend on how
            many they are.
    """
    train = split == "train"
    if folder is None:
        images, labels = scikit_digits(train)
        data = ds.NumpySlicesDataset({"image": images, "label": labels}, shuffle=train)
        mean, deviation = 0.306, 0.344
    else:
        data = ds.MnistDataset(folder, split, shuffle=train)
        mean, deviation = 0.1307, 0.3081
    moved = (-0.08, 0.08, -0.08, 0.08)  # at most, as a part of the width and of the height
    distortion = vision.RandomAffine(15, moved, (0.85, 1.15), 11, vision.Inter.BILINEAR)
    prepare = [
        vision.Resize((32, 32)),
        *([distortion] if distort else []),
        vision.Rescale(1 / 255, 0.0),
        vision.Normalize([mean], [deviation]),
        vision.HWC2CHW(),
    ]
    data = data.map(prepare, "image").map(transforms.TypeCast(ms.int32), "label")
    data = data.batch(batch_size, drop_remainder=train)
    part, parts = share

    def own(column: np.ndarray) -> np.ndarray:
        return column[part * len(column) // parts:(part + 1) * len(column) // parts]
    return data.map(own, "image").map(own, "label")


def scikit_digits(train: bool) -> tuple[np.ndarray, np.ndarray]:
    """Images uint8 (N, 8, 8, 1) and labels of one part of scikit-learn's digits."""
    from sklearn.datasets import load_digits  # needed for this source only

    content = load_digits()
    images = (content.images * (255 / 16)).round().astype(np.uint8)[..., None]
    part = slice(None, -HELD_OUT) if train else slice(-HELD_OUT, None)
    return images[part], content.target[part].astype(np.int32)
