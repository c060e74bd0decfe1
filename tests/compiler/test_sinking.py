"""Sinks: steps without Python between them give what single steps give, and end where a step cannot be done."""
from __future__ import annotations

import time

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops, train
from mindspore.compiler import sinking
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.programs import repeated
from mindspore.core.errors import ArgumentError

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
ROWS, BATCH = 60, 4


@pytest.fixture(autouse=True)
def graph_mode():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=before)


@pytest.fixture
def together(monkeypatch):
    """How many steps were done at once, each time."""
    found = []
    do = sinking.Steps._together

    def noted(self, program, plan, batches):
        out = do(self, program, plan, batches)
        found.append(self.done)
        return out
    monkeypatch.setattr(sinking.Steps, "_together", noted)
    return found


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.pool = nn.Conv2d(1, 3, 3, pad_mode="valid"), nn.MaxPool2d(2, 2)
        self.one, self.two = nn.Dense(27, 7), nn.Dense(7, 5)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv(x)))
        return self.two(ops.relu(self.one(x.reshape((x.shape[0], 27)))))


OPTIMIZERS = {
    "momentum": lambda ps: nn.Momentum(ps, 0.05, 0.9),
    "adam": lambda ps: nn.Adam(ps, nn.cosine_decay_lr(0.0, 0.01, 30, 5, 9)),       # shorter than the training
    "decayed": lambda ps: nn.AdamWeightDecay(ps, nn.ExponentialDecayLR(0.05, 0.9, 3), weight_decay=0.1),
}


def rows(label=2):
    """Images with labels, which are known; `label` is that of row 41."""
    draws = np.random.default_rng(3)
    labels = draws.integers(0, 5, ROWS).astype(np.int32)
    labels[41] = label
    return draws.standard_normal((ROWS, 1, 8, 8)).astype(np.float32), labels


def stepping(optimizer="momentum", net=None):
    """A model, and all that it trains."""
    net = net or Net()
    draws = np.random.default_rng(0)
    for p in net.get_parameters():
        p.set_data(Tensor(draws.standard_normal(p.shape).astype(np.float32) * 0.3))
    made = OPTIMIZERS[optimizer](net.trainable_params())
    return train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), made), net, made


class Losses(train.Callback):
    def __init__(self):
        self.found = []

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        self.found.append((now.cur_epoch_num, now.cur_step_num, float(now.net_outputs)))


def trained(sink, epochs=3, optimizer="momentum", size=-1, data=None):
    model, net, made = stepping(optimizer)
    losses = Losses()
    x, y = rows()
    data = data or ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH)
    model.train(epochs, data, callbacks=losses, dataset_sink_mode=sink, sink_size=size)
    return losses.found, {p.name: p.asnumpy() for p in [*net.get_parameters(), *made.get_parameters()]}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_sink_gives_the_very_numbers_of_single_steps(optimizer, together):
    plain = trained(False, optimizer=optimizer)
    assert not together
    sunk = trained(True, optimizer=optimizer)
    assert sum(together) >= 25                  # of 45, of which the first compiles
    assert max(together) > 3
    count = ROWS // BATCH
    assert sunk[0] == [entry for entry in plain[0] if entry[1] % count == 0]
    assert sunk[1]["global_step"] == [3 * count]
    for name, value in plain[1].items():
        np.testing.assert_array_equal(sunk[1][name], value, err_msg=name)


def test_sinks_that_are_longer_or_shorter_than_a_pass(together):
    count = ROWS // BATCH
    plain = {step: loss for _, step, loss in trained(False, 5)[0]}
    for size in (1, 7, count + 4):
        assert trained(True, 3, size=size)[0] == [(k, k * size, plain[k * size]) for k in (1, 2, 3)]
    assert together


def test_a_batch_of_another_size_is_a_program_of_its_own(together):
    x, y = rows()
    data = [ds.NumpySlicesDataset({"x": x[:58], "y": y[:58]}, shuffle=False).batch(BATCH) for _ in range(2)]
    plain, sunk = trained(False, data=data[0]), trained(True, data=data[1])
    assert sunk[0] == [entry for entry in plain[0] if entry[1] % 15 == 0]
    for name, value in plain[1].items():
        np.testing.assert_array_equal(sunk[1][name], value, err_msg=name)
    assert together


def test_indices_that_do_not_fit_end_it_where_a_single_step_would(together):
    x, y = rows(label=9)
    found = []
    for sink in (False, True):
        model, net, made = stepping()
        data = ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH)
        with pytest.raises(ArgumentError, match="Target 9") as error:
            model.train(1, data, dataset_sink_mode=sink)
        found.append((type(error.value), str(error.value).splitlines()[0],
                      {p.name: p.asnumpy() for p in [*net.get_parameters(), *made.get_parameters()]}))
    assert together
    assert found[0][:2] == found[1][:2]
    assert found[0][2]["global_step"] == [10]
    for name, value in found[0][2].items():
        np.testing.assert_array_equal(found[1][2][name], value, err_msg=name)


def test_what_python_holds_of_a_parameter_is_as_after_single_steps():
    """A view that shares memory sees what is overwritten there, and nothing of what is not."""
    found = []
    for sink in (False, True):
        model, net, made = stepping()
        step, weight = made.global_step, net.one.weight
        held = step._data, weight._data
        x, y = rows()
        model.train(1, ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH), dataset_sink_mode=sink)
        found.append((held[0].tolist(), held[1] is weight._data, held[1].tolist() == weight.tolist()))
    assert found[0] == found[1]


def test_a_change_between_sinks_counts(together):
    """A callback sets the learning rate to 0: nothing changes any more."""
    model, net, made = stepping()
    values = []

    class Off(train.Callback):
        def on_train_epoch_end(self, run_context):
            values.append(net.one.weight.asnumpy().copy())
            made.learning_rate.set_data(Tensor(0.0))
            for moment in made.moments:
                moment.set_data(ops.zeros_like(moment))
    x, y = rows()
    model.train(3, ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH), Off(), True)
    assert together
    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_array_equal(values[1], values[2])


def test_a_function_under_jit_runs_so_in_either_mode(together):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    found = []
    for size in (1, 10):
        _, net, made = stepping()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        grads = ms.value_and_grad(lambda x, y, net=net, loss=loss: loss(net(x), y), None, made.parameters)

        @ms.jit
        def step(x, y, grads=grads, made=made):
            value, found = grads(x, y)
            made(found)
            return value
        x, y = rows()
        sink = train.data_sink(step, ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH), size)
        found.append([float(sink()) for _ in range(30 // size)])
    assert found[1] == found[0][9::10]
    assert together


def test_steps_that_are_no_native_program_run_one_by_one(together):
    seen = []

    class Watched(Net):
        def construct(self, x):
            return super().construct(x.astype(ms.float16).astype(ms.float32))
    model, _, made = stepping(net=Watched())
    x, y = rows()
    model.train(2, ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH), Losses(), True)
    assert made.global_step.asnumpy() == [30]
    step = train.data_sink(lambda x: seen.append(1) or x, ds.NumpySlicesDataset({"x": x}).batch(BATCH), sink_size=9)
    step()
    assert len(seen) == 9
    assert not together


def test_a_watcher_sees_every_step(together):
    from mindspore.compiler.codegen.instrument import watching
    seen = []
    watching.start(lambda outermost: (seen.append, time.perf_counter_ns))
    try:
        trained(True, 1)
    finally:
        watching.stop()
    assert not together
    assert len(seen) >= 2 * ROWS // BATCH


def test_an_interruption_leaves_whole_steps(monkeypatch):
    """A signal is raised where native code returns: what it did counts, and the batches behind that come next."""
    x, y = rows()
    data = ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(BATCH)
    found, done = [], []
    for interrupts in (True, False):
        model, net, made = stepping()
        helper = train.DatasetHelper(data, sink_size=done[0] if done else 12)
        network = train.connect_network_with_dataset(model.train_network, helper)
        model.train_network.compile(*[Tensor(v[:BATCH]) for v in (x, y)])
        while helper._held().queue.get_mbuf_queue_size() < 12:
            time.sleep(0.01)
        if interrupts:
            code = repeated._code()
            monkeypatch.setattr(repeated, "_code", lambda code=code: Interrupted(code))
            with pytest.raises(KeyboardInterrupt):
                network()
            monkeypatch.undo()
            done.append(int(made.global_step.asnumpy()[0]))
        else:
            network()
        found.append({p.name: p.asnumpy() for p in [*net.get_parameters(), *made.get_parameters()]})
        np.testing.assert_array_equal(helper.next_batch()[0].asnumpy(), x[done[0] * BATCH:(done[0] + 1) * BATCH])
        helper.release()
    assert 4 < done[0] < 12
    for name, value in found[1].items():
        np.testing.assert_array_equal(found[0][name], value, err_msg=name)


class Interrupted:
    """Native code that does five runs at most, before the user's signal is raised."""

    def __init__(self, code):
        self.code = code

    def run(self, own):
        own[repeated._COUNT] = 5
        self.code.run(own)
        raise KeyboardInterrupt

    def run_parallel(self, own, threads):
        own[repeated._COUNT] = 5
        self.code.run_parallel(own, threads)
        raise KeyboardInterrupt
