"""Checkpoints of one layout made from those of another, and loaded from several files."""
from __future__ import annotations

import json

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.core.errors import CheckpointError
from mindspore.formats.strategy import LayoutRow, StrategyFile, write_groups, write_strategy
from mindspore.train import distributed_loading

W = np.arange(32, dtype=np.float32).reshape(8, 4)
SOURCE = {"w": LayoutRow((2, 2), (1, -1)), "v": LayoutRow((2, 2), (0, 1)), "b": LayoutRow((2, 2), (-1,)),
          "o": LayoutRow((2, 2), (0, -1), step=2, size=2)}
TARGET = {"w": LayoutRow((2,), (-1, 0)), "v": LayoutRow((2,), (-1, -1)), "b": LayoutRow((2,), (0,)),
          "o": LayoutRow((2,), (-1, 0))}


@pytest.fixture
def saved(tmp_path):
    """The files of four processes, beside the strategy files for them and for two."""
    write_strategy(str(tmp_path / "four.ckpt"), StrategyFile(layouts=SOURCE))
    write_strategy(str(tmp_path / "two.json"), StrategyFile(layouts=TARGET))
    for rank in range(4):
        a, c = divmod(rank, 2)
        pieces = {"w": np.split(W, 2)[a], "v": np.split(np.split(W + 100, 2)[c], 2, 1)[a], "b": W[0],
                  "o": np.split(np.split(2 * W, 2)[c], 2)[a], "moments.w": np.split(W + 7, 2)[a]}
        write(tmp_path / "from" / f"rank_{rank}" / "net", pieces)
    return tmp_path


def write(path, values, form="ckpt"):
    path.parent.mkdir(parents=True, exist_ok=True)
    ms.save_checkpoint([{"name": n, "data": Tensor(x)} for n, x in values.items()], str(path), format=form)


def read(path):
    return {n: p.asnumpy() for n, p in ms.load_checkpoint(str(path)).items()}


def equal(found, wanted):
    assert found.keys() == wanted.keys()
    for name, x in wanted.items():
        np.testing.assert_array_equal(found[name], x, err_msg=name)


def for_two(rank):
    return {"w": np.split(W, 2, 1)[rank], "v": W + 100, "b": np.split(W[0], 2)[rank],
            "o": np.split(2 * W, 2, 1)[rank], "moments.w": np.split(W + 7, 2, 1)[rank]}


WHOLE = {"w": W, "v": W + 100, "b": W[0], "o": 2 * W, "moments.w": W + 7}


def test_checkpoints_of_four_processes_become_those_of_two_and_one(saved):
    four, two = str(saved / "four.ckpt"), str(saved / "two.json")
    ms.transform_checkpoints(str(saved / "from"), str(saved / "to"), "new_", four, two, process_num=2)
    for rank in range(2):
        equal(read(saved / "to" / f"rank_{rank}" / f"new_{rank}.ckpt"), for_two(rank))
    ms.transform_checkpoints(str(saved / "to"), str(saved / "one"), "n", two, None)
    equal(read(saved / "one" / "rank_0" / "n0.ckpt"), WHOLE)
    ms.transform_checkpoints(str(saved / "one"), str(saved / "back"), "n", None, four)
    for rank in range(4):
        equal(read(saved / "back" / f"rank_{rank}" / f"n{rank}.ckpt"),
              read(saved / "from" / f"rank_{rank}" / "net.ckpt"))


def test_one_process_needs_the_files_that_the_list_names(saved):
    four, two = str(saved / "four.ckpt"), str(saved / "two.json")
    ranks = ms.rank_list_for_transform(1, four, two)
    assert ranks == [0, 1, 2, 3]
    assert ms.rank_list_for_transform(3, None, four) == [0]
    files = {r: str(saved / "from" / f"rank_{r}" / "net.ckpt") for r in ranks}
    ms.transform_checkpoint_by_rank(1, files, str(saved / "own.ckpt"), four, two)
    equal(read(saved / "own.ckpt"), for_two(1))
    with pytest.raises(ValueError, match="rank 3 is missing"):
        ms.transform_checkpoint_by_rank(1, {r: files[r] for r in (0, 1, 2)}, str(saved / "own.ckpt"), four, two)
    with pytest.raises(ValueError, match="should end with"):
        ms.transform_checkpoint_by_rank(1, files, "own", four, two)
    with pytest.raises(ValueError, match="below 2"):
        ms.rank_list_for_transform(2, four, two)


def test_wrong_files_and_folders_are_said(saved):
    four = str(saved / "four.ckpt")
    with pytest.raises(NotADirectoryError):
        ms.transform_checkpoints(str(saved / "no"), "x", "n", four)
    with pytest.raises(ValueError, match="no such strategy file"):
        ms.transform_checkpoints(str(saved / "from"), "x", "n", "no")
    (saved / "empty").mkdir()
    with pytest.raises(ValueError, match="has no checkpoint"):
        ms.transform_checkpoints(str(saved / "empty"), "x", "n", four)
    write_strategy(str(saved / "other.ckpt"), StrategyFile(layouts={"u": LayoutRow((4,), (0,))}))
    with pytest.raises(ValueError, match="Do they belong together"):
        ms.transform_checkpoints(str(saved / "from"), "x", "n", str(saved / "other.ckpt"))


def test_stages_of_a_pipeline_have_their_own_parameters(tmp_path):
    row, shared = LayoutRow((2,), (0, -1)), W + 100
    (tmp_path / "plans").mkdir()
    for stage in range(2):
        write_strategy(str(tmp_path / "plans" / f"s{stage}.ckpt"),
                       StrategyFile(stage, {}, {f"w{stage}": row, "shared": row}))
    ms.merge_pipeline_strategys(str(tmp_path / "plans"), str(tmp_path / "all.ckpt"))
    for rank in range(4):
        s, c = divmod(rank, 2)
        write(tmp_path / "from" / f"rank_{rank}" / "a", {f"w{s}": np.split(W + s, 2)[c],
                                                         "shared": np.split(shared, 2)[c]})
    ms.transform_checkpoints(str(tmp_path / "from"), str(tmp_path / "one"), "n", str(tmp_path / "all.ckpt"))
    equal(read(tmp_path / "one" / "rank_0" / "n0.ckpt"), {"w0": W, "shared": shared, "w1": W + 1})
    ms.transform_checkpoints(str(tmp_path / "one"), str(tmp_path / "back"), "n", None, str(tmp_path / "all.ckpt"))
    equal(read(tmp_path / "back" / "rank_3" / "n3.ckpt"), {"shared": np.split(shared, 2)[1],
                                                           "w1": np.split(W + 1, 2)[1]})
    with pytest.raises(NotADirectoryError):
        ms.merge_pipeline_strategys(str(tmp_path / "no"), str(tmp_path / "all.ckpt"))


def test_sliced_parameters_are_merged(saved):
    strategy = ms.build_searched_strategy(str(saved / "four.ckpt"))
    assert list(strategy["w"].dev_matrix[0].dim) == [2, 2]
    parts = [Parameter(Tensor(np.split(W, 2)[r // 2]), name="w") for r in range(4)]
    found = ms.merge_sliced_parameter(parts, strategy)
    np.testing.assert_array_equal(found.asnumpy(), W)
    assert found.name == "w"
    for wrong, error in (([], ValueError), ([1], TypeError), (parts[:3], ValueError),
                         ([Parameter(Tensor(W), name="nope")], KeyError),
                         ([parts[0], Parameter(Tensor(W), name="v")], ValueError)):
        with pytest.raises(error):
            ms.merge_sliced_parameter(wrong, strategy)
    assert ms.build_searched_strategy(None) is None
    for wrong, error in ((1, TypeError), ("no", ValueError)):
        with pytest.raises(error):
            ms.build_searched_strategy(wrong)


def test_a_network_takes_what_several_processes_saved(saved):
    net = nn.Dense(4, 8, has_bias=False)
    net.weight.name = "w"
    files = [str(saved / "from" / f"rank_{r}" / "net.ckpt") for r in range(4)]
    assert ms.load_distributed_checkpoint(net, files, None, str(saved / "four.ckpt")) is True
    np.testing.assert_array_equal(net.weight.asnumpy(), W)
    half = nn.Dense(4, 4, has_bias=False)
    half.weight.name = "w"
    plan = {"w": [[2], [0, -1], [4, 4], 0, True, ""]}
    assert ms.load_distributed_checkpoint(half, files, plan, str(saved / "four.ckpt"), rank_id=1)
    np.testing.assert_array_equal(half.weight.asnumpy(), W[4:])
    with pytest.raises(ValueError, match="device count is 4"):
        ms.load_distributed_checkpoint(net, files[:2], None, str(saved / "four.ckpt"))
    with pytest.raises(ValueError, match="dst_safetensors_dir"):
        ms.load_distributed_checkpoint(None, files)


def test_unified_files_have_an_index_and_are_cut_again(saved):
    for rank in range(4):
        held = read(saved / "from" / f"rank_{rank}" / "net.ckpt")
        write(saved / "safe" / f"rank_{rank}" / "net", held, "safetensors")
    ms.unified_safetensors(str(saved / "safe"), str(saved / "four.ckpt"), str(saved / "uni"),
                           choice_func=lambda name: name != "b")
    index = json.loads((saved / "uni" / "param_name_map.json").read_text())
    assert index == {"metadata": {"total_size": 4 * W.nbytes},
                     "weight_map": dict.fromkeys(["w", "v", "o", "moments.w"], "part0.safetensors")}
    ms.load_distributed_checkpoint(None, None, str(saved / "two.json"), format="safetensors",
                                   unified_safetensors_dir=str(saved / "uni"), dst_safetensors_dir=str(saved / "cut"))
    found = ms.load_checkpoint(str(saved / "cut" / "rank_1" / "net.safetensors"), format="safetensors")
    np.testing.assert_array_equal(found["w"].asnumpy(), np.split(W, 2, 1)[1])
    with pytest.raises(ValueError, match="has no checkpoint"):
        ms.unified_safetensors(str(saved / "safe"), str(saved / "four.ckpt"), str(saved / "uni"), file_suffix="x")


def test_files_of_a_folder_are_read_as_one(tmp_path):
    write(tmp_path / "a", {"weight": W})
    write(tmp_path / "b", {"bias": W[:, 0]})
    net = nn.Dense(4, 8)
    assert set(ms.load_segmented_checkpoints(str(tmp_path), net)) == {"weight", "bias"}
    np.testing.assert_array_equal(net.bias.asnumpy(), W[:, 0])
    with pytest.raises(ValueError, match="must be a folder"):
        ms.load_segmented_checkpoints(str(tmp_path / "no"))


def test_lost_files_are_found_at_processes_with_the_same_pieces(saved):
    write_strategy(str(saved / "w.ckpt"), StrategyFile(layouts={"w": SOURCE["w"]}))
    path = saved / "from" / "rank_1" / "net.ckpt"
    path.unlink()
    assert ms.get_ckpt_path_with_strategy(str(path), str(saved / "w.ckpt")) == str(saved / "from/rank_0/net.ckpt")
    assert ms.get_ckpt_path_with_strategy(str(path), str(saved / "four.ckpt")) is None
    write_groups(str(saved / "groups"), {"g": [0, 2]}, [0, 1])
    assert ms.restore_group_info_list(str(saved / "groups")) == [0, 1]
    with pytest.raises(ValueError, match="no such group"):
        ms.restore_group_info_list("no")


@pytest.mark.parametrize("damage", ["[" * 200_000, "", "{}", '{"weight_map": [1]}', '{"weight_map": {"a": 3}}',
                                    '{"weight_map": {"a": "../part0.safetensors"}}'])
def test_a_damaged_map_of_parameters_is_told(damage, tmp_path):
    path = tmp_path / "param_name_map.json"
    path.write_text(damage)
    with pytest.raises(CheckpointError, match=r"param_name_map\.json' cannot be read"):
        ms.load_distributed_checkpoint(None, unified_safetensors_dir=str(tmp_path),
                                       dst_safetensors_dir=str(tmp_path / "cut"))


def test_parts_of_a_set_that_is_replaced_while_it_is_read_are_told(tmp_path, monkeypatch):
    """Two sets are never read as one."""
    def unify(number):
        write(tmp_path / "saved" / "rank_0" / "net", {n: np.full(9, number, np.float32) for n in "abc"}, "safetensors")
        ms.unified_safetensors(str(tmp_path / "saved"), None, str(tmp_path / "uni"))

    monkeypatch.setattr(distributed_loading, "LARGEST_PART", 40)
    unify(1)
    plain, calls = distributed_loading.read_file, []

    def slow(path):
        calls.append(path)
        found = plain(path)
        if len(calls) == 1:
            unify(2)
        return found

    monkeypatch.setattr(distributed_loading, "read_file", slow)
    with pytest.raises(CheckpointError, match="was written while it was read"):
        ms.load_distributed_checkpoint(None, unified_safetensors_dir=str(tmp_path / "uni"),
                                       dst_safetensors_dir=str(tmp_path / "out"))
    assert {call for call in calls if "uni" in call} == {str(tmp_path / "uni" / f"part{k}.safetensors")
                                                         for k in range(3)}
