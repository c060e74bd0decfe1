"""Checkpoints of networks: save them, load them, put them into a network."""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.core.errors import CheckpointError
from mindspore.core.plain_files import placed
from mindspore.distributed import clients, meeting
from mindspore.eager.parameter import Parameter, owning
from mindspore.eager.tensor import Tensor, tensor_from_buffer, tensor_to_buffer, wrap
from mindspore.formats import checkpoint, safetensors
from mindspore.formats.array import StoredArray
from mindspore.nn.cell import Cell
from mindspore.parallel import running

from ._background import async_ckpt_thread_status, finish_saving, start_saving
from ._checkpoint_options import FORMATS, check_options, prefixes_of, wanted_names, wrong
from ._conversion import ckpt_to_safetensors, safetensors_to_ckpt
from ._parameter_loading import load_param_into_net

__all__ = [
    "async_ckpt_thread_status",
    "ckpt_to_safetensors",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "safetensors_to_ckpt",
    "save_checkpoint",
]

NO_CHECKSUM = ("For 'load_checkpoint', the file {} has no checksum to compare, as 'crc_check' wants: it was saved "
               "without one, or lost its end. Load it without 'crc_check', or save it with crc_check=True to get one.")
_NUMBERS = {bool: "bool", int: "int64", float: "float32"}


def save_checkpoint(save_obj, ckpt_file_name, integrated_save=True, async_save: bool | str = False, append_dict=None,
                    enc_key=None, enc_mode="AES-GCM", choice_func=None, crc_check=False,
                    format="ckpt", **kwargs):
    """Writes parameters to a checkpoint file, completely or not at all.

    Args:
        save_obj: A Cell; a list of parameters or of `{"name": ..., "data": ...}`; a dict from names to parameters,
            tensors, arrays or texts.
        ckpt_file_name: File to write; the suffix is added if it is missing. The folder has to exist.
        integrated_save: Whether parameters that lie in pieces are put together first, for which all processes call
            this function; else each saves its pieces.
        async_save: True, "thread" or "process": take a copy of the values and write it beside the training. The end
            of the program waits for it. Both kinds are a thread here: the file is written without holding Python.
        append_dict: Further entries: int, float, bool, str, Tensor, Parameter or Generator, by name.
        enc_key: Key to encrypt with, 16, 24 or 32 bytes. Needs the package `cryptography`.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        choice_func: Of the name: whether a parameter is saved.
        crc_check: Whether a checksum is added.
        format: "ckpt" or "safetensors".
        kwargs: `remove_redundancy`, for .safetensors: a note in the file whether every process leaves out what others
            save; None, True or False.  `incremental`, a bool about map parameters, which no cell has here.
            `global_step_num`, which must be None: it is for a service of Ascend's machines.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument or a value does not suit the format.
        OSError: The file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mindspore.save_checkpoint(nn.Dense(3, 2), os.path.join(folder, "net"))
        ...     os.listdir(folder)
        ['net.ckpt']
    """
    _check_saving(save_obj, ckpt_file_name, integrated_save, async_save, append_dict, choice_func)
    check_options("save_checkpoint", "enc", enc_key, enc_mode, crc_check, format)
    redundancy = _redundancy(format, **kwargs)
    path = _with_suffix(ckpt_file_name, format)
    values = _chosen(_named_values(save_obj), choice_func) | _appended(append_dict or {})
    if integrated_save:
        values = {name: _put_together(value) for name, value in values.items()}
    else:
        values = {name: value for name, value in values.items() if _is_here(value)}

    def write(stored: Iterable[tuple[str, StoredArray | str]]) -> None:
        if format == "ckpt":
            checkpoint.write(path, stored, key=enc_key, mode=enc_mode, crc=crc_check)
        else:
            _write_safetensors(path, dict(stored), crc_check, redundancy)

    finish_saving()
    if async_save:
        start_saving(path, write, list(_stored(values, copy=True)))
    else:
        write(_stored(values))


def load_checkpoint(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, dec_key=None,
                    dec_mode="AES-GCM", specify_prefix=None, choice_func=None, crc_check=False,
                    remove_redundancy=False, format="ckpt"):
    """Reads a checkpoint file; the result is a dict from names to parameters, or to str for texts.

    Args:
        ckpt_file_name: File that ends with the suffix of the `format`.
        net: Cell to put the parameters into as well, see `load_param_into_net`.
        strict_load: For `net`: whether dtypes and names have to agree exactly.
        filter_prefix: Prefixes of names that are left out. Same as a `choice_func`.
        dec_key: Key of an encrypted file.
        dec_mode: How it is encrypted: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: Prefixes of the only names that are read. Same as a `choice_func`.
        choice_func: Of the name: whether a parameter is read.
        crc_check: Whether the checksum of the file is compared; a file without one is an error, because it may have
            lost its end. A .ckpt file that lost a part of its checksum is an error in any case.
        remove_redundancy: Whether the file holds only the parameters that this process was to save.
        format: "ckpt" or "safetensors".

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The file does not exist, is damaged or encrypted, or holds no parameter of the wanted names.
        RuntimeError: A parameter does not fit into `net`.

    Examples:
        >>> file = tempfile.mkdtemp() + "/net.ckpt"
        >>> mindspore.save_checkpoint([{"name": "w", "data": Tensor([1.0, 2.0])}], file)
        >>> mindspore.load_checkpoint(file)["w"].tolist()
        [1.0, 2.0]
    """
    path = _checked_path(ckpt_file_name, format)
    check_options("load_checkpoint", "dec", dec_key, dec_mode, crc_check, format)
    if not isinstance(remove_redundancy, bool):
        raise wrong(ValueError, "load_checkpoint", "remove_redundancy", "True or False", remove_redundancy)
    wanted = wanted_names(prefixes_of(filter_prefix), prefixes_of(specify_prefix), choice_func)
    log.info("Execute the process of loading checkpoint files.")
    if format == "ckpt":
        stored = checkpoint.read(path, key=dec_key, mode=dec_mode, check_crc=crc_check, wanted=wanted)
        if crc_check and not checkpoint.has_checksum(path):
            raise CheckpointError(NO_CHECKSUM.format(path))
    else:
        stored = _read_safetensors(path, crc_check, remove_redundancy, wanted)
    if not stored:
        raise CheckpointError(f"For 'load_checkpoint', the loaded parameter dict is empty: {path} has no entry, or "
                              f"none that 'filter_prefix', 'specify_prefix' and 'choice_func' let through.")
    for name, value in stored.items():
        if isinstance(value, StoredArray) and value.dtype == "qint4x2":
            raise CheckpointError(f"Failed to read the checkpoint file {path}: the entry '{name}' is of the type Int4, "
                                  f"which no tensor has here. Leave it out by 'choice_func'.")
    loaded = {name: _loaded(name, value) for name, value in stored.items()}
    if net is not None:
        load_param_into_net(net, loaded, strict_load, remove_redundancy)
    return loaded


class ParamDictFuture:
    """A checkpoint that is being read in another thread."""

    def __init__(self, read: Callable[[], dict[str, Any]]):
        self._outcome: dict[str, Any] | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(read,), name="load checkpoint")
        self._thread.start()

    def result(self) -> dict[str, Any]:
        """Waits for the end; the dict that `load_checkpoint` returns, or its error."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._outcome is not None
        return self._outcome

    def _run(self, read: Callable[[], dict[str, Any]]) -> None:
        try:
            self._outcome = read()
        except BaseException as error:  # raised by `result`, in the thread that can answer it
            self._error = error


def load_checkpoint_async(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, dec_key=None,
                          dec_mode="AES-GCM", specify_prefix=None, choice_func=None):
    """Starts to read a checkpoint beside the program; `.result()` of the answer waits for the dict.

    Args:
        ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: As in
            `load_checkpoint`; `net` has its values when `.result()` returns.

    Examples:
        >>> file = tempfile.mkdtemp() + "/net.ckpt"
        >>> mindspore.save_checkpoint([{"name": "w", "data": Tensor([1.0, 2.0])}], file)
        >>> reading = mindspore.load_checkpoint_async(file)
        >>> reading.result()["w"].tolist()
        [1.0, 2.0]
    """
    return ParamDictFuture(lambda: load_checkpoint(ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode,
                                                   specify_prefix, choice_func))


# ---- saving
def _check_saving(save_obj, file_name, integrated_save, async_save, append_dict, choice_func) -> None:
    where = "save_checkpoint"
    if not isinstance(save_obj, Cell | list | dict):
        raise wrong(TypeError, where, "save_obj", "a Cell, list or dict", save_obj)
    if not isinstance(file_name, str):
        raise wrong(TypeError, where, "ckpt_file_name", "a str", file_name)
    if not isinstance(integrated_save, bool):
        raise wrong(TypeError, where, "integrated_save", "a bool", integrated_save)
    if not isinstance(async_save, bool | str):
        raise wrong(TypeError, where, "async_save", "a bool or str", async_save)
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise wrong(ValueError, where, "async_save", "'process' or 'thread'", async_save)
    if not isinstance(append_dict, dict | None):
        raise wrong(TypeError, where, "append_dict", "a dict", append_dict)
    if not (choice_func is None or callable(choice_func)):
        raise wrong(TypeError, where, "choice_func", "callable", choice_func)


def _redundancy(format: str, remove_redundancy: Any = None, incremental: Any = False, global_step_num: Any = None,
                **unknown: Any) -> bool | None:
    if unknown:
        raise TypeError(f"For 'save_checkpoint', there is no argument '{next(iter(unknown))}'.")
    if not isinstance(incremental, bool):
        raise wrong(ValueError, "save_checkpoint", "incremental", "True or False", incremental)
    if incremental and format == "safetensors":
        raise ValueError("For 'save_checkpoint', the 'incremental' must be False when the 'format' is 'safetensors'.")
    if global_step_num is not None:
        raise ValueError("For 'save_checkpoint', the 'global_step_num' must be None: it is for the checkpoint service "
                         f"of Ascend. Save the number by append_dict={{'step_num': {global_step_num!r}}}.")
    if not isinstance(remove_redundancy, bool | None):
        raise wrong(ValueError, "save_checkpoint", "remove_redundancy", "True, False or None", remove_redundancy)
    return remove_redundancy


def _with_suffix(name: str, format: str) -> str:
    path = placed(name)
    if not name or os.path.isdir(path):
        raise IsADirectoryError(f"For 'save_checkpoint', the 'ckpt_file_name' must be a file, but {path} is a folder.")
    return path if path.endswith(format) else f"{path}.{format}"


def _named_values(save_obj: Cell | list | dict) -> dict[str, Any]:
    if isinstance(save_obj, Cell):
        return {parameter.name: parameter for _, parameter in save_obj.parameters_and_names()}
    if isinstance(save_obj, dict):
        for name, value in save_obj.items():
            if not isinstance(name, str) or not isinstance(value, Tensor | np.ndarray | str):
                raise wrong(TypeError, "save_checkpoint", "save_obj",
                             "a dict from str to Parameter, Tensor, array or str",
                             value if isinstance(name, str) else name)
        return dict(save_obj)
    return dict(map(_listed, save_obj))


def _listed(item: Any) -> tuple[str, Tensor]:
    if isinstance(item, Parameter):
        return item.name, item
    if not isinstance(item, dict):
        raise wrong(TypeError, "save_checkpoint", "save_obj", "a list of Parameter or dict", item)
    if not {"name", "data"} <= item.keys():
        raise TypeError(f"For 'save_checkpoint', a dict in 'save_obj' must have the keys 'name' and 'data', "
                        f"but got {list(item)}.")
    if not isinstance(item["name"], str) or not isinstance(item["data"], Tensor):
        raise wrong(TypeError, "save_checkpoint", "save_obj",
                     "a list whose dicts have a str as 'name' and a Parameter or Tensor as 'data'",
                     item["data"] if isinstance(item["name"], str) else item["name"])
    return item["name"], item["data"]


def _put_together(value: Any) -> Any:
    if isinstance(value, Parameter) and value.table is not None and meeting.role() == "worker":
        return wrap(clients.whole(value.name, value.table[0], value._data))
    stored = isinstance(value, Parameter) and value.stored is not None
    return wrap(running.whole(value)) if stored else value


def _is_here(value: Any) -> bool:
    """Whether this process has a part of a value: not of parameters of other stages of a pipeline."""
    return not isinstance(value, Parameter) or value.stored is None or value.stored.here


def _chosen(values: dict[str, Any], choice: Callable[[str], bool] | None) -> dict[str, Any]:
    return values if choice is None else {name: value for name, value in values.items() if choice(name)}


def _appended(values: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in values.items():
        if hasattr(value, "get_state"):  # a Generator
            value = value.get_state()
        if not isinstance(name, str) or not isinstance(value, bool | int | float | str | Tensor):
            raise wrong(TypeError, "save_checkpoint", "append_dict",
                         "a dict from str to int, float, bool, str, Tensor, Parameter or Generator",
                         value if isinstance(name, str) else name)
        if type(value) is int and not -(2**63) <= value < 2**63:
            raise wrong(ValueError, "save_checkpoint", f"append_dict['{name}']", "within int64", value)
        found[name] = value
    return found


def _stored(values: dict[str, Any], copy: bool = False) -> Iterator[tuple[str, StoredArray | str]]:
    """What the file holds; arrays one by one, so that a copy on another device lives only while it is written."""
    for name, value in values.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Tensor):
            data, dtype, shape = tensor_to_buffer(value, copy)
            yield name, StoredArray(dtype, tuple(shape), data)
        elif isinstance(value, np.ndarray):
            yield name, StoredArray.of(value.copy() if copy else value)
        else:
            yield name, StoredArray.of(np.array(value, _NUMBERS[type(value)]))


def _write_safetensors(path: str, stored: dict[str, Any], crc: bool, redundancy: bool | None) -> None:
    texts = [name for name, value in stored.items() if isinstance(value, str)]
    if texts:
        raise ValueError(f"For 'save_checkpoint', a .safetensors file can not hold texts, but {texts} are. "
                         f"Use format='ckpt'.")
    metadata = {"format": "ms"}
    if redundancy is not None:
        metadata["remove_redundancy"] = str(redundancy)
    if crc:
        metadata |= {"crc_num": str(safetensors.checksums(stored)[0])} | safetensors.of_layout(stored)
    safetensors.write(path, stored, metadata if stored else None)


# ---- loading
def _checked_path(name: Any, format: Any) -> str:
    if not isinstance(name, str):
        raise wrong(TypeError, "load_checkpoint", "ckpt_file_name", "a str", name)
    if format not in FORMATS:
        raise wrong(ValueError, "load_checkpoint", "format", "'ckpt' or 'safetensors'", format)
    if not name.endswith(format):
        raise ValueError(f"For 'load_checkpoint', the 'ckpt_file_name' must end with the name of the 'format', "
                         f"but got {name!r} and {format!r}.")
    path = os.path.realpath(name)
    if not os.path.exists(path):
        raise ValueError(f"For 'load_checkpoint', the checkpoint file {path} does not exist.")
    if not os.path.isfile(path):
        raise ValueError(f"For 'load_checkpoint', the 'ckpt_file_name' must be a file, but {path} is a folder, "
                         "a pipe or a device.")
    return path


def _read_safetensors(path: str, crc: bool, redundancy: bool, wanted: Callable[[str], bool]) -> dict[str, StoredArray]:
    stored, metadata = safetensors.read(path)
    if crc and "crc_num" not in metadata:
        raise CheckpointError(NO_CHECKSUM.format(path))
    if crc and (metadata["crc_num"] not in map(str, safetensors.checksums(stored))
                or safetensors.of_layout(stored) | metadata != metadata | safetensors.of_layout(stored)):
        raise CheckpointError(f"Failed to read the safetensors file {path}: its content was changed, as the checksum "
                              f"shows.")
    noted = metadata.get("remove_redundancy")
    if noted is not None and noted != str(redundancy):
        log.warning("For 'load_checkpoint', the file %s was saved with remove_redundancy=%s.", path, noted)
    return {name: array for name, array in stored.items() if wanted(name)}


def _loaded(name: str, value: checkpoint.Stored) -> Any:
    """A Parameter; a str; or the keys, values and status of a table as a list of arrays."""
    if isinstance(value, str):
        return value
    if isinstance(value, checkpoint.StoredTable):
        return [part.numpy().copy() for part in value]
    return owning(tensor_from_buffer(value.own_data(), value.dtype, value.shape, copy=False), name)
