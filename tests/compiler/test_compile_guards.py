"""What holds while a program is compiled."""
from __future__ import annotations

import gc

import pytest

from mindspore.compiler.compile_guards import uncollected


@pytest.fixture
def collections():
    """Objects that the garbage collector went through, per collection of the young ones."""
    young = []

    def note(phase, info):
        if phase == "start" and info["generation"] == 0:
            young.append(len(gc.get_objects(generation=0)))

    gc.callbacks.append(note)
    yield young
    gc.callbacks.remove(note)


def test_nothing_is_collected_inside_and_what_was_made_is_old_afterwards(collections):
    gc.collect()
    del collections[:]
    with uncollected():
        kept = [[k] for k in range(50_000)]
        assert collections == []
    later = [[k] for k in range(5_000)]
    assert collections
    assert max(collections) < 5_000
    assert len(kept) + len(later) == 55_000


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_afterwards_as_it_was(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with uncollected():
            with uncollected():
                pass
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_the_collector_is_as_it_was_after_an_error():
    with pytest.raises(ZeroDivisionError), uncollected():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_objects_that_a_program_keeps_apart_stay_so():
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with uncollected():
            pass
        assert gc.get_freeze_count() == count
    finally:
        gc.unfreeze()
