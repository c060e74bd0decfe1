"""Strategy files, and where the pieces stand that their rows describe."""
from __future__ import annotations

import itertools

import numpy as np
import processes
import pytest
import torch

import mindspore as ms
from mindspore.core import context
from mindspore.formats.strategy import (
    LayoutRow,
    StrategyFile,
    merged,
    read_groups,
    read_strategy,
    write_strategy,
)
from mindspore.parallel.files import cut, devices_of, joined, layout_list, row_of
from mindspore.parallel.placement import REPLICATE, Mesh, Shard
from mindspore.parallel.splitting import Plan
from mindspore.parallel.storing import Stored, writable
from mindspore.parallel.strategies import placement_of, save_groups, set_op_strategy_config

# observed: MindSpore 2.10, CPU: one row for w over (2, 2), cut along its first dimension by the first axis
BYTES = (b"\x08\x00\x1a$\n\x01w\x12\x1f\n\x04\x08\x02\x08\x02\x12\r\x08\x01\x08" + b"\xff" * 9
         + b"\x01\x1a\x00\"\x00(\x000\x008\x00")


def test_a_file_has_the_bytes_of_the_original_and_comes_back(tmp_path):
    content = StrategyFile(layouts={"w": LayoutRow((2, 2), (1, -1))})
    write_strategy(str(tmp_path / "a.ckpt"), content)
    assert (tmp_path / "a.ckpt").read_bytes() == BYTES
    content.strategies["Default/MatMul-op0"] = 0, [[1, 2], [2, 1]]
    for name in ("b.ckpt", "b.json"):
        write_strategy(str(tmp_path / name), content)
        assert read_strategy(str(tmp_path / name)) == content


def test_what_is_no_strategy_file_is_said(tmp_path):
    for name in ("a.ckpt", "a.json"):
        (tmp_path / name).write_bytes(b"\xff\xff nonsense")
        with pytest.raises(TypeError, match="is no strategy file"):
            read_strategy(str(tmp_path / name))
    with pytest.raises(ValueError, match="several axes"):
        write_strategy(str(tmp_path / "b.ckpt"), StrategyFile(layouts={"w": LayoutRow((2, 2), ((1, 0),))}))


def test_files_of_stages_become_one():
    rows = {"w": LayoutRow((2,), (0, -1))}
    found = merged([StrategyFile(0, {"a": (0, [[1]])}, rows), StrategyFile(1, {"b": (1, [[2]])}, rows)])
    assert found.stage == 1
    assert list(found.layouts) == ["0-w", "1-w"]
    assert list(found.strategies) == ["a", "b"]


@pytest.mark.parametrize("row", [
    LayoutRow((2, 2), (1, -1)), LayoutRow((2, 2), (0, 1)), LayoutRow((2, 3), (-1, 0)), LayoutRow((4,), (-1, -1)),
    LayoutRow((2, 2), (0, -1), step=2, size=2), LayoutRow((2, 2), ((1, 0), -1)), LayoutRow((3,), (0, -1)),
    LayoutRow((2,), (0, -1), field=2)])
def test_pieces_put_together_are_the_whole(row):
    x = torch.arange(8 * 6.0).reshape(8, 6)
    parts = [cut(x, row, r) for r in range(devices_of(row))]
    torch.testing.assert_close(joined(parts, row, torch.cat), x)


def test_optimizer_pieces_lie_inside_those_of_the_parameter():
    x = torch.arange(8.0)[:, None]
    row = LayoutRow((2, 2), (0, -1), step=2, size=2)                 # the last axis cuts, the other one inside of it
    assert [cut(x, row, r).flatten().tolist() for r in range(4)] == [[0, 1], [4, 5], [2, 3], [6, 7]]


def test_rows_and_placements_say_the_same():
    for mesh in (Mesh((2, 2)), Mesh((3, 2)), Mesh((2, 2, 2))):
        for placement in itertools.product([REPLICATE, Shard(0), Shard(1)], repeat=len(mesh.shape)):
            if not writable(placement, (24, 24), mesh):
                continue
            stored = Stored(mesh, placement, (24, 24))
            row = row_of(stored, 0)
            x = torch.arange(576.0).reshape(24, 24)
            for d in range(mesh.size):
                torch.testing.assert_close(cut(x, row, d), stored.piece(x, d))
            assert placement_of("w", row, mesh) == placement


def test_rows_that_do_not_fit_the_processes_are_refused():
    with pytest.raises(ValueError, match="does not fit the 3 processes"):
        placement_of("w", LayoutRow((2,), (0, -1)), Mesh((3,)))


def test_the_list_of_a_layout_tells_unequal_pieces():
    assert layout_list(Stored(Mesh((3,)), (Shard(1),), (12, 16)), 0) == [
        [3], [-1, 0], [12, 6], 0, False, "", [12, 16]]


def test_layouts_name_axes():
    grid = ms.Layout((2, 4), ("dp", "mp"))
    assert grid("dp", "None").to_dict() == {
        "device_matrix": (2, 4), "tensor_map": (1, -1), "interleaved_parallel": False, "alias_name": ("dp", "mp"),
        "rank_list": list(range(8))}
    assert grid(("dp", "mp"), "None").to_dict()["tensor_map"] == ((1, 0), -1)
    assert grid(("dp", "mp"), "None").parts() == (8, 1)
    assert grid("dp", "mp") == ms.Layout((2, 4), ("dp", "mp"))("dp", "mp")
    for wrong, error in ((((2, 4), ("dp",)), ValueError), (((2, 4), ("dp", "dp")), ValueError),
                         (([2, 4], ("dp", "mp")), TypeError), (((2, "a"), ("dp", "mp")), TypeError),
                         (((2, 4), ("None", "a")), ValueError), (((2, 4), ("dp", "mp"), [0, 1]), ValueError)):
        with pytest.raises(error):
            ms.Layout(*wrong)
    with pytest.raises(ValueError, match="more than one"):
        grid("dp", "dp")
    with pytest.raises(ValueError, match="not found"):
        grid("zz")
    with pytest.raises(ValueError, match="call the layout"):
        grid.to_dict()


def test_reshard_and_shard_check_and_leave_values_alone():
    x = ms.ops.ones((4, 2))
    grid = ms.Layout((2, 2), ("dp", "mp"))
    assert ms.reshard(x, grid("dp", "mp")).tolist() == x.tolist()
    net = ms.nn.Dense(2, 3)
    halves = ms.shard(net, ((2, 1),), ((1, 2),), {"weight": (2, 1)})
    assert halves(x).tolist() == net(x).tolist()
    assert net.weight.planned == (2, 1)
    for wrong, error in ((lambda: ms.reshard(1, grid("dp")), TypeError), (lambda: ms.reshard(x, 1), TypeError),
                         (lambda: ms.reshard(x, grid("dp")), ValueError), (lambda: ms.shard(1, ((1,),)), TypeError),
                         (lambda: ms.shard(net, ((2, 1), (1,)))(x), ValueError),
                         (lambda: ms.shard(net, ((1, 1),), parameter_plan={"no": (1,)}), ValueError)):
        with pytest.raises(error):
            wrong()


@pytest.mark.usefixtures("both_modes")
def test_the_primitive_of_layouts_checks_and_leaves_values_alone():
    x = ms.ops.ones((4, 2))
    grid = ms.Layout((2, 2), ("dp", "mp"))
    rows, columns = grid("dp", "None"), grid("None", "mp")
    assert ms.ops.Reshard((rows,), columns, ((2, 1),))(x).tolist() == x.tolist()
    for wrong, value, error in (((rows, columns, ((2, 1),)), 1, TypeError), ((1, rows, ((2, 1),)), x, TypeError),
                                ((rows, columns, 4), x, TypeError), ((rows, columns, ((1, 2),)), x, ValueError),
                                ((grid("dp"), rows, ((2,),)), x, ValueError)):
        with pytest.raises(error, match="For 'Reshard'"):
            ms.ops.Reshard(*wrong)(value)


RESHARD = """
init()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
ms.set_context(mode=ms.GRAPH_MODE)
grid = ms.Layout((2,), ("all",))
turn = ops.Reshard((grid("all", "None"),), (grid("None", "all"),), ((2, 1),))
class Net(nn.Cell):
    def construct(self, x):
        return turn(x * 2) + 1
net = Net()
answer("out", net(Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))))
answer("did", [n.op.name for held in net._compiled.programs.values() for p in held for n in p.graph.nodes])
release()
"""


@pytest.mark.slow
def test_the_primitive_moves_pieces_in_a_program_of_two_processes(tmp_path):
    for one in processes.run(2, RESHARD, tmp_path):
        assert np.array(one["out"]).tolist() == [[1, 3], [5, 7], [9, 11], [13, 15]]
        assert "SwapPieces" in one["did"]


def test_operator_files_are_absolute_json(tmp_path):
    for mode, path in (("SAVE", "x.json"), ("BAD", "/x.json"), ("SAVE", "/x.ckpt")):
        with pytest.raises(KeyError):
            set_op_strategy_config(mode, path)


def test_an_interleaved_axis_comes_last_and_counts_no_devices():
    grid = ms.Layout((3, 5, 2), ("dp", "mp", "interleaved_parallel"))
    told = grid("dp", ("mp", "interleaved_parallel")).to_dict()
    assert (told["interleaved_parallel"], told["rank_list"]) == (True, list(range(15)))
    assert told["tensor_map"] == (2, (1, 0))
    assert ms.Layout((2, 2), ("a", "interleaved_parallel"), [0, 1])("a").to_dict()["rank_list"] == [0, 1]
    for wrong, said in ((((2, 3, 2), ("dp", "interleaved_parallel", "mp")), "must be the last one"),
                        (((2, 2), ("a", "interleaved_parallel"), [0, 1, 2, 3]), "rank_list should be equal"),
                        (((0, 2), ("a", "b")), "at least 1"), (((2, 3), ("a", "b"), [0]), "rank_list should be equal")):
        with pytest.raises(ValueError, match=said):
            ms.Layout(*wrong)
    for wrong, said in ((((2, 3), ("a", 1)), "alias_name must be str"), (((2, True), ("a", "b")), "must be int"),
                        (((2, 3), ["a", "b"]), "alias_name must be tuple"),
                        (((2, 3), ("a", "b"), (0, 1, 2, 3, 4, 5)), "rank_list should be a list")):
        with pytest.raises(TypeError, match=said):
            ms.Layout(*wrong)


def test_files_of_groups_list_who_holds_the_same_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(context.parallel, "group_ckpt_save_file", str(tmp_path / "new" / "groups"))
    plan = Plan(Mesh((2, 3)), {}, stored={1: (REPLICATE, Shard(0)), 2: (REPLICATE, REPLICATE)})
    save_groups(plan, 4, 6)                         # the place (1, 1) of the second stage
    assert ms.restore_group_info_list(str(tmp_path / "new" / "groups")) == [7, 10]
    assert read_groups(str(tmp_path / "new" / "groups"))[0] == {"devices 7 10": [7, 10],
                                                                        "devices 9 10 11": [9, 10, 11]}
