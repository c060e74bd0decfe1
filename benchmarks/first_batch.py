"""Time from the description of a pipeline to its first batch, each in a fresh process; medians, in milliseconds.

    python benchmarks/first_batch.py [--runs N] [--write]

Three kinds of program: one that has a network and hence torch, one that wants NumPy arrays and never loads torch, and
one whose first tensor is the batch, so that loading torch is part of it.
"""
from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

import loading_inputs as inputs
import results

KINDS = {"network": "with torch loaded", "arrays": "NumPy arrays, no torch", "tensors": "loads torch for it"}


def child(case: str, kind: str) -> None:
    """Measure in this process."""
    import loading_mindspore as pipelines  # the parent needs none

    import mindspore as ms
    if kind == "network":
        ms.Tensor(1.0)
    pipelines.ARRAYS = kind == "arrays"
    if case.startswith("records"):
        pipelines.records(False)  # writes the file if it is not there
    begin = time.perf_counter()
    next(pipelines.STREAMS[case]())
    print(1e3 * (time.perf_counter() - begin))


def median(case: str, kind: str, runs: int) -> float:
    """The median over fresh processes."""
    command = [sys.executable, __file__, "--child", case, kind]
    times = [float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(runs)]
    return statistics.median(times)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--note", default="", help="words about the circumstances, for the results")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(*args.child)
        return
    inputs.digits(), inputs.colours(), inputs.photographs()
    table = [f"| case | {' | '.join(KINDS.values())} |", "|---|---|---|---|"]
    for case in inputs.CASES:
        median(case, "arrays", 1)  # the files come from the disk once
        table.append(f"| {case} | {' | '.join(f'{median(case, kind, args.runs):.0f}' for kind in KINDS)} |")
        print(table[-1], flush=True)
    if args.write:
        note = [args.note, ""] if args.note else []
        results.write("First batch", "python benchmarks/first_batch.py", [*note, *table])


if __name__ == "__main__":
    main()
