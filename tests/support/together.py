"""Trainings of small networks that one process and several processes do alike: each case is a line of plain values.

    answer = trained("transformer", "auto_parallel", parallel=True)          # in every process, after `init`
    wanted = trained("transformer")                                          # in one process

In data parallel each process brings its share of the batch, otherwise all of them the whole.
"""
from __future__ import annotations

import numpy as np
import split_steps

import mindspore as ms
from mindspore import nn
from mindspore.communication import get_group_size, get_rank
from mindspore.nn.transformer import MoEConfig, Router
from mindspore.parallel.running import whole

STEPS = 10


class Residual(nn.Cell):
    """Two convolutions with batch norm, and what goes around them."""

    def __init__(self):
        super().__init__()
        self.a, self.first = split_steps.conv(3, 4, 3), nn.BatchNorm2d(4)            # in the order of their use
        self.b, self.second, self.head = split_steps.conv(4, 4, 3), nn.BatchNorm2d(4), nn.Dense(4, 5)

    def construct(self, x):
        x = ms.ops.relu(self.first(self.a(x)))
        x = ms.ops.relu(self.second(self.b(x)) + x)
        return self.head(x.mean((2, 3)))


class Routed(nn.Cell):
    """Tokens, each for two of four experts with a limited number of places, a head."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.router = Router(8, MoEConfig(expert_num=4, num_experts_chosen=2, capacity_factor=1.2))
        self.head = nn.Dense(8, 11)
        draw = np.random.default_rng(4)
        self.up = ms.Parameter(ms.Tensor(draw.standard_normal((4, 8, 12)).astype(np.float32) * 0.3), name="up")
        self.down = ms.Parameter(ms.Tensor(draw.standard_normal((4, 12, 8)).astype(np.float32) * 0.3), name="down")

    def construct(self, tokens):
        x = self.embedding(tokens)
        dispatch, combine, _ = self.router(x)
        sent = ms.ops.einsum("gtec,gth->egch", dispatch, x).reshape((4, -1, 8))
        made = ms.ops.bmm(ms.ops.relu(ms.ops.bmm(sent, self.up)), self.down)
        made = made.reshape((4, dispatch.shape[0], dispatch.shape[3], 8))
        return self.head(ms.ops.einsum("gtec,egch->gth", combine, made) + x).reshape((-1, 11))


class Axes(nn.Cell):
    """A layer of two products whose pieces are laid over three axes of two devices by name."""

    def __init__(self):
        super().__init__()
        draw = np.random.default_rng(6)
        self.w = ms.Parameter(ms.Tensor(draw.standard_normal((8, 12)).astype(np.float32) * 0.3), name="w")
        self.v = ms.Parameter(ms.Tensor(draw.standard_normal((12, 5)).astype(np.float32) * 0.3), name="v")
        self.first, self.relu, self.second = ms.ops.MatMul(), ms.ops.ReLU(), ms.ops.MatMul()
        if get_group_size() == 8:
            lies = ms.Layout((2, 2, 2), ("batch", "inner", "outer"))
            self.first.shard(in_strategy=(lies("batch", "inner"), lies("inner", "outer")))
            self.second.shard(in_strategy=(lies("batch", "outer"), lies("outer", "None")))

    def construct(self, x):
        return self.second(self.relu(self.first(x, self.w)), self.v)


NETS = {**split_steps.NETS, **split_steps.MORE, "residual": (Residual, split_steps.images(3, 6, 6), 8, 5),
        "routed": (Routed, split_steps.tokens, 24, 11), "axes": (Axes, split_steps.images(8), 8, 5)}


class Loss(nn.Cell):
    """A network with its loss."""

    def __init__(self, net):
        super().__init__()
        self.net, self.loss = net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, x, labels):
        return self.loss(self.net(x), labels)


def placed(net, stages, segments):
    """The stages and the segments of the cells of a network that have parameters, in their order, and of the loss."""
    cells = [f"net.{name}" for name, cell in net.name_cells().items() if list(cell.get_parameters())]
    parts = [k * stages * segments // len(cells) for k in range(len(cells))]
    last = {"loss": stages * segments - 1}
    where = {**dict(zip(cells, parts, strict=True)), **last}
    return {name: k % stages for name, k in where.items()}, {name: k // stages for name, k in where.items()}


def settings(mode, parallel, stages, schedule, level):
    """What the context is told."""
    found = {"parallel_mode": mode, "gradients_mean": True, "enable_parallel_optimizer": parallel}
    if parallel:
        found["parallel_optimizer_config"] = {"parallel_optimizer_threshold": 0, "optimizer_level": level}
    if mode != "data_parallel":
        found["dataset_strategy"] = "full_batch"
    if stages > 1:
        found.update(pipeline_stages=stages, pipeline_config={"pipeline_interleave": True,
                                                              "pipeline_scheduler": schedule})
    return found


def trained(name, mode="", *, parallel=False, stages=1, segments=1, schedule="1f1b", micros=0, level="level1",
            after=lambda step: None):
    """Losses, and weights by name, after some steps; `after` is called after each."""
    several = bool(mode) and get_group_size() > 1
    if several:
        ms.set_auto_parallel_context(**settings(mode, parallel, stages, schedule, level))
    ms.set_seed(3)
    make, data, count, classes = NETS[name]
    draw = np.random.default_rng(5)
    net, x = Loss(make()), data(draw)
    labels = ms.Tensor(draw.integers(0, classes, count).astype(np.int32))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    cell = nn.PipelineCell(net, micros, *placed(net.net, stages, segments) if several else ()) if micros else net
    step = nn.TrainOneStepCell(cell, optimizer).set_train()
    if several and mode == "data_parallel":
        x, labels = [t.chunk(get_group_size())[get_rank()] for t in (x, labels)]
    losses = []
    for k in range(STEPS):
        losses.append(float(step(x, labels)))
        after(k)
    held = {p.name: whole(p).tolist() for p in net.get_parameters()}
    if several:
        ms.reset_auto_parallel_context()
    return losses, held
