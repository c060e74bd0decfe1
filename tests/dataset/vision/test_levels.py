from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import transforms, vision
from mindspore.dataset.operations.map_step import faster
from mindspore.dataset.vision.levels import Levels

RNG = np.random.default_rng(2)
CHAINS = {
    "planes": [
        vision.Rescale(1 / 255, 0.5),
        vision.Normalize([0.4, 0.5, 0.6], [0.2, 0.3, 0.4]),
        vision.HWC2CHW(),
    ],
    "lines": [
        vision.Normalize([100.0, 110.0, 120.0], [50.0, 60.0, 70.0]),
        transforms.TypeCast(np.float64),
    ],
    "tensor": [vision.ToTensor(), vision.Normalize([0.4, 0.5, 0.6], [0.2, 0.3, 0.4], is_hwc=False)],
}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("size", [(5, 7), (200, 230)])
def test_a_table_gives_what_the_transforms_give_one_by_one(name, size):
    chain = CHAINS[name]
    stack = RNG.integers(0, 256, (3, *size, 3), np.uint8)
    joined = Levels(chain)
    results = joined.apply_stack(stack)
    for image, result in zip(stack, results, strict=True):
        wanted = image
        for transform in chain:
            wanted = transform(wanted)
        np.testing.assert_array_equal(result, wanted)
        np.testing.assert_array_equal(joined(image), wanted)
        assert result.dtype == wanted.dtype


@pytest.mark.parametrize("channels", [1, 4])
def test_other_numbers_of_channels_are_looked_up_too(channels):
    chain = [vision.Rescale(2.0, 1.0), vision.HWC2CHW()]
    stack = RNG.integers(0, 256, (4, 6, 5, channels), np.uint8)
    np.testing.assert_array_equal(
        Levels(chain).apply_stack(stack), stack.transpose(0, 3, 1, 2) * 2.0 + 1
    )


def test_images_without_levels_go_through_the_transforms():
    image = RNG.random((6, 5, 3)).astype(np.float32)
    chain = CHAINS["planes"]
    wanted = chain[2](chain[1](chain[0](image)))
    np.testing.assert_array_equal(Levels(chain)(image), wanted)
    np.testing.assert_array_equal(Levels(chain).apply_stack(image[None])[0], wanted)


def test_only_neighbours_that_treat_levels_alike_are_joined():
    resize = vision.Resize(4)
    joined = [op for _, op in faster([resize, *CHAINS["planes"], resize, vision.Rescale(1.0, 0.0)])]
    assert [type(operation) for operation in joined] == [
        vision.Resize,
        Levels,
        vision.Resize,
        vision.Rescale,
    ]


def test_transforms_that_draw_say_so():
    drawing = (
        "Random",
        "Cut",
        "Mix",
        "Uniform",
        "AutoAugment",
        "RandAugment",
        "Trivial",
        "BoundingBox",
    )
    for name in vision.__all__:
        kind = getattr(vision, name)
        if isinstance(kind, type) and hasattr(kind, "apply") and name.startswith(drawing):
            assert kind.random, name
