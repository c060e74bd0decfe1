"""Peak memory of a training step beside torch: the most that a process holds in it, above what it held before.

    python benchmarks/memory.py [--cases NAMES] [--ours FILE] [--peer FILE] [--write]

Every case runs in a process of its own: two small networks train one step, so that the libraries are loaded, then the
network and its batch are made and some steps run.  Counted are the pages of the process at their peak (`VmHWM`) less
those before the first step (`VmRSS`): gradients, moments, what the reverse needs, temporary tensors, and what compiling
takes; in the second figure the same for the steps after the first, without what only compiling takes.
"""
from __future__ import annotations

import argparse
import ctypes
import gc
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import results

HERE = Path(__file__).parent
MODES = {"graph": "ours", "pynative": "ours", "eager": "peer"}


def status(name: str) -> float:
    """A line of what the system says of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


def taken(file: str, mode: str, case: str, steps: int) -> tuple[float, float]:
    """The peaks of some steps, of all and of those after the first, in this process."""
    found: dict[str, Callable[[], Any]] = {}
    sys.path.insert(0, str(Path(file).parent))
    sys.argv = [file, mode]
    import protocol  # of the folder of the file

    protocol.serve = found.update
    runpy.run_path(file, run_name="__main__")
    import torch

    torch.set_num_threads(2)
    for small in ("lenet-b32", "mlp-b64"):
        found[small]()()
    step = found[case]()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    before = status("VmRSS")
    step()
    first = status("VmHWM")
    Path("/proc/self/clear_refs").write_text("5")            # the peak begins anew
    for _ in range(steps):
        step()
    later = status("VmHWM")
    return max(first, later) - before, later - before


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", default="residual-b32,transformer-b8t96")
    parser.add_argument("--modes", default="graph,pynative,eager")
    parser.add_argument("--ours", default=str(HERE / "nets_mindspore.py"))
    parser.add_argument("--peer", default=str(HERE / "nets_torch.py"))
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--one", nargs=3, metavar=("FILE", "MODE", "CASE"), help="measure in this process")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(taken(*args.one, args.steps)))
        return
    table = ["| case | mode | peak, MiB | after the first step, MiB | over torch eager's |", "|---|---|---|---|---|"]
    for case in args.cases.split(","):
        peaks: dict[str, tuple[float, float]] = {}
        for mode in args.modes.split(","):
            command = [sys.executable, __file__, "--steps", str(args.steps), "--one", getattr(args, MODES[mode]), mode,
                       case]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            peaks[mode] = tuple(json.loads(out.splitlines()[-1]))
        for mode, (peak, later) in peaks.items():
            ratio = f"{later / peaks['eager'][1]:.2f}" if "eager" in peaks else ""
            table.append(f"| {case} | {mode} | {peak:.0f} | {later:.0f} | {ratio} |")
    print("\n".join(table))
    if args.write:
        results.write("Peak memory of training steps", f"python benchmarks/memory.py --cases {args.cases}", table)


if __name__ == "__main__":
    main()
