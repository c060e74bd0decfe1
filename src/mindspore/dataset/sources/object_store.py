"""Rows of MindRecord files in an object store."""

from __future__ import annotations

import os
import shutil
import time
from typing import Any

from mindspore.core import log
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.samplers import DistributedSampler
from mindspore.dataset.sources.mindrecord import MindDataset
from mindspore.formats import files
from mindspore.formats.mindrecord.index import index_path

LOOK = 0.5  # seconds between looks for the signs of other processes
WARN = 60  # seconds between warnings


class OBSMindDataset(MindDataset):
    """As MindDataset, for files in a store such as OBS or S3, which are fetched when the first row is read.

    They stay in the folder for temporary files as long as this dataset. Needs the packages `fsspec` and `s3fs`.

    Args:
        dataset_files: List of paths such as 's3://bucket/part-0.mindrecord'; `<path>.db` lies beside each.
        server: Address of the store, https://... or http://...
        ak, sk: Access key and secret key, None for those of the environment.
        sync_obs_path: Where `sync_wait_for_dataset` leaves its signs. Every process fetches its files itself, so that
            reading needs none.
        columns_list: Names of the fields to read, None for all.
        shuffle: As for MindDataset; without shuffling the rows come in the order of the list.
        num_shards, shard_id: Give only every `num_shards`-th row.
        shard_equal_rows: All shards are equally long, rows repeat for that; False: no row is given twice.

    Raises:
        ValueError: The list is empty, or an argument has a wrong value.
        TypeError: An argument has a wrong type.
        PipelineError: While reading: a file cannot be fetched.

    Examples:
        >>> files = ["s3://bucket/part-0.mindrecord", "s3://bucket/part-1.mindrecord"]
        >>> data = dataset.OBSMindDataset(files, "https://store", "key", "secret", "s3://bucket/signs", ["image"])
        >>> data.columns_list           # nothing is fetched before the first row is read
        ['image']
    """

    def __init__(
        self,
        dataset_files: list[str],
        server: str,
        ak: str | None,
        sk: str | None,
        sync_obs_path: str,
        columns_list: list[str] | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = True,
    ):
        check.string(self, "server", server)
        if not server.startswith(("http://", "https://")):
            raise check.fail(ValueError, self, "server", "an address http:// or https://", server)
        check.optional(check.string, self, "ak", ak)
        check.optional(check.string, self, "sk", sk)
        check.string(self, "sync_obs_path", sync_obs_path)
        check.boolean(self, "shard_equal_rows", shard_equal_rows)
        self.sync_obs_path = sync_obs_path
        self._store = {"key": ak, "secret": sk, "client_kwargs": {"endpoint_url": server}}
        super().__init__(
            dataset_files, columns_list, None, shuffle, num_shards=num_shards, shard_id=shard_id
        )
        sampler = self.sampler
        if not shard_equal_rows and isinstance(sampler, DistributedSampler):
            sampler.offset = 0  # deals each row once

    def _found(self, files: Any) -> list[str]:
        check.instance(self, "dataset_files", files, list)
        for path in files:
            check.string(self, "dataset_files", path)
        if not files:
            raise check.fail(ValueError, self, "dataset_files", "a list of paths, not empty", files)
        return files

    def _local(self) -> list[str]:
        folder = files.scratch(self)
        fetched = []
        for number, path in enumerate(self._source):
            copy = os.path.join(folder, str(number), path.rsplit("/", 1)[-1])
            os.mkdir(os.path.dirname(copy))
            self._fetch(path, copy)
            self._fetch(index_path(path), index_path(copy))
            fetched.append(copy)
        return fetched

    def options_for(self, path: str) -> tuple[str, dict[str, Any]]:
        """Address and options under which fsspec knows a path of the store."""
        scheme = path.partition("://")[0]
        address = "s3" + path[len(scheme) :] if scheme == "obs" else path
        return address, self._store if scheme in ("s3", "obs") else {}

    def _fetch(self, path: str, copy: str) -> None:
        """Copy a file of the store.

        Raises:
            PipelineError: It cannot be read.
        """
        fsspec = _fsspec()
        address, options = self.options_for(path)
        try:
            with fsspec.open(address, "rb", **options) as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target, 2**20)
        except (OSError, ValueError) as error:
            raise PipelineError(
                f"For 'OBSMindDataset', the file '{path}' cannot be fetched: {error}."
            ) from error


def sync_wait_for_dataset(
    rank_id: int, rank_size: int, current_epoch: int, obs_runtime: OBSMindDataset
) -> None:
    """Wait until all processes of a training have come here in this epoch: each leaves a sign in `sync_obs_path`.

    Reading does not need it. A long wait is told; it ends when the last process comes.

    Args:
        rank_id: Number of this process.
        rank_size: Number of processes.
        current_epoch: Number of the epoch; the signs of each have a folder.
        obs_runtime: The OBSMindDataset that names store and path.

    Raises:
        TypeError, ValueError: An argument is wrong.
        PipelineError: The store cannot be reached.
    """
    owner = "sync_wait_for_dataset"
    check.integer(owner, "rank_size", rank_size, 1)
    check.integer(owner, "rank_id", rank_id, 0, rank_size - 1)
    check.integer(owner, "current_epoch", current_epoch, 0)
    check.instance(owner, "obs_runtime", obs_runtime, OBSMindDataset)
    path = f"{obs_runtime.sync_obs_path.rstrip('/')}/epoch-{current_epoch}"
    address, options = obs_runtime.options_for(path)
    begin = told = time.monotonic()
    try:
        store, folder = _fsspec().core.url_to_fs(address, **options)
        store.makedirs(folder, exist_ok=True)
        store.pipe(f"{folder}/rank-{rank_id}", b"here")
        missing = set(range(rank_size))
        while missing := {rank for rank in missing if not store.exists(f"{folder}/rank-{rank}")}:
            if time.monotonic() - told > WARN:
                told = time.monotonic()
                log.warning(
                    f"The ranks {sorted(missing)} have not come to epoch {current_epoch} for {told - begin:.0f} s."
                )
            time.sleep(LOOK)
            store.invalidate_cache()
    except (OSError, ValueError) as error:
        raise PipelineError(
            f"For 'sync_wait_for_dataset', the store '{path}' cannot be reached: {error}."
        ) from error


def _fsspec() -> Any:
    """The package that reads from stores, which is needed here only."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(
            "Files in an object store need the packages 'fsspec' and 's3fs': pip install 'anyspore[obs]'."
        ) from None
    return fsspec
