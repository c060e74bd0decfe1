"""Programs at random on views that are changed in place: values and gradients are those of torch on copies."""
from __future__ import annotations

import random

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor

X = (np.arange(12, dtype=np.float32).reshape(4, 3) - 5) / 4
W = np.array([0.5, -1.5, 2.0], np.float32)
VIEWS = {
    "row": lambda t, k: t[k % t.shape[0]], "rows": lambda t, k: t[k % t.shape[0]:],
    "every other": lambda t, k: t[::2], "last": lambda t, k: t[..., -1:],
    "turned": lambda t, k: t.swapaxes(0, t.ndim - 1), "flat": lambda t, k: t.reshape(-1), "all": lambda t, k: t[...]}


def program(seed, length=14):
    """Steps: what is done, with which of the tensors so far, and numbers."""
    draw = random.Random(seed)
    steps, count = [], 2
    for _ in range(length):
        what = draw.choice(["view", "view", "add_", "set", "copy", "times", "mul_", "new", "sum"])
        steps.append((what, draw.randrange(count), draw.randrange(count), draw.choice(list(VIEWS)), draw.randrange(6),
                      draw.choice([-1.5, 0.5, 2.0])))
        count += what in ("view", "times", "new")
    return steps


def run(steps, x, w, part, begin):
    """Go through the steps; `part` gives what is computed with, `begin` the first tensors."""
    held, total = begin(x, w), 0.0
    for what, i, j, view, k, c in steps:
        t, u = held[i], held[j]
        if what == "view":
            held.append(VIEWS[view](t, k) if t.ndim else t)
        elif what == "times":
            held.append(part(t) * part(u).sum() * c)
        elif what == "new":
            held.append(part(t) * 1.0)
        elif what == "add_":
            t.add_(part(u).sum() * c * 0.1)
        elif what == "mul_":
            t.mul_(part(t) * 0.1 * c)
        elif what == "set" and t.ndim:
            t[k % t.shape[0]] = part(u).mean() * c
        elif what == "copy" and t.ndim and t.shape[0] > 1 and k % 2:
            t[1:] = part(t[:-1])
        elif what == "copy" and t.ndim and t.shape[0] > 1:
            t[:-1].copy_(part(t[1:]))
        else:
            total = total + (part(t) * part(t)).sum() * c
    return total + sum([(part(t) * (n + 1)).sum() for n, t in enumerate(held)])


def of_torch(steps):
    """The value and the gradients by torch, which computes on copies of what may still change."""
    x, w = torch.tensor(X, requires_grad=True), torch.tensor(W, requires_grad=True)
    found = run(steps, x, w, lambda t: t.clone(), lambda x, w: [x * 2, w * 1.0])
    return found, *torch.autograd.grad(found, (x, w), allow_unused=True)


def own(t):
    """A view as it is, whose elements records keep; of what is none a copy, as it is refused like by torch."""
    return t if t._data._base is not None else t.copy()


@pytest.mark.parametrize("seed", range(40))
def test_views_and_changes_are_those_of_torch(seed, monkeypatch):
    monkeypatch.setattr(torch.Tensor, "copy", torch.Tensor.clone, raising=False)
    steps = program(seed)
    wanted = of_torch(steps)

    def loss(x, w):
        return run(steps, x, w, own, lambda x, w: [x * 2, w * 1.0])
    value, (dx, dw) = ms.value_and_grad(loss, (0, 1))(Tensor(X), Tensor(W))
    near = {"rtol": 2e-4, "atol": 2e-4}
    np.testing.assert_allclose(value.asnumpy(), wanted[0].detach().numpy(), **near)
    for found, other in zip((dx, dw), wanted[1:], strict=True):
        np.testing.assert_allclose(found.asnumpy(), 0.0 if other is None else other.numpy(), **near)
    np.testing.assert_allclose(loss(Tensor(X), Tensor(W)).asnumpy(), wanted[0].detach().numpy(), **near)
    again, _ = ms.value_and_grad(loss, (0, 1))(Tensor(X), Tensor(W))            # nothing is left of the first time
    np.testing.assert_array_equal(again.asnumpy(), value.asnumpy())
