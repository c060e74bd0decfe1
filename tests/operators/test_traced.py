"""What a node is to a program: Python's protocols of a tensor, as far as they need no elements."""
from __future__ import annotations

import operator
import threading

import numpy as np
import pytest

from mindspore import Tensor
from mindspore.core.dtype import float32, int32
from mindspore.core.errors import GraphValueError
from mindspore.ir import Aval, Node, param, recording
from mindspore.operators.traced import writing, written

MATRIX = Aval((3, 2), float32)


def test_the_ir_gives_nodes_no_methods():
    made_in_ir = {name for name, value in vars(Node).items()
                  if getattr(getattr(value, "fget", value), "__module__", "") == "mindspore.ir.graph"}
    assert {name for name in made_in_ir if name.startswith("__")} == {"__init__"}
    assert made_in_ir.isdisjoint(vars(Tensor).keys() - {"__init__", "shape", "dtype", "ndim", "size"})


def test_what_the_aval_tells_is_known():
    node = param(MATRIX)
    assert len(node) == 3
    assert (node.itemsize, node.nbytes, node.size, node.ndim) == (4, 24, 6, 2)
    with recording([]):
        assert [row.shape for row in node] == [(2,)] * 3


@pytest.mark.parametrize("ask", [bool, float, int, np.asarray, lambda n: n.asnumpy(), lambda n: n.tolist(),
                                 lambda n: n.strides, lambda n: [][n]])
def test_what_needs_elements_is_refused(ask):
    with pytest.raises(GraphValueError, match="is not known while a graph is compiled"):
        ask(param(Aval((), int32)))


def test_a_tensor_without_dimensions_has_no_length():
    node = param(Aval((), float32))
    for ask in (len, iter):
        with pytest.raises(TypeError, match=r"0-[dD] tensor"):
            ask(node)


def test_to_python_it_is_a_tensor():
    with pytest.raises(TypeError, match="one of them is of a kind that the operator does not take"):
        operator.add([], param(MATRIX))


def test_a_writer_serves_its_own_thread_only():
    node, found = param(MATRIX), {}
    with writing(lambda node, typed, spec: f"here {typed}"):
        other = threading.Thread(target=lambda: found.update(there=str(node)))
        other.start()
        other.join()
        assert str(node) == "here False"
        assert repr([node]) == "[here True]"
    assert found["there"] == written(node, False) == "<tensor f32[3,2] while compiling>"


def test_only_numbers_have_formats():
    with writing(lambda node, typed, spec: spec):
        assert format(param(Aval((), float32, True)), ".2f") == ".2f"
        with pytest.raises(TypeError, match="unsupported format string"):
            format(param(MATRIX), ".2f")
