"""Every image and sound operation that draws nothing: on memory of any layout, twice, after an error, in a pipeline."""
from __future__ import annotations

import contextlib
import inspect

import numpy as np
import pytest
from checked_arguments import REQUIRED

from mindspore import dataset as ds
from mindspore.dataset import audio, vision

RNG = np.random.default_rng(9)
IMAGES = [RNG.integers(0, 9, (8, 12, 3)).astype(np.uint8) * 28 for _ in range(3)]      # ties, unequal extents
SOUNDS = [RNG.uniform(-0.9, 0.9, (2, 400)).astype(np.float32) for _ in range(3)]
ENCODED = ("Decode",)                                               # what is given to it is no image
BESIDE = ("Batch", "Compose", "Random", "UniformAugment", "AutoAugment", "RandAugment", "TrivialAugment",
          "CutOut")                                                 # these draw


def operations(module, *left_out):
    """The classes that can be made of the arguments above."""
    found = {}
    for name in module.__all__:
        kind = getattr(module, name)
        if not inspect.isclass(kind) or not hasattr(kind, "apply") or any(word in name for word in left_out):
            continue
        needed = [n for n, p in inspect.signature(kind).parameters.items() if p.default is p.empty]
        if set(needed) <= set(REQUIRED):
            found[name] = lambda kind=kind, needed=needed: kind(**{n: REQUIRED[n] for n in needed})
    return found


def tried(make, values):
    """What it gives for the values, or None where they are none for it (sounds for images of spectra...)."""
    ds.config.set_seed(4)
    try:
        return [as_list(make()(value.copy())) for value in values]
    except (TypeError, ValueError, RuntimeError):
        return None


def as_list(value):
    """The arrays of a result."""
    return [np.asarray(one) for one in value] if isinstance(value, (list, tuple)) else [np.asarray(value)]


def same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


VISION, AUDIO = operations(vision, *ENCODED, *BESIDE), operations(audio, "Masking", "Dither", "Griffin", "InverseMel")
CASES = [(name, make, IMAGES) for name, make in VISION.items()] + [(name, make, SOUNDS) for name, make in AUDIO.items()]


@pytest.mark.parametrize(("make", "values"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_operation_gives_the_same_for_equal_values(make, values):
    wanted = tried(make, values)
    if wanted is None:
        return
    operation, value = make(), values[1].copy()
    odd = np.moveaxis(np.ascontiguousarray(np.moveaxis(value, 0, -1)), -1, 0)
    turned = value[::-1].copy()[::-1]
    fixed = value.copy()
    fixed.setflags(write=False)
    same(as_list(operation(value)), wanted[1])
    np.testing.assert_array_equal(value, values[1])                  # what was given stays
    with contextlib.suppress(TypeError, ValueError, RuntimeError):   # `ToNumpy` takes all
        operation(np.array(["no number"]))
    for other in (odd, turned, fixed, value):
        same(as_list(operation(other)), wanted[1])


@pytest.mark.parametrize(("make", "values"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_rows_of_a_pipeline_are_those_of_calls(make, values):
    wanted = tried(make, values)
    if wanted is None or any(len(row) != 1 for row in wanted):
        return
    data = ds.NumpySlicesDataset(np.stack(values), ["x"], shuffle=False).map(make(), "x")
    for (row,), one in zip(data.create_tuple_iterator(num_epochs=1, output_numpy=True), wanted, strict=True):
        same([row], one)


RANDOM = np.random.default_rng(10)
LAYOUTS = {                                     # rows of images: of one shape, and of several
    "gray": [RANDOM.integers(0, 256, (8, 12)).astype(np.uint8) for _ in range(3)],
    "one channel": [RANDOM.integers(0, 256, (8, 12, 1)).astype(np.uint8) for _ in range(3)],
    "stacks": [RANDOM.integers(0, 256, (2, 9, 12, 3)).astype(np.uint8) for _ in range(3)],
    "fractions": [RANDOM.uniform(0, 1, (8, 12, 3)).astype(np.float32) for _ in range(3)],
    "short": [RANDOM.integers(0, 256, (8, 12, 3)).astype(np.int16) for _ in range(3)],
    "unequal": [RANDOM.integers(0, 256, (8 + k, 13 - k, 3)).astype(np.uint8) for k in range(3)],
    "mixed": [RANDOM.integers(0, 256, (8, 12, 1 + 2 * (k % 2))).astype(np.uint8) for k in range(3)],
}
CHANCE = operations(vision, *ENCODED, "Batch", "Compose")


def passed(operation, values, whole):
    """The rows of a pipeline, many at once or one by one; None if the operation does not take them."""
    data = ds.GeneratorDataset([(value,) for value in values], ["x"], shuffle=False).map(operation, "x")
    before = ds.config.get_enable_optimizer()
    ds.config.set_enable_optimizer(whole)
    try:
        return [row for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    except (TypeError, ValueError, RuntimeError):
        return None
    finally:
        ds.config.set_enable_optimizer(before)


@pytest.mark.parametrize("make", CHANCE.values(), ids=CHANCE)
def test_images_of_any_layout_give_many_at_once_what_they_give_one_by_one(make):
    for layout, values in LAYOUTS.items():
        found, wanted = passed(make(), values, True), passed(make(), values, False)
        assert (found is None) == (wanted is None), layout
        same(found or [], wanted or [])
        if wanted is not None and not make().random:
            same(wanted, [np.asarray(make()(value)) for value in values])


def test_most_operations_are_tried():
    counts = [sum([tried(make, values[:1]) is not None for _, make, values in CASES if values is kind])
              for kind in (IMAGES, SOUNDS)]
    assert counts[0] >= 30, counts
    assert counts[1] >= 30, counts
