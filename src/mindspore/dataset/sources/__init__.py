"""Where rows come from: arrays in memory, Python objects, files."""

from __future__ import annotations

from mindspore.dataset.sources.arrays import NumpySlicesDataset, PaddedDataset
from mindspore.dataset.sources.cifar import Cifar10Dataset, Cifar100Dataset
from mindspore.dataset.sources.csv_files import CSVDataset
from mindspore.dataset.sources.files import TextFileDataset
from mindspore.dataset.sources.generator import GeneratorDataset
from mindspore.dataset.sources.image_folder import ImageFolderDataset
from mindspore.dataset.sources.mappable import MappableDataset, SourceDataset
from mindspore.dataset.sources.mindrecord import MindDataset
from mindspore.dataset.sources.mnist import FashionMnistDataset, KMnistDataset, MnistDataset
from mindspore.dataset.sources.tfrecord import TFRecordDataset

__all__ = [
    "CSVDataset",
    "TFRecordDataset",
    "TextFileDataset",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "FashionMnistDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "KMnistDataset",
    "MappableDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "PaddedDataset",
    "SourceDataset",
]
