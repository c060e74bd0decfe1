"""Collectives in several processes against NumPy on what all of them have."""
from __future__ import annotations

import json

import numpy as np
import processes
import pytest

import mindspore as ms

RUN = """
init()
rank, size = get_rank(), get_group_size()
ms.set_context(mode=MODE)
def given(r, shape, dtype="float32"):
    draw = np.random.RandomState(r + 1)
    return draw.randint(1, 5, shape).astype(dtype) if dtype != "bool" else draw.randint(0, 2, shape).astype(bool)
x = Tensor(given(rank, (3 * size, 2)))
w = Tensor(given(rank + 10, (3 * size, 2)))
def both(name, make, shape, *inputs):
    '''the value, and the gradient of its product with weights of this process'''
    op = make()
    class Net(nn.Cell):
        def construct(self, *xs):
            return op(*xs)
    net = Net()
    answer(name, net(*inputs))
    weights = Tensor(given(rank + 20, shape))
    def loss(*xs):
        y = net(*xs)
        y = y[0] if isinstance(y, tuple) else y
        return (y * weights).sum()
    answer(name + "'", ms.grad(loss)(*inputs))
for op in ("sum", "max", "min", "prod", "avg"):
    both("AllReduce " + op, lambda: ops.AllReduce(op), (3 * size, 2), x)
both("AllGather", lambda: ops.AllGather(), (3 * size * size, 2), x)
both("ReduceScatter", lambda: ops.ReduceScatter(), (3, 2), x)
both("ReduceScatter avg", lambda: ops.ReduceScatter("avg"), (3, 2), x)
class First(nn.Cell):
    def __init__(self):
        super().__init__()
        self.op = ops.Broadcast(size - 1)
    def construct(self, x):
        return self.op((x,))
both("Broadcast", First, (3 * size, 2), x)
both("Reduce", lambda: ops.Reduce(1), (3 * size, 2) if rank == 1 else (1,), x)
both("CollectiveGather", lambda: ops.CollectiveGather(1), (3 * size * size, 2) if rank == 1 else (1,), x)
both("CollectiveScatter", lambda: ops.CollectiveScatter(1), (3, 2), x)
both("AlltoAll", lambda: ops.AlltoAll(size, 0, 1), (3, 2 * size), x)
uneven = Tensor(given(rank, (rank + 1, 2)))
class V(nn.Cell):
    def __init__(self, op, *more):
        super().__init__()
        self.op, self.more = op, more
    def construct(self, x):
        return self.op(x, *self.more)
counts = tuple(range(1, size + 1))
both("AllGatherV", lambda: V(ops.AllGatherV(), counts), (sum(counts), 2), uneven)
both("ReduceScatterV", lambda: V(ops.ReduceScatterV(), counts), (rank + 1, 2), Tensor(given(rank, (sum(counts), 2))))
flat = Tensor(given(rank, (2 * sum(counts),)))
both("AlltoAllV", lambda: V(ops.AlltoAllV(block_size=2), counts, (rank + 1,) * size), (2 * size * (rank + 1),), flat)
ring = lambda: ops.NeighborExchange([(rank + 1) % size], [(rank - 1) % size], ([3 * size, 2],), ([3 * size, 2],),
                                    ms.float32)
class Ring(nn.Cell):
    def __init__(self):
        super().__init__()
        self.op = ring()
    def construct(self, x):
        return self.op((x,))
both("ring", Ring, (3 * size, 2), x)
ops.Barrier()()
if rank < 2:
    create_group("pair", [1, 0])
    answer("pair", (get_rank("pair"), ops.AllGather("pair")(x[:1])[:, 0].asnumpy().tolist()))
for dtype in DTYPES:
    y = Tensor(given(rank, (2 * size, 2), "float32" if dtype == "bfloat16" else dtype))
    if dtype == "bfloat16":
        y = y.astype(ms.bfloat16)
    seen = {"bfloat16": lambda t: t.astype(ms.float32), "complex64": lambda t: t.real()}
    show = seen.get(dtype, lambda t: t.astype(ms.float64))
    answer(dtype, [show(o) for o in (ops.AllReduce()(y), ops.AllGather()(y), ops.Broadcast(0)((y,))[0],
                                     ops.ReduceScatter()(y), ops.AlltoAll(size, 0, 1)(y))])
    if dtype[0] != "c":
        answer(dtype + " max", show(ops.AllReduce("max")(y)))
release()
"""
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float64", "bool",
          "complex64", "bfloat16"]


def given(r, shape, dtype="float32"):
    draw = np.random.RandomState(r + 1)
    return draw.randint(1, 5, shape).astype(dtype) if dtype != "bool" else draw.randint(0, 2, shape).astype(bool)


def exactly(found, wanted, name):
    np.testing.assert_allclose(np.array(found), wanted, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize(("size", "mode"), [(2, ms.GRAPH_MODE), (3, ms.PYNATIVE_MODE)])
def test_collectives_and_their_gradients(tmp_path, size, mode):
    found = processes.run(size, f"MODE, DTYPES = {mode}, {json.dumps(DTYPES)}\n" + RUN, tmp_path)
    n = 3 * size
    xs = np.stack([given(r, (n, 2)) for r in range(size)])

    def weights(shape):
        return np.stack([given(r + 20, shape) for r in range(size)])
    ws, parts = weights((n, 2)), weights((3, 2))
    every = xs.reshape(-1, 2)
    wide = weights((n * size, 2))
    for r, a in enumerate(found):
        for op, whole in {"sum": xs.sum(0), "max": xs.max(0), "min": xs.min(0), "prod": xs.prod(0),
                          "avg": xs.mean(0)}.items():
            exactly(a[f"AllReduce {op}"], whole, op)
            slope = {"sum": 1, "avg": 1 / size, "prod": xs.prod(0) / xs[r]}.get(op, xs[r] == whole)
            exactly(a[f"AllReduce {op}'"], ws.sum(0) * slope, f"gradient of {op}")
        exactly(a["AllGather"], every, "AllGather")
        exactly(a["AllGather'"], wide.sum(0)[r * n:(r + 1) * n], "gradient of AllGather")
        exactly(a["ReduceScatter"], xs.sum(0)[3 * r:3 * r + 3], "ReduceScatter")
        exactly(a["ReduceScatter'"], parts.reshape(-1, 2), "gradient of ReduceScatter")
        exactly(a["ReduceScatter avg"], xs.mean(0)[3 * r:3 * r + 3], "ReduceScatter avg")
        exactly(a["ReduceScatter avg'"], parts.reshape(-1, 2) / size, "gradient of ReduceScatter avg")
        exactly(a["Broadcast"][0], xs[-1], "Broadcast")
        exactly(a["Broadcast'"], ws.sum(0) * (r == size - 1), "gradient of Broadcast")
        exactly(a["Reduce"], xs.sum(0) if r == 1 else [0], "Reduce")
        exactly(a["Reduce'"], ws[1], "gradient of Reduce")
        exactly(a["CollectiveGather"], every if r == 1 else [0], "CollectiveGather")
        exactly(a["CollectiveGather'"], wide[1][r * n:(r + 1) * n], "gradient of CollectiveGather")
        exactly(a["CollectiveScatter"], xs[1][3 * r:3 * r + 3], "CollectiveScatter")
        exactly(a["CollectiveScatter'"], parts.reshape(-1, 2) * (r == 1), "gradient of CollectiveScatter")
        exactly(a["AlltoAll"], np.concatenate([x[3 * r:3 * r + 3] for x in xs], 1), "AlltoAll")
        back = weights((3, 2 * size))
        exactly(a["AlltoAll'"], np.concatenate([w[:, 2 * r:2 * r + 2] for w in back]), "gradient of AlltoAll")
        exactly(a["ring"][0], xs[r - 1], "ring")
        exactly(a["ring'"], ws[(r + 1) % size], "gradient of a ring")
        total = size * (size + 1) // 2
        exactly(a["AllGatherV"], np.concatenate([given(k, (k + 1, 2)) for k in range(size)]), "AllGatherV")
        starts = np.cumsum([0, *range(1, size + 1)])
        exactly(a["AllGatherV'"], weights((total, 2)).sum(0)[starts[r]:starts[r + 1]], "gradient of AllGatherV")
        exactly(a["ReduceScatterV"], sum([given(k, (total, 2)) for k in range(size)])[starts[r]:starts[r + 1]],
                "ReduceScatterV")
        exactly(a["ReduceScatterV'"], np.concatenate([given(k + 20, (k + 1, 2)) for k in range(size)]),
                "gradient of ReduceScatterV")
        flats = [given(k, (2 * total,)) for k in range(size)]
        exactly(a["AlltoAllV"], np.concatenate([f[2 * starts[r]:2 * starts[r + 1]] for f in flats]), "AlltoAllV")
        backs = [given(k + 20, (2 * size * (k + 1),)) for k in range(size)]
        exactly(a["AlltoAllV'"],
                np.concatenate([b[2 * r * (k + 1):2 * (r + 1) * (k + 1)] for k, b in enumerate(backs)]),
                "gradient of AlltoAllV")
        if r < 2:
            assert a["pair"][0] == r
            exactly(a["pair"][1], xs[:2, 0, 0], "pair")
        for dtype in DTYPES:
            ys = np.stack([given(k, (2 * size, 2), "float32" if dtype == "bfloat16" else dtype) for k in range(size)])
            whole = ys.any(0) if dtype == "bool" else ys.sum(0)
            swapped = np.concatenate([y[2 * r:2 * r + 2] for y in ys], 1)
            for got, want in zip(a[dtype], (whole, ys.reshape(-1, 2), ys[0], whole[2 * r:2 * r + 2], swapped),
                                 strict=True):
                exactly(got, want.real.astype(float), dtype)
            if not dtype.startswith("c"):
                exactly(a[dtype + " max"], ys.max(0).astype(float), dtype)


HALO = """
init()
rank = get_rank()
ms.set_context(mode=MODE)
image = np.arange(2 * 3 * 8 * 10, dtype=np.float32).reshape(2, 3, 8, 10)
top, left = rank // 2 == 0, rank % 2 == 0
own = Tensor(image[:, :, slice(0, 5) if top else slice(5, 8), slice(0, 6) if left else slice(6, 10)])
below, beside, across = (rank + 2) % 4, rank ^ 1, 3 - rank
around = [-1] * 8
around[4 if top else 0] = below
around[2 if left else 6] = beside
around[{(True, True): 3, (True, False): 5, (False, True): 1, (False, False): 7}[top, left]] = across
# the upper give two rows and the lower one, the left ones one column and the right ones three
give = [0 if top else 1, 2 if top else 0, 0 if left else 3, 1 if left else 0]
take = [0 if top else 2, 1 if top else 0, 0 if left else 1, 3 if left else 0]
halo = ops.NeighborExchangeV2(around, give, around, take, "NCHW")
y = halo(own)
answer("halo", y)
weights = Tensor(np.full(y.shape, rank + 1, np.float32))
answer("gradient", ms.grad(lambda x: (halo(x) * weights).sum())(own))
table = [[(2 * r + c) % 3 for c in range(4)] for r in range(4)]
flat = Tensor(np.arange(sum(table[rank]), dtype=np.float32) + 100 * rank)
answer("table", ops.AlltoAllVC()(flat, table))
column = [row[rank] for row in table]
back = Tensor(np.arange(sum(column), dtype=np.float32) + 100 * rank)
answer("turned", ops.AlltoAllVC(transpose=True)(back, table))
release()
"""


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_borders_of_images_go_to_all_eight_sides(tmp_path, mode):
    found = processes.run(4, f"MODE = {mode}\n" + HALO, tmp_path)
    image = np.arange(2 * 3 * 8 * 10, dtype=np.float32).reshape(2, 3, 8, 10)
    seen = np.zeros((8, 10))
    spans = [(slice(0, 6) if r < 2 else slice(3, 8), slice(0, 9) if r % 2 == 0 else slice(5, 10)) for r in range(4)]
    for r, (v, u) in enumerate(spans):
        exactly(found[r]["halo"], image[:, :, v, u], f"borders of {r}")
        seen[v, u] += r + 1
    owns = [(slice(0, 5) if r < 2 else slice(5, 8), slice(0, 6) if r % 2 == 0 else slice(6, 10)) for r in range(4)]
    table = np.array([[(2 * r + c) % 3 for c in range(4)] for r in range(4)])
    for r, (v, u) in enumerate(owns):
        exactly(found[r]["gradient"], np.broadcast_to(seen[v, u], image[:, :, v, u].shape), f"gradient in {r}")
        for name, counts in (("table", table), ("turned", table.T)):
            parts = [np.arange(counts[k].sum()) + 100 * k for k in range(4)]
            cuts = [np.split(parts[k], np.cumsum(counts[k])[:-1])[r] for k in range(4)]
            exactly(found[r][name], np.concatenate(cuts), name)
