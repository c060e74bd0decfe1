"""Networks of many kinds as ONNX models: checked by ONNX, and equal in ONNX Runtime."""
from __future__ import annotations

import numpy as np
import pytest
from export_networks import NETS, Bert, Branch, Gpt, Halving, Vae, Vit, integers
from export_networks_more import MORE
from onnx_models import kinds, same, tensor

import mindspore
from mindspore import Tensor, nn

onnx = pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")


@pytest.mark.parametrize(("make", "inputs"), [pytest.param(m, i, id=n) for n, m, i in [*NETS, *MORE]
                                              if m not in (Gpt, Halving, Branch)])
def test_a_network_computes_the_same(make, inputs, tmp_path):
    mindspore.set_seed(1)
    same(tmp_path, make(), *inputs)


DYNAMIC = [
    ("MobileNetV3", NETS[2][1], {"x": {0: "batch"}}, [(tensor(n, 3, 16, 16),) for n in (2, 1, 5)]),
    ("LSTM", NETS[6][1], {"tokens": {0: "batch"}}, [(integers(0, 20, (n, 7)),) for n in (2, 1, 5)]),
    ("BERT", Bert, {"tokens": {0: "batch", 1: "length"}, "kinds": {0: "batch", 1: "length"}},
     [(integers(0, 30, s), integers(0, 2, s)) for s in ((2, 6), (1, 9), (4, 3))]),
    ("causal block", NETS[11][1], {"x": {0: "batch", 1: "length"}}, [(tensor(*s, 8),) for s in ((2, 5), (1, 9))]),
    ("ViT", Vit, {"x": {0: "batch"}}, [(tensor(n, 3, 16, 16),) for n in (2, 1, 5)]),
    ("VAE", Vae, {"x": {0: "n"}, "noise": {0: "n"}}, [(tensor(n, 12), tensor(n, 3, seed=1)) for n in (2, 1, 5)]),
]


@pytest.mark.parametrize(("make", "axes", "inputs"), [pytest.param(m, a, i, id=n) for n, m, a, i in DYNAMIC])
def test_a_network_computes_the_same_for_other_sizes(make, axes, inputs, tmp_path):
    same(tmp_path, make(), *inputs[0], others=inputs[1:], dynamic_axes=axes)


def test_a_loop_over_tokens_is_a_loop_of_the_model(tmp_path):
    mindspore.set_seed(1)
    given = [(Tensor(3, mindspore.int32), Tensor(n, mindspore.int64)) for n in (5, 1, 12, 0)]
    model = same(tmp_path, Gpt(), *given[0], others=given[1:])
    assert kinds(model.graph)["Loop"] == 1


def test_a_loop_whose_passes_depend_on_elements(tmp_path):
    model = same(tmp_path, Halving(), tensor(3), others=[(tensor(3) * 1000,), (tensor(3) * 0,)])
    assert kinds(model.graph)["Loop"] == 1


def test_branches(tmp_path):
    given = [(tensor(2, 4) * 0 + n,) for n in (1.0, -1.0, 3.0)]
    model = same(tmp_path, Branch(), *given[0], others=given[1:])
    assert kinds(model.graph)["If"] == 2


class Chosen(nn.Cell):
    """A number in one branch, a tensor of another type in the other."""

    def construct(self, x):
        y = 1
        if x.sum() > 0:
            y = x[0] * 2
        z = 0.5
        while x.sum() > z:
            z = z * 2 + x.sum() / 4
        return y, z


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], [-1.0, 0.5, -2.0]])
def test_branches_and_loops_give_values_of_one_type(tmp_path, values):
    given = Tensor(np.array(values, np.float32))
    others = [(Tensor(np.array(v, np.float32)),) for v in ([-1.0, -1.0, -1.0], [5.0, 1.0, 9.0])]
    mindspore.set_context(mode=mindspore.GRAPH_MODE)          # in PyNative mode a number stays a number
    try:
        same(tmp_path, Chosen(), given, others=others)
    finally:
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
