"""Groups that do not begin with process 0, of three processes: every collective, type and root against NumPy."""
from __future__ import annotations

import itertools
import json

import numpy as np
import processes
import pytest

GROUPS = {"late": [1, 2], "ends": [2, 0], "hccl_world_group": [0, 1, 2]}
OPS = ["sum", "max", "min", "prod", "avg"]
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64"]

RUN = '''
import torch
from mindspore.distributed import collectives as c, exchange, groups, together
init()
rank = get_rank()
def given(r, dtype, rows=4):
    draw = np.random.RandomState(100 * r + len(dtype))
    if dtype == "bool":
        return draw.randint(0, 2, (rows, 3)).astype(bool)
    if dtype.startswith("complex"):
        return (draw.randint(-4, 5, (rows, 3)) + 1j * draw.randint(-4, 5, (rows, 3))).astype(dtype)
    low = 0 if dtype[0] == "u" else -5
    x = draw.randint(low, 6, (rows, 3)).astype(dtype)
    if dtype[0] in "iu":                        # at the ends of the type
        x[0, 0], x[1, 1] = (np.iinfo(dtype).max, np.iinfo(dtype).min) if r % 2 else (np.iinfo(dtype).min, 1)
    return x
def plain(t):
    a = t.contiguous().numpy()
    return [a.tobytes().hex(), str(a.dtype), list(a.shape)]
for name, ranks in GROUPS.items():
    if rank not in ranks:
        continue
    if name in ("late", "ends"):
        create_group(name, ranks)
    n, me = len(ranks), sorted(ranks).index(rank)
    answer(f"{name} numbers", [get_rank(name), get_group_size(name), groups.get_local_rank(name),
                               groups.get_local_rank_size(name), groups.get_process_group_ranks(name),
                               [groups.get_world_rank_from_group_rank(name, k) for k in range(n)],
                               [groups.get_group_rank_from_world_rank(r, name) for r in sorted(ranks)]])
    for dtype in DTYPES:
        rows = 2 * n
        x = torch.from_numpy(given(rank, dtype, rows))
        before = x.clone()
        for op in OPS:
            if (op == "avg" and dtype[0] in "biu") or (op not in ("sum", "avg") and dtype[0] == "c"):
                continue
            answer(f"{name} {dtype} {op}", plain(c.reduced_over(x, op, name)))
            answer(f"{name} {dtype} {op} turned", plain(c.reduced_over(x.t(), op, name)))
            for root in range(n):
                answer(f"{name} {dtype} {op} at {root}", plain(c.reduced_at(x, op, root, name)))
            if not (dtype[0] == "c"):
                answer(f"{name} {dtype} {op} part", plain(c.reduced_in_parts(x, op, name)))
                counts = [rows - n + 1] + [1] * (n - 1)
                answer(f"{name} {dtype} {op} unequal", plain(c.reduced_in_unequal_parts(x, counts, op, name)))
        answer(f"{name} {dtype} all", plain(c.gathered(x, name)))
        answer(f"{name} {dtype} uneven", plain(c.gathered_unequal(x[:me + 1], list(range(1, n + 1)), name)))
        for root in range(n):
            answer(f"{name} {dtype} gathered {root}", plain(c.gathered_at(x, root, name)))
            answer(f"{name} {dtype} told {root}", plain(c.sent_to_all(x, root, name)))
            answer(f"{name} {dtype} scattered {root}", plain(c.scattered(x, root, name)))
        answer(f"{name} {dtype} blocks", plain(exchange.swapped_blocks(x.repeat(1, n), 1, 0, name)))
        give = [[1, 2, 0][(me + k) % 3] for k in range(n)]
        take = [[1, 2, 0][(k + me) % 3] for k in range(n)]
        answer(f"{name} {dtype} swapped", plain(exchange.swapped(x[:sum(give)], give, take, name, "X")))
        assert torch.equal(x, before), (name, dtype)
    xs = [torch.full((k + 1, 2), float(rank + k)) if k % 3 else torch.full((k + 1,), rank * 10 + k, dtype=kind)
          for k, kind in enumerate([torch.float64, 0, 0, torch.int16, 0, 0, torch.float16])]
    for op, most in (("sum", 1), ("avg", 40), ("max", 16), ("sum", 10**6)):
        if op == "avg":
            xs_ = [x for x in xs if x.is_floating_point()]
        else:
            xs_ = xs
        answer(f"{name} together {op} {most}", [plain(t) for t in together.reduced_together(xs_, op, name, most)])
    peers = [exchange.Message((me + 1) % n, torch.arange(3) + rank), exchange.Message(
        (me - 1) % n, None, (3,), torch.int64), exchange.Message(me, torch.ones(2) * rank), exchange.Message(
        me, None, (2,), torch.float32)]
    answer(f"{name} passed", [plain(t) for t in exchange.passed(peers, name, "X")])
if rank != 1:                                   # made again, and the same processes under another name
    for k in range(2):
        groups.destroy_group("ends")
        create_group("ends", [0, 2])
        create_group(f"other {k}", [2, 0])
        answer(f"again {k}", [c.gathered(torch.tensor([rank + k]), g).tolist() for g in ("ends", f"other {k}")])
# messages in an order, whose memory is written to after they were sent
if rank == 0:
    x = torch.arange(6.0).reshape(2, 3)
    for k in range(3):
        exchange.sent_away(x.t() if k == 1 else x, 2, k)
        x += 10
    exchange.settled()
    answer("under way", len(exchange._under_way))
if rank == 2:
    answer("came", [plain(exchange.received((3, 2) if k == 1 else (2, 3), torch.float32, 0, k)) for k in range(3)])
release()
'''


def given(r, dtype, rows):
    """What a process has: the same lines as in the program."""
    space = {"np": np}
    exec("def given" + RUN.partition("def given")[2].partition("def plain")[0], space)
    return space["given"](r, dtype, rows)


REDUCED = {"sum": lambda v: np.add.reduce(v, dtype=v.dtype) if v.dtype != bool else v.any(0), "max": lambda v: v.max(0),
           "min": lambda v: v.min(0), "avg": lambda v: np.add.reduce(v, dtype=v.dtype) / v.dtype.type(len(v)),
           "prod": lambda v: np.multiply.reduce(v, dtype=v.dtype) if v.dtype != bool else v.all(0)}


def same(found, wanted, what):
    content, dtype, shape = found
    got = np.frombuffer(bytes.fromhex(content), dtype).reshape(shape)
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), what
    if wanted.dtype.kind in "fc":
        np.testing.assert_allclose(got, wanted, rtol=2e-3 if wanted.dtype == np.float16 else 1e-6, err_msg=what)
    else:
        np.testing.assert_array_equal(got, wanted, err_msg=what)


@pytest.mark.dist
def test_groups_of_late_processes_work_like_the_world(tmp_path):
    head = f"GROUPS, OPS, DTYPES = {json.loads(json.dumps([GROUPS, OPS, DTYPES]))}\n"
    answers = processes.run(3, head + RUN, tmp_path)
    with np.errstate(all="ignore"):
        for name, ranks in GROUPS.items():
            for rank in ranks:
                check(name, sorted(ranks), rank, answers[rank])
    for a in (answers[0], answers[2]):
        assert [a["again 0"], a["again 1"]] == [[[0, 2]] * 2, [[1, 3]] * 2]
    assert answers[0]["under way"] == 0
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    for k, found in enumerate(answers[2]["came"]):
        same(found, (x + 10 * k).T if k == 1 else x + 10 * k, f"message {k}")


def check(name, ranks, rank, a):
    """What one process of a group found."""
    n, me = len(ranks), ranks.index(rank)
    assert a[f"{name} numbers"] == [me, n, me, n, ranks, ranks, list(range(n))]
    for dtype in DTYPES:
        xs = np.stack([given(r, dtype, 2 * n) for r in ranks])
        for op in OPS:
            if f"{name} {dtype} {op}" not in a:
                assert dtype[0] in "biuc"
                continue
            whole = REDUCED[op](xs)
            what = f"{name} {dtype} {op} in process {rank}"
            same(a[f"{name} {dtype} {op}"], whole, what)
            same(a[f"{name} {dtype} {op} turned"], whole.T, what)
            for root in range(n):
                same(a[f"{name} {dtype} {op} at {root}"], whole if root == me else np.zeros(1, whole.dtype), what)
            if dtype[0] != "c":
                same(a[f"{name} {dtype} {op} part"], whole[2 * me:2 * me + 2], what)
                first = [0, *itertools.accumulate([n + 1] + [1] * (n - 1))]
                same(a[f"{name} {dtype} {op} unequal"], whole[first[me]:first[me + 1]], what)
        what = f"{name} {dtype} in process {rank}"
        same(a[f"{name} {dtype} all"], np.concatenate(list(xs)), what)
        same(a[f"{name} {dtype} uneven"], np.concatenate([x[:k + 1] for k, x in enumerate(xs)]), what)
        for root in range(n):
            same(a[f"{name} {dtype} gathered {root}"], np.concatenate(list(xs)) if root == me else np.zeros(
                1, xs.dtype), what)
            same(a[f"{name} {dtype} told {root}"], xs[root], what)
            same(a[f"{name} {dtype} scattered {root}"], xs[root][2 * me:2 * me + 2], what)
        same(a[f"{name} {dtype} blocks"], np.concatenate([np.tile(x, (1, n))[:, 3 * me:3 * me + 3] for x in xs]), what)
        parts = []
        for k, x in enumerate(xs):
            give = [[1, 2, 0][(k + j) % 3] for j in range(n)]
            parts.append(x[sum(give[:me]):sum(give[:me + 1])])
        same(a[f"{name} {dtype} swapped"], np.concatenate(parts), what)
    kinds = [np.float64, 0, 0, np.int16, 0, 0, np.float16]
    held = [[np.full((k + 1, 2), float(r + k), np.float32) if k % 3 else np.full(k + 1, r * 10 + k, kind)
             for k, kind in enumerate(kinds)] for r in ranks]
    for op, most in (("sum", 1), ("avg", 40), ("max", 16), ("sum", 10**6)):
        columns = [np.stack(c) for c in zip(*held, strict=True) if op != "avg" or c[0].dtype.kind == "f"]
        for found, column in zip(a[f"{name} together {op} {most}"], columns, strict=True):
            same(found, REDUCED[op](column), f"{name} together {op} {most}")
    before = ranks[(me - 1) % n]
    for found, wanted in zip(a[f"{name} passed"], (np.arange(3) + before, np.full(2, rank, np.float32)), strict=True):
        same(found, wanted, f"{name} passed")
