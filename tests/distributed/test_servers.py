"""Parameter servers: training with them gives what all-reduce and one process give; a lost server comes back."""
from __future__ import annotations

import json
import signal
import time

import numpy as np
import processes
import pytest
import served
from nightly import at_night

NET = """
class Words(nn.Cell):
    def __init__(self, cache):
        super().__init__()
        self.table = nn.EmbeddingLookup(23, 4, vocab_cache_size=cache)
        self.a, self.b = nn.Dense(4, 6, activation="tanh"), nn.Dense(6, 3)
    def construct(self, ids):
        return self.b(self.a(self.table(ids).mean(1)))
OPTIMIZERS = {"momentum": lambda p: nn.Momentum(p, 0.1, 0.9), "adam": lambda p: nn.Adam(p, 0.01, loss_scale=4.0),
              "groups": lambda p: nn.Momentum([{"params": p[:2], "lr": 0.05}, {"params": p[2:], "weight_decay": 0.1}],
                                              0.1, 0.9)}
def trained(steps, rank, size, kind="momentum", cache=0, mark=None, seed=3, pause=None):
    ms.set_seed(seed)
    net = Words(cache)
    if mark:
        mark(net)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, OPTIMIZERS[kind](net.trainable_params()), sens=4.0 if kind == "adam" else 1.0)
    draw = np.random.RandomState(4)
    losses = []
    for k in range(steps):
        ids, y = draw.randint(0, 23, (8, 2)), draw.randint(0, 3, (8,))
        share = slice(rank * 8 // size, (rank + 1) * 8 // size)
        if pause:
            pause(k)
        out = step(Tensor(ids[share].astype(np.int32)), Tensor(y[share].astype(np.int32)))
        losses.append(float(out.asnumpy()))
    return losses, {p.name: p.asnumpy().tolist() for p in net.get_parameters()}, net
"""
SERVED = """
import time
ms.set_context(mode=MODE)
ms.set_ps_context(enable_ps=True, config_file_path=CONFIG)
init()
PARALLEL and ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
def mark(net):
    MARK
def pause(k):
    print("STEP", k, flush=True)
    time.sleep(PAUSE)
losses, weights, net = trained(8, get_rank(), get_group_size(), KIND, CACHE, mark, pause=pause)
answer("losses", losses)
answer("weights", weights)
ids = Tensor(np.arange(10).astype(np.int32))
answer("rows", net.table(ids))
from mindspore.parallel._ps_context import _get_ps_mode_rank, _is_role_pserver, _is_role_worker
answer("role", [_is_role_worker(), _is_role_pserver(), _get_ps_mode_rank() == get_rank()])
path = f"rank_{get_rank()}.ckpt"
ms.save_checkpoint(net, path)
answer("saved", ms.load_checkpoint(path)["table.embedding_table"])
"""


def program(mark="net.set_param_ps()", kind="momentum", cache=0, mode=0, config="", pause=0.0, parallel=False):
    text = NET + SERVED
    for name, value in (("MODE", mode), ("CONFIG", repr(str(config))), ("KIND", repr(kind)), ("CACHE", cache),
                        ("PAUSE", pause), ("PARALLEL", parallel)):
        text = text.replace(name, str(value))
    return text.replace("MARK", mark)


def of_one(kind="momentum"):
    """Losses of the whole batch and weights of one process, and some rows of the table."""
    space: dict = {}
    exec(processes.START + NET, space)
    losses, weights, _ = space["trained"](8, 0, 1, kind)
    return losses, weights


def compare(found, kind="momentum", cache=0):
    losses, weights = of_one(kind)
    np.testing.assert_allclose(np.mean([f["losses"] for f in found], 0), losses, rtol=1e-5, atol=1e-6)
    for f in found:
        for name, value in weights.items():
            if name != "table.embedding_table" or not cache:
                np.testing.assert_allclose(f["weights"][name], value, rtol=1e-5, atol=1e-6, err_msg=name)
        assert f["role"] == [True, False, True]
        np.testing.assert_allclose(f["saved"], weights["table.embedding_table"], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(f["rows"], np.array(weights["table.embedding_table"])[:10], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("kind", "cache", "mode"), [
    at_night("momentum", 0, 0), at_night("adam", 14, 0), ("groups", 12, 1)])
def test_two_servers_and_two_workers_give_what_one_process_gives(tmp_path, kind, cache, mode):
    line, _ = served.start(program(kind=kind, cache=cache, mode=mode), tmp_path)
    compare(served.answers(line), kind, cache)


def test_parameters_that_are_not_marked_are_summed_by_the_workers(tmp_path):
    line, _ = served.start(program(mark="net.a.weight.set_param_ps()", kind="adam", cache=12, parallel=True), tmp_path)
    compare(served.answers(line), "adam", 12)


@pytest.mark.parametrize("cache", [at_night(0), 12])
def test_a_server_that_is_killed_comes_back_with_its_state(tmp_path, cache):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"recovery": {"storage_type": 1, "storage_file_path": str(tmp_path / "states")}}))
    line, one = served.start(program(cache=cache, config=config, pause=0.3), tmp_path)
    first = line["workers"][0]
    while "STEP 3" not in first.stdout.readline():
        assert first.poll() is None
    line["servers"][0].send_signal(signal.SIGKILL)
    line["servers"][0].wait()
    time.sleep(0.5)
    line["servers"][0].stdout.close()
    line["servers"][0].stderr.close()
    line["servers"][0] = one("MS_PSERVER")
    compare(served.answers(line), cache=cache)


def test_a_worker_that_fails_ends_all_others(tmp_path):
    text = program(pause=0.1).replace('print("STEP", k, flush=True)', 'assert k < 2 or get_rank() == 0, "broken"')
    line, _ = served.start(text, tmp_path)
    begin = time.monotonic()
    found = {role: processes.finished(group, 60) for role, group in line.items()}
    assert time.monotonic() - begin < 50
    assert all(code not in (0, -9) for group in found.values() for code, _, _ in group)
    assert "broken" in found["workers"][1][2]
    assert "worker 1" in found["servers"][0][2]


def test_a_cache_that_is_too_small_says_so(tmp_path):
    line, _ = served.start(program(cache=3), tmp_path, workers=1, servers=1)
    found = processes.finished(line["workers"], 60)
    assert "'vocab_cache_size' is 3: make it larger" in found[0][2]
    for group in (line["servers"], line["scheduler"]):
        for code, _, _ in processes.finished(group, 60):
            assert code != 0
