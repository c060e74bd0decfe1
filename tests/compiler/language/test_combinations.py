# ruff: noqa  # programs as users write them
"""Functions, gradients, sizes and Python's own means in combination."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import D, W
from mindspore import Tensor
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


def program_nested_jit():
    @ms.jit
    def inner(x, k):
        if x.sum() > 0:
            return x * k
        return x - k

    @ms.jit
    def outer(x):
        return inner(x, 2) + inner(-x, 3)

    return (
        outer(W(2)),
        ms.grad(lambda x: outer(x).sum())(W(2)),
        ms.jit(ms.grad(lambda x: outer(x).sum()))(W(2)),
    )


def program_loops_grad():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            j = 0
            while j < i + 1:
                t = x * (j + 1)
                s = (t * t).sum()
                if s > 100:
                    break
                j += 1
            x = x * 0.9 + t * 0.1
            i += 1
        return x, t, s

    return (
        f(W(3), Tensor(3)),
        ms.grad(lambda x: f(x, Tensor(3))[0].sum() + f(x, Tensor(2))[1].sum())(W(3)),
        ms.grad(lambda x: f(x, Tensor(2))[2])(W(3)),
    )


def program_dyn_inner():
    class N(nn.Cell):
        def construct(self, x):
            out = []
            for i in range(x.shape[0]):
                row = x[i]
                for k in range(2):
                    last = row * k
                out.append(last.sum())
            return ops.stack(out), last

    n = N()
    n.set_inputs(Tensor(shape=(None, 2), dtype=ms.float32))
    return n(W(3, 2)), n(W(2, 2))


def program_mask_dyn():
    @ms.jit
    def f(x):
        y = x[x > 0]
        if y.shape[0] > 1:
            z = y.sum() / y.shape[0]
        else:
            z = x.sum()
        return y * z, y.shape[0], ops.nonzero(x > 0).shape

    return f(W(6)), f(-W(6)), f(Tensor([1.0, -1.0])), ms.grad(lambda x: f(x)[0].sum())(W(6))


def program_mutable_list():
    @ms.jit
    def f(ts, d):
        acc = 0
        for t in ts:
            acc = acc + t
        d["out"] = acc
        ts.append(acc)
        return acc * d["k"]

    l, d = [W(2), W(2, k=1)], {"k": 3}
    r = f(l, d)
    r2 = f(l, d)
    return r, r2, len(l), d["out"], sorted(d)


def program_hook_grad():
    @ms.jit
    def f(x):
        y = x * 2
        y.register_hook(lambda g: g * 10)
        return (y * y).sum()

    return ms.grad(f)(W(2)) if True else 0


def program_insert_grad():
    ins = (
        ops.InsertGradientOf(lambda g: ops.clamp(g, -1.0, 1.0))
        if hasattr(ops, "InsertGradientOf")
        else P.InsertGradientOf(lambda g: g)
    )
    f = ms.jit(lambda x: (ins(x * 3) ** 2).sum())
    return ms.grad(f)(W(3)), f(W(3))


def program_cell_bprop_loop():
    class S(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return dout * y * 0.5, dout * x

    s = S()

    @ms.jit
    def f(x, n):
        i = 0
        r = x
        while i < n:
            r = s(r, x)
            i += 1
        return r.sum()

    return ms.grad(f)(W(2), Tensor(3))


def program_recompute():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = D(3, 3)
            self.b = D(3, 3)
            self.a.recompute()

        def construct(self, x):
            return self.b(ops.tanh(self.a(x)))

    n = N()
    return ms.value_and_grad(lambda x: n(x).sum(), 0, n.trainable_params())(W(2, 3))


def program_fp16():
    n = nn.SequentialCell(D(3, 3), nn.ReLU(), D(3, 2))
    n.to_float(ms.float16)
    r = n(W(2, 3))
    return r, r.dtype, ms.value_and_grad(lambda x: n(x).sum(), None, n.trainable_params())(W(2, 3))


def program_amp():
    n = nn.SequentialCell(D(3, 3), nn.BatchNorm1d(3), nn.ReLU(), D(3, 2))
    n = ms.amp.auto_mixed_precision(n, "O2")
    n.set_train()
    return n(W(4, 3)).dtype


def program_static_pos():
    @ms.jit
    def f(x, *shape, axis=-1, flags=(True, False), **opts):
        y = x.reshape(shape) if shape else x
        if flags[0] and not flags[1]:
            y = y.sum(axis)
        return y * opts.get("scale", 1), len(opts)

    return f(W(2, 3)), f(W(2, 3), 3, 2), f(W(2, 3), 6, axis=0, scale=2), f(W(2, 3), flags=(False, False), a=1)


def program_str_switch():
    class N(nn.Cell):
        def __init__(self, kind):
            super().__init__()
            self.kind = kind
            self.fns = dict(relu=ops.relu, tanh=ops.tanh, none=lambda x: x)

        def construct(self, x):
            if self.kind in self.fns:
                return self.fns[self.kind](x)
            elif self.kind.startswith("scale:"):
                return x * float(self.kind.split(":")[1])
            raise ValueError(
                "unknown kind '%s'; expected one of %s" % (self.kind, ", ".join(sorted(self.fns)))
            )

    out = [N(k)(W(2)) for k in ("relu", "tanh", "scale:2.5")]
    try:
        N("zzz")(W(2))
    except ValueError as e:
        out.append(str(e))
    return out


def program_numpy_const():
    table = np.linspace(0, 1, 4).astype(np.float32)
    idx = {"a": np.array([0, 2])}

    @ms.jit
    def f(x):
        return x[idx["a"]] * Tensor(table[:2]) + float(table.max()) + int(np.argmax(table))

    r = f(W(4))
    table[1] = 5
    return r, f(W(4))


def program_isinstance():
    @ms.jit
    def f(x):
        if isinstance(x, (list, tuple)):
            return sum(f2(v) for v in x)
        return f2(x)

    def f2(v):
        return v * 2 if isinstance(v, Tensor) else Tensor(float(v))

    return f(W(2)), f([W(2), W(2)]), f((W(2), 3)), callable(f2)


def program_get_params_in_graph():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = D(3, 3), D(3, 2)

        def construct(self, x):
            reg = sum((p**2).sum() for p in self.trainable_params())
            names = [p.name for p in self.get_parameters()]
            for n, c in self.name_cells().items():
                x = c(x)
            return x.sum() + 0.01 * reg, names

    n = N()
    return n(W(2, 3)), ms.grad(lambda x: n(x)[0], None, n.trainable_params())(W(2, 3))


def program_abs_methods():
    @ms.jit
    def f(x):
        return (
            x.abs().sqrt().log1p().exp().mean(),
            x.sort()[0],
            x.topk(2)[0],
            x.norm(),
            x.cumsum(0),
            x.flip(0),
            x.roll(1, 0),
            x.unsqueeze(0).squeeze().expand((3,)),
            x.masked_fill(x > 0, 0.0),
            x.where(x > 0, ops.zeros_like(x)),
            x.new_zeros((2,)),
            x.type_as(x),
            x.index_select(0, Tensor([0, 2])),
            x.diag().trace() if True else 0,
            x.outer(x).sum(),
            x.isnan().any(),
            x.nan_to_num(),
            x.allclose(x) if False else 1,
        )

    return f(W(3)), ms.grad(lambda x: f(x)[0] + f(x)[3])(W(3))


def program_inplace_many():
    @ms.jit
    def f(x):
        y = x * 1
        y += 1
        y[0] += 5
        y[1:] *= 2
        y[y > 3] = 0
        y.clamp_(max=2.5) if hasattr(y, "clamp_") else None
        z = y[None]
        z = z + 1
        y -= z[0] * 0.5
        return y, z

    x = W(4)
    return f(x), x, ms.grad(lambda x: f(x)[0].sum())(W(4))


def program_tensor_index_types():
    @ms.jit
    def f(x, i, m):
        return (
            x[i],
            x[..., i],
            x[m],
            x[i, ::2],
            x[[0, 1]],
            x[(0, 1)],
            x[:, None, 1],
            x[-1, -1],
            x[i > 0] if False else x[Tensor([True, False])],
            x[1:, :-1],
            x[True] if False else x[slice(0, 1)],
            x[0][i],
        )

    return f(W(2, 3), Tensor([1, 0]), Tensor(np.array([[True, False, True], [False, True, False]])))


def program_while_else_ret():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            if x[i] < 0:
                break
            i += 1
        else:
            return x * 2, i
        for k in range(3):
            if x[k] > 100:
                return x, -1
        return x - 1, i

    return f(W(4), Tensor(2)), f(-ops.abs(W(4)), Tensor(2)), f(ops.abs(W(4)), Tensor(4))
