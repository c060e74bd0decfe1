"""What the tests of data pipelines share: repeatable order, and no thread left behind."""

from __future__ import annotations

import threading

import pytest

from mindspore.dataset import config


@pytest.fixture(autouse=True)
def _settings():
    """A fixed seed, and the settings of before afterwards."""
    values, seed = dict(config._settings.values), config._settings.seed
    config.set_seed(11)
    yield
    config._settings.values.update(values)
    config._settings.seed = seed


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and t.name.startswith("dataset")]
    assert left == []


@pytest.fixture
def rows():
    """All rows of one pass, as tuples of Python values."""

    def read(dataset, **options):
        options.setdefault("num_epochs", 1)
        return [
            tuple(array.tolist() for array in row)
            for row in dataset.create_tuple_iterator(output_numpy=True, **options)
        ]

    return read


@pytest.fixture
def column(rows):
    """The first column of one pass, as a list of Python values."""
    return lambda dataset, **options: [row[0] for row in rows(dataset, **options)]
