"""Decorators that check arguments as the methods of `Dataset` do, for classes with methods of the same names.

A decorated method is called only if the original method accepts the arguments.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.iterators import DictIterator, TupleIterator
from mindspore.dataset.operations import ZipDataset
from mindspore.dataset.schema import Schema

__all__ = [
    "check_add_column",
    "check_batch",
    "check_bucket_batch_by_length",
    "check_concat",
    "check_device_send",
    "check_dict_iterator",
    "check_filter",
    "check_map",
    "check_output_shape",
    "check_padded_batch",
    "check_project",
    "check_recv",
    "check_rename",
    "check_repeat",
    "check_save",
    "check_schema",
    "check_send",
    "check_shuffle",
    "check_skip",
    "check_split",
    "check_sync_update",
    "check_sync_wait",
    "check_take",
    "check_to_device_send",
    "check_total_batch",
    "check_tuple_iterator",
    "check_zip",
    "check_zip_dataset",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def accepted_by(judge: Callable[..., Any]) -> Decorator:
    """A decorator for methods whose arguments, by name, `judge` has to accept first."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(method)

        @functools.wraps(method)
        def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
            (_, *given) = signature.bind(self, *args, **kwargs).arguments.items()
            arguments: dict[str, Any] = {}
            for name, value in given:
                variable = signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
                arguments |= value if variable else {name: value}
            judge(self, **arguments)
            return method(self, *args, **kwargs)

        return checked

    return decorate


def _column(_: Any, name: Any, de_type: Any, shape: Any = None) -> None:
    Schema().add_column(name, de_type, shape)


def _zipped(_: Any, datasets: Any) -> None:
    check.instance("zip", "datasets", datasets, tuple)
    ZipDataset(datasets)


def _saved(_: Any, file_name: Any, num_files: Any = 1, file_type: Any = "mindrecord") -> None:
    check.string("save", "file_name", file_name)
    check.integer("save", "num_files", num_files, 1, 1000)
    check.option("save", "file_type", check.string("save", "file_type", file_type), ["mindrecord"])


def _updated(_: Any, condition_name: Any, num_batch: Any = None, data: Any = None) -> None:
    check.string("sync_update", "condition_name", condition_name)
    check.optional(check.integer, "sync_update", "num_batch", num_batch, 1, check.INT32_MAX)


def _sent(
    _: Any, send_epoch_end: Any = True, create_data_info_queue: Any = False, queue_name: Any = ""
) -> None:
    check.boolean("device_que", "send_epoch_end", send_epoch_end)
    check.boolean("device_que", "create_data_info_queue", create_data_info_queue)
    check.string("device_que", "queue_name", queue_name)


def _ranks(owner: str, name: str, value: Any, group: Any) -> None:
    check.instance(owner, name, value, (int, list))
    for rank in value if isinstance(value, list) else [value]:
        check.integer(owner, name, rank, 0, 2**32 - 1)
    check.optional(check.string, owner, "group", group)


def _given_away(_: Any, tensor: Any = None, dst: Any = 0, group: Any = None) -> None:
    if tensor is not None:
        from mindspore.eager.tensor import Tensor  # the pipelines themselves run without torch

        check.instance("send", "tensor", tensor, (Tensor, list))
        for item in tensor if isinstance(tensor, list) else []:
            check.instance("send", "tensor", item, Tensor)
    _ranks("send", "dst", dst, group)


def _taken(_: Any, src: Any = 0, group: Any = None) -> None:
    _ranks("recv", "src", src, group)


def _estimated(_: Any, estimate: Any = False) -> None:
    check.boolean("output_shapes", "estimate", estimate)


def _described(_: Any, schema_file: Any = None) -> None:
    check.optional(check.file, "Schema", "schema_file", schema_file)


check_add_column = accepted_by(_column)
check_batch = accepted_by(Dataset.batch)
check_bucket_batch_by_length = accepted_by(Dataset.bucket_batch_by_length)
check_concat = accepted_by(Dataset.concat)
check_device_send = accepted_by(_sent)
check_dict_iterator = accepted_by(DictIterator)
check_filter = accepted_by(Dataset.filter)
check_map = accepted_by(Dataset.map)
check_output_shape = accepted_by(_estimated)
check_padded_batch = accepted_by(Dataset.padded_batch)
check_project = accepted_by(Dataset.project)
check_recv = accepted_by(_taken)
check_rename = accepted_by(Dataset.rename)
check_repeat = accepted_by(Dataset.repeat)
check_save = accepted_by(_saved)
check_schema = accepted_by(_described)
check_send = accepted_by(_given_away)
check_shuffle = accepted_by(Dataset.shuffle)
check_skip = accepted_by(Dataset.skip)
check_split = accepted_by(Dataset.split)
check_sync_update = accepted_by(_updated)
check_sync_wait = accepted_by(Dataset.sync_wait)
check_take = accepted_by(Dataset.take)
check_to_device_send = accepted_by(_sent)
check_tuple_iterator = accepted_by(TupleIterator)
check_zip = accepted_by(_zipped)
check_zip_dataset = accepted_by(Dataset.zip)


def check_total_batch(total_batch: Any) -> None:
    """Refuse a number of batches that is no int."""
    check.integer("total_batch", "total_batch", total_batch)
