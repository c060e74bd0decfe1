from __future__ import annotations

import gc

from mindspore.core.loading import loading


class Knot:
    def __init__(self):
        self.itself = self


def test_garbage_of_the_block_is_collected_and_older_objects_are_spared():
    older = Knot()
    with loading():
        Knot()
        assert gc.get_freeze_count() > 0
        assert not any(one is older for one in gc.get_objects())
        assert gc.collect() >= 1
    assert gc.get_freeze_count() == 0
    assert any(one is older for one in gc.get_objects())


def test_what_the_program_has_frozen_stays_so():
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with loading():
            pass
        assert gc.get_freeze_count() >= count > 0
    finally:
        gc.unfreeze()
