"""What a recording takes up: lines of forward, reverse and optimizer in both modes, stacks, threads, nested graphs."""
import threading
import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.profiler.recording import Recording

X = Tensor(np.ones((4, 8), np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Dense(8, 16), nn.Dense(16, 2)

    def construct(self, x):
        y = ops.tanh(self.first(x))        # one
        return self.last(y)                # two


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


def recorded(run, **options):
    recording = Recording(**options)
    recording.start()
    try:
        run()
    finally:
        recording.stop()
    return recording.events()


def remark(event):
    """What the line of an event says at its end."""
    with open(event.file) as file:
        return file.readlines()[event.line - 1].rpartition("# ")[2].strip()


@pytest.mark.parametrize("stacks", [False, True])
def test_the_reverse_belongs_to_the_lines_of_the_forward(mode, stacks):
    net = Net()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    y = Tensor(np.zeros((4, 2), np.float32))
    step(X, y)
    events = recorded(lambda: step(X, y), stacks=stacks)        # the step
    for phase in ("forward", "reverse"):
        assert {"one", "two"} <= {remark(e) for e in events if e.phase == phase and e.file == __file__}
    updates = [e for e in events if e.phase == "optimizer"]
    assert updates
    assert {remark(e) for e in updates} == {"the step"}
    products = {e.name for e in events if e.phase == "reverse" and remark(e) == "one"}
    assert any("Matmul" in name or "MatMul" in name for name in products)


def test_times_and_what_lies_between_are_the_whole_step(mode):
    net = Net()
    grad = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    net(X)
    grad(X)
    recording = Recording()
    recording.start()
    grad(X)
    recording.clear()
    start = time.perf_counter_ns()
    for _ in range(20):
        grad(X)
    taken = time.perf_counter_ns() - start
    recording.stop()
    events = recording.events()
    within = sum(e.duration + e.lead for e in events)
    before, after = events[0].start - start, start + taken - max(e.start + e.duration for e in events)
    assert within + before + after == pytest.approx(taken, rel=0.001)
    assert all(e.duration >= 0 for e in events)
    assert all(e.lead >= 0 for e in events)


def test_stacks_lead_to_the_outermost_line():
    def inner():
        return X * 2                       # inner

    def outer():
        inner()                            # outer
    (event,) = recorded(outer, stacks=True)
    assert event.stack[0].endswith(": inner")
    assert event.stack[1].endswith(": outer")
    assert event.stack[0].startswith(f"{__file__}({event.line})")
    assert recorded(outer)[0].stack == ()


def test_compiled_programs_of_other_threads_are_seen():
    double = ms.jit(lambda x: ops.tanh(x) @ x.T)
    double(X)

    def run():
        double(X)
        other = threading.Thread(target=double, args=(X,))
        other.start()
        other.join()
    events = recorded(run)
    assert {e.thread for e in events} == {0, 1}
    assert [e.name for e in events if e.thread == 0] == [e.name for e in events if e.thread == 1]


def test_graphs_that_call_graphs_count_no_time_twice():
    @ms.jit
    def grown(x):
        while x.sum() < 1000:
            x = x * 2 if x.max() > 3 else x + 1
        return x
    grown(X)
    start = time.perf_counter_ns()
    events = recorded(lambda: grown(X))
    taken = time.perf_counter_ns() - start
    assert sum(e.duration for e in events) <= taken
    assert {e.file for e in events} == {__file__}


def test_what_fails_leaves_a_recording_that_can_be_read():
    @ms.jit
    def program(x, i):
        y = ops.tanh(x)
        return ops.gather(y, i, 0) * 2

    def run():
        program(X, Tensor([1]))
        with pytest.raises((IndexError, RuntimeError, ValueError)):
            program(X, Tensor([99]))
        program(X, Tensor([2]))
    program(X, Tensor([0]))
    names = [e.name for e in recorded(run)]
    assert names.count("Tanh") == 3
    assert recorded(lambda: program(X, Tensor([0])))


def test_nothing_of_a_tensor_is_kept():
    import gc
    import weakref
    recording = Recording()
    recording.start()
    x = Tensor(np.ones(1000, np.float32))
    memory = weakref.ref(x.asnumpy().base) if x.asnumpy().base is not None else weakref.ref(x)
    ops.concat((x, x))
    ops.tanh(x)
    del x
    gc.collect()
    recording.stop()
    assert memory() is None
