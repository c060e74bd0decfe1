"""Every node of a program knows where it comes from: cells and functions, the phase, notes."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler.cells import compile_cell
from mindspore.eager.parameter import Version
from mindspore.ir import graphs_in


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.context.reset_context()


class Block(nn.Cell):
    """A layer of a transformer."""

    def __init__(self, width=8, heads=2):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm((width,))
        self.qkv = nn.Dense(width, 3 * width)
        self.out = nn.Dense(width, width)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(), nn.Dense(4 * width, width))

    def split(self, x):
        batch, length, width = x.shape
        return x.reshape(batch, length, self.heads, width // self.heads).swapaxes(1, 2)

    def construct(self, x):
        q, k, v = [self.split(part) for part in ops.split(self.qkv(self.norm(x)), x.shape[-1], axis=-1)]
        found = ops.softmax(ops.matmul(q, k.swapaxes(2, 3)), axis=-1)
        x = x + self.out(ops.matmul(found, v).swapaxes(1, 2).reshape(x.shape))
        return x + self.mlp(x)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 8)
        self.layers = nn.CellList([Block(), Block()])
        self.head = nn.Dense(8, 11)

    def construct(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x).reshape(-1, 11)


@pytest.fixture
def step():
    """The nodes of a training step of a transformer."""
    net = Model()
    whole = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Adam(net.trainable_params()))
    ids = ms.Tensor(np.arange(10).reshape(2, 5) % 11, ms.int32)
    program = compile_cell(whole, (ids, ids.reshape(-1)), {})
    return [node for graph in graphs_in(program.graph) for node in graph.nodes]


def test_every_node_of_a_training_step_names_its_cell_and_phase(step):
    assert {node.origin.phase for node in step} == {"forward", "reverse", "optimizer"}
    assert [node for node in step if node.origin.scope[:1] != ("TrainOneStepCell",)] == []
    scopes = {phase: {".".join(n.origin.scope) for n in step if n.origin.phase == phase}
              for phase in ("forward", "reverse", "optimizer")}
    for phase in ("forward", "reverse"):
        assert {"TrainOneStepCell.network._backbone.layers.1.qkv",
                "TrainOneStepCell.network._backbone.layers.0.mlp.2",
                "TrainOneStepCell.network._backbone.head",
                "TrainOneStepCell.network._loss_fn"} <= scopes[phase], phase
    assert scopes["optimizer"] == {"TrainOneStepCell.optimizer"}


def test_functions_are_part_of_the_path():
    def scaled(net, x):
        return net(x) * 2.0

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(2, 2)

        def construct(self, x):
            return scaled(self.fc, x)
    program = compile_cell(Outer(), (ms.Tensor(np.ones((1, 2), np.float32)),), {})
    assert {n.origin.scope for n in program.graph.nodes} == {("Outer", "fc"), ("Outer", "scaled")}


@pytest.mark.parametrize(("ask", "notes"), [
    (lambda p: p.shard(((2, 1), (1, 4))), {"in_strategy": ((2, 1), (1, 4))}),
    (lambda p: p.set_stage(1), {"stage": 1}),
    (lambda p: p.set_device("GPU"), {"device": "GPU"}),
    (lambda p: p.recompute(), {"recompute": True}),
    (lambda p: p.place("MS_WORKER", 0), {"role": "MS_WORKER", "rank": 0}),
    (lambda p: p.set_prim_instance_name("mine"), {"name": "mine"}),
])
def test_attributes_of_a_primitive_reach_its_nodes_and_say_once_that_nothing_acts_on_them(warned, ask, notes):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.product = ask(ops.MatMul())
            self.other = ops.MatMul()

        def construct(self, x):
            return self.other(self.product(x, x), x)
    net = Net()
    x = ms.Tensor(np.eye(4, dtype=np.float32) * 2)
    first, second = compile_cell(net, (x,), {}).graph.nodes
    assert (dict(first.origin.notes), dict(second.origin.notes)) == (notes, {})
    np.testing.assert_array_equal(net(x).asnumpy(), np.eye(4) * 8)
    Net()
    assert len([text for text in warned if "'MatMul'" in text]) == ("name" not in notes)


def test_attributes_of_a_cell_reach_its_nodes(warned):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Dense(2, 2), nn.Dense(2, 2)
            self.a.pipeline_stage = 0
            self.b.pipeline_stage = 1
            self.b.set_comm_fusion(3)

        def construct(self, x):
            return self.b(self.a(x))
    graph = compile_cell(Net(), (ms.Tensor(np.ones((1, 2), np.float32)),), {}).graph
    assert {n.origin.scope[-1]: dict(n.origin.notes) for n in graph.nodes} == {
        "a": {"stage": 0}, "b": {"stage": 1, "comm_fusion": 3}}
    assert len(warned) == 2


def test_attributes_of_a_parameter_reach_its_node(warned):
    net = nn.Dense(2, 2)
    net.weight.comm_fusion = 3
    program = compile_cell(net, (ms.Tensor(np.ones((1, 2), np.float32)),), {})
    names = [p.name for p in program.captured]
    notes = [dict(p.origin.notes) for p in program.graph.params[-len(names):]]
    assert dict(zip(names, notes, strict=True)) == {"weight": {"comm_fusion": 3}, "bias": {}}
    net.weight.comm_fusion = 2
    assert len(warned) == 1
    with pytest.raises(ValueError, match="comm_fusion"):
        net.weight.comm_fusion = -1


@pytest.mark.parametrize("asked", [{"parallel_mode": "semi_auto_parallel", "device_num": 8}, {"pipeline_stages": 2}])
def test_asking_for_several_devices_in_one_process_is_a_warning(warned, asked):
    for _ in range(2):
        ms.set_auto_parallel_context(**asked)
    ms.reset_auto_parallel_context()
    assert len(warned) == 1
    assert "on one device" in warned[0]


class Marked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.product = nn.Dense(2, 2), ops.MatMul()

    def construct(self, x):
        return self.product(self.fc(x), x)


def marks(program):
    """The notes of parameters and nodes, in the order of the graph."""
    return [dict(n.origin.notes) for n in (*program.graph.params, *program.graph.nodes) if n.origin.notes]


def program_of(net):
    (held,) = net._compiled.programs.values()
    return held[0]


@pytest.mark.usefixtures("warned")
@pytest.mark.parametrize(("mark", "notes", "reason"), [
    (lambda net: net.product.shard(((1, 1), (1, 1))), {"in_strategy": ((1, 1), (1, 1))}, "primitive 'MatMul'"),
    (lambda net: net.product.set_stage(1), {"stage": 1}, "primitive 'MatMul'"),
    (lambda net: net.product.recompute(), {"recompute": True}, "primitive 'MatMul'"),
    (lambda net: setattr(net.fc, "pipeline_stage", 1), {"stage": 1}, "notes['stage']' of Dense is new"),
    (lambda net: net.fc.set_comm_fusion(3), {"comm_fusion": 3}, "notes['comm_fusion']' of Dense is new"),
    (lambda net: setattr(net.fc.weight, "comm_fusion", 3), {"comm_fusion": 3},
     "'comm_fusion' of the parameter 'fc.weight' changed from 1"),
    (lambda net: net.fc.recompute(), None, "flags['recompute']' of Dense is new")])
def test_what_is_noted_after_compiling_is_compiled(graph_mode, mark, notes, reason):
    net, x = Marked(), ms.Tensor(np.eye(2, dtype=np.float32))
    net(x)
    assert marks(program_of(net)) == []
    mark(net)
    net(x), net(x)
    assert notes is None or notes in marks(program_of(net))
    found = ms.graph.explain(net)
    assert (found.compiled, reason in found.programs[1].reason) == (2, True)


def test_an_attribute_of_a_primitive_that_is_set_after_compiling_counts(graph_mode):
    net, x = Marked(), ms.Tensor(np.arange(4, dtype=np.float32).reshape(2, 2))
    found = [net(x).asnumpy()]
    rows = net.fc(x).asnumpy()
    net.product.transpose_b = True
    found.append(net(x).asnumpy())
    net.product.add_prim_attr("transpose_b", False)
    found.append(net(x).asnumpy())
    for got, other in zip(found, (x, x.T, x), strict=True):
        np.testing.assert_allclose(got, rows @ other.asnumpy(), rtol=1e-6)


def test_primitives_that_no_program_uses_leave_programs_as_they_are(graph_mode):
    net, x = Marked(), ms.Tensor(np.eye(2, dtype=np.float32))
    net(x)
    before = Version.value
    ops.MatMul().set_stage(2).add_prim_attr("mine", 1)
    assert Version.value == before


@pytest.mark.usefixtures("warned")
def test_origins_of_parameters_and_nodes_come_back_from_the_disk(graph_mode, tmp_path):
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path))
    found = []
    for expected in ("stored", "loaded"):
        ms.set_seed(1)
        net = Marked()
        net.fc.weight.comm_fusion = 3
        net.product.shard(((1, 1), (1, 1)))
        net(ms.Tensor(np.eye(2, dtype=np.float32)))
        (report,) = ms.graph.explain(net).programs
        assert report.cache.startswith(expected)
        graph = program_of(net).graph
        found.append([(n.origin.scope, n.origin.phase, dict(n.origin.notes)) for n in (*graph.params, *graph.nodes)])
    assert found[0] == found[1]
    assert {"comm_fusion": 3} in [notes for _, _, notes in found[1]]
    assert {"in_strategy": ((1, 1), (1, 1))} in [notes for _, _, notes in found[1]]


def test_a_primitive_of_the_program_or_of_a_module_can_be_kept_on_disk(graph_mode, tmp_path):
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path))
    x = ms.Tensor(np.eye(2, dtype=np.float32))
    for expected in ("stored", "loaded"):
        for program in (ms.jit(with_its_own), ms.jit(with_that_of_the_module)):
            program(x)
            (report,) = ms.graph.explain(program).programs
            assert report.cache.startswith(expected), report.cache


PRODUCT = ops.MatMul()


def with_its_own(x):
    return ops.MatMul()(x, x)


def with_that_of_the_module(x):
    return PRODUCT(x, x)


def test_explanations_show_cells_and_phases(graph_mode):
    net = Model()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Adam(net.trainable_params()))
    ids = ms.Tensor(np.arange(10).reshape(2, 5) % 11, ms.int32)
    step(ids, ids.reshape(-1))
    (report,) = ms.graph.explain(step).programs
    head = "TrainOneStepCell.network._backbone.head"
    assert report.places[head, "forward"] >= 1
    assert report.places[head, "reverse"] >= 1
    assert report.places["TrainOneStepCell.optimizer", "optimizer"] >= 1
    assert sum(report.places.values()) == sum(report.phases.values()) >= report.nodes
    assert f"  # {head} (reverse)\n" in report.graph
    assert "  # x2: TrainOneStepCell" in report.graph            # a parameter
    assert "phases:     " in str(report)
