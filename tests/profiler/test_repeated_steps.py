"""A profile of training steps that repeat themselves in PyNative mode shows the program that does their sweep."""
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler.replay import Program
from mindspore.profiler.recording import Recording

X = Tensor(np.linspace(-1, 1, 96 * 128, dtype=np.float32).reshape(96, 128))
Y = Tensor(np.zeros((96, 16), np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Dense(128, 192), nn.Dense(192, 16)

    def construct(self, x):
        y = ops.tanh(self.first(x))        # one
        return self.last(y)                # two


class Swapped(Net):
    def construct(self, x):
        z = ops.tanh(self.first(x))        # other one
        return self.last(z)                # other two


def remark(event):
    """What the line of an event says at its end."""
    with open(event.file) as file:
        return file.readlines()[event.line - 1].rpartition("# ")[2].strip()


def training(kind=Net):
    net = kind()
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()


@pytest.fixture
def programs(monkeypatch):
    """How many sweeps programs have done; the mode is PyNative's."""
    before, done = ms.get_context("mode"), []
    original = Program.__call__

    def counted(self, tensors):
        done.append(self)
        return original(self, tensors)
    monkeypatch.setattr(Program, "__call__", counted)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield done
    ms.set_context(mode=before)


def recorded(run, **options):
    recording = Recording(**options)
    recording.start()
    try:
        run()
    finally:
        recording.stop()
    return recording.events()


@pytest.mark.parametrize("stacks", [False, True])
@pytest.mark.parametrize("first", [0, 7], ids=["from the first step on", "later"])
def test_the_program_of_a_sweep_is_measured_by_the_lines_of_the_forward(programs, stacks, first):
    step = training()
    for _ in range(first):
        step(X, Y)
    recording = Recording(stacks=stacks)
    recording.start()
    try:
        for _ in range(7 - first):
            step(X, Y)
        recording.clear()
        programs.clear()
        step(X, Y)                         # the step
    finally:
        recording.stop()
    assert len(programs) == 1
    reverse = [e for e in recording.events() if e.phase == "reverse"]
    of_lines = {remark(e) for e in reverse if e.file == __file__}
    assert {"one", "two"} <= of_lines
    assert all(e.file for e in recording.events())
    products = {remark(e) for e in reverse if "mul" in e.name.lower() and e.file == __file__}
    assert products == {"one", "two"}
    if stacks:
        assert all(e.stack and e.stack[0].startswith(f"{e.file}({e.line})") for e in reverse)


def test_steps_of_one_structure_keep_lines_of_their_own(programs):
    one, other = training(), training(Swapped)
    for _ in range(6):
        one(X, Y)
        other(X, Y)
    programs.clear()
    names = []
    for step in (one, other):
        events = recorded(lambda step=step: step(X, Y))
        names.append({remark(e) for e in events if e.phase == "reverse" and e.file == __file__})
    assert {"one", "two"} <= names[0]
    assert not names[0] & {"other one", "other two"}
    assert {"other one", "other two"} <= names[1]
    assert not names[1] & {"one", "two"}
    assert len(programs) == 2
    assert programs[0] is programs[1]      # one program does both


def test_a_profiler_changes_no_number(programs):
    ms.set_seed(3)
    plain = training()
    ms.set_seed(3)
    watched = training()
    want = [float(plain(X, Y)) for _ in range(9)]
    programs.clear()
    recording = Recording()
    recording.start()
    try:
        found = [float(watched(X, Y)) for _ in range(9)]
    finally:
        recording.stop()
    assert found == want
    assert len(programs) == 5


def test_what_else_sees_operators_gets_those_of_the_sweep(programs):
    from mindspore.ir.runtime import Interpreter, pushed

    class Counting(Interpreter):
        names: list = []

        def apply(self, op, inputs, attrs):
            self.names.append(op.name)
            return self.below.apply(op, inputs, attrs)

    step = training()
    for _ in range(7):
        step(X, Y)
    programs.clear()
    with pushed(Counting()) as found:
        recorded(lambda: step(X, Y))
    assert not programs
    assert any("TanhGrad" in name for name in found.names)
