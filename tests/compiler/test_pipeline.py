"""The steps between the walk and the source."""
from __future__ import annotations

import pytest

from mindspore import Tensor, grad, ops
from mindspore.compiler import pipeline
from mindspore.compiler.program import Program
from mindspore.ir import Undecided

X = Tensor([1.0, 2.0])


def test_passes_run_in_the_order_of_the_list():
    seen = []

    def noting(name):
        def step(graph):
            seen.append(name)
            return graph
        return step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "PASSES", [noting("first"), noting("second")])
        Program("net", lambda x: x * 1, (X,), {}).executable      # noqa: B018  # made at first use
    assert seen == ["first", "second"]


def test_a_graph_from_the_disk_needs_no_passes():
    program = Program("net", lambda x: x * 1, (X,), {})
    program.final = True
    assert "* 1" in program.executable.source
    assert "* 1" not in Program("net", lambda x: x * 1, (X,), {}).executable.source


def test_a_reverse_returns_cotangents_of_inputs_and_what_was_captured():
    table = Tensor([3.0, 4.0])
    program = Program("net", lambda x: x * table, (X,), {})
    forward, reverse = pipeline.derived(program)
    out, residual = forward.run(X._data, table._data)
    assert [d.tolist() for d in reverse.run(residual, out * 0 + 1)] == [[3, 4], [1, 2]]


def test_a_condition_that_nobody_tests_is_refused():
    program = Program("net", lambda x: x + 1, (X,), {})
    program.sizes.at_run_time = lambda: {"u0 > 1": set()}
    with pytest.raises(Undecided, match="u0 > 1"):
        pipeline.check_conditions(program)


def test_a_gradient_and_its_function_are_one_program():
    program = Program("net", grad(lambda x: ops.exp(x).sum()), (X,), {})
    assert program.executable.source.count("exp(") == 1
