"""Time training steps of several frameworks side by side, in turns.

    python benchmarks/training_step.py --torch PY [--jax PY] [--original PY] [--cases a,b] [--write]
"""
from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import results
from protocol import MARK

HERE = Path(__file__).parent
CASES = "lenet-b32,mlp-b64,residual-b32,transformer-b8t96,lstm-b32t48"
QUIET = {"OMP_WAIT_POLICY": "PASSIVE", "KMP_BLOCKTIME": "0", "GOMP_SPINCOUNT": "0",
         # a first step is one of which nothing is kept
         "ANYSPORE_KERNEL_CACHE": "off", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}


class Framework:
    """A process that answers by the protocol."""

    def __init__(self, name: str, command: list[str]):
        self.name = name
        env = os.environ | QUIET
        if command[0] != sys.executable:           # a peer must not find this package
            env.pop("PYTHONPATH", None)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env=env)

    def ask(self, case: str, seconds: float) -> dict:
        """The answer for one turn; an `error` if the process died."""
        try:
            print(json.dumps({"case": case, "seconds": seconds}), file=self.process.stdin, flush=True)
            for line in self.process.stdout:
                if line.startswith(MARK):
                    return json.loads(line[len(MARK):])
        except BrokenPipeError:
            pass
        return {"error": "the process ended"}


def commands(args: argparse.Namespace) -> dict[str, list[str]]:
    """The frameworks to compare; ours in graph mode is the one that is judged."""
    found = {"graph": [sys.executable, "nets_mindspore.py", "graph"],
             "graph O0": [sys.executable, "nets_mindspore.py", "graph", "O0"],
             "pynative": [sys.executable, "nets_mindspore.py", "pynative"]}
    if args.torch:
        found["torch eager"] = [args.torch, "nets_torch.py", "eager"]
        found["torch compile"] = [args.torch, "nets_torch.py", "compile"]
    if args.jax:
        found["jax"] = [args.jax, "nets_jax.py"]
    if args.original:
        found["original graph"] = [args.original, "nets_mindspore.py", "graph"]
    return {k: [v[0], str(HERE / v[1]), *v[2:]] for k, v in found.items()}


def compare(runners: list[Framework], case: str, rounds: int, seconds: float) -> list[str]:
    """The rows of one case."""
    medians: dict[str, list[float]] = {r.name: [] for r in runners}
    firsts: dict[str, float] = {}
    errors: dict[str, str] = {}
    for _ in range(rounds):
        for runner in runners:
            if runner.name in errors:
                continue
            answer = runner.ask(case, seconds)
            if "error" in answer:
                errors[runner.name] = answer["error"]
                continue
            firsts.setdefault(runner.name, answer.get("first", 0.0))
            medians[runner.name].append(statistics.median(answer["times"]))
    own, rows = medians[runners[0].name], []
    for runner in runners:
        name = runner.name
        if name in errors or not own:
            rows.append(f"| {case} | {name} | {errors.get(name, 'no figure')} | | |")
            continue
        ratios = sorted(peer / mine for peer, mine in zip(medians[name], own, strict=True))
        rows.append(f"| {case} | {name} | {1e3 * statistics.median(medians[name]):.2f} | "
                    f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | "
                    f"{firsts[name]:.2f} |")
    return rows


def main() -> None:
    """Read the arguments, compare, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--torch", metavar="PY")
    parser.add_argument("--jax", metavar="PY")
    parser.add_argument("--original", metavar="PY")
    parser.add_argument("--cases", default=CASES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    runners = [Framework(n, c) for n, c in commands(args).items()]
    table = ["| case | framework | ms per step | time over ours in graph mode (rounds) | first step, s |",
             "|---|---|---|---|---|"]
    print("\n".join(table), flush=True)
    for case in args.cases.split(","):
        rows = compare(runners, case, args.rounds, args.seconds)
        print("\n".join(rows), flush=True)
        table += rows
    for runner in runners:
        runner.process.terminate()
    if args.write:
        peers = [f"--{k} PY" for k in ("torch", "jax", "original") if getattr(args, k)]
        results.write("Training steps", shlex.join(["python", "benchmarks/training_step.py"])
                      + " " + " ".join(peers), table)


if __name__ == "__main__":
    main()
