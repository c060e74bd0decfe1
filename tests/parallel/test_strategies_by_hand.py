"""Names of operators, rows of strategy files, and what processes agree on, with everything else given by hand."""
from __future__ import annotations

import weakref
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import context
from mindspore.core import seed
from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
from mindspore.ir import ITEM, Aval, param
from mindspore.parallel import running, strategies
from mindspore.parallel.placement import REPLICATE, Mesh, Partial, Shard


def node(name, *scope, phase="forward", op=None):
    return SimpleNamespace(op=op or SimpleNamespace(name=name), origin=SimpleNamespace(scope=scope, phase=phase))


def test_operators_of_one_name_are_numbered_from_nought_in_their_cell_and_pass():
    line = [node("MatMul", "Net", "a"), node("MatMul", "Net", "b"), node("item", op=ITEM), node("MatMul", "Net", "a"),
            node("MatMul", "Net", "a", phase="reverse"), node("Add", "Net", "a"), node("MatMul", "Net", "a")]
    found = strategies.names_of(SimpleNamespace(nodes=line))
    assert [found.get(id(n)) for n in line] == [
        "Default/Net/a/MatMul-op0", "Default/Net/b/MatMul-op0", None, "Default/Net/a/MatMul-op1",
        "reverse/Default/Net/a/MatMul-op0", "Default/Net/a/Add-op0", "Default/Net/a/MatMul-op2"]


@pytest.mark.parametrize(("placement", "expected"), [
    ((Shard(0), Shard(0)), (6, 1, 1)), ((Shard(2), Shard(0)), (3, 1, 2)), ((REPLICATE, Shard(1)), (1, 3, 1)),
    ((Partial(), Shard(1)), (1, 3, 1)), (None, (1, 1, 1))])
def test_axes_that_cut_one_dimension_make_the_product_of_their_parts(placement, expected):
    assert strategies.parts_of(placement, 3, Mesh((2, 3))) == expected


def test_only_trainable_parameters_are_written_where_that_is_asked_for():
    nodes = [param(Aval((4, 6), ms.float32)) for _ in range(3)]
    parameters = {id(nodes[0]): SimpleNamespace(name="w", requires_grad=True),
                  id(nodes[1]): SimpleNamespace(name="mean", requires_grad=False)}
    plan = SimpleNamespace(mesh=Mesh((2,)), chosen={}, stored={id(nodes[0]): (Shard(1),)})
    graph = SimpleNamespace(nodes=[], params=nodes)
    found = [strategies.content_of(graph, plan, parameters, trainable, 2) for trainable in (True, False)]
    assert [set(f.layouts) for f in found] == [{"w"}, {"w", "mean"}]
    assert found[0].stage == 2
    assert (found[1].layouts["w"].tensor_map, found[1].layouts["mean"].tensor_map) == ((-1, 0), (-1, -1))


@pytest.fixture
def files():
    yield strategies.operator_files
    strategies.operator_files.clear()


def test_the_last_file_of_operators_counts_and_has_no_layouts(files, tmp_path, monkeypatch):
    paths = [str(tmp_path / name) for name in ("operators.json", "layouts.ckpt")]
    row = LayoutRow((2,), (0, -1))
    for path, name in zip(paths, ("a", "b"), strict=True):
        write_strategy(path, StrategyFile(0, {name: (0, [[1, 2]])}, {name: row}))
    ms.parallel.set_op_strategy_config("SAVE", str(tmp_path / "other.json"))
    ms.parallel.set_op_strategy_config("LOAD", paths[0])
    assert files == {"LOAD": paths[0]}
    found = strategies.load_plan()
    assert (set(found.strategies), set(found.layouts)) == ({"a"}, set())
    monkeypatch.setattr(context.parallel, "strategy_ckpt_load_file", paths[1])
    found = strategies.load_plan()
    assert (set(found.strategies), set(found.layouts)) == ({"a", "b"}, {"b"})


@pytest.mark.parametrize(("matrix", "cuts", "mesh", "expected"), [
    ((2, 3), (0, -1), (2, 3), (REPLICATE, Shard(0))), ((2, 3), (1, 0), (2, 3), (Shard(0), Shard(1))),
    ((2, 3), ((1, 0), -1), (2, 3), (Shard(0), Shard(0))), ((4,), (-1, 0), (2, 2), (Shard(1), Shard(1))),
    ((6, 1), (1, -1), (3, 2), (Shard(0), Shard(0))), ((3, 2), (1, 0), (2, 3), None), ((2,), (0, -1), (2, 2), None)])
def test_rows_of_a_file_on_meshes_of_other_axes(matrix, cuts, mesh, expected):
    row = LayoutRow(matrix, cuts)
    if expected is not None:
        assert strategies.placement_of("w", row, Mesh(mesh)) == expected
        return
    with pytest.raises(ValueError, match=f"lets 'w' lie over the devices .* the {np.prod(mesh)} processes"):
        strategies.placement_of("w", row, Mesh(mesh))


@pytest.mark.parametrize("more", [{"size": 2}, {"field": 2}])
def test_rows_that_are_cut_further_fit_no_mesh(more):
    with pytest.raises(ValueError, match="does not fit"):
        strategies.placement_of("w", LayoutRow((2, 2), (0, -1), **more), Mesh((2, 2)))


@pytest.mark.parametrize("other", [-1, 1])
@pytest.mark.parametrize("change", [lambda x: x + 1, lambda x: x.reshape(3, 2), lambda x: x.double(), lambda x: x.T])
def test_other_inputs_of_another_process_are_told(monkeypatch, other, change):
    """What another process has is that of a changed tensor; then nothing is told of equal ones."""
    x, seen = torch.arange(6.0).reshape(2, 3), []
    monkeypatch.setattr(running.collectives, "reduced_over", lambda t, op, group: seen.append(t.clone()) or t)
    running.same_inputs("net", [x], 0)
    running.same_inputs("net", [change(x)], 0)
    mine, theirs = seen[0], seen[2]
    assert mine.tolist() != theirs.tolist()
    monkeypatch.setattr(running.collectives, "reduced_over", lambda t, op, group: getattr(torch, op + "imum")(
        t, t + torch.tensor([other, -other])))
    with pytest.raises(RuntimeError, match="call 'net' with different tensors"):
        running.same_inputs("net", [x], 0)


def test_inputs_are_compared_at_first_and_then_now_and_then(monkeypatch):
    told = []
    monkeypatch.setattr(running, "alike", lambda digest: told.append(digest) or True)
    compared = []
    for call in range(130):
        before = len(told)
        running.same_inputs("net", [torch.ones(2), torch.ones(0)], call)
        compared += [call] if len(told) > before else []
    assert compared == [0, 1, 2, 64, 128]
    assert len(set(told)) == 1


def test_processes_agree_on_tensors_once_and_on_each_seed_once(monkeypatch):
    sent = []
    monkeypatch.setattr(running.collectives, "sent_to_all", lambda x, root, group: sent.append(x) or x + 1)
    monkeypatch.setattr(running, "_agreed", {})
    monkeypatch.setattr(running, "_seeded", [])
    state = torch.random.get_rng_state()
    try:
        w, v, stored = [ms.Parameter(np.ones(3, np.float32), name=name) for name in ("w", "v", "stored")]
        stored.stored = SimpleNamespace()
        running.agree([w, stored])
        assert (w.tolist(), stored.tolist(), len(sent)) == ([2.0] * 3, [1.0] * 3, 2)
        torch.manual_seed(3)
        first = torch.rand(1).item()
        torch.manual_seed(3)
        running.agree([w])
        assert (w.tolist(), len(sent), torch.rand(1).item()) == ([2.0] * 3, 2, first)
        running._agreed[id(v)] = weakref.ref(w)             # the number of a tensor that is gone
        running.agree([v])
        assert v.tolist() == [2.0] * 3
        count, version = len(sent), seed.version()
        monkeypatch.setattr(running.seed, "version", lambda: version + 1)
        running.agree([w])
        assert len(sent) == count + 1
    finally:
        del stored.stored
        torch.random.set_rng_state(state)


def test_the_quickest_plan_of_all_meshes_is_taken_and_wrong_strategies_are_told(monkeypatch):
    seconds = {(4,): 3.0, (2, 2): 2.0, (4, 1): 5.0}
    grids = [SimpleNamespace(shape=shape, size=4) for shape in seconds]

    def searched(graph, grid, *rest):
        if wrong and grid.shape in wrong:
            raise ValueError(f"no {grid.shape}")
        return SimpleNamespace(seconds=seconds[grid.shape], grid=grid)
    for name in ("limits", "machine", "budget", "lay_as_planned", "strategies_of"):
        monkeypatch.setattr(running, name, lambda *args: None)
    monkeypatch.setattr(running, "searched", searched)
    monkeypatch.setattr(running.strategies, "load_plan", lambda: None)
    wrong = []
    assert running.planned(None, SimpleNamespace, {}, grids)[0].grid.shape == (2, 2)
    wrong = [(2, 2)]
    assert running.planned(None, SimpleNamespace, {}, grids)[0].grid.shape == (4,)
    wrong = list(seconds)
    with pytest.raises(ValueError, match=r"no \(\d"):
        running.planned(None, SimpleNamespace, {}, grids)
