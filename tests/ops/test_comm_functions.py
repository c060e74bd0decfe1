"""Collectives as functions, in processes, against NumPy on what all of them have."""
from __future__ import annotations

import numpy as np
import processes
import pytest

RUN = """
from mindspore.communication import comm_func as f
from mindspore.ops import communication as d
d.init_process_group()
rank, size = d.get_rank(), d.get_world_size()
x = Tensor(np.arange(3 * size, dtype=np.float32) + 10 * rank)
answer("all_reduce", f.all_reduce(x)[0])
answer("gathered", f.gather_into_tensor(x, 1))
answer("scattered", f.scatter_tensor(x, 1))
answer("broadcast", f.broadcast(x, 2))
answer("reduced", f.reduce(x, 2, "max"))
answer("swapped", [t for t in f.all_to_all_with_output_shape([(rank + 1,)] * size,
                                                             [x[:k + 1] for k in range(size)])[0]])
y = x.copy(); handle = d.all_reduce(y, "max", async_op=True); handle.wait()
answer("in place", y)
y = x.copy(); d.broadcast(y, 1); answer("broadcast in place", y)
y = ops.zeros(3); d.reduce_scatter_tensor(y, x); answer("reduce_scatter", y)
y = ops.zeros(3); d.scatter(y, [x[:3], x[3:6], x[6:]] if rank == 1 else None, 1); answer("scatter", y)
line = [ops.zeros((k + 1,)) for k in range(size)]; d.all_gather(line, x[:rank + 1]); answer("all_gather", line)
line = [ops.zeros(2) for _ in range(size)]; d.gather(x[:2], line, 2); answer("gather", line)
y = ops.zeros(rank + 1); d.reduce_scatter(y, [x[:1], x[:2], x[:3]]); answer("parts", y)
y = ops.zeros(size); d.all_to_all_single(y, x[:size]); answer("all_to_all", y)
counts = [[(r + c) % 2 + 1 for c in range(size)] for r in range(size)]
y = ops.zeros(sum([row[rank] for row in counts]))
d.all_to_all_v_c(y, x[:sum(counts[rank])], sum(counts, []))
answer("table", y)
y = ops.zeros(2)
under_way = d.irecv(y, (rank - 1) % size)
d.isend(x[:2], (rank + 1) % size).wait(); under_way.wait(); answer("ring", y)
y = ops.zeros(2)
d.batch_isend_irecv([d.P2POp("isend", x[1:3], (rank + 1) % size), d.P2POp(d.irecv, y, (rank - 1) % size)])
answer("batch", y)
found = [None] * size
d.all_gather_object(found, {"rank": rank}); answer("objects", found)
found = [f"from {rank}", rank]; d.broadcast_object_list(found, 2); answer("broadcast objects", found)
found = [None]; d.scatter_object_list(found, ["a", "b", "c"] if rank == 1 else None, 1)
answer("scatter objects", found)
if rank == 0:
    d.send_object_list([{"a": (1, 2)}], 2)
if rank == 2:
    found = [None]; d.recv_object_list(found, 0); answer("sent objects", found)
pair = d.new_group([2, 0])
answer("group", [pair, d.get_world_size(pair) if pair else -1])
if pair:
    answer("global", d.get_global_rank(pair, 1))
def said(name, ask):
    try:
        ask()
    except Exception as error:
        answer(name, type(error).__name__)
said("number", lambda: d.init_process_group(rank=size))
said("self", lambda: f.isend(x, rank))
said("peer", lambda: f.send(x, size))
d.barrier()
d.destroy_process_group()
answer("ended", d.is_initialized())
"""


@pytest.mark.dist
def test_what_functions_give_and_tensors_hold(tmp_path):
    found = processes.run(3, RUN, tmp_path)
    xs = np.stack([np.arange(9) + 10.0 * r for r in range(3)])
    table = np.array([[(r + c) % 2 + 1 for c in range(3)] for r in range(3)])
    for r, a in enumerate(found):
        def same(name, wanted, a=a):
            for got, want in zip(a[name], wanted, strict=True):
                np.testing.assert_array_equal(got, want, err_msg=name)
        same("all_reduce", xs.sum(0))
        same("gathered", xs.reshape(-1) if r == 1 else [0])
        same("scattered", xs[1, 3 * r:3 * r + 3])
        same("broadcast", xs[2])
        same("reduced", xs.max(0) if r == 2 else [0])
        same("swapped", [xs[k, :r + 1] for k in range(3)])
        same("in place", xs.max(0))
        same("broadcast in place", xs[1])
        same("reduce_scatter", xs.sum(0)[3 * r:3 * r + 3])
        same("scatter", xs[1, 3 * r:3 * r + 3])
        same("all_gather", [xs[k, :k + 1] for k in range(3)])
        same("gather", xs[:, :2] if r == 2 else np.zeros((3, 2)))
        same("parts", xs.sum(0)[:r + 1])
        same("all_to_all", xs[:, r])
        starts = np.cumsum(np.pad(table, ((0, 0), (1, 0))), 1)
        same("table", np.concatenate([xs[k, starts[k, r]:starts[k, r + 1]] for k in range(3)]))
        same("ring", xs[r - 1, :2])
        same("batch", xs[r - 1, 1:3])
        assert a["objects"] == [{"rank": k} for k in range(3)]
        assert a["broadcast objects"] == ["from 2", 2]
        assert a["scatter objects"] == ["abc"[r]]
        assert a["group"] == (["", -1] if r == 1 else ["processes 2 0", 2])
        assert a["number"] == a["self"] == a["peer"] == "ValueError"
        assert a["ended"] is False
    assert found[2]["sent objects"] == [{"a": [1, 2]}]
    assert found[0]["global"] == 2
