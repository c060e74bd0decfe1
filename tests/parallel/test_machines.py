"""Machines that are measured, written, read, and used."""
from __future__ import annotations

import json

import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler.inspection.plans import traced
from mindspore.ir import Aval
from mindspore.parallel import calibrate, machines, running
from mindspore.parallel.choices import whole_choice
from mindspore.parallel.costs import Machine, interpolated
from mindspore.parallel.placement import Mesh, Partial, Shard


def test_this_machine_is_measured_written_and_used(tmp_path, monkeypatch, capsys):
    for name, value in (("TIMES", 2), ("WINDOW", 0.002), ("SIDES", (8, 64)), ("ROWS", (64, 1 << 12)),
                        ("EDGES", (4, 8)), ("LINES", (1, 16))):
        monkeypatch.setattr(calibrate, name, value)
    path = tmp_path / "machine.json"
    assert calibrate.main([str(path)]) == 0
    assert "Set MS_MACHINE_FILE to it" in capsys.readouterr().out
    found = machines.read(path)
    assert min(found.flops, found.memory) > 1e6
    assert 0 < found.start < 1e-2
    assert {op.name for op in calibrate.OPERATORS} < set(found.tables)
    operations = [size for size, _ in found.tables["product Convolution"]]
    assert operations == [2 * 4 * 32 * edge ** 2 * 32 * 9 for edge in (4, 8)]
    assert (found.link, found.latency) == (Machine().link, Machine().latency)       # one process sends nothing
    assert running.machine() == machines.given() == Machine()
    monkeypatch.setenv("MS_MACHINE_FILE", str(path))
    assert running.machine() == machines.given() == found


def test_plans_follow_the_machine(tmp_path, monkeypatch):
    x = ops.ones((512, 512), ms.float32)
    net = nn.Dense(512, 512)
    for k, (machine, cut) in enumerate(((Machine(flops=1e7, memory=1e7), "1 of 1"), (Machine(latency=10.0), "0 of 1"))):
        path = tmp_path / f"{k}.json"
        machines.write(machine, path)
        monkeypatch.setenv("MS_MACHINE_FILE", str(path))
        assert f"{cut} operators work on pieces" in ms.parallel.explain(net, x, devices=2)


def test_what_was_measured_counts_instead_of_rates(tmp_path):
    table = [(100.0, 1.0), (200.0, 3.0)]
    assert [interpolated(table, n) for n in (10, 100, 150, 200, 400)] == [1.0, 1.0, 2.0, 3.0, 6.0]
    machine = Machine(tables={"sweep": [(64.0, 0.5), (128.0, 0.75)], "Tanh": [(64.0, 4.0)], "product": [(100.0, 7.0)],
                              "gather 2": [(8.0, 0.25)]})
    machines.write(machine, tmp_path / "machine.json")
    assert machines.read(tmp_path / "machine.json") == machine
    mesh, x = Mesh((2,)), ops.ones((4, 2))
    graph, _ = traced(lambda x: ops.tanh(x + x) @ x.T, (x,))
    seconds = {n.op.name: machine.compute(n, whole_choice(n, mesh), mesh) for n in graph.nodes}
    assert (seconds["Add"], seconds["Tanh"]) == (0.625, 4.0)              # of 96 and 64 bytes
    assert max(seconds.values()) == 7.0                                   # the product of 64 operations
    product = next(n.op.name for n in graph.nodes if seconds[n.op.name] == 7.0)
    own = Machine(tables={**machine.tables, f"product {product}": [(100.0, 9.0)]})
    assert max([own.compute(n, whole_choice(n, mesh), mesh) for n in graph.nodes]) == 9.0
    rows = Aval((4, 2), ms.float32)
    assert machine.move(rows, (Shard(0),), mesh.whole, mesh).seconds == 16 / 8 * 0.25
    assert machine.move(rows, (Partial(),), mesh.whole, mesh).seconds > 0             # no table: by rates


@pytest.mark.parametrize(("text", "said"), [
    (json.dumps({"link": [1], "flops": 1, "memory": 1, "start": 1, "latency": 1,
                 "tables": {"sweep": [[2, 1], [1, 1]]}}),
     "ascending order"),
    ("{", "does not describe a machine"), ("[]", "does not describe a machine"),
    (json.dumps({"link": [1e9], "flops": 1e9}), "must have positive numbers: flops"),
    (json.dumps({"link": [], "flops": 1e9, "memory": 1, "start": 1, "latency": 1}), "must have positive numbers"),
    (json.dumps({"link": [1], "flops": -1, "memory": 1, "start": 1, "latency": 1}), "must have positive numbers"),
    (json.dumps({"link": [1], "flops": "x", "memory": 1, "start": 1, "latency": 1}), "does not describe a machine")])
def test_a_file_that_describes_no_machine_is_named(tmp_path, text, said):
    path = tmp_path / "wrong.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=said):
        machines.read(path)
    with pytest.raises(ValueError, match=r"absent\.json' .MS_MACHINE_FILE. does not describe a machine"):
        machines.read(tmp_path / "absent.json")
