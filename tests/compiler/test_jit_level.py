"""`jit_level` chooses the passes: of a function, a cell, or all programs, and the results are the same."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler import passes
from mindspore.compiler.kernels import available

LEVELS = ["O0", "O1", "O2"]
ALWAYS = ["simplify", "drop_leaves"]
FUSING = ["fuse_attention", "pool_first", "expect_products", "expect_recurrence", "expect_windows", "expect_norms",
          "join_slices", "simplify", "drop_leaves", "overlap_sums", "make_native_programs", "generate_costly",
          "generate_recurrence", "generate_windows", "generate_norms", "generate_products", "fuse_arithmetic"]
X = Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))


@pytest.fixture(autouse=True)
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.context.reset_context()


GENERATED = {"Generated": 1} if available() else {"MultiplyAdd": 1}


def ran(target):
    """The passes of the programs, in order, without the steps before and behind them."""
    return [[s.name for s in p.stages][1:-1] for p in ms.graph.explain(target).programs]


def chained(x):
    return x + x * x


class Chained(nn.Cell):
    def construct(self, x):
        return x + x * x


@pytest.mark.parametrize(("level", "expected"), [
    ("O0", ALWAYS), ("O1", FUSING), ("O2", [p.name for p in passes.PASSES]), (None, FUSING)])
def test_a_level_chooses_the_passes(level, expected):
    run = ms.jit(chained, jit_level=level)
    np.testing.assert_allclose(run(X).asnumpy(), X.asnumpy() + X.asnumpy() ** 2, rtol=1e-6)
    assert ran(run) == [expected]
    assert ms.graph.explain(run).programs[0].level == (level or "O1")
    assert ms.graph.explain(run).programs[0].operators == (
        {"Mul": 1, "Add": 1} if level == "O0" else GENERATED if level == "O2" else {"MultiplyAdd": 1})


def test_a_pass_of_the_highest_level_runs_at_that_level_only(monkeypatch):
    seen = []

    def dear(graph, target):
        seen.append(target.level)
        return graph
    monkeypatch.setattr(passes, "PASSES", [*passes.PASSES, passes.Pass("dear", dear, level=2)])
    for level in LEVELS:
        ms.jit(chained, jit_level=level)(X)
    assert seen == [2]


@pytest.mark.parametrize("config", [{"jit_level": "O0"}, ms.JitConfig(jit_level="O0")], ids=["dict", "JitConfig"])
def test_a_config_chooses_for_a_function_or_a_cell(config):
    run, net = ms.jit(chained, jit_config=config), Chained()
    net(X)
    net.set_jit_config(config)
    run(X), net(X)
    assert ran(run) == ran(net) == [ALWAYS]


def test_what_a_function_is_told_counts_more_than_its_config_and_the_context():
    ms.set_context(jit_config={"jit_level": "O2"})
    run, other = ms.jit(chained, jit_config={"jit_level": "O0"}, jit_level="O1"), ms.jit(
        chained, jit_config={"jit_level": "O0"})
    run(X), other(X)
    assert [ms.graph.explain(f).programs[0].level for f in (run, other)] == ["O1", "O0"]


@pytest.mark.parametrize("key", ["jit_config", "jit_level"])
def test_another_level_of_the_context_compiles_anew_and_says_why(key):
    net = Chained()
    for level in ("O1", "O0", "O1", "O0"):
        ms.set_context(**{key: {"jit_level": level} if key == "jit_config" else level})
        net(X)
    found = ms.graph.explain(net)
    assert [p.reason for p in found.programs] == ["first call", "the jit_level changed from O1 to O0"]
    assert ran(net) == [FUSING, ALWAYS]
    assert "level:      O0" in str(found)


def test_a_function_that_a_program_calls_has_the_level_of_the_program():
    inner = ms.jit(chained, jit_level="O2")
    outer = ms.jit(lambda x: inner(x) * 2, jit_level="O0")
    outer(X)
    assert ran(outer) == [ALWAYS]
    assert ran(inner) == []


def test_the_cache_on_disk_tells_levels_apart(tmp_path):
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path))
    for level in (*LEVELS, *LEVELS):
        run = ms.jit(chained, jit_level=level)
        run(X)
        (program,) = ms.graph.explain(run).programs
        assert program.level == level
        assert set(program.operators) == {"O0": {"Mul", "Add"}, "O1": {"MultiplyAdd"}, "O2": {*GENERATED}}[level]
    assert program.cache == "loaded"


def test_what_maps_over_slices_and_derivatives_have_the_level_of_the_program():
    def step(x):
        return ms.grad(lambda x: (ops.vmap(chained)(x) * 3 + x * x).sum())(x)
    sources, results = {}, []
    for level in LEVELS:
        run = ms.jit(step, jit_level=level)
        results.append(run(X).asnumpy())
        sources[level] = ms.graph.explain(run).programs[0].source
    np.testing.assert_allclose(results[0], 3 + 8 * X.asnumpy(), rtol=1e-6)
    assert "addcmul" not in sources["O0"]
    for found in results[1:]:
        np.testing.assert_allclose(found, results[0], rtol=1e-6)


class Network(nn.Cell):
    """Convolution, pooling, attention and arithmetic: something for every pass."""

    def __init__(self):
        super().__init__()
        self.conv, self.pool, self.out = nn.Conv2d(2, 4, 3), nn.MaxPool2d(2, 2), nn.Dense(16, 3)

    def construct(self, x):
        y = self.pool(ops.relu(self.conv(x)))                                # (2, 4, 4, 4)
        y = ops.matmul(ops.softmax(ops.matmul(y, y.swapaxes(2, 3)) * 0.5, axis=-1), y)
        rows = y.reshape(2, 4, 16)
        return self.out(rows[:, 0] + rows[:, 1] * rows[:, 2])


def trained(level):
    ms.set_seed(2)
    net = Network()
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    step.set_jit_config({"jit_level": level})
    x = Tensor(np.random.default_rng(1).standard_normal((2, 2, 8, 8)).astype(np.float32))
    losses = [float(step(x, Tensor([0, 2], ms.int32)).asnumpy()) for _ in range(4)]
    return losses, ms.graph.explain(step).programs[0].operators, net.conv.weight.is_contiguous()


def test_training_gives_the_same_at_every_level_and_without_compiling():
    found = {level: trained(level) for level in LEVELS}
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_seed(2)
    net = Network()
    x = Tensor(np.random.default_rng(1).standard_normal((2, 2, 8, 8)).astype(np.float32))
    first = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(net(x), Tensor([0, 2], ms.int32))
    for losses, operators, contiguous in found.values():
        np.testing.assert_allclose(losses, found["O0"][0], rtol=1e-5)
        assert losses[0] == pytest.approx(float(first.asnumpy()), rel=1e-5)
        assert ("Attention" in operators) == (not contiguous) == bool({"MultiplyAdd", *GENERATED} & {*operators})
    assert [("Attention" in found[level][1]) for level in LEVELS] == [False, True, True]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0,), (2, 0, 4)])
def test_nothing_is_computed_of_no_elements(shape):
    found = ms.jit(lambda x: ops.exp(x * 2) + ops.tanh(x), jit_level="O2")(Tensor(np.zeros(shape, np.float32)))
    assert found.shape == shape


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", ["sum", "amax", "amin", "mean"])
def test_reductions_of_both_kinds_are_right_in_one_program(name, axis):
    x = np.random.default_rng(3).standard_normal((37, 70)).astype(np.float32)
    wanted = {"amax": np.max, "amin": np.min, "sum": np.sum, "mean": np.mean}[name](np.tanh(x * 1.5), axis)
    found = ms.jit(lambda x: getattr(ops, name)(ops.tanh(x * 1.5), axis), jit_level="O2")(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=2e-5, atol=2e-5)
