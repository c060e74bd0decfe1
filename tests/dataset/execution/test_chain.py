"""Pipelines give the same rows whatever is joined, and however many workers take part."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import mindspore.dataset as ds
from mindspore.dataset import transforms, vision
from mindspore.dataset.execution import chain, run
from mindspore.dataset.execution.run import Run

IMAGES = np.random.default_rng(0).integers(0, 256, (23, 9, 8, 3), np.uint8)
OPERATIONS = {
    "crop": vision.RandomCrop(7, 2),
    "flip": vision.RandomHorizontalFlip(),
    "upside down": vision.RandomVerticalFlip(0.3),
    "resize": vision.Resize((10, 6)),
    "part": vision.RandomResizedCrop((6, 5), (0.2, 1.0)),
    "colour": vision.RandomColorAdjust(0.3, 0.2),
    "python": lambda image: image[::-1],
    "some": transforms.RandomApply([vision.RandomCrop(5)], 1.0),
    "scale": vision.Rescale(1 / 255, 0.0),
}


@contextlib.contextmanager
def settings_of(**values):
    before = {name: getattr(ds.config, "get_" + name)() for name in values}
    for name, value in values.items():
        getattr(ds.config, "set_" + name)(value)
    try:
        yield
    finally:
        for name, value in before.items():
            getattr(ds.config, "set_" + name)(value)


def source(shuffle=True):
    columns = {"image": IMAGES, "label": np.arange(len(IMAGES))}
    return ds.NumpySlicesDataset(columns, shuffle=shuffle)


def contents(data, epochs=2, skip=0):
    data.set_init_step(skip)
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [
        [tuple((a.shape, a.dtype, a.tobytes()) for a in row) for row in iterator]
        for _ in range(epochs)
    ]


steps = some.lists(
    some.one_of(
        some.tuples(
            some.just("map"),
            some.lists(some.sampled_from(sorted(OPERATIONS)), min_size=1, max_size=3),
        ),
        some.tuples(some.just("batch"), some.tuples(some.integers(1, 5), some.booleans())),
        some.tuples(some.sampled_from(["shuffle", "skip", "take", "repeat"]), some.integers(2, 4)),
        some.just(("filter", 0)),
        some.just(("project", 0)),
    ),
    min_size=1,
    max_size=4,
)


def built(plan, workers):
    data, batched = source(), False
    for name, value in plan:
        if name == "map" and not batched:
            operations = [OPERATIONS[key] for key in value]
            if "scale" in value[:-1]:  # the transforms after it want bytes
                continue
            data = data.map(operations, "image", num_parallel_workers=workers).map(
                transforms.TypeCast(np.uint8), "image"
            )
        elif name == "batch" and not batched:
            data, batched = data.batch(*value), True
        elif name == "filter" and not batched:
            data = data.filter(lambda label: label % 3 > 0, "label")
        elif name == "project":
            data = (
                data.project(["label", "image"]).rename("label", "class").rename("class", "label")
            )
        elif name in ("shuffle", "skip", "take", "repeat"):
            data = getattr(data, name)(value)
    return data


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=steps, seed=some.integers(0, 2**32 - 1), workers=some.sampled_from([None, 1, 3]))
def test_results_do_not_depend_on_what_is_joined_nor_on_the_workers(
    plan, seed, workers, monkeypatch
):
    monkeypatch.setattr(run, "BLOCK", 1000)  # four rows
    with settings_of(seed=seed):
        joined = contents(built(plan, workers))
        with settings_of(enable_optimizer=False):
            assert contents(built(plan, 2)) == joined


def test_a_pass_can_begin_at_any_row_with_the_rows_that_it_would_have_had(monkeypatch):
    monkeypatch.setattr(run, "BLOCK", 1000)
    with settings_of(seed=7):
        data = source().map([vision.RandomCrop(5), vision.RandomHorizontalFlip()], "image").batch(2)
        whole = contents(data, 3)
        rows = [row for one in whole for row in one]
        for skip in (1, 5, 12, 17):
            assert [row for one in contents(data, 3, skip) for row in one][: 36 - skip] == rows[
                skip:
            ]


def test_rows_that_are_skipped_are_not_computed():
    seen = []
    data = source(False).map(lambda label: (seen.append(int(label)), label)[1], "label")
    data = data.batch(5)
    data.set_init_step(3)
    first = next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert first[1].tolist() == [15, 16, 17, 18, 19]
    assert min(seen) == 15


@pytest.mark.parametrize("drop", [False, True])
def test_maps_and_a_batch_are_one_piece_of_work(drop):
    data = source().map(vision.Resize((4, 4)), "image").map(transforms.TypeCast(np.int32), "label")
    found = chain.collected(data.batch(4, drop).project("image"), Run(0, optimise=True))
    assert [stage.name for stage in found.stages] == [
        "project",
        "batch 4",
        "map label",
        "map image",
    ]
    assert found.reads
    assert found.full == (4 if drop else 1)


def test_steps_that_need_other_rows_are_not_joined():
    data = source().map(vision.Resize((4, 4)), "image").shuffle(10).batch(4)
    assert not chain.starts(data, Run(0, optimise=True))


def test_rows_that_no_batch_wants_are_not_computed():
    seen = []
    data = source(False).map(lambda label: (seen.append(int(label)), label)[1], "label")
    assert len(contents(data.batch(4, drop_remainder=True), 1)[0]) == 5
    assert sorted(seen) == list(range(20))


def test_parts_of_files_are_the_same_one_by_one(tmp_path):
    (tmp_path / "a").mkdir()
    shapes = np.random.default_rng(3).integers(20, 60, (12, 2))
    for i, (height, width) in enumerate(shapes):
        image = np.random.default_rng(i).integers(0, 256, (height, width, 3), np.uint8)
        vision.write_jpeg(str(tmp_path / "a" / f"{i:02}.jpg"), image)
    data = ds.ImageFolderDataset(str(tmp_path), shuffle=False).map(
        [vision.RandomCropDecodeResize(24, (0.05, 1.0), (0.2, 5.0)), vision.RandomVerticalFlip()],
        "image",
    )
    joined = contents(data.batch(5))
    with settings_of(enable_optimizer=False):
        assert contents(data.batch(5)) == joined
