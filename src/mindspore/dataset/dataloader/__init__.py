"""Batches of a dataset that is an object with rows, as in torch: a loader, samplers, and how rows are put together.

A program that has its data in a class of its own and wants batches, and neither columns nor transforms of the data
engine, uses these.  Worker processes are those of `torch.utils.data`.
"""
from .collation import default_collate, default_convert
from .datasets import Dataset, IterableDataset, TensorDataset
from .loader import DataLoader
from .samplers import BatchSampler, DistributedSampler, RandomSampler, Sampler, SequentialSampler
from .workers import get_worker_info

__all__ = [
    "BatchSampler", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset", "RandomSampler", "Sampler",
    "SequentialSampler", "TensorDataset", "default_collate", "default_convert", "get_worker_info",
]
