"""The runtime of a thread: its interpreters and its state."""
import threading

import pytest

from mindspore import Tensor, ops
from mindspore.ir import Aval, Building, recording
from mindspore.ir.runtime import Interpreter, base, pushed, runtime


class Noting(Interpreter):
    """A tracing hook, and an interpreter that counts."""

    def __init__(self):
        self.seen = []

    def apply(self, op, inputs, attrs):
        self.seen.append(op.name)
        return self.below.apply(op, inputs, attrs)


class Ranked(Interpreter):
    def __init__(self, rank):
        self.rank = rank


def elsewhere(function):
    """The result of a function in another thread."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_an_interpreter_sees_what_is_applied_while_it_is_pushed():
    x = Tensor([1.0, 2.0])
    with pushed(Noting()) as noting:
        assert (ops.relu(x) + 1.0).asnumpy().tolist() == [2.0, 3.0]
    ops.relu(x)
    assert noting.seen == ["ReLU", "Add"]


def test_interpreters_stand_by_rank():
    with pushed(Ranked(5)) as five, pushed(Ranked(3)) as three, pushed(Ranked(5)) as other:
        assert runtime.stack == [base, three, five, other]
        assert (runtime.top, other.below, five.below, three.below) == (other, five, three, base)
    assert (runtime.top, runtime.stack) == (base, [base])


def test_an_interpreter_goes_after_an_error():
    with pytest.raises(ValueError, match="stop"), pushed(Noting()):
        raise ValueError("stop")
    assert runtime.top is base


def test_other_threads_are_not_concerned():
    x = Tensor([1.0])
    with pushed(Noting()) as noting, recording([]):
        assert elsewhere(lambda: (x + 1.0).asnumpy().tolist()) == [2.0]
        assert elsewhere(lambda: (runtime.top, runtime.building, runtime.blocks)) == (base, None, [])
    assert noting.seen == []


def test_operators_build_while_a_block_is_recorded():
    from mindspore.core.dtype import float32
    from mindspore.ir import param

    x, nodes = param(Aval((2,), float32)), []
    with recording(nodes), pushed(Noting()) as noting:
        assert isinstance(runtime.building, Building)
        out = ops.relu(x)
    assert nodes == [out]
    assert noting.seen == ["ReLU"]
    assert runtime.building is None
