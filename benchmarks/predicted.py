"""Steps of several processes beside what the cost model says of them: time, bytes that are sent, bytes that are held.

    python benchmarks/predicted.py [--processes 2 3 4 5 6] [--nets ...] [--steps 12] [--first] [--write]

For each number of processes the machine is measured first (`mindspore.parallel.calibrate`) with as many processes.
Then small networks are trained by the plan that the search finds, and by plans that cut only the batch, only weights,
or lay all parameters in pieces. Bytes are those of the calls of torch.distributed, by what a ring sends for them; what
a process holds is the most that torch's allocator gives out during a step, beside what it held before. With `--first`
the processes run before all others of the machine (Linux, root), where these would be in the way. A virtual machine is
now faster, now slower; so a product is measured before and behind the steps, and predictions are multiplied by how much
longer a core computes it than when the machine was measured ("now"), each time while all processes do.
"""
from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import parallel_plans
import results

from mindspore.parallel import calibrate
from mindspore.parallel.machines import write

HERE = Path(__file__).resolve()
NETS = ("layers", "words", "transformer", "images")
PLANS = ("found", "batch", "weights", "pieces")
SIDE = 512                     # of matrices whose product tells how fast the machine is
WARM = 4                       # steps before those that count: the first ones compare what processes bring


def nets():
    """By name a network, its inputs and their classes."""
    from mindspore import Tensor, nn, ops

    class Words(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words, self.dense = nn.Embedding(4000, 192), nn.Dense(192, 192, activation="tanh")

        def construct(self, x):
            return ops.matmul(self.dense(self.words(x)), self.words.embedding_table.T).reshape((-1, 4000))

    class Transformer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(600, 192)
            self.layers = nn.SequentialCell(*[nn.TransformerEncoderLayer(192, 6, 768, dropout=0.0, batch_first=True)
                                              for _ in range(2)])
            self.head = nn.Dense(192, 600)

        def construct(self, x):
            return self.head(self.layers(self.words(x))).reshape((-1, 600))

    def images():
        return nn.SequentialCell(nn.Conv2d(3, 24, 3), nn.ReLU(), nn.Conv2d(24, 48, 3, stride=2), nn.ReLU(),
                                 nn.Flatten(), nn.Dense(48 * 256, 120), nn.ReLU(), nn.Dense(120, 60))
    draw = np.random.default_rng(1)

    def tokens(count, words):
        return Tensor(draw.integers(0, words, (12, count)).astype(np.int32)), 12 * count, words
    return {"layers": lambda: (nn.SequentialCell(nn.Dense(480, 1920, activation="relu"), nn.Dense(1920, 480)),
                               Tensor(draw.standard_normal((480, 480)).astype(np.float32)), 480, 480),
            "words": lambda: (Words(), *tokens(40, 4000)), "transformer": lambda: (Transformer(), *tokens(60, 600)),
            "images": lambda: (images(), Tensor(draw.standard_normal((60, 3, 32, 32)).astype(np.float32)), 60, 60)}


def weights_cut(graph, mesh):
    """Forward products take the whole batch, and a piece of the weights."""
    from mindspore.parallel.placement import Shard

    def wanted(node):
        if node.op.name not in parallel_plans.PRODUCTS or len(node.inputs) < 2:
            return None
        return lambda c: all(c.labels) and all([isinstance(s, Shard) for s in c.inputs[1]])
    return parallel_plans.limited(mesh, wanted)


def spread(storing):
    storing.spread |= storing.free
    return storing


WAYS = {"found": (None, None), "batch": (parallel_plans.data_parallel, None), "weights": (weights_cut, None),
        "pieces": (parallel_plans.data_parallel, spread)}


# ---------------------------------------------------------------------- in each process

class Counted:
    """What this process sends by the collectives of torch.distributed, as a ring does."""

    def __init__(self):
        import torch.distributed as dist

        self.sent = 0.0
        def own(n, give):
            return give[dist.get_rank() % n if n == dist.get_world_size() else 0]          # as the first one of a line
        groups = {"all_reduce": lambda n, x, *_: 2 * x.nbytes * (n - 1) / n,
                  "all_gather_into_tensor": lambda n, out, x: x.nbytes * (n - 1),
                  "reduce_scatter_tensor": lambda n, out, x, *_: x.nbytes * (n - 1) / n,
                  "all_to_all_single": lambda n, out, x, take, give: x.nbytes * (
                      1 - own(n, give) / max(sum(give), 1))}
        for name, sent in groups.items():
            for one in (name, {"all_gather_into_tensor": "all_gather_single",
                               "reduce_scatter_tensor": "reduce_scatter_single"}.get(name)):
                if one and hasattr(dist, one):
                    setattr(dist, one, self._counting(getattr(dist, one), sent, dist))

    def _counting(self, call, sent, dist):
        def counting(*args, group=None, **more):
            self.sent += sent(dist.get_world_size(group), *args)
            return call(*args, group=group, **more)
        return counting


def most_held(call, *inputs):
    """The most bytes that are given out at once during a call, beside those before."""
    import torch

    with torch.autograd.profiler.profile(profile_memory=True) as seen:
        call(*inputs)
    now = most = 0
    for event in seen.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            most = max(most, now)
    return most


def work(names, plans, steps, out, window):
    """Train every network by every plan; the first process writes what it saw."""

    import mindspore as ms
    from mindspore import nn
    from mindspore.communication import init, release
    from mindspore.parallel import report, running

    init()
    counted, rows, search = Counted(), [], running.searched
    usual = json.loads(usual_of(os.environ["MS_MACHINE_FILE"]).read_text())
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="auto_parallel", dataset_strategy="full_batch")
    for name in names:
        for plan in plans:
            ways, lies = WAYS[plan]

            def limited(graph, grid, machine, limits, storing, budget, ways=ways, lies=lies):
                return search(graph, grid, machine, ways(graph, grid) if ways else None,
                              lies(storing) if lies else storing, budget)
            running.searched = limited
            net, x, count, classes = nets()[name]()
            y = ms.Tensor(np.random.default_rng(2).integers(0, classes, count).astype(np.int32))
            step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(True, "mean")),
                                       nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
            for _ in range(WARM):
                step(x, y)
            found, (program,) = report._last[0][2], [p for held in step._compiled.programs.values() for p in held]
            times, probes = [], [product_time(window)]
            counted.sent = 0.0
            for _ in range(steps):
                start = time.perf_counter()
                step(x, y).asnumpy()
                times.append(time.perf_counter() - start)
            sent = counted.sent / steps
            probes.append(product_time(window))
            held = sum([t._data.nbytes for t in program.captured]) + x.nbytes + y.nbytes
            rows.append({"net": name, "plan": plan, "mesh": found.plan.mesh.shape, "predicted": found.seconds,
                         "measured": statistics.median(times), "now": statistics.mean(probes) / usual,
                         "volume": found.volume, "sent": sent,
                         "held": found.held, "most": held + most_held(step, x, y)})
            if running.get_rank() == 0:
                Path(out).write_text(json.dumps(rows))
    release()


def product_time(window):
    """The seconds for which a core computes a product while all processes do."""
    import torch

    a, b = torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)
    return calibrate.mean_time([lambda: torch.mm(a, b)], window)


def usual_of(machine):
    """The file that says how long the product took when the machine was measured."""
    return Path(machine).with_suffix(".usual.json")


def measure(machine, window):
    """Measure the machine, and the product."""
    from mindspore.communication import init, release

    init()
    machine_found, found = calibrate.measured(window), product_time(window)
    if os.environ["RANK"] == "0":
        write(machine_found, machine)
        usual_of(machine).write_text(json.dumps(found))
    release()


def go_first():
    """Let this process run on one core, before those that others have, in turn with the likes of it."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[int(os.environ["RANK"]) % len(cores)]})
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))


# ---------------------------------------------------------------------- all of them

def started(count, *command, **more):
    """Run a command in so many processes."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_v": "3", "ANYSPORE_CHOICES": "off", **more}
    with tempfile.TemporaryDirectory() as logs:
        done = subprocess.run([sys.executable, "-m", "mindspore.distributed.msrun", "--worker_num", str(count),
                               "--local_worker_num", str(count), "--master_port", "0", "--log_dir", logs,
                               "--join", "True", *command], env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    parser.add_argument("--nets", nargs="*", default=NETS, choices=NETS)
    parser.add_argument("--plans", nargs="*", default=PLANS, choices=PLANS)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--first", action="store_true", help="run before all other processes")
    parser.add_argument("--window", default="0.1", help="seconds of a measurement of the machine")
    for name in ("--work", "--measure"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work or args.measure:
        if args.first:
            go_first()
        if args.measure:
            measure(args.measure, float(args.window))
        else:
            work(args.nets, args.plans, args.steps, args.work, float(args.window))
        return
    own = [sys.executable, str(HERE), "--window", args.window, *(["--first"] if args.first else [])]
    table = ["| processes | network | plan | mesh | now | predicted ms | measured ms | | MB by the model | MB sent | "
             "MB held by the model | at most |", "|---" * 12 + "|"]
    wrong, unequal, holds = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for count in args.processes:
            machine, out = f"{folder}/machine.json", f"{folder}/found.json"
            started(count, *own, "--measure", machine)
            started(count, *own, "--work", out, "--steps", str(args.steps), "--nets", *args.nets,
                    "--plans", *args.plans, MS_MACHINE_FILE=machine)
            for r in json.loads(Path(out).read_text()):
                r["predicted"] *= r["now"]
                wrong.append(abs(r["predicted"] / r["measured"] - 1))
                holds.append(abs(r["held"] / r["most"] - 1))
                unequal.append(abs(r["volume"] - r["sent"]) > 0.5)
                table.append(f"| {count} | {r['net']} | {r['plan']} | {'x'.join(map(str, r['mesh']))} | "
                             f"{r['now']:.2f} | "
                             f"{r['predicted'] * 1e3:.1f} | {r['measured'] * 1e3:.1f} | "
                             f"{r['predicted'] / r['measured'] - 1:+.0%} | {r['volume'] / 1e6:.6f} | "
                             f"{r['sent'] / 1e6:.6f} | {r['held'] / 1e6:.2f} | {r['most'] / 1e6:.2f} |")
                print(table[-1], flush=True)
    table += ["", f"Median error of the time {statistics.median(wrong):.1%}, of what is held "
              f"{statistics.median(holds):.1%}; other bytes than the model says in {sum(unequal)} of {len(unequal)}."]
    print(table[-1])
    if args.write:
        results.write("Predicted steps", "python benchmarks/predicted.py", table)


if __name__ == "__main__":
    main()
