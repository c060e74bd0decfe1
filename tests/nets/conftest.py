"""A network here and its twin in torch: copying the weights, and comparing losses and gradients."""

from __future__ import annotations

import re
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

# Allowed distance from torch, relative to the largest entry of the array that is compared.
TOLERANCE = {"float32": 1e-4, "float64": 1e-10}
# Rounding noise relative to the largest gradient of the network; it is all there is in a gradient whose
# true value is zero, such as that of the keys' bias in an attention.
NOISE = {"float32": 1e-6, "float64": 1e-13}

RENAMED = [("gamma", "weight"), ("beta", "bias"), ("embedding_table", "weight"),
           ("w", "weight"), ("moving_mean", "running_mean"), ("moving_variance", "running_var"),
           ("dense1", "linear1"), ("dense2", "linear2")]


def torch_name(name: str) -> str:
    """What torch calls the parameter `name` in a twin that has the same attributes."""
    for ours, theirs in RENAMED:
        name = re.sub(rf"(^|\.){ours}($|\.)", rf"\g<1>{theirs}\g<2>", name)
    return name


def without_ones(shape) -> list[int]:
    """The extents that matter: a convolution along one axis keeps a second one of length one here."""
    return [n for n in shape if n != 1]


def matched_weights(model, net):
    """(name, parameter of the cell `net`, its value in the torch module `model`) of every parameter."""
    source = {name: value for name, value in model.state_dict().items()
              if not name.endswith("num_batches_tracked")}
    ours = {torch_name(name): parameter for name, parameter in net.parameters_and_names()}
    assert set(ours) == set(source)
    for name, parameter in ours.items():
        assert without_ones(parameter.shape) == without_ones(source[name].shape), name
        yield name, parameter, source[name].numpy().reshape(parameter.shape).copy()


def copy_weights(model, net) -> None:
    """Give every parameter of the cell `net` the value that it has in the torch module `model`."""
    import mindspore as ms

    for _, parameter, value in matched_weights(model, net):
        parameter.set_data(ms.Tensor(value))


def assert_same_weights(net, model) -> None:
    """Parameters and running statistics are equal."""
    for name, parameter, true in matched_weights(model, net):
        allowed = TOLERANCE[true.dtype.name] * np.abs(true).max()
        np.testing.assert_allclose(parameter.asnumpy(), true, rtol=0, atol=allowed, err_msg=name)


def torch_gradients(model, loss, inputs, labels):
    """The loss and the gradient of every parameter and floating-point input, by torch."""
    import torch

    model.train()
    inputs = [torch.tensor(x) for x in inputs]
    wanted = {f"input {i}": x.requires_grad_() for i, x in enumerate(inputs) if x.is_floating_point()}
    wanted |= dict(model.named_parameters())
    value = loss(model(*inputs), torch.tensor(labels))
    found = torch.autograd.grad(value, list(wanted.values()))
    return value.item(), dict(zip(wanted, (g.numpy() for g in found), strict=True))


def cell_gradients(net, loss, inputs, labels):
    """The same for a cell, in the present mode; the names are torch's."""
    import mindspore as ms

    net.set_train()
    names = [torch_name(name) for name, p in net.parameters_and_names() if p.requires_grad]
    floating = tuple(i for i, x in enumerate(inputs) if x.dtype.kind == "f")
    target = ms.Tensor(labels)

    def forward(*inputs):
        return loss(net(*inputs), target)

    function = ms.value_and_grad(forward, floating or None, net.trainable_params())
    value, found = function(*[ms.Tensor(x) for x in inputs])
    of_inputs, of_parameters = found if floating else ((), found)
    if len(floating) == 1:  # one gradient comes without a tuple
        of_inputs = (of_inputs,)
    named = {f"input {i}": g for i, g in zip(floating, of_inputs, strict=True)}
    named |= dict(zip(names, of_parameters, strict=True))
    return float(value.asnumpy()), {name: g.asnumpy() for name, g in named.items()}


def assert_same_gradients(found, expected) -> None:
    """Equal losses, and equal gradients of the same things."""
    (value, gradients), (true_value, true_gradients) = found, expected
    assert set(gradients) == set(true_gradients)
    largest = max(np.abs(g).max() for g in true_gradients.values())
    for name, true in true_gradients.items():
        own, dtype = gradients[name], true.dtype.name
        assert own.dtype == true.dtype, name
        assert without_ones(own.shape) == without_ones(true.shape), name
        allowed = TOLERANCE[dtype] * np.abs(true).max() + NOISE[dtype] * largest
        np.testing.assert_allclose(own.reshape(true.shape), true, rtol=0, atol=allowed, err_msg=name)
    assert value == pytest.approx(true_value, rel=TOLERANCE[dtype])


@pytest.fixture
def twins():
    """`copy_weights`, the two functions for gradients, and their comparison."""
    return SimpleNamespace(copy_weights=copy_weights, torch_gradients=torch_gradients,
                           cell_gradients=cell_gradients, assert_same=assert_same_gradients,
                           assert_same_weights=assert_same_weights)


@pytest.fixture
def in_mode():
    """A context manager that sets the mode and puts back the one before."""
    from mindspore.core import context

    @contextmanager
    def wanted(mode):
        before = context.get_context("mode")
        context.set_context(mode=mode)
        try:
            yield
        finally:
            context.set_context(mode=before)

    return wanted
