"""Operations on datasets: each describes what it does and how its rows are read."""

from __future__ import annotations

from mindspore.dataset.operations.batch import BatchDataset, BatchInfo
from mindspore.dataset.operations.bucket import BucketBatchByLengthDataset
from mindspore.dataset.operations.columns import ProjectDataset, RenameDataset
from mindspore.dataset.operations.filter import FilterDataset
from mindspore.dataset.operations.flat_map import FlatMapDataset
from mindspore.dataset.operations.join import ConcatDataset, ZipDataset
from mindspore.dataset.operations.map import MapDataset
from mindspore.dataset.operations.padding import PaddedBatchDataset
from mindspore.dataset.operations.rows import (
    RepeatDataset,
    ShuffleDataset,
    SkipDataset,
    TakeDataset,
)
from mindspore.dataset.operations.save import save
from mindspore.dataset.operations.split import split
from mindspore.dataset.operations.sync import BlockReleasePair, SyncWaitDataset, sync_update
from mindspore.dataset.operations.transfer import TransferDataset
from mindspore.dataset.operations.vocabulary import build_sentencepiece_vocab, build_vocab

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BlockReleasePair",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "FilterDataset",
    "FlatMapDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TransferDataset",
    "ZipDataset",
    "build_sentencepiece_vocab",
    "build_vocab",
    "save",
    "split",
    "sync_update",
]
