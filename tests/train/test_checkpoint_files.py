"""Private names of checkpoints that programs import; observed: MindSpore 2.10."""
from __future__ import annotations

import os

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn
from mindspore.train._utils import _make_directory
from mindspore.train.callback import _set_cur_net
from mindspore.train.callback._callback import set_cur_net
from mindspore.train.callback._checkpoint import (
    CheckpointManager,
    _check_file_name_prefix,
    _chg_ckpt_file_name_if_same_exist,
)
from mindspore.train.serialization import tensor_to_ms_type, tensor_to_np_type


def test_the_files_of_a_prefix_are_listed_and_removed_from_the_oldest_on(tmp_path):
    for i, name in enumerate(("CKP-1_10.ckpt", "CKP_1-2_3.ckpt", "CKP-0_1.ckpt", "other-1_1.ckpt")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (i, i))
    manager = CheckpointManager()
    manager.update_ckpoint_filelist(str(tmp_path), "CKP")
    assert [os.path.basename(f) for f in manager.ckpoint_filelist] == ["CKP-1_10.ckpt", "CKP-0_1.ckpt"]
    manager.remove_oldest_ckpoint_file()
    assert manager.ckpoint_num == 1
    assert not (tmp_path / "CKP-1_10.ckpt").exists()
    assert _chg_ckpt_file_name_if_same_exist(str(tmp_path), "CKP") == "CKP_2"
    assert _chg_ckpt_file_name_if_same_exist(str(tmp_path), "zzz") == "zzz"
    manager.remove_ckpoint_file(str(tmp_path / "missing"))              # a warning, no error
    assert manager.ckpoint_num == 1


def test_of_the_last_minutes_the_first_file_stays(tmp_path):
    for i in range(3):
        (tmp_path / f"a-{i}_1.ckpt").touch()
        os.utime(tmp_path / f"a-{i}_1.ckpt", (1000 + i, 1000 + i))
    manager = CheckpointManager()
    manager.update_ckpoint_filelist(str(tmp_path), "a")
    manager.keep_one_ckpoint_per_minutes(1, 1010)
    assert [p.name for p in tmp_path.iterdir()] == ["a-0_1.ckpt"]


def test_a_folder_is_made_and_its_name_checked(tmp_path):
    made = _make_directory(str(tmp_path / "a" / "b"))
    assert os.path.isdir(made)
    with pytest.raises(ValueError, match="non-blank"):
        _make_directory(" ")
    with pytest.raises(TypeError, match="path"):
        _make_directory(3)
    assert _check_file_name_prefix("a-1.b_c")
    assert not _check_file_name_prefix("a/b")


def test_the_network_in_training_is_noted():
    from mindspore.train.callback.checkpoint_files import current_net

    net = nn.ReLU()
    _set_cur_net(net)
    assert current_net() is net
    with pytest.raises(TypeError, match="'net'"):
        set_cur_net(3)


def test_element_types_have_the_names_of_files():
    assert (tensor_to_ms_type["UInt8"], tensor_to_ms_type["Bool"]) == (ms.uint8, ms.bool_)
    assert tensor_to_np_type["Float16"] is np.float16


def test_messages_of_files_are_classes_that_programs_fill_and_read():
    from mindspore.train.node_strategy_pb2 import ParallelStrategyMap
    from mindspore.train.serialization import Checkpoint

    written = Checkpoint()
    entry = written.value.add()
    entry.tag, entry.tensor.tensor_type, entry.tensor.tensor_content = "w", "Int8", b"\x01\x02"
    entry.tensor.dims.append(2)
    assert written.SerializeToString() == b"\n\x11\n\x01w\x12\x0c\x08\x02\x12\x04Int8\x1a\x02\x01\x02"
    assert tensor_to_np_type("Int8") is np.int8
    assert not ParallelStrategyMap().parallel_strategy_item


def test_no_process_is_a_parameter_server():
    from mindspore.parallel._cell_wrapper import destroy_allgather_cell
    from mindspore.parallel._ps_context import _get_ps_mode_rank, _is_role_pserver

    destroy_allgather_cell()
    assert (_is_role_pserver(), _get_ps_mode_rank()) == (False, 0)


@pytest.mark.parametrize(("minutes", "ages", "kept"), [
    (2, (121, 119.5, 3), (121, 119.5)), (2, (120, 60, 59), (120, 60)), (1, (61, 60.5, 59.5, 1), (61, 60.5, 59.5)),
    (0.5, (31, 30.5, 2), (31, 30.5, 2))])
def test_minutes_have_sixty_seconds(tmp_path, minutes, ages, kept):
    for i, age in enumerate(ages):
        (tmp_path / f"a-{i}_1.ckpt").touch()
        os.utime(tmp_path / f"a-{i}_1.ckpt", (1000 - age, 1000 - age))
    manager = CheckpointManager()
    manager.update_ckpoint_filelist(str(tmp_path), "a")
    manager.keep_one_ckpoint_per_minutes(minutes, 1000)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"a-{ages.index(age)}_1.ckpt" for age in kept]
    assert manager.ckpoint_num == len(kept)
