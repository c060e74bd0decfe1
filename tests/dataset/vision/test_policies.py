from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision
from mindspore.dataset.vision import policies


@pytest.mark.parametrize("name", ["AutoAugment", "RandAugment", "TrivialAugmentWide"])
def test_augmentation_keeps_size_and_type(name, image):
    transform = getattr(vision, name)()
    for _ in range(40):
        result = transform(image)
        assert result.shape == image.shape
        assert result.dtype == np.uint8


@pytest.mark.parametrize(("wide", "bins", "ends"), [
    (False, 31, {"ShearX": 0.3, "ShearY": 0.3, "TranslateX": 300.0, "TranslateY": 150.0, "Rotate": 30.0,
                 "Brightness": 0.9, "Color": 0.9, "Contrast": 0.9, "Sharpness": 0.9, "Posterize": 4}),
    (True, 11, {"ShearX": 0.99, "ShearY": 0.99, "TranslateX": 32.0, "TranslateY": 32.0, "Rotate": 135.0,
                "Brightness": 0.99, "Color": 0.99, "Contrast": 0.99, "Sharpness": 0.99, "Posterize": 2}),
])
def test_strengths_grow_evenly_to_those_of_the_papers(wide, bins, ends):
    table = policies._strengths(bins, 331, 662, wide)
    steps = np.arange(bins) / (bins - 1)
    for name, end in ends.items():
        values, signed = table.pop(name)
        wanted = np.round(8 - steps * (8 - end)) if name == "Posterize" else steps * end
        np.testing.assert_allclose(values, wanted, atol=1e-12 if name != "Posterize" else 1)
        assert (values[0], values[-1]) == (8 if name == "Posterize" else 0, pytest.approx(end))
        assert signed == (name != "Posterize")
    np.testing.assert_allclose(table.pop("Solarize")[0], 255 * (1 - steps))
    assert {name: set(values) for name, (values, _) in table.items()} == {
        "Identity": {0}, "AutoContrast": {0}, "Equalize": {0}}
