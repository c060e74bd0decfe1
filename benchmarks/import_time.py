"""Time `import mindspore` and the first tensor, each in fresh processes; medians, in milliseconds.

The bytecode lies on the disk, as it does for an installed package, unless a row says otherwise.
"""
from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import results

CODE = "import sys, time; a = time.perf_counter(); {}; print((time.perf_counter() - a) * 1e3)"
STATEMENTS = {
    "import mindspore": "import mindspore",
    "import torch": "import torch",
    "import mindspore, first tensor": "import mindspore; mindspore.Tensor(1.0)",
}
ANEW = "import mindspore, first tensor"        # also without bytecode of this package
SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")


def seconds(statement: str, env: dict[str, str]) -> float:
    """What a statement takes in a fresh process, in ms."""
    return float(subprocess.run([sys.executable, "-c", CODE.format(statement)], check=True, env=env,
                                capture_output=True, text=True).stdout)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": SOURCES}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        anew = {**env, "PYTHONDONTWRITEBYTECODE": "1"}
        cases = {f"`{name}`": (statement, env) for name, statement in STATEMENTS.items()}
        cases[f"`{ANEW}`, without bytecode of this package"] = STATEMENTS[ANEW], anew
        times: dict[str, list[float]] = {name: [] for name in cases}
        for statement in ("import torch", *STATEMENTS.values()):
            seconds(statement, env)               # the files come from the disk once
        for _ in range(args.runs):                # in turns: the machine's other work meets all alike
            for name, (statement, where) in cases.items():
                if where is anew:
                    forget(cache)
                times[name].append(seconds(statement, where))
                if where is anew:
                    seconds(statement, env)
    table = ["| statement | ms |", "|---|---|"]
    table += [f"| {name} | {statistics.median(found):.0f} |" for name, found in times.items()]
    print("\n".join(table))
    if args.write:
        results.write("Import", "python benchmarks/import_time.py", table)


def forget(cache: str) -> None:
    """Remove the bytecode of this package."""
    shutil.rmtree(cache + SOURCES)


if __name__ == "__main__":
    main()
