"""Time data pipelines of several frameworks side by side, in turns.

    python benchmarks/loading.py [--torch PY] [--tf PY] [--original PY] [--cases a,b] [--write]

A turn reads batches for `--seconds`; the table has rows per second, the median over the turns.
"""
from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import loading_inputs as inputs
import results
from training_step import Framework

HERE = Path(__file__).parent


def compare(runners: list[Framework], case: str, rounds: int, seconds: float) -> list[str]:
    """The rows of one case; a ratio above 1 means that ours is faster."""
    batches, size = inputs.CASES[case]
    speeds: dict[str, list[float]] = {r.name: [] for r in runners}
    errors: dict[str, str] = {}
    for _ in range(rounds):
        for runner in runners:
            answer = {"error": errors[runner.name]} if runner.name in errors else runner.ask(case, seconds)
            if "error" in answer:
                errors[runner.name] = answer["error"]
            else:
                steady = answer["times"][len(answer["times"]) // 2:]  # what was ready before is used up
                speeds[runner.name].append(batches * size / statistics.median(steady))
    own, rows = speeds[runners[0].name], []
    for runner in runners:
        found = speeds[runner.name]
        if runner.name in errors or not own:
            rows.append(f"| {case} | {runner.name} | {errors.get(runner.name, 'no figure')} | |")
            continue
        ratios = sorted(mine / peer for mine, peer in zip(own, found, strict=True))
        rows.append(f"| {case} | {runner.name} | {statistics.median(found):,.0f} | "
                    f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) |")
    return rows


def main() -> None:
    """Read the arguments, compare, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    peers = {"torch": "loading_torch.py", "tf": "loading_tf.py", "original": "loading_mindspore.py"}
    for name in peers:
        parser.add_argument(f"--{name}", metavar="PY")
    parser.add_argument("--cases", default=",".join(inputs.CASES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--note", default="", help="words about the circumstances, for the results")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    inputs.digits(), inputs.colours(), inputs.photographs()
    runners = [Framework("this package", [sys.executable, str(HERE / "loading_mindspore.py")])]
    given = {name: getattr(args, name) for name in peers if getattr(args, name)}
    for name, interpreter in given.items():
        runners.append(Framework(name, [interpreter, str(HERE / peers[name])]))
    table = ["| case | framework | rows per second | our rows over theirs (rounds) |", "|---|---|---|---|"]
    print("\n".join(table), flush=True)
    for case in args.cases.split(","):
        rows = compare(runners, case, args.rounds, args.seconds)
        print("\n".join(rows), flush=True)
        table += rows
    for runner in runners:
        runner.process.terminate()
    if args.write:
        command = " ".join(["python benchmarks/loading.py", *(f"--{name} PY" for name in given)])
        results.write("Loading data", command, [*([args.note, ""] if args.note else []), *table])


if __name__ == "__main__":
    main()
