# ruff: noqa  # programs as users write them
"""Operators, methods and the context in the spelling of 1.x."""

from __future__ import annotations

import mindspore as ms
import mindspore.common.dtype as mstype
import mindspore.nn as nn
from inputs import W
from mindspore import Parameter, context
from mindspore.common.initializer import initializer
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


# depthwise native + 1.x spelled ops
class DW(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dw = (
            P.DepthwiseConv2dNative(channel_multiplier=1, kernel_size=3, pad_mode="same")
            if hasattr(P, "DepthwiseConv2dNative")
            else None
        )
        self.w = Parameter(W(1, 2, 3, 3), name="weight")
        self.pool = P.MaxPool(ksize=2, strides=2, padding="valid")
        self.bias = P.BiasAdd()
        self.b = Parameter(W(2), name="b")

    def construct(self, x):
        return self.pool(self.bias(self.dw(x, self.w), self.b))


def program_dw():
    n = DW()
    return n(W(1, 2, 4, 4)), ms.grad(lambda x: n(x).sum())(W(1, 2, 4, 4))


class Old(nn.Cell):
    def __init__(self):
        super(Old, self).__init__()
        self.matmul, self.add, self.relu, self.reshape = (
            P.MatMul(transpose_b=True),
            P.TensorAdd(),
            P.ReLU(),
            P.Reshape(),
        )
        self.w = Parameter(initializer("ones", [4, 3]), name="w")
        self.mean = P.ReduceMean(keep_dims=True)
        self.cast = P.Cast()
        self.squeeze = P.Squeeze(1)
        self.gt, self.select, self.zl, self.eq, self.argmax, self.sl = (
            P.Greater(),
            P.Select(),
            P.ZerosLike(),
            P.Equal(),
            P.Argmax(axis=1),
            P.StridedSlice(),
        )
        self.drop = nn.Dropout(keep_prob=1.0)
        self.log, self.neg, self.logicaland = P.Log(), P.Neg(), P.LogicalAnd()

    def construct(self, x):
        y = self.relu(self.add(self.matmul(x, self.w), 1.0))
        m = self.mean(y, 1)
        y = self.select(self.gt(y, m), y, self.zl(y))
        z = self.cast(self.eq(y, self.zl(y)), mstype.float32)
        s = self.sl(y, (0, 0), (1, 2), (1, 1))
        return (
            y,
            self.squeeze(m),
            z,
            self.argmax(y),
            s,
            self.drop(y),
            self.log(y + 1),
            self.logicaland(y > 0, y < 3),
        )


def program_old():
    return Old()(W(2, 3))


def program_old_methods():
    @ms.ms_function if hasattr(ms, "ms_function") else ms.jit
    def f(x):
        return (
            x.mean(0),
            x.view((3, 2)),
            x.transpose(),
            x.abs(),
            x.all() if False else x.sum(),
            x.expand_as(ms.numpy.ones((2, 3))) if False else x.flatten(),
            x.swapaxes(0, 1),
            x.argmax(),
            x.clip(0.0, 1.0),
            x.max(),
            x.ptp(),
            x.std(),
            x.var(),
            x.cumsum(0),
            x.repeat(2, 1),
            x.asnumpy if False else x.dtype,
        )

    return f(W(2, 3))


class Ctx(nn.Cell):
    def __init__(self):
        super().__init__()
        self.is_graph = context.get_context("mode") == context.GRAPH_MODE
        self.dev = context.get_context("device_target")

    def construct(self, x):
        if context.get_context("device_target") == "Ascend":
            return x * 0
        return x * 2


def program_ctx():
    return Ctx()(W(2))
