"""Data pipelines: sources, operations on them, samplers and iterators: `mindspore.dataset`."""

from __future__ import annotations

import importlib
from typing import Any

from mindspore.dataset import config, samplers, transforms
from mindspore.dataset.callback import DSCallback
from mindspore.dataset.config import get_seed, set_seed
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.iterators import DictIterator, TupleIterator
from mindspore.dataset.operations import (
    BatchDataset,
    BatchInfo,
    BucketBatchByLengthDataset,
    ConcatDataset,
    FilterDataset,
    FlatMapDataset,
    MapDataset,
    PaddedBatchDataset,
    ProjectDataset,
    RenameDataset,
    RepeatDataset,
    ShuffleDataset,
    SkipDataset,
    SyncWaitDataset,
    TakeDataset,
    ZipDataset,
)
from mindspore.dataset.samplers import (
    BuiltinSampler,
    DistributedSampler,
    IterSampler,
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Shuffle,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from mindspore.dataset.schema import Schema
from mindspore.dataset.serialization import compare, deserialize, serialize, show
from mindspore.dataset.sources import (
    Cifar10Dataset,
    Cifar100Dataset,
    CSVDataset,
    FashionMnistDataset,
    GeneratorDataset,
    ImageFolderDataset,
    KMnistDataset,
    MappableDataset,
    MindDataset,
    MnistDataset,
    NumpySlicesDataset,
    PaddedDataset,
    SourceDataset,
    TextFileDataset,
    TFRecordDataset,
)

__all__ = [
    "CSVDataset",
    "DSCallback",
    "TFRecordDataset",
    "TextFileDataset",
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "BuiltinSampler",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "ConcatDataset",
    "Dataset",
    "DictIterator",
    "DistributedSampler",
    "FashionMnistDataset",
    "FilterDataset",
    "FlatMapDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "IterSampler",
    "KMnistDataset",
    "MapDataset",
    "MappableDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "PKSampler",
    "PaddedBatchDataset",
    "PaddedDataset",
    "ProjectDataset",
    "RandomSampler",
    "RenameDataset",
    "RepeatDataset",
    "Sampler",
    "Schema",
    "SequentialSampler",
    "Shuffle",
    "ShuffleDataset",
    "SkipDataset",
    "SourceDataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "SyncWaitDataset",
    "TakeDataset",
    "TupleIterator",
    "WeightedRandomSampler",
    "ZipDataset",
    "compare",
    "config",
    "deserialize",
    "get_seed",
    "samplers",
    "serialize",
    "set_seed",
    "show",
    "transforms",
    "vision",
    "zip",
]


def zip(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Rows of several datasets side by side, as many as the shortest has."""
    if not isinstance(datasets, tuple):
        raise TypeError(
            f"For 'zip', the 'datasets' must be a tuple, but got {type(datasets).__name__}."
        )
    return ZipDataset(datasets)


def __getattr__(name: str) -> Any:
    if name == "vision":  # loads the image libraries, which other pipelines do without
        return importlib.import_module("mindspore.dataset.vision")
    raise AttributeError(f"module 'mindspore.dataset' has no attribute {name!r}")
