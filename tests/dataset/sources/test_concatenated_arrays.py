from __future__ import annotations

import numpy as np

from mindspore.dataset.execution.memory import file_mapped
from mindspore.dataset.sources.concatenated_arrays import Stacks

PARTS = [np.arange(12).reshape(3, 4), np.arange(12, 20).reshape(2, 4)]
NUMBERS = np.array([4, 0, 3, 3, 2])


def test_rows_of_several_arrays_are_numbered_through():
    stacks = Stacks(PARTS)
    np.testing.assert_array_equal(stacks.gathered(NUMBERS), np.concatenate(PARTS)[NUMBERS])
    assert (len(stacks), stacks.shape, stacks.nbytes) == (5, (5, 4), 20 * 8)


def test_rows_are_changed_once_each_when_they_are_wanted():
    changed = []

    def change(rows):
        changed.extend(rows[:, 0].tolist())
        return rows.reshape(-1, 2, 2).transpose(0, 2, 1)

    stacks = Stacks(PARTS, change)
    changed.clear()  # the first row, which says what the others will be
    expected = np.concatenate(PARTS).reshape(-1, 2, 2).transpose(0, 2, 1)
    np.testing.assert_array_equal(stacks.gathered(NUMBERS[:2]), expected[NUMBERS[:2]])
    assert changed == [16, 0]
    for _ in range(2):
        np.testing.assert_array_equal(stacks.gathered(NUMBERS), expected[NUMBERS])
    assert sorted(set(changed)) == [0, 8, 12, 16]
    assert changed.count(16) == changed.count(0) == 1


def test_a_file_is_mapped_without_a_copy(tmp_path):
    (tmp_path / "some").write_bytes(b"abc")
    (tmp_path / "none").write_bytes(b"")
    content = file_mapped(str(tmp_path / "some"))
    assert content.tobytes() == b"abc"
    assert not content.flags.writeable
    assert not len(file_mapped(str(tmp_path / "none")))
