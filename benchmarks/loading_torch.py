"""The data pipelines of `loading.py` in torch's DataLoader with torchvision, sample by sample."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import loading_inputs as inputs
import numpy as np
import torch
from protocol import serve
from torch.utils.data import DataLoader, Dataset, TensorDataset

if torch.version.cuda is None:  # a torchvision built for CUDA looks for operators of its own, which no case needs
    for name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{name}", "(Tensor boxes, Tensor scores, float limit) -> Tensor")
from torchvision import datasets
from torchvision.transforms import v2

torch.set_num_threads(1)


class Rows(Dataset):
    """Pictures in memory through a function."""

    def __init__(self, images: np.ndarray, labels: np.ndarray, function: Callable):
        self.images, self.labels, self.function = images, labels.astype(np.int32), function

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, i: int) -> tuple:
        return self.function(self.images[i]), self.labels[i]


def endless(data: Dataset, size: int, workers: int, shuffle: bool = True) -> Iterator:
    loader = DataLoader(data, size, shuffle, num_workers=workers, persistent_workers=workers > 0,
                        drop_last=True)
    while True:
        yield from loader


def tail() -> list:
    return [v2.ToDtype(torch.float32), v2.Normalize(inputs.MEAN, inputs.STD)]


def digits() -> Iterator:
    folder = inputs.digits()
    images = np.fromfile(folder / "train-images-idx3-ubyte", np.uint8, offset=16).reshape(-1, 1, 28, 28)
    labels = np.fromfile(folder / "train-labels-idx1-ubyte", np.uint8, offset=8)
    scale = v2.Compose([torch.from_numpy, v2.Resize((32, 32)), v2.ToDtype(torch.float32, scale=True)])
    return endless(Rows(images, labels, scale), 32, 2)


def augment() -> Iterator:
    rows = np.fromfile(inputs.colours() / "data_batch_1.bin", np.uint8).reshape(-1, 3073)
    change = v2.Compose([torch.from_numpy, v2.RandomCrop(32, 4), v2.RandomHorizontalFlip(), *tail()])
    return endless(Rows(rows[:, 1:].reshape(-1, 3, 32, 32), rows[:, 0], change), 64, 2)


def photographs() -> Iterator:
    change = v2.Compose([v2.PILToTensor(), v2.RandomResizedCrop(224), v2.RandomHorizontalFlip(), *tail()])
    return endless(datasets.ImageFolder(str(inputs.photographs()), change), 32, 2)


def in_memory(rows: tuple, size: int, shuffle: bool = True) -> Iterator:
    return endless(TensorDataset(*[torch.from_numpy(array) for array in rows]), size, 0, shuffle)


serve(inputs.steps({
    "digits-b32": digits, "augment-b64": augment, "photographs-b32": photographs,
    "python-b32": lambda: endless(Rows(*inputs.arrays(8000, 64), inputs.slow), 32, 2),
    "records-b64": lambda: in_memory(inputs.records(), 64, False),
    "records-shuffled-b64": lambda: in_memory(inputs.records(), 64),
    "arrays-b32": lambda: in_memory(inputs.arrays(20000, 128), 32)}))
