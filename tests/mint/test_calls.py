"""Functions of `mindspore.mint` called as those of torch: the same values, element types, shapes and derivatives, in both modes."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from mint_calls import CASES, V

import mindspore as ms
from mindspore import Tensor, mint, ops

TYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "int64": torch.int64,
         "int32": torch.int32, "bool": torch.bool}
NEAR = {"float16": 4e-3, "float32": 1e-4, "float64": 1e-9}
UNSET = {"empty_like"}                    # whose elements nobody has set
WIDER = {"float_power"}


def arguments(value, dtype, make):
    """The arguments of a case with tensors in place of arrays."""
    if isinstance(value, V):
        return make(value.values, dtype)
    if isinstance(value, np.ndarray):
        return make(value, str(value.dtype))
    if isinstance(value, (tuple, list)):
        return type(value)([arguments(v, dtype, make) for v in value])
    return {k: arguments(v, dtype, make) for k, v in value.items()} if isinstance(value, dict) else value


def in_torch(values, dtype):
    return torch.tensor(values.astype("f8") if values.dtype.kind == "f" else values).to(getattr(torch, dtype))


def in_mint(values, dtype):
    return Tensor(in_torch(values, dtype).numpy())


def oracle(name):
    if name == "addr_":
        return torch.Tensor.addr_
    if name == "round" or name == "special.round":
        return torch.round
    return getattr(torch.linalg if "linalg" in name else torch.special if "special" in name else torch,
                   name.rpartition(".")[2])


def ours(name):
    out = mint
    for part in name.split("."):
        out = getattr(out, part)
    return out


def listed(out):
    if isinstance(out, (tuple, list)):
        return [v for each in out for v in listed(each)]
    return [out]


def expected(name, args, options, dtype):
    """What torch gives, or None where it does not take the element type."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return listed(oracle(name)(*arguments(args, dtype, in_torch), **arguments(options, dtype, in_torch)))
    except (RuntimeError, IndexError, TypeError, NotImplementedError, ValueError):
        return None


def compare(name, got, want, dtype):
    got = listed(got)
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        if not isinstance(w, torch.Tensor):
            assert g == w
            continue
        assert str(g.dtype).lower() == str(w.dtype).removeprefix("torch.")
        assert tuple(g.shape) == tuple(w.shape)
        if name not in UNSET:
            near = NEAR.get(dtype, 1e-5)
            np.testing.assert_allclose(g.asnumpy(), w.numpy(), rtol=near, atol=near)


def cases():
    for i, (name, args, *options) in enumerate(CASES):
        yield pytest.param(name, args, options[0] if options else {}, id=f"{name}-{i}")


@pytest.mark.parametrize(("name", "args", "options"), cases())
def test_values_are_those_of_torch(name, args, options):
    taken = 0
    for dtype in TYPES:
        want = expected(name, args, options, dtype)
        if want is None:
            continue
        taken += 1
        got = ours(name)(*arguments(args, dtype, in_mint), **arguments(options, dtype, in_mint))
        compare(name, got, want, dtype)
    assert taken


@pytest.mark.parametrize(("name", "args", "options"), cases())
def test_compiled_calls_give_the_same(name, args, options):
    want = expected(name, args, options, "float32")
    if want is None:
        want, dtype = expected(name, args, options, "int64"), "int64"
    else:
        dtype = "float32"
    tensors, plain = [], []

    def placed(values, element):
        tensors.append(in_mint(values, element))
        return tensors[-1]

    arguments(args, dtype, placed)
    arguments(options, dtype, placed)

    @ms.jit
    def call(*given):
        rest = list(given)
        return ours(name)(*filled(args, rest), **filled(options, rest))

    compare(name, call(*tensors), want, dtype)


def filled(value, rest):
    """A case's arguments with the next tensors in place of arrays."""
    return arguments(value, "", lambda *_: rest.pop(0))
