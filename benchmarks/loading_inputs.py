"""Inputs of the data pipelines that `loading.py` compares: made once, the same for all frameworks."""
from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

FOLDER = Path(os.environ.get("LOADING_DIR") or Path(tempfile.gettempdir()) / "loading-benchmark")
CASES = {                                  # batches of a step, rows of a batch
    "digits-b32": (100, 32), "augment-b64": (50, 64), "photographs-b32": (4, 32), "python-b32": (50, 32),
    "records-b64": (100, 64), "records-shuffled-b64": (100, 64), "arrays-b32": (200, 32)}
MEAN, STD = (120.0, 115.0, 105.0), (60.0, 58.0, 57.0)
WARM = 1.0                                 # seconds until what was prepared ahead is used up


def once(name: str, write: Callable[[Path], None]) -> Path:
    """The path `name`, which `write` makes unless it is there, one process at a time."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = FOLDER / name
        if not path.exists():
            part = FOLDER / f"part-{name}"
            write(part)
            part.rename(path)
    return path


def digits() -> Path:
    """The four files of MNIST with 20,000 random pictures."""
    def write(folder: Path) -> None:
        folder.mkdir()
        rng = np.random.default_rng(0)
        for prefix, count in (("train", 20000), ("t10k", 100)):
            images = rng.integers(0, 256, (count, 28, 28), np.uint8)
            labels = rng.integers(0, 10, count).astype(np.uint8)
            for kind, array in (("images-idx3", images), ("labels-idx1", labels)):
                head = np.array([0x800 + array.ndim, *array.shape], ">u4").tobytes()
                (folder / f"{prefix}-{kind}-ubyte").write_bytes(head + array.tobytes())
    return once("digits", write)


def colours() -> Path:
    """A file of CIFAR-10 with 10,000 random pictures."""
    def write(folder: Path) -> None:
        folder.mkdir()
        rng = np.random.default_rng(1)
        rows = rng.integers(0, 256, (10000, 3073), np.uint8)
        rows[:, 0] %= 10
        (folder / "data_batch_1.bin").write_bytes(rows.tobytes())
    return once("colours", write)


def photographs() -> Path:
    """400 JPEG files of about 256 x 256 in four folders: smooth colours with grain."""
    def write(folder: Path) -> None:
        from PIL import Image

        rng = np.random.default_rng(2)
        for i in range(400):
            (folder / f"class{i % 4}").mkdir(parents=True, exist_ok=True)
            height, width = rng.integers(240, 273, 2)
            small = Image.fromarray(rng.integers(0, 256, (9, 9, 3), np.uint8))
            image = np.asarray(small.resize((int(width), int(height)), Image.Resampling.BICUBIC))
            grain = image + rng.normal(0, 6, (height, width, 1))
            picture = Image.fromarray(grain.clip(0, 255).astype(np.uint8))
            picture.save(folder / f"class{i % 4}" / f"{i:03}.jpg", quality=90)
    return once("photographs", write)


def arrays(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers in memory, and labels."""
    rng = np.random.default_rng(3)
    return rng.standard_normal((rows, columns), np.float32), rng.integers(0, 10, rows, np.int32)


def records() -> tuple[np.ndarray, np.ndarray]:
    """20,000 records of 2,048 bytes, and labels."""
    rng = np.random.default_rng(4)
    return rng.integers(0, 256, (20000, 2048), np.uint8), rng.integers(0, 1000, 20000, np.int32)


def slow(data: np.ndarray) -> np.ndarray:
    """A Python function of about 200 us."""
    total = 0
    for i in range(3500):
        total = (total + i * i) & 0xFFFF
    return data + np.float32(total & 1)


def steps(streams: dict[str, Callable[[], Iterator]]) -> dict[str, Callable]:
    """For `protocol.serve`: a step reads so many batches of an endless stream."""
    def build(name: str) -> Callable[[], None]:
        count, stream = CASES[name][0], streams[name]()

        def step() -> None:
            for _ in range(count):
                next(stream)
        end = time.perf_counter() + WARM
        while time.perf_counter() < end:
            step()
        return step
    return {name: lambda name=name: build(name) for name in streams}
