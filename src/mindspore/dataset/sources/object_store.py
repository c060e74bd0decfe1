"""Rows of MindRecord files in an object store."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import Any

from mindspore.dataset import _check as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.samplers import DistributedSampler, Shuffle
from mindspore.dataset.sources.mindrecord import MindDataset
from mindspore.formats.mindrecord.index import index_path


class OBSMindDataset(MindDataset):
    """As MindDataset, for files in a store such as OBS or S3, which are fetched when the first row is read.

    They stay in the folder for temporary files as long as this dataset. Needs the packages `fsspec` and `s3fs`.

    Args:
        dataset_files: List of paths such as 's3://bucket/part-0.mindrecord'; `<path>.db` lies beside each.
        server: Address of the store, https://... or http://...
        ak, sk: Access key and secret key, None for those of the environment.
        sync_obs_path: Accepted: every process fetches its files itself, so that nothing has to be agreed upon.
        columns_list: Names of the fields to read, None for all.
        shuffle: As for MindDataset; without shuffling the rows come in the order of the list.
        num_shards, shard_id: Give only every `num_shards`-th row.
        shard_equal_rows: All shards are equally long, rows repeat for that; False: no row is given twice.

    Raises:
        ValueError: The list is empty, or an argument has a wrong value.
        TypeError: An argument has a wrong type.
        PipelineError: While reading: a file cannot be fetched.
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
        folder = tempfile.mkdtemp(prefix="mindrecord-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        fetched = []
        for number, path in enumerate(self._source):
            copy = os.path.join(folder, str(number), path.rsplit("/", 1)[-1])
            os.mkdir(os.path.dirname(copy))
            self._fetch(path, copy)
            self._fetch(index_path(path), index_path(copy))
            fetched.append(copy)
        return fetched

    def _fetch(self, path: str, copy: str) -> None:
        """Copy a file of the store.

        Raises:
            PipelineError: It cannot be read.
        """
        fsspec = _fsspec()
        scheme = path.partition("://")[0]
        options = self._store if scheme in ("s3", "obs") else {}
        address = "s3" + path[len(scheme) :] if scheme == "obs" else path
        try:
            with fsspec.open(address, "rb", **options) as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target, 2**20)
        except (OSError, ValueError) as error:
            raise PipelineError(
                f"For 'OBSMindDataset', the file '{path}' cannot be fetched: {error}."
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
