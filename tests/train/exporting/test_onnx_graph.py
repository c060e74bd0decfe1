"""Nodes of a graph in ONNX: open sizes, random numbers, effects, and what cannot be written."""
from __future__ import annotations

import pytest
from onnx_models import exported, run, same, tensor

import mindspore
from mindspore import Tensor, nn, ops

pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")


class Written(nn.Cell):
    """A function as a network."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


SIZED = {
    "reversed": lambda x: x[::-1], "second half": lambda x: x[x.shape[0] // 2:], "last row": lambda x: x[-1],
    "times the number of rows": lambda x: x * x.shape[0], "ones": lambda x: ops.ones(x.shape, mindspore.float32) + x,
    "flattened": lambda x: x.view(-1), "range": lambda x: ops.arange(x.shape[0]), "products": lambda x: x @ x.T,
    "triangle": lambda x: ops.triu(x @ x.T), "broadcast": lambda x: ops.broadcast_to(x, (2, *x.shape)),
    "one-hot": lambda x: ops.one_hot(x.astype(mindspore.int32), 3, Tensor(1.0), Tensor(0.0)),
    "places": lambda x: ops.nonzero(x > 0), "masked": lambda x: x[x > 0] * 2, "top": lambda x: ops.topk(x, 2),
    "branch": lambda x: x * 2 if x.sum() > 0 else x - 1, "tiled": lambda x: ops.tile(x, (1, 2)),
}


@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in SIZED.items()])
def test_sizes_that_only_a_run_tells(function, tmp_path):
    same(tmp_path, Written(function), tensor(2, 3), dynamic_axes={"x": {0: "rows"}},
         others=[(tensor(n, 3),) for n in (4, 5, 3)])


@pytest.mark.parametrize(("draw", "mean", "deviation"), [
    (lambda x: ops.standard_normal(x.shape) + x, 0.0, 1.0), (lambda x: ops.UniformReal()(x.shape) + x, 0.5, 12 ** -0.5),
    (lambda x: ops.dropout(x + 1, p=0.25), 1.0, (1 / 3) ** 0.5)])
def test_random_numbers_have_the_same_distribution(draw, mean, deviation, tmp_path):
    x = tensor(200, 50) * 0
    exported(tmp_path, Written(draw), x)
    found, = run(tmp_path, x)
    assert abs(found.mean() - mean) < 0.05
    assert abs(found.std() - deviation) < 0.05


def test_what_has_no_form_names_the_operator_and_the_line(tmp_path):
    with pytest.raises(RuntimeError, match=r"'Cholesky' at .*test_onnx_graph.py:\d+ in .* cannot be written as ONNX"):
        exported(tmp_path, Written(lambda x: ops.cholesky(x)), tensor(3, 3))


def test_what_a_network_prints_is_left_out_with_a_warning(tmp_path, capfd):
    def shown(x):
        print(x)
        return x + 1
    exported(tmp_path, Written(shown), tensor(2))
    assert "ONNX has no such operator" in capfd.readouterr().err


def test_a_training_step_is_refused(tmp_path):
    net = nn.Dense(3, 2)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    with pytest.raises(RuntimeError, match=r"changes .*the parameter 'weight'"):
        exported(tmp_path, step, tensor(4, 3), tensor(4, 2))


def test_recursion_is_refused(tmp_path):
    def power(x, n):
        return x if n <= 0 else power(x * 2, n - 1)
    with pytest.raises(RuntimeError, match="recursive"):
        exported(tmp_path, Written(lambda x: power(x, x.sum().astype(mindspore.int32))), tensor(2))


def test_nodes_are_named_by_the_cell_they_come_from(tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(4, 4), nn.Dense(4, 4)

        def construct(self, x):
            return ops.tanh(self.second(ops.exp(self.first(x))))
    names = [n.name for n in same(tmp_path, Net(), tensor(2, 4)).graph.node]
    own = [n for n in names if n.split("/")[-1].startswith(("Exp", "Tanh"))]
    assert len(own) == 2
    assert not [n for n in own if "first" in n or "second" in n]
    assert [n for n in names if "first/" in n]
    assert [n for n in names if "second/" in n]


def test_shared_cells_are_one_parameter(tmp_path):
    layer = nn.Dense(4, 4)
    model = same(tmp_path, nn.SequentialCell([layer, nn.ReLU(), layer]), tensor(2, 4))
    assert len([t for t in model.graph.initializer if t.dims == [4, 4]]) == 1


def test_running_products_of_a_size_that_only_a_run_tells_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="needs sizes that only a run tells"):
        exported(tmp_path, Written(lambda x: ops.cumprod(x, 0)), tensor(2, 3), dynamic_axes={"x": {0: "rows"}})
