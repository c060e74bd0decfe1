from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def line(label, *values):
    numbers = [*values, *[0.0] * (256 - len(values))]
    return f"{label} " + " ".join(f"{i}:{v:.6f}" for i, v in enumerate(numbers, 1)) + " \n"


def test_values_are_stretched_to_bytes(note, tmp_path, read):
    note("usps", line(10, -1, 1, 0.6) + line(1))
    note("usps.t", line(3))
    first, second = read(ds.USPSDataset(str(tmp_path), "train", shuffle=False))
    assert first["image"].shape == (16, 16, 1)
    assert first["image"].ravel()[:4].tolist() == [0, 255, 204, 127]
    assert (first["label"], second["label"]) == (9, 0)
    assert first["image"].dtype == np.uint8
    assert ds.USPSDataset(str(tmp_path)).get_dataset_size() == 3


@pytest.mark.parametrize("text", [line(11), line(3)[:-20], line(3, 2.0), "x\n", "\n"])
def test_damaged_lines_are_refused(note, tmp_path, read, text):
    note("usps", text)
    with pytest.raises(RuntimeError, match=r"line 1 of .* is damaged"):
        read(ds.USPSDataset(str(tmp_path), "train"))
    with pytest.raises(RuntimeError, match=r"must contain the file '.*usps\.t'"):
        ds.USPSDataset(str(tmp_path))
