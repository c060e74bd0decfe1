"""Calls of data operations whose results were observed in MindSpore 2.10, and pipelines of them, in a few words.

A line of a table is an expression and what came of it, as in `observed`: `vision.Resize((5, 7))(color) => u1[5,7,3]
9.1 4000`. The numbers are the sum of the elements, each weighted by another number, and that of their absolute values;
texts are shown. A call that failed has the word `error` and the class. Both programs can import this module.
"""
from __future__ import annotations

import re
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import mindspore as ms
from mindspore import dataset as ds
from mindspore.dataset import audio, text, transforms, vision

_RNG = np.random.RandomState(23)


def _levels(*shape: int) -> np.ndarray:
    return (_RNG.randint(0, 15, shape) * 17 + 5).astype(np.uint8)      # ties; none of them is 0 or 255


def _wave(*shape: int) -> np.ndarray:
    return np.round(_RNG.uniform(-0.95, 0.95, shape), 4).astype(np.float32)


VALUES: dict[str, Any] = {
    "color": _levels(8, 11, 3), "gray": _levels(8, 11), "one": _levels(8, 11, 1), "stack": _levels(2, 8, 11, 3),
    "planes": _levels(3, 8, 11), "light": (_levels(8, 11, 3) / 255).astype(np.float32), "tall": _levels(13, 6, 3),
    "floats": _levels(8, 11, 3).astype(np.float32), "clear": (_levels(3, 8, 11) / 255).astype(np.float32),
    "short": _levels(8, 11, 3).astype(np.int16), "double": _levels(8, 11, 3).astype(np.float64),
    "four": _levels(8, 11, 4), "two": _levels(8, 11, 2), "even": np.full((6, 7, 3), 90, np.uint8),
    "wave": _wave(2, 600), "mono": _wave(500), "deep": _wave(2, 3, 400), "wide": _wave(2, 300).astype(np.float64),
    "halves": _wave(1, 300).astype(np.float16), "power": np.abs(_wave(2, 33, 9)) + 0.01, "spectrum": _wave(2, 33, 9, 2),
    "complex": _wave(33, 9, 2), "numbers": _RNG.randint(0, 200, (2, 40)).astype(np.int32),
    "ints": np.array([3, 1, 2, 1, 3, 0], np.int32), "table": np.arange(12, dtype=np.int64).reshape(3, 4),
    "real": _wave(4, 3), "label": np.array(2, np.int64), "flags": np.array([True, False, True]),
    "words": np.array(["the", "Quick", "fox", "the", "end"]),
    "line": np.array("The quick  Brown fox, it's 3.5% of 北京 ümlaut."),
    "empty": np.array(""), "digits": np.array(["3", "-12", "7"]), "points": np.array(["1.5", "-2e3", "7"]),
}


def values() -> dict[str, Any]:
    """Copies of the inputs, and PIL images of some."""
    found = {name: array.copy() for name, array in VALUES.items()}
    found["picture"], found["shades"] = Image.fromarray(VALUES["color"]), Image.fromarray(VALUES["gray"])
    found["clear_picture"] = Image.fromarray(VALUES["four"])
    return found


def _weights(count: int) -> np.ndarray:
    return np.cos(0.7 * np.arange(count) + 0.3) + 0.2


def _array_told(a: np.ndarray) -> str:
    size = ",".join(map(str, a.shape))
    if a.dtype.kind in "USO":
        texts = [x.decode(errors="replace") if isinstance(x, bytes) else str(x) for x in a.reshape(-1).tolist()]
        return f"text[{size}] {zlib.crc32(repr(texts).encode())}"
    flat = np.nan_to_num(a.reshape(-1).astype(np.float64), nan=17.0, posinf=19.0, neginf=-19.0)
    kind = f"{a.dtype.kind}{a.dtype.itemsize}"
    return f"{kind}[{size}] {(flat * _weights(flat.size)).sum():.7g} {np.abs(flat).sum():.6g}"


def told(value: Any) -> str:
    """A result in a few words."""
    if isinstance(value, (list, tuple)):
        return " ".join(["(", *[told(one) for one in value], ")"])
    if isinstance(value, dict):
        return " ".join([word for key in sorted(value) for word in (str(key), told(value[key]))])
    if isinstance(value, Image.Image):
        return f"{value.mode} {_array_told(np.asarray(value))}"
    if isinstance(value, ms.Tensor):
        value = value.asnumpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_told(np.asarray(value))
    return repr(value)


def rows(data: Any, times: int = 1) -> list[Any]:
    """What a pipeline says of itself, and a digest of all rows of some passes, in order."""
    steps = data.create_tuple_iterator(num_epochs=times, output_numpy=True)
    found = [[(str(a.dtype), a.tolist()) for a in row] for _ in range(times) for row in steps]
    return [data.get_dataset_size(), data.get_batch_size(), data.get_repeat_count(), ",".join(data.get_col_names()),
            len(found), zlib.crc32(repr(found).encode())]


def _unshuffled(options: dict[str, Any]) -> dict[str, Any]:
    return options if "sampler" in options else {"shuffle": False, **options}


def table(count: int = 7, **more: Any) -> Any:
    """A source of `count` rows of two columns, one of them of unequal lengths."""
    given = [(np.arange(n % 3 + 1, dtype=np.int32) + 10 * n, np.float32(n) / 2) for n in range(count)]
    return ds.GeneratorDataset(given, ["a", "b"], **_unshuffled(more))


def slices(count: int = 6, **more: Any) -> Any:
    """A source of rows of equal shapes."""
    given = {"a": np.arange(2 * count, dtype=np.int32).reshape(count, 2), "b": np.arange(count)[::-1].copy()}
    return ds.NumpySlicesDataset(given, **_unshuffled(more))


SPACE: dict[str, Any] = {
    "ms": ms, "np": np, "ds": ds, "vision": vision, "audio": audio, "text": text, "transforms": transforms,
    "Inter": vision.Inter, "Border": vision.Border, "rows": rows, "table": table, "slices": slices,
}


def outcome(call: str, seed: int = 3) -> str:
    """What comes of an expression."""
    ds.config.set_seed(seed)
    np.random.seed(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return told(eval(call, {**SPACE, **values()}))
    except Exception as error:     # whatever it is: its class is compared
        return f"error {next(c.__name__ for c in type(error).__mro__ if c.__module__ == 'builtins')}"


def agree(one: str, other: str, tolerance: float = 1e-4) -> bool:
    """Whether the second outcome is the first but for rounding; `error` alone is one of any class."""
    if other == "error":
        return one.startswith("error")
    mine, wanted = one.split(), other.split()
    if len(mine) != len(wanted):
        return False
    for at, (a, b) in enumerate(zip(mine, wanted, strict=True)):
        if a == b:
            continue
        try:
            distance, size = abs(float(a) - float(b)), abs(float(b))
        except ValueError:
            return False
        kind = next((word for word in (wanted[at - 1], wanted[max(at - 2, 0)]) if "[" in word), "")
        if not kind or kind.startswith("text"):
            return False
        scale = float(wanted[at + 1]) if kind == wanted[at - 1] else size
        if distance > (20 if kind.startswith("f2[") else 1) * tolerance * scale + 1e-6:
            return False
    return True


def by_name(file: str) -> dict[str, dict[str, str]]:
    """The calls of a table with what came of them, by the name of the operation."""
    found: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name(file).read_text().splitlines():
        call, _, wanted = line.partition(" => ")
        name = None if call.startswith("rows") else re.search(r"(?:vision|audio|text|transforms)\.(\w+)", call)
        name = name or re.search(r"\.(\w+)\(", call)
        found.setdefault(name[1] if name else "source", {})[call] = wanted
    return found


def differences(calls: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The calls of which something else comes."""
    found = {call: (outcome(call), wanted) for call, wanted in calls.items()}
    return {call: pair for call, pair in found.items() if not agree(*pair)}
