"""Saving and loading a checkpoint of a large model, beside writing and reading its bytes.

    python benchmarks/checkpoints.py [--mib N] [--rounds N] [--folder F] [--durable] [--write]

Each measurement is a process of its own, forked from one that has loaded the package; plain files and checkpoints take
turns. A plain file is written by one `write` per tensor and renamed, as every checkpoint is, and read into arrays of
their size. A file is removed as soon as it is read. None waits until the disk has it; with --durable all do (`fsync`):
five rounds bring 15 GiB to the disk, 20 minutes where it takes 12 MiB/s. The seconds of the processor are those of the
program and of the system for it: they tell what was done for a file where other programs have the disk and the
processor, too. The memory is the peak of the process beyond what it held before, over the bytes of the model.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import results

import mindspore as ms

TENSOR_MIB = 16


def status(field: str) -> int:
    """A line of the kernel's record of this process, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def work(kind: str, path: str, mib: int, durable: bool) -> tuple[float, float, float]:
    """One measurement: seconds, those of the processor, and memory over the bytes of the model."""
    count, length = mib // TENSOR_MIB, TENSOR_MIB * 2**20 // 4
    plain, suffix = kind.startswith("plain"), kind.rpartition(" ")[2]
    values = []
    if "save" in kind:
        values = [np.full(length, i, np.float32) for i in range(count)]
        if not plain:
            values = [ms.Parameter(ms.Tensor(value), name=f"w{i}") for i, value in enumerate(values)]
    if durable:
        os.sync()  # what was written before is not measured
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    held = status("RssAnon")
    before, start, used = status("VmRSS"), time.perf_counter(), time.process_time()
    if kind.startswith("plain save"):
        with open(f"{path}.part", "wb") as file:
            for value in values:
                file.write(value)
        os.replace(f"{path}.part", path)
    elif plain:
        with open(path, "rb") as file:
            for _ in range(count):
                value = np.empty(length, np.float32)
                file.readinto(value)
                values.append(value)
    elif "save" in kind:
        ms.save_checkpoint(values, path, format=suffix)
    else:
        values = ms.load_checkpoint(path, format=suffix)
    if durable and "save" in kind:
        with open(path, "rb") as file:
            os.fsync(file.fileno())
    taken = time.perf_counter() - start, time.process_time() - used, (status("VmHWM") - before) / (mib * 2**20)
    if "load" in kind:
        assert status("RssAnon") - held > 0.99 * mib * 2**20, "the values are still in the file"
        arrays = values if plain else (value.asnumpy() for value in values.values())
        total = sum(float(array[::1024].sum()) for array in arrays)
        assert total == sum(range(count)) * length / 1024, total
    return taken


def measured(kind: str, path: str, mib: int, durable: bool) -> tuple[float, float, float]:
    """Seconds, seconds of the processor, and memory over the bytes of the model, of a process of its own."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(work, (kind, path, mib, durable))


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mib", type=int, default=1024)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--folder")
    options.add_argument("--durable", action="store_true")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    if given.rounds < 2:
        options.error("quartiles need two rounds or more")
    _ = ms.Tensor(0.0), ms.load_checkpoint, ms.save_checkpoint  # loaded at first use: not measured
    found: dict[str, list[tuple[float, float, float]]] = {}
    for i in range(given.rounds):
        for suffix in np.roll(("bin", "ckpt", "safetensors"), i):  # none is always the first
            with tempfile.TemporaryDirectory(dir=given.folder) as folder:  # one file at a time: the disk may be small
                for action in ("save", "load"):
                    kind = f"plain {action}" if suffix == "bin" else f"{action} {suffix}"
                    one = measured(kind, f"{folder}/net.{suffix}", given.mib, given.durable)
                    found.setdefault(kind, []).append(one)
    lines = ["| | seconds (median) | plain file = 1 (quartiles of rounds) | of the processor | peak memory / model |",
             "|---|---|---|---|---|"]
    for kind, rounds in found.items():
        plain = found["plain save" if "save" in kind else "plain load"]
        times, used = ([one[i] / other[i] for one, other in zip(rounds, plain, strict=True)] for i in (0, 1))
        low, middle, high = statistics.quantiles(times, n=4)
        lines.append(f"| {kind} | {statistics.median(one[0] for one in rounds):.2f} | {middle:.2f} "
                     f"({low:.2f} to {high:.2f}) | {statistics.median(used):.2f} | "
                     f"{max(one[2] for one in rounds):.2f} |")
    print("\n".join(lines))
    if given.write:
        command = " ".join(["python benchmarks/checkpoints.py", *sys.argv[1:]])
        results.write(f"Checkpoints of {given.mib} MiB", command, lines)


if __name__ == "__main__":
    main()
