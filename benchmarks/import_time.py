"""Time `import mindspore` and the first tensor, each in fresh processes; medians, in milliseconds."""
from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

import results

CODE = "import sys, time; a = time.perf_counter(); {}; print((time.perf_counter() - a) * 1e3)"
STATEMENTS = {
    "import mindspore": "import mindspore",
    "import torch": "import torch",
    "import mindspore, first tensor": "import mindspore; mindspore.Tensor(1.0)",
}


def median(statement: str, runs: int) -> float:
    """The median over fresh processes, in ms."""
    times = [float(subprocess.run([sys.executable, "-c", CODE.format(statement)], check=True,
                                  capture_output=True, text=True).stdout) for _ in range(runs)]
    return statistics.median(times)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    table = ["| statement | ms |", "|---|---|"]
    for name, statement in STATEMENTS.items():
        median(statement, 1)                      # the files come from the disk once
        table.append(f"| `{name}` | {median(statement, args.runs):.0f} |")
    print("\n".join(table))
    if args.write:
        results.write("Import", "python benchmarks/import_time.py", table)


if __name__ == "__main__":
    main()
