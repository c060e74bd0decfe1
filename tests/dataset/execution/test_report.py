from __future__ import annotations

import time

import numpy as np

import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

IMAGES = np.zeros((40, 8, 8, 3), np.uint8)


def images():
    columns = {"image": IMAGES, "label": np.arange(40)}
    return ds.NumpySlicesDataset(columns, shuffle=False)


def test_the_explanation_tells_what_is_joined():
    data = images().map(
        [vision.Resize((4, 4)), vision.Rescale(0.5, 0.0), vision.HWC2CHW()],
        "image",
        num_parallel_workers=2,
    )
    data = data.map(transforms.TypeCast(np.int32), "label", num_parallel_workers=1)
    assert data.batch(8, True).explain().splitlines() == [
        "one piece of work for each block, 2 threads, or one where that is faster when measured:",
        "  batch 8",
        "  map label",
        "    TypeCast: all rows of a block at once",
        "  map image",
        "    Resize: all rows of a block at once",
        "    Rescale + HWC2CHW: all rows of a block at once through a table of the levels",
        "  NumpySlices: read by the same worker",
        "  rows that fill no batch of 8 are not read",
    ]


def test_the_explanation_tells_what_is_not_joined():
    data = images().map(lambda x: x, "image", num_parallel_workers=2, python_multiprocessing=True)
    text = ds.explain(data.shuffle(10).batch(8))
    assert text.splitlines()[:3] == [
        "Batch: in order, by one thread",
        "  Shuffle: in order, by one thread",
        "    one piece of work for each block, 2 processes:",
    ]
    ds.config.set_enable_optimizer(False)
    assert data.explain().startswith("not optimised")


def test_the_report_says_where_the_time_went():
    def slow(image):
        time.sleep(0.002)
        return image

    ds.config.set_monitor_sampling_interval(1)
    data = images().map(slow, "image").batch(10)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert iterator.report().stages == []
    assert len(list(iterator)) == 4
    report = iterator.report()
    spent = {name.split(" (")[0]: (rows, seconds) for name, rows, seconds in report.stages}
    assert spent["map image"][0] == 40
    assert spent["map image"][1] > 0.08
    assert spent["batch 10"][1] < spent["map image"][1]
    assert 0 < report.waited <= report.seconds
    assert report.queue
    assert "map image" in str(report)


def test_times_of_worker_processes_are_known_too():
    data = images().map(lambda x: x, "image", num_parallel_workers=2, python_multiprocessing=True)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert len(list(iterator)) == 40
    (name, rows, seconds) = iterator.report().stages[-1]
    assert (name, rows) == ("map image (2 processes)", 40)
    assert seconds > 0


def test_samples_with_errors_are_counted():
    def broken(image):
        raise ValueError("bad")

    for mode in (ds.config.ErrorSamplesMode.SKIP, ds.config.ErrorSamplesMode.REPLACE):
        ds.config.set_error_samples_mode(mode)
        data = images().map(lambda x: broken(x) if x in (3, 7, 9) else x, "label")
        iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
        kept = [int(label) for _, label in iterator]
        skips = mode is ds.config.ErrorSamplesMode.SKIP
        assert len(kept) == (37 if skips else 40)
        assert not {3, 7, 9} & set(kept)
        assert iterator.get_error_samples() == 3
        assert iterator.report().error_samples == 3
