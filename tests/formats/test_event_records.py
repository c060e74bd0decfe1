"""Records are the same wherever they are made, and are made here when the process that makes them is gone."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore.formats import event_records
from mindspore.formats.event_records import LEAST, Maker, records
from mindspore.formats.event_values import Sampled

LARGE = [Sampled("histogram", "h", np.random.default_rng(0).standard_normal(LEAST).astype(np.float32), "float32"),
         Sampled("image", "i", np.zeros((2, 1, 4, 4), np.float32), "float32")]
SMALL = [Sampled("scalar", "s", np.array(1.0, np.float32), "float32")]


@pytest.fixture(name="maker")
def _maker():
    maker = Maker()
    yield maker
    maker.close()


def process(maker):
    return maker._process


def test_large_values_go_to_one_process_and_come_back_as_if_made_here(maker):
    assert maker.records(LARGE, 3, 0.5, True) == records(LARGE, 3, 0.5, True)
    first = process(maker)
    assert first is not None
    assert maker.records(LARGE, 4, 0.5, False) == records(LARGE, 4, 0.5, False)
    assert process(maker) is first
    maker.close()
    assert first.returncode == 0


def test_small_values_need_no_process(maker):
    assert maker.records(SMALL, 3, 0.5, True) == records(SMALL, 3, 0.5, True)
    assert process(maker) is None


def test_a_process_that_ended_is_done_without(maker):
    maker.records(LARGE, 3, 0.5, False)
    process(maker).kill()
    assert maker.records(LARGE, 4, 0.5, False) == records(LARGE, 4, 0.5, False)
    assert process(maker) is None


def test_a_process_that_cannot_be_started_is_done_without(maker, monkeypatch):
    monkeypatch.setattr(event_records.sys, "executable", "/no/such/python")
    assert maker.records(LARGE, 3, 0.5, False) == records(LARGE, 3, 0.5, False)


def test_what_is_wrong_with_a_value_is_told(maker):
    wrong = [*LARGE, Sampled("tensor", "t", np.zeros(2), "no type")]
    with pytest.raises(KeyError, match="no type"):
        maker.records(wrong, 3, 0.5, False)
    assert maker.records(LARGE, 4, 0.5, False) == records(LARGE, 4, 0.5, False)
