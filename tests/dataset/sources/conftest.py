"""What the tests of sources share: small files of images, text and MATLAB variables."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from scipy import io


@pytest.fixture
def picture(tmp_path):
    """Write an image of one value to a path below the test's folder; .png keeps the value exactly."""

    def write(path, value=0, shape=(4, 6, 3)):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(file), np.full(shape, value, np.uint8))
        return str(file)

    return write


@pytest.fixture
def note(tmp_path):
    """Write text to a path below the test's folder."""

    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


@pytest.fixture
def matlab(tmp_path):
    """Write variables to a MATLAB file below the test's folder."""

    def write(path, **variables):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        io.savemat(file, variables)
        return str(file)

    return write


@pytest.fixture
def read():
    """All rows of one pass, as dicts of arrays."""
    return lambda data: list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


@pytest.fixture
def values(read):
    """One column of one pass as Python values; of images the first number of each."""

    def take(data, column):
        rows = [row[column] for row in read(data)]
        return [
            row.ravel()[0].item() if column.startswith(("image", "hr", "lr")) else row.tolist()
            for row in rows
        ]

    return take
