"""`python -m mindspore.tune [--dry]`: measure, choose, print both, and keep the table for this machine."""
from __future__ import annotations

import argparse
import os
import sys
import time

import torch

from mindspore.compiler.kernels import available
from mindspore.formats import trusted
from mindspore.operators.choices import NEVER, Choices, files

from .choose import found

_BUSY, _LITTLE = 0.5, 1.2


def main(given: list[str] | None = None) -> int:
    """Measure; the exit status is 0 if a table was kept, or none was wanted."""
    parser = argparse.ArgumentParser(prog="python -m mindspore.tune", description=(
        "Measures on this machine, with the threads that torch has here (OMP_NUM_THREADS), from which sizes on "
        "generated kernels and threads are worth it. Programs that start later with as many threads read the table. "
        "Run it on a quiet machine: it takes a minute or two."))
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    dry = parser.parse_args(given).dry
    if not available():
        print("The package 'llvmlite' is not installed (pip install 'llvmlite>=0.48'), so there is nothing to choose.")
        return 1
    if files.folder() is None and not dry:
        print("ANYSPORE_CHOICES is 'off', so no table would be kept or read; unset it, or name a folder in it.")
        return 1
    threads, start, plain = torch.get_num_threads(), time.perf_counter(), Choices()
    between = "sleeping" if files.sleeping() else "spinning"
    print(f"{files.processor()[0]}; threads: {threads}, {between} between kernels")
    if hasattr(os, "getloadavg") and os.getloadavg()[0] > _BUSY:
        print(f"Other programs are running (load {os.getloadavg()[0]:.1f}), which disturbs what is measured.")
    table = found(threads, print)
    if threads > 1 and table["gain"] < _LITTLE:
        print("More threads bring next to nothing: other programs run, or the processors are one core's two threads.")
    print(f"\n{'chosen in':24}{time.perf_counter() - start:11.0f} s, where nothing was measured")
    for name, value in table.items():
        print(f"{name:24}{_shown(value):>13} {_shown(getattr(plain, name)):>13}")
    if not dry:
        try:
            print(f"kept in {files.write(threads, table)}")
        except (trusted.Refused, OSError) as error:
            print(f"The table is not kept: {error}.")
            return 1
    return 0


def _shown(value: float) -> str:
    return "never" if value >= NEVER else f"{value:.4g}" if value < 1000 else f"{value:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
