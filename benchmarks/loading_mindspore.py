"""The data pipelines of `loading.py` in MindSpore's public API, for this package and the original."""
from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import loading_inputs as inputs
from protocol import serve

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision
from mindspore.mindrecord import FileWriter

WORKERS = 2
ARRAYS = False  # NumPy arrays instead of Tensors


def endless(data: ds.Dataset, size: int, prefetch: int = 64) -> Iterator:
    """Batches, pass after pass."""
    ds.config.set_prefetch_size(prefetch)
    batches = data.batch(size, drop_remainder=True).create_tuple_iterator(num_epochs=-1, output_numpy=ARRAYS)
    while True:
        yield from batches


def images(data: ds.Dataset, operations: list, size: int, prefetch: int = 64) -> Iterator:
    """Pictures through `operations`, and labels as int32."""
    data = data.map(operations, "image", num_parallel_workers=WORKERS)
    return endless(data.map(transforms.TypeCast(ms.int32), "label"), size, prefetch)


def digits() -> Iterator:
    data = ds.MnistDataset(str(inputs.digits()), "train", shuffle=True)
    return images(data, [vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], 32)


def augment() -> Iterator:
    data = ds.Cifar10Dataset(str(inputs.colours()), "train", shuffle=True)
    return images(data, [vision.RandomCrop(32, 4), vision.RandomHorizontalFlip(),
                         vision.Normalize(inputs.MEAN, inputs.STD), vision.HWC2CHW()], 64)


def photographs() -> Iterator:
    data = ds.ImageFolderDataset(str(inputs.photographs()), shuffle=True)
    return images(data, [vision.RandomCropDecodeResize(224), vision.RandomHorizontalFlip(),
                         vision.Normalize(inputs.MEAN, inputs.STD), vision.HWC2CHW()], 32, 8)


def python() -> Iterator:
    data = ds.NumpySlicesDataset(inputs.arrays(8000, 64), ["data", "label"], shuffle=True)
    return endless(data.map(inputs.slow, "data", num_parallel_workers=2, python_multiprocessing=True), 32)


def records(shuffle: bool) -> Iterator:
    def write(folder: Path) -> None:
        folder.mkdir()
        writer = FileWriter(str(folder / "rows.mindrecord"), shard_num=1)
        writer.add_schema({"image": {"type": "bytes"}, "label": {"type": "int32"}}, "rows")
        rows = [{"image": i.tobytes(), "label": int(n)} for i, n in zip(*inputs.records(), strict=True)]
        for begin in range(0, len(rows), 1000):
            writer.write_raw_data(rows[begin:begin + 1000])
        writer.commit()
    path = inputs.once(f"records-{zlib.crc32(ms.__file__.encode()):08x}", write) / "rows.mindrecord"
    return endless(ds.MindDataset(str(path), ["image", "label"], shuffle=shuffle), 64)


def arrays() -> Iterator:
    data = ds.NumpySlicesDataset(inputs.arrays(20000, 128), ["data", "label"], shuffle=True)
    return endless(data, 32)


STREAMS = {
    "digits-b32": digits, "augment-b64": augment, "photographs-b32": photographs, "python-b32": python,
    "records-b64": lambda: records(False), "records-shuffled-b64": lambda: records(True),
    "arrays-b32": arrays}

if __name__ == "__main__":
    serve(inputs.steps(STREAMS))
