from __future__ import annotations

import json

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import vision
from mindspore.dataset.execution.pool import Choice


def test_threads_are_kept_only_where_they_are_faster():
    for alone, together, wanted in [(1.0, 1.2, True), (1.0, 2.5, False)]:
        choice = Choice(2)
        for _ in range(40):
            choice.measured(together if choice.threads else alone, choice.threads)
        assert choice.threads is wanted


def test_the_slower_mode_is_tried_again():
    choice, ways = Choice(2), []
    for step in range(400):
        ways.append(choice.threads)
        slow = 3.0 if step < 100 else 1.0
        choice.measured(slow if choice.threads else 1.0, choice.threads)
    assert ways[50] is False
    assert ways[-1] is True


def test_what_was_found_is_written_down(tmp_path):
    ds.config.set_enable_autotune(True, str(tmp_path / "tuned"))
    (tmp_path / "lines.txt").write_text("a\nb\nc\n")
    data = ds.TextFileDataset(str(tmp_path / "lines.txt"), shuffle=False).batch(2)
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 2
    content = json.loads((tmp_path / "tuned_0.json").read_text())
    assert content["tree"]["op_type"] == "Batch"
    again = ds.deserialize(json_filepath=str(tmp_path / "tuned_0.json"))
    assert again.get_dataset_size() == 2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((True, 3), TypeError), ((True, "/nowhere/x"), RuntimeError), ((3,), TypeError)],
)
def test_settings_of_the_tuning_are_checked(arguments, error):
    with pytest.raises(error, match="set_enable_autotune"):
        ds.config.set_enable_autotune(*arguments)


def test_hooks_see_the_values_between_transforms():
    seen = []

    class Look(ds.DebugHook):
        def compute(self, *args):
            seen.append((self.is_first_op, self.prev_op_name, args[0].shape))
            return args

    ds.config.set_debug_mode(True, [Look()])
    data = ds.NumpySlicesDataset(np.zeros((1, 6, 6, 3), np.uint8)).map(
        [vision.Resize((4, 4)), vision.HWC2CHW()]
    )
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 1
    assert seen == [
        (True, "Resize", (6, 6, 3)),
        (False, "Resize", (4, 4, 3)),
        (False, "HWC2CHW", (3, 4, 4)),
    ]
    with pytest.raises(TypeError, match="debug_hook_list"):
        ds.config.set_debug_mode(True, [3])
