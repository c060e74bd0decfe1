"""Checkpoints from one file format to the other, a file or a tree of folders `rank_<n>` at a time."""
from __future__ import annotations

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from mindspore.core import check
from mindspore.formats import checkpoint, safetensors
from mindspore.formats.array import StoredArray

Entries = dict[str, checkpoint.Stored]


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes .ckpt files as .safetensors files of the same name.

    Args:
        file_path: A file, or a folder with folders `rank*` of files.
        save_path: Folder to write to. Default: beside each file.
        name_map: New names of parameters, by old name.
        file_name_regex: In a folder, only files whose name matches from its beginning.
        processes_num: How many files are converted at the same time.

    Raises:
        ValueError: A path or file is not of the expected kind, or an entry does not fit into the new format.

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> values = [{"name": "w", "data": Tensor([1.0, 2.0])}]
        >>> mindspore.save_checkpoint(values, folder + "/net.ckpt", format="ckpt")
        >>> mindspore.ckpt_to_safetensors(folder + "/net.ckpt", folder + "/made", name_map={"w": "weight"})
        >>> mindspore.load_checkpoint(folder + "/made/net.safetensors", format="safetensors")["weight"].tolist()
        [1.0, 2.0]
    """
    _convert("ckpt_to_safetensors", ("ckpt", "safetensors"), checkpoint.read, _write_safetensors,
             (file_path, save_path, name_map, file_name_regex, processes_num))


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes .safetensors files as .ckpt files of the same name.

    Args:
        file_path, save_path, name_map, file_name_regex, processes_num: As in `ckpt_to_safetensors`.

    Raises:
        ValueError: As there.

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> values = [{"name": "w", "data": Tensor([1.0, 2.0])}]
        >>> mindspore.save_checkpoint(values, folder + "/net.safetensors", format="safetensors")
        >>> mindspore.safetensors_to_ckpt(folder + "/net.safetensors", folder + "/made", name_map={"w": "weight"})
        >>> mindspore.load_checkpoint(folder + "/made/net.ckpt", format="ckpt")["weight"].tolist()
        [1.0, 2.0]
    """
    _convert("safetensors_to_ckpt", ("safetensors", "ckpt"), lambda path: safetensors.read(path)[0],
             lambda path, entries: checkpoint.write(path, entries.items()),
             (file_path, save_path, name_map, file_name_regex, processes_num))


def _convert(function: str, suffixes: tuple[str, str], read: Callable[[Path], Any],
             write: Callable[[Path, Any], None], arguments: tuple[Any, ...]) -> None:
    source, target, names, pattern, workers = arguments
    if names is not None and not isinstance(names, dict):
        raise ValueError(f"For '{function}', the 'name_map' must be a dict, but got {type(names).__name__}.")
    check.positive_int(function, "processes_num", workers)
    _check_pattern(function, pattern)
    if target is not None and Path(target).suffix:
        raise ValueError(f"For '{function}', the 'save_path' must be a folder, but got {target!r}.")
    pairs = _pairs(function, suffixes, source, target, pattern)

    def one(pair: tuple[Path, Path]) -> None:
        entries = {(names or {}).get(name, name): value for name, value in read(pair[0]).items()}
        pair[1].parent.mkdir(parents=True, exist_ok=True)
        write(pair[1], entries)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, pairs))  # a list, so that an error comes out


def _check_pattern(function: str, pattern: Any) -> None:
    if pattern is None:
        return
    check.string(function, "file_name_regex", pattern)
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"For '{function}', the 'file_name_regex' {pattern!r} is no regular expression: "
                         f"{error}.") from None


def _pairs(function: str, suffixes: tuple[str, str], source: Any, target: Any, pattern: str | None
           ) -> list[tuple[Path, Path]]:
    """Files to read and the files to write."""
    old, new = (f".{suffix}" for suffix in suffixes)
    if not isinstance(source, str | os.PathLike) or not Path(source).exists():
        raise ValueError(f"For '{function}', the 'file_path' must be a file or folder that exists, but got {source!r}.")
    top = Path(source)
    if top.is_file():
        if top.suffix != old:
            raise ValueError(f"For '{function}', the 'file_path' must be a {old} file, but got {source!r}.")
        return [(top, Path(target or top.parent) / f"{top.stem}{new}")]
    folders = sorted(folder for folder in top.iterdir() if folder.is_dir() and folder.name.startswith("rank"))
    files = [file for folder in folders for file in sorted(folder.glob(f"*{old}"))
             if pattern is None or re.match(pattern, file.name)]
    if not files:
        raise ValueError(f"For '{function}', the folder {source!r} must have folders 'rank*' with {old} files"
                         f"{f' that match {pattern!r}' if pattern else ''}, but has none.")
    return [(file, Path(target or top) / file.parent.name / f"{file.stem}{new}") for file in files]


def _write_safetensors(path: Path, entries: Entries) -> None:
    others = [name for name, value in entries.items() if not isinstance(value, StoredArray)]
    if others:
        raise ValueError(f"For 'ckpt_to_safetensors', a .safetensors file can not hold texts and tables, but {others} "
                         f"are. Load the file with a 'choice_func' that leaves them out and save the result.")
    arrays = {name: value for name, value in entries.items() if isinstance(value, StoredArray)}
    safetensors.write(path, arrays, {"format": "ms"})
