"""The steps between the walk and the source."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, grad, ops
from mindspore.compiler import passes, pipeline
from mindspore.compiler.autodiff import copied
from mindspore.compiler.program import Program
from mindspore.compiler.targets import Target
from mindspore.ir import Graph, Undecided

X = Tensor([1.0, 2.0])


def test_passes_run_in_the_order_of_the_list():
    seen = []

    def noting(name):
        def step(graph, target):
            seen.append(name)
            return graph
        return passes.Pass(name, step, passes.ANY)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "PASSES", [noting("first"), noting("second")])
        Program("net", lambda x: x * 1, (X,), {}).executable      # noqa: B018  # made at first use
    assert seen == ["first", "second"]


def test_a_pass_behind_one_that_needs_it_is_an_error():
    wrong = [passes.Pass("late", lambda graph, target: graph, needs=("early",))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "PASSES", wrong)
        with pytest.raises(ValueError, match=r"'late' needs \['early'\]"):
            passes.lower(Graph("f"))


def test_a_graph_that_a_pass_breaks_is_an_error():
    def breaking(graph, target):
        graph.nodes.reverse()
        return graph
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "PASSES", [passes.Pass("breaking", breaking, passes.ANY)])
        with pytest.raises(ValueError, match="neither a parameter nor an earlier node"):
            Program("net", lambda x: ops.exp(x * 2), (X,), {}).executable  # noqa: B018  # made at first use


@pytest.mark.parametrize("name", ["forward", "reverse"])
def test_a_graph_of_a_derivative_that_a_pass_breaks_is_an_error(name):
    def breaking(graph, target):
        seen.append(graph)
        if len(seen) == {"forward": 1, "reverse": 2}[name]:
            graph.nodes.reverse()
        return graph
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "PASSES", [passes.Pass("breaking", breaking, passes.FINAL)])
        program = Program("net", lambda x: ops.exp(x * 2) * x, (X,), {})
        with pytest.raises(ValueError, match="neither a parameter nor an earlier node"):
            program.derivative()  # made at first use


def test_a_target_of_a_low_level_does_without_some_passes():
    program = Program("net", lambda x: x + x * x * 1, (X,), {})
    low = passes.lower(copied(program.graph), Target(level=0))
    high = passes.lower(copied(program.graph), Target())
    assert [n.op.name for n in low.nodes] == ["Mul", "Add"]
    assert [n.op.name for n in high.nodes] == ["MultiplyAdd"]


def attention(q, k, v):
    return ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(2, 3)) * 0.5, axis=-1), v)


def pooled(x):
    return ops.max_pool2d(ops.relu(x), 2, 2)


def chained(x):
    y = x * 2
    return y + y * x


@pytest.mark.parametrize(("fn", "args"), [
    (attention, [Tensor(np.ones((1, 2, 3, 4), np.float32))] * 3), (pooled, [Tensor(np.ones((1, 1, 4, 4), np.float32))]),
    (chained, [X])])
def test_a_program_and_its_derivative_are_the_same_in_every_order(fn, args):
    def sources(*order):
        program, found = Program("net", fn, args, {}), {}
        for what in order:
            made = program.executable if what == "executable" else program.derivative()[:2]
            found[what] = made.source if what == "executable" else "".join(e.source for e in made)
        return found
    assert sources("executable", "derivative") == sources("derivative", "executable")


def test_attention_is_fused_in_a_derivative_whose_function_was_not_called_before():
    program = Program("net", attention, [Tensor(np.ones((1, 2, 3, 4), np.float32))] * 3, {})
    assert "k_Attention" in program.derivative()[0].source


def test_a_reverse_returns_cotangents_of_inputs_and_what_was_captured():
    table = Tensor([3.0, 4.0])
    program = Program("net", lambda x: x * table, (X,), {})
    forward, reverse = pipeline.derived(program, [0, 1])
    out, residual = forward.run(X._data, table._data)
    assert [d.tolist() for d in reverse.run(residual, out * 0 + 1)] == [[3, 4], [1, 2]]


def test_a_condition_that_is_never_tested_is_refused():
    program = Program("net", lambda x: x + 1, (X,), {})
    program.sizes.at_run_time = lambda: {"u0 > 1": set()}
    with pytest.raises(Undecided, match="u0 > 1"):
        pipeline.check_conditions(program)


def test_a_gradient_and_its_function_are_one_program():
    program = Program("net", grad(lambda x: ops.exp(x).sum()), (X,), {})
    assert program.executable.source.count("exp(") == 1
