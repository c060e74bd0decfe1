"""Parameters by torch: what they hold is a leaf, so a gradient leads to the parameter and not to what it was given."""
from __future__ import annotations

import numpy as np
import torch


class _Given(torch.autograd.Function):
    """The value that a parameter is given; its cotangent is the parameter's."""

    @staticmethod
    def forward(ctx, leaf, value):
        return value.clone()

    @staticmethod
    def backward(ctx, dout):
        return dout, None


class Part(torch.Tensor):
    """A tensor for which `y += x` makes a new one, as in MindSpore."""

    def __iadd__(self, other):
        return self + other

    def __imul__(self, other):
        return self * other


class Held:
    """A parameter; torch may not take all gradients, because a value was changed after its use.

    Args:
        tensor: What it holds at first.
        log: The values that it was given in an earlier run, to give it them again with `step` added; None to keep
            a log.  What is computed then are the terms of a difference quotient.
    """

    def __init__(self, tensor, log=None, step=0.0):
        self.t, self.again, self.log, self.step = tensor.as_subclass(Part), log is not None, log or [], step
        self.calls, self.leaf = 0, self.t.clone()

    def give(self, value):
        value = torch.as_tensor(value, dtype=self.t.dtype).expand(self.t.shape)
        if self.again:
            value, self.calls = self.log[self.calls] + self.step, self.calls + 1
        else:
            self.log.append(value.detach().clone())
        self.t.copy_(_Given.apply(self.leaf, value) if self.leaf.requires_grad else value.detach())
        return self

    copy_ = give

    def __setitem__(self, index, value):
        new = self.t.clone()
        new[index] = value
        self.give(new)

    def __getitem__(self, index):
        return self.t[index]

    def __getattr__(self, name):
        if name.endswith("_") and not name.startswith("__"):
            return lambda *args: self.give(getattr(self.t.clone(), name)(*args))
        return getattr(self.t, name)

    @classmethod
    def __torch_function__(cls, fn, kinds, args=(), kwargs=None):
        return fn(*[[getattr(a, "t", a) for a in x] if isinstance(x, list) else x.t if isinstance(x, Held) else x
                    for x in args], **(kwargs or {}))

    def __mul__(self, other):
        return self.t * (other.t if isinstance(other, Held) else other)

    def __add__(self, other):
        return self.t + (other.t if isinstance(other, Held) else other)

    __rmul__, __radd__ = __mul__, __add__


def by_differences(run, w, x):
    """The gradients of `run(parameter, input)` by central differences, in double precision."""
    base = Held(torch.tensor(w.astype(np.float64)))
    run(base, torch.tensor(x.astype(np.float64)))
    found, size = [], 1e-5
    for k in range(2):
        grads = np.zeros(w.shape)
        for place in np.ndindex(*w.shape):
            values = []
            for sign in (1, -1):
                step = np.zeros(w.shape)
                step[place] = sign * size
                given = [w.astype(np.float64), x.astype(np.float64)]
                given[k] = given[k] + step
                held = Held(torch.tensor(given[0]), base.log, torch.tensor(step if k == 0 else 0 * step))
                values.append(run(held, torch.tensor(given[1])).item())
            grads[place] = (values[0] - values[1]) / (2 * size)
        found.append(grads)
    return found
