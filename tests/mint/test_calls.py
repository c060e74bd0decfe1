"""Functions of `mindspore.mint` called as those of torch: the same values, types, shapes, derivatives in both modes."""
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


def arguments(value, dtype, make):
    """The arguments of a case with tensors in place of arrays."""
    if isinstance(value, V):
        return make(value.values, dtype)
    if isinstance(value, np.ndarray):
        return make(value, str(value.dtype))
    if isinstance(value, (tuple, list)):
        return type(value)([arguments(v, dtype, make) for v in value])
    return {k: arguments(v, dtype, make) for k, v in value.items()} if isinstance(value, dict) else value


# torch takes int64 here; the primitive, AvgPool, takes no integers in the original
REAL_ONLY = {f"nn.functional.avg_pool{n}d" for n in (1, 2, 3)}


def in_torch(values, dtype):
    return torch.tensor(values.astype("f8") if values.dtype.kind == "f" else values).to(getattr(torch, dtype))


def in_mint(values, dtype):
    return Tensor(in_torch(values, dtype).numpy())


def oracle(name):
    if name == "addr_":
        return torch.Tensor.addr_
    if name == "round" or name == "special.round":
        return torch.round
    if name == "nn.functional.sigmoid_":
        return torch.sigmoid_
    if name.startswith("nn.functional.") and hasattr(torch.nn.functional, name[14:]):
        return getattr(torch.nn.functional, name[14:])
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


ALL = list(cases())


@pytest.mark.parametrize(("name", "args", "options"), ALL)
def test_values_are_those_of_torch(name, args, options):
    taken = 0
    for dtype in TYPES:
        want = expected(name, args, options, dtype)
        if want is None:
            continue
        taken += 1
        if name in REAL_ONLY and "int" in dtype:
            with pytest.raises(TypeError):
                ours(name)(*arguments(args, dtype, in_mint), **arguments(options, dtype, in_mint))
            continue
        got = ours(name)(*arguments(args, dtype, in_mint), **arguments(options, dtype, in_mint))
        compare(name, got, want, dtype)
    assert taken


@pytest.mark.parametrize(("name", "args", "options"), ALL)
def test_compiled_calls_give_the_same(name, args, options):
    want = expected(name, args, options, "float32")
    if want is None:
        want, dtype = expected(name, args, options, "int64"), "int64"
    else:
        dtype = "float32"
    tensors = []

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


def differentiable(name, args, options):
    """What torch gives as derivatives of the sum of all results times fixed numbers; None without any."""
    leaves = []

    def leaf(values, dtype):
        out = in_torch(values, dtype)
        if out.is_floating_point():
            leaves.append(out.requires_grad_())
        return out

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = arguments(args, "float64", leaf), arguments(options, "float64", leaf)
            if name == "addr_":
                given = (given[0][0] * 1.0, *given[0][1:]), given[1]
            out = [o for o in listed(oracle(name)(*given[0], **given[1])) if isinstance(o, torch.Tensor)]
            out = [o for o in out if o.requires_grad and o.is_floating_point()]
            total = sum((o * weights(o.shape)).sum() for o in out)
            found = torch.autograd.grad(total, leaves, allow_unused=True) if out and leaves else None
    except (RuntimeError, IndexError, TypeError):
        return None
    return found and [torch.zeros_like(x) if g is None else g for x, g in zip(leaves, found, strict=True)]


def weights(shape):
    return torch.from_numpy(np.cos(np.arange(int(np.prod(shape)))).reshape(tuple(shape)))


DERIVED = [c for c in ALL if differentiable(*c.values) is not None]


@pytest.mark.parametrize(("name", "args", "options"), DERIVED)
def test_derivatives_are_those_of_torch(name, args, options):
    want = differentiable(name, args, options)
    assert want is not None
    tensors, floats = [], []

    def placed(values, element):
        out = in_mint(values, element)
        if out.dtype.is_floating:
            floats.append(len(tensors))
        tensors.append(out)
        return out

    arguments(args, "float64", placed)
    arguments(options, "float64", placed)

    def total(*given):
        rest = list(given)
        out = listed(ours(name)(*filled(args, rest), **filled(options, rest)))
        out = [o for o in out if ops.is_tensor(o) and o.dtype.is_floating]
        return sum([(o * Tensor(weights(o.shape).numpy())).sum() for o in out])

    got = ms.grad(total, tuple(floats))(*tensors)
    for g, w in zip(got if isinstance(got, tuple) else (got,), want, strict=True):
        np.testing.assert_allclose(g.asnumpy(), w.numpy(), rtol=1e-7, atol=1e-9)
