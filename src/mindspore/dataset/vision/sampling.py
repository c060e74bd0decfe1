"""Images read at other coordinates, with the arithmetic of the library that the public results come from.

Coordinates are rounded to 1/32 of a pixel (a whole pixel for the nearest neighbour), from products with ten binary
places, as OpenCV 4 computes them; OpenCV 5 keeps more places, which moves single pixels.
"""

from __future__ import annotations

import cv2
import numpy as np

PLACES = 10  # binary places of a product
FINE = 5  # binary places of a coordinate


def affine(
    image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], flag: int, border: tuple
) -> np.ndarray:
    """`image` moved by `matrix` (2, 3), from old to new coordinates (x, y), into (width, height)."""
    back = cv2.invertAffineTransform(np.asarray(matrix, np.float64))
    width, height = size
    one, nearest = 1 << PLACES, flag == cv2.INTER_NEAREST
    drop = PLACES if nearest else PLACES - FINE
    half = 1 << (drop - 1)
    across = np.rint(back[:, :1] * np.arange(width) * one).astype(np.int64)
    down = np.rint((back[:, 1:2] * np.arange(height) + back[:, 2:]) * one).astype(np.int64) + half
    x, y = ((down[i][:, None] + across[i]) >> drop for i in range(2))
    return _read(image, x, y, flag, border, 0 if nearest else FINE)


def perspective(
    image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], flag: int, border: tuple
) -> np.ndarray:
    """`image` moved by the projective `matrix` (3, 3), from old to new coordinates (x, y)."""
    back = np.linalg.inv(np.asarray(matrix, np.float64))
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    places = 0 if flag == cv2.INTER_NEAREST else FINE
    weight = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    scale = np.where(weight != 0, (1 << places) / np.where(weight != 0, weight, 1), 0)
    old_x = np.rint((back[0, 0] * x + back[0, 1] * y + back[0, 2]) * scale).astype(np.int64)
    old_y = np.rint((back[1, 0] * x + back[1, 1] * y + back[1, 2]) * scale).astype(np.int64)
    return _read(image, old_x, old_y, flag, border, places)


def _read(
    image: np.ndarray, x: np.ndarray, y: np.ndarray, flag: int, border: tuple, places: int
) -> np.ndarray:
    """`image` at coordinates with so many binary places, `border` outside of it."""
    unit = np.float32(1 << places)
    if image.dtype == np.float64:  # which the cubic kernel does not do well
        return _read(image.astype(np.float32), x, y, flag, border, places).astype(np.float64)
    return cv2.remap(
        image,
        (x / unit).astype(np.float32),
        (y / unit).astype(np.float32),
        flag,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=border,
    )
