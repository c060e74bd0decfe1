"""Primitives of files as ours: attributes that mean nothing here are told."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.formats.mindir import Primitive
from mindspore.train.mindir.primitives import compute, option


def test_an_attribute_without_a_meaning_is_told_and_bookkeeping_is_not(warned):
    found = compute(Primitive("Softmax", {"axis": 0, "input_names": ["x"], "temper": 2}, False))
    assert found(Tensor([[1.0, 2.0], [1.0, 2.0]])).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert warned == ["For 'load', the attribute 'temper' of the primitive 'Softmax' has no meaning here and is left "
                      "out."]


X = np.array([[-2.0, -0.5, 0.0], [0.3, 1.0, 2.5]], np.float32)
DOUT = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.mark.parametrize(("name", "function", "order"), [
    ("TanhGrad", torch.tanh, "y dy"), ("SigmoidGrad", torch.sigmoid, "y dy"), ("ReluGrad", torch.relu, "dy y"),
    ("ReLUGrad", torch.relu, "dy y")])
def test_derivatives_of_elements_are_those_of_torch(name, function, order):
    x = torch.tensor(X, requires_grad=True)
    y = function(x)
    y.backward(torch.tensor(DOUT))
    given = {"y": Tensor(y.detach().numpy()), "dy": Tensor(DOUT)}
    found = compute(Primitive(name, {}, False))(*[given[k] for k in order.split()])
    np.testing.assert_allclose(found.asnumpy(), x.grad.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (2, 3, 4, 5)])
def test_the_derivative_of_a_bias_is_the_sum_over_all_axes_but_the_second(shape):
    dout = np.random.rand(*shape).astype(np.float32)
    found = compute(Primitive("BiasAddGrad", {}, False))(Tensor(dout))
    np.testing.assert_allclose(found.asnumpy(), dout.sum(tuple(k for k in range(len(shape)) if k != 1)), rtol=1e-5)


@pytest.mark.parametrize("name", ["AddScalar", "AddExt", "SubScalar", "SubExt"])
@pytest.mark.parametrize("alpha", [1, 3])
def test_the_second_operand_is_scaled(name, alpha):
    found = compute(Primitive(name, {}, True))(Tensor(X), Tensor(DOUT), alpha)
    np.testing.assert_allclose(found.asnumpy(), X + DOUT * alpha if name.startswith("Add") else X - DOUT * alpha)


@pytest.mark.parametrize(("name", "wanted"), [("SumExt", np.sum), ("MeanExt", np.mean)])
@pytest.mark.parametrize("axis", [None, 0, [1], (0, 1)])
@pytest.mark.parametrize("keep", [False, True])
def test_reductions_may_compute_in_another_dtype(name, wanted, axis, keep):
    whole = np.array([[100, 100, 100], [3, 4, 5]], np.int8)
    axes = tuple(axis) if isinstance(axis, list) else axis
    found = compute(Primitive(name, {}, True))(Tensor(whole), axis, keep, 43)
    assert found.dtype is ms.float32
    np.testing.assert_allclose(found.asnumpy(), wanted(whole.astype(np.float32), axes, keepdims=keep), rtol=1e-6)


@pytest.mark.parametrize(("name", "wanted"), [("Assign", [3.0, 5.0]), ("AssignAdd", [4.0, 7.0]),
                                              ("AssignSub", [-2.0, -3.0])])
def test_assignments_change_what_they_are_named_after(name, wanted):
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    compute(Primitive(name, {}, False))(p, Tensor([3.0, 5.0]))
    assert p.asnumpy().tolist() == wanted


def test_options_are_told_by_number_as_the_original_numbers_them():
    # observed: MindSpore 2.10, `str_to_enum`
    assert [option("pad_mode", k) for k in range(4)] == ["pad", "same", "valid", "full"]
    assert [option("reduction", k) for k in range(3)] == ["sum", "mean", "none"]
    assert [option("padding_mode", k) for k in range(3)] == ["zeros", "border", "reflection"]
    assert [option("approximate", k) for k in range(2)] == ["none", "tanh"]
    assert [option("dtype", k) for k in (30, 43, 35)] == [ms.bool_, ms.float32, ms.int64]
    assert option("pad_mode", True) is True
    assert option("other", 1) == 1


def test_windows_of_files_have_two_leading_ones_that_fall_away():
    x = np.random.rand(1, 2, 7, 9).astype(np.float32)
    pool = compute(Primitive("MaxPool", {"kernel_size": (1, 1, 2, 3), "strides": (1, 1, 3, 2), "pad_mode": "VALID",
                                         "format": "NCHW"}, False))
    wanted = torch.nn.functional.max_pool2d(torch.tensor(x), (2, 3), (3, 2))
    np.testing.assert_array_equal(pool(Tensor(x)).asnumpy(), wanted.numpy())


@pytest.mark.parametrize("biases", [0, 1, 2])
@pytest.mark.parametrize(("layers", "both"), [(1, False), (2, False), (2, True)])
def test_the_weights_of_an_lstm_are_one_vector(layers, both, biases):
    peer = torch.nn.LSTM(3, 4, layers, bias=biases > 0, bidirectional=both)
    with torch.no_grad():
        for name, w in peer.named_parameters():
            if name.startswith("bias_hh") and biases == 1:
                w.zero_()
    weights = dict(peer.named_parameters())
    ends = [f"_l{k}{side}" for k in range(layers) for side in (("", "_reverse") if both else ("",))]
    order = [f"weight_{kind}{end}" for end in ends for kind in ("ih", "hh")]
    order += [f"bias_{kind}{end}" for end in ends for kind in ("ih", "hh")[:biases]]
    flat = torch.cat([weights[name].detach().reshape(-1) for name in order]).numpy()
    made = compute(Primitive("LSTM", {"input_size": 3, "hidden_size": 4, "num_layers": layers, "has_bias": biases > 0,
                                      "bidirectional": both}, False))
    x, states = np.random.rand(5, 2, 3).astype(np.float32), [np.random.rand(len(ends), 2, 4).astype(np.float32)] * 2
    wanted, (h, c) = peer(torch.tensor(x), tuple([torch.tensor(s) for s in states]))
    found = made(Tensor(x), *[Tensor(s) for s in states], Tensor(flat))
    for mine, theirs in zip(found[:3], (wanted, h, c), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_what_is_not_supported_is_said():
    with pytest.raises(NotImplementedError, match="projections"):
        compute(Primitive("LSTM", {"input_size": 3, "hidden_size": 4, "proj_size": 2}, False))
    with pytest.raises(NotImplementedError, match="with 1 inputs"):
        compute(Primitive("LayerNorm", {}, True))(Tensor(X))
