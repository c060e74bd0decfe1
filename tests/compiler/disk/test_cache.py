"""Compiled graphs on disk: found again by programs that are the same, and by no others."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = Tensor([1.0, 2.0])
SCALE = 2.0


class Net(nn.Cell):
    """Parameters, constants, state in an attribute and in a list, conditions and random numbers."""

    def __init__(self, k=2):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)
        self.offset = Tensor([0.5, 0.25])
        self.seen, self.last, self.k = [Tensor([0.0, 0.0])], Tensor([0.0, 0.0]), k
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x, scale=1):
        self.count += 1
        y = self.drop(x * self.w) * self.k + self.offset + SCALE
        if y.sum() > 3:
            y = y * Tensor([2.0, 1.0])
        self.seen[0] = self.seen[0] + y
        self.last = y
        return {"y": y * scale, "pair": (y + 1, self.k)}


def how(target):
    """What the cache did for each program."""
    return [p.cache.split(" in ")[0] for p in ms.graph.explain(target).programs]


def flat(result):
    return [result["y"].asnumpy().tolist(), result["pair"][0].asnumpy().tolist(), result["pair"][1]]


def test_the_same_program_is_found_again_and_does_the_same(cache):
    outcomes = []
    for expected in ("stored", "loaded"):
        net = Net().set_train()
        ms.set_seed(3)
        results = [flat(net(X)), flat(net(X, 2))]
        outcomes.append([results, float(net.count), net.seen[0].asnumpy().tolist(), net.last.asnumpy().tolist()])
        assert how(net) == [expected] * 2
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][1] == 2
    assert len(list(cache.iterdir())) == 2


def test_a_training_step_is_found_again():
    losses = []
    for expected in ("stored", "loaded"):
        ms.set_seed(1)
        net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.BatchNorm1d(8), nn.Dense(8, 2))
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 0.1)).set_train()
        x, y = Tensor(np.eye(4, dtype=np.float32)), Tensor([0, 1, 0, 1], ms.int32)
        losses.append([float(step(x, y).asnumpy()) for _ in range(5)])
        assert how(step) == [expected]
    assert losses[0] == losses[1]
    assert losses[0][-1] < losses[0][0]


def test_gradients_are_taken_through_a_program_that_was_found():
    gradients = []
    for _ in range(2):
        compiled = ms.jit(cubes)
        ms.set_context(mode=ms.PYNATIVE_MODE)
        gradients.append(ms.grad(lambda x, run=compiled: run(x).sum())(X).asnumpy().tolist())
        assert how(compiled)[0] in ("stored", "loaded")
    assert gradients == [[3, 12]] * 2


def cubes(x):
    return x * x * x


def test_another_value_of_an_attribute_is_another_program():
    assert [how((net, flat(net(X)))[0]) for net in (Net(), Net(3), Net().set_train(), Net())] == [
        ["stored"], ["stored"], ["stored"], ["loaded"]]


def test_another_type_of_an_argument_is_another_program():
    for x in (X, Tensor([1.0, 2.0, 3.0]), Tensor([1, 2])):
        compiled = ms.jit(cubes)
        compiled(x)
        assert how(compiled) == ["stored"]


def test_a_name_that_changed_is_noticed(monkeypatch):
    results = []
    for scale, expected in ((2.0, "stored"), (5.0, "stored"), (5.0, "loaded")):
        monkeypatch.setitem(globals(), "SCALE", scale)
        net = Net()
        results.append(float(net(X)["y"][1]))
        assert how(net) == [expected]
    assert results == [18.25, 21.25, 21.25]


def counted(x):
    return x * len([1, 2])


def test_a_name_that_hides_one_of_python_is_noticed(monkeypatch):
    results = []
    for own, expected in ((None, "stored"), (None, "loaded"), (lambda value: 50, "stored")):
        if own is not None:
            monkeypatch.setitem(globals(), "len", own)
        compiled = ms.jit(counted)
        results.append(compiled(X).asnumpy().tolist())
        assert how(compiled) == [expected]
    assert results == [[2, 4], [2, 4], [50, 100]]


def test_a_method_that_was_replaced_is_noticed(monkeypatch):
    def construct(self, x, scale=1):
        return x * 7

    net = Net()
    net(X)
    monkeypatch.setattr(Net, "construct", construct)
    net = Net()
    assert net(X).asnumpy().tolist() == [7, 14]


def module(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_sources_of_called_functions_count(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    seen = []
    for number, expected in ((2, "stored"), (2, "loaded"), (7, "stored")):
        module(tmp_path / "cache_helper.py", f"def helper(x):\n    return x * {number}\n")
        main = module(tmp_path / "cache_main.py",
                      "import cache_helper\ndef run(x):\n    return cache_helper.helper(x) + 1\n")
        compiled = ms.jit(main.run)
        seen.append(float(compiled(X)[0]))
        assert how(compiled) == [expected]
    assert seen == [3, 3, 8]


def test_attributes_of_modules_count(tmp_path):
    module(tmp_path / "cache_config.py", "width = 2\n")
    main = module(tmp_path / "cache_user.py", "import cache_config\ndef run(x):\n    return x * cache_config.width\n")
    for width, expected in ((2, "stored"), (3, "stored"), (3, "loaded")):
        sys.modules["cache_config"].width = width
        compiled = ms.jit(main.run)
        assert float(compiled(X)[0]) == width
        assert how(compiled) == [expected]


def test_values_of_closures_count():
    def make(k):
        return ms.jit(lambda x: x * k)

    for k, expected in ((2, "stored"), (3, "stored"), (2, "loaded")):
        compiled = make(k)
        assert float(compiled(X)[0]) == k
        assert how(compiled) == [expected]


def test_a_program_that_was_found_is_still_guarded():
    for _ in range(2):
        net = Net()
        net(X)
        net.k = 5
        assert net(X)["pair"][1] == 5
    assert how(net) == ["loaded", "loaded"]


def test_run_time_errors_of_a_program_that_was_found_name_the_lines():
    for expected in ("stored", "loaded"):
        compiled = ms.jit(refuses)
        with pytest.raises(ValueError, match="Gather") as caught:
            compiled(X, Tensor([7]))
        assert how(compiled) == [expected]
        assert "in refuses: return ops.gather(x, i, 0)" in caught.value.__notes__[0]


def refuses(x, i):
    return ops.gather(x, i, 0)


def raises_an_error(x):
    if x.sum() > 100:
        raise ValueError("large")
    return x


@pytest.mark.parametrize(("fn", "reason"), [(raises_an_error, "no text form")])
def test_a_program_that_cannot_be_kept_says_why(fn, reason, cache):
    compiled = ms.jit(fn)
    compiled(X)
    (program,) = ms.graph.explain(compiled).programs
    assert program.cache.startswith("not stored: ")
    assert reason in program.cache
    assert not cache.exists() or not list(cache.iterdir())


def test_without_the_option_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.context.reset_context()
    ms.jit(cubes)(X)
    assert list(tmp_path.iterdir()) == []


PROGRAM = """
import numpy as np
import mindspore as ms
from mindspore import nn

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(4, 4) for _ in range(3)])

    def construct(self, x):
        for layer in self.layers:
            x = x + ms.ops.relu(layer(x))
        return x

ms.set_context(mode=0)
ms.set_seed(1)
net = Net()
print(net(ms.Tensor(np.ones((2, 4), np.float32))).asnumpy().tolist())
print(ms.graph.explain(net).programs[0].cache.split(" in ")[0])
"""


def test_a_second_process_finds_what_the_first_one_kept(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    where = {"MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": str(tmp_path / "other")}
    runs = [subprocess.run([sys.executable, file], capture_output=True, text=True, check=True,
                           env=os.environ | where).stdout.splitlines() for _ in range(2)]
    assert [run[1] for run in runs] == ["stored", "loaded"]
    assert runs[0][0] == runs[1][0]
