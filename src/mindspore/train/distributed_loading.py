"""Checkpoints of several processes put into a network, or into files without pieces."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch

from mindspore.core import check, context, json_shapes, json_text
from mindspore.core.errors import CheckpointError, shortened, show
from mindspore.distributed import create_group, get_group_size, get_rank
from mindspore.distributed.collectives import sent_to_all
from mindspore.distributed.groups import has_group
from mindspore.eager.parameter import Parameter, owning
from mindspore.eager.tensor import wrap
from mindspore.formats.files import atomic, scratch
from mindspore.formats.strategy import LayoutRow, StrategyFile, layout_of_message
from mindspore.nn.cell import Cell
from mindspore.parallel.files import devices_of, number

from ._parameter_loading import load_param_into_net
from .resharding import Plan, Source, checkpoint_files, pieces_for, read_file, read_plan, write_file
from .serialization import load_checkpoint

LARGEST_PART = 4 << 30            # bytes of a file of `unified_safetensors`
MAP = "param_name_map.json"


def load_distributed_checkpoint(network, checkpoint_filenames=None, predict_strategy=None,
                                train_strategy_filename=None, strict_load=False, dec_key=None, dec_mode="AES-GCM",
                                format="ckpt", unified_safetensors_dir=None, dst_safetensors_dir=None, rank_id=None,
                                output_format="safetensors", name_map=None, max_process_num=64,
                                return_param_dict=False):
    """Put what several processes saved into a network, cut as this process wants it.

    Args:
        network: The network; None to write files in `dst_safetensors_dir` instead.
        checkpoint_filenames: The files of all processes, in order.
        predict_strategy: How parameters lie here: a strategy file, or a dict as `parameter_layout_dict`; None for
            whole.
        train_strategy_filename: The strategy file of those that saved. Default: `strategy_ckpt_load_file` of the
            context.
        strict_load: As in `load_param_into_net`.
        dec_key, dec_mode: As in `load_checkpoint`.
        format: "ckpt" or "safetensors".
        unified_safetensors_dir: In place of files of processes, a folder that `unified_safetensors` wrote.
        dst_safetensors_dir: Folder that gets `rank_N/net.safetensors` if there is no network.
        rank_id: The process. Default: this one; without a network, all.
        output_format: Of the files that are written, "safetensors" or "ckpt".
        name_map: By name in the files the name in the network.
        max_process_num: How many files are written at the same time.
        return_param_dict: Whether the parameters are returned.

    Returns:
        With files of processes or without a network, True; else what `load_param_into_net` gives; or the parameters
        by name.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: Files are missing, or their number is not that of the devices.
        RuntimeError: A parameter does not fit into `network`.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> for rank in (0, 1):
        ...     Path(folder, "from", f"rank_{rank}").mkdir(parents=True)
        ...     piece = [{"name": "w", "data": Tensor([1.0, 2.0]) + 10 * rank}]
        ...     mindspore.save_checkpoint(piece, f"{folder}/from/rank_{rank}/net.ckpt")
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.w = Parameter(Tensor([0.0] * 4), name="w")
        >>> net = Net()
        >>> files = [f"{folder}/from/rank_{rank}/net.ckpt" for rank in (0, 1)]
        >>> mindspore.load_distributed_checkpoint(net, files, train_strategy_filename=folder + "/two.ckpt")
        True
        >>> net.w.tolist()
        [1.0, 2.0, 11.0, 12.0]
    """
    name = "load_distributed_checkpoint"
    check.option(name, "output_format", output_format, ("safetensors", "ckpt"))
    check.option(name, "format", format, ("ckpt", "safetensors"))
    check.positive_int(name, "max_process_num", max_process_num)
    if network is not None and not isinstance(network, Cell):
        raise TypeError(f"For '{name}', the 'network' must be a Cell or None, but got {type(network).__name__}.")
    if network is None and dst_safetensors_dir is None:
        raise ValueError(f"For '{name}', 'dst_safetensors_dir' can not be None when network is None.")
    source = (_unified(unified_safetensors_dir) if unified_safetensors_dir is not None else
              _saved(checkpoint_filenames, train_strategy_filename, dec_key, dec_mode, format))
    source.renamed(name_map or {})
    target = _wanted(predict_strategy)
    if network is None:
        folder = str(dst_safetensors_dir)
        with ThreadPoolExecutor(max_process_num) as pool:
            list(pool.map(lambda r: _write(folder, r, output_format, pieces_for(r, source, target)),
                          range(target.size) if rank_id is None else (rank_id,)))
        return True
    rank = (get_rank() if rank_id is None else rank_id) if target.size > 1 else 0
    found = {n: owning(wrap(x.contiguous()), n) for n, x in pieces_for(rank, source, target).items()}
    loaded = load_param_into_net(network, found, strict_load)
    if return_param_dict:
        return found
    return loaded if unified_safetensors_dir is not None else True


def _unified(folder: str) -> Source:
    path = os.path.join(folder, MAP)
    if not os.path.isfile(path):
        raise ValueError(f"For 'load_distributed_checkpoint', the folder {folder} has no {MAP}: 'unified_safetensors' "
                         "writes one.")
    before = _written(path)
    places = _places(path)
    held = {part: read_file(os.path.join(folder, part)) for part in dict.fromkeys(places.values())}
    if _written(path) != before:                        # so parts may be of two sets
        raise CheckpointError(f"For 'load_distributed_checkpoint', '{path}' was written while it was read: read it "
                              "again when the other program is done.")
    lost = next((name for name, part in places.items() if name not in held[part]), None)
    if lost is not None:
        raise CheckpointError(f"For 'load_distributed_checkpoint', '{path}' says that the parameter {show(lost)} is in "
                              f"'{places[lost]}', but it is not.")
    return Source(Plan(None), {0: {name: x for part in held.values() for name, x in part.items()}})


def _written(path: str) -> tuple[int, int] | None:
    """Which file a name has now; None for none."""
    with contextlib.suppress(FileNotFoundError):
        found = os.stat(path)
        return found.st_ino, found.st_ctime_ns
    return None


def _places(path: str) -> dict[str, str]:
    """By name of a parameter the file in which it is, by the map that `unified_safetensors` writes."""
    try:
        places = json_shapes.made(dict[str, str], json_text.read(path)["weight_map"])
        for name in places.values():
            if os.path.basename(name) != name or not name.endswith(".safetensors"):
                raise ValueError(f"its 'weight_map' must have names of .safetensors files of its folder, not "
                                 f"{show(name)}")
            if not os.path.isfile(os.path.join(os.path.dirname(path), name)):
                raise ValueError(f"there is no file {show(name)}, which its 'weight_map' names")
        return places
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise CheckpointError(f"For 'load_distributed_checkpoint', '{path}' cannot be read: "
                              f"{shortened(error)}.") from None


def _saved(names: Any, strategy: Any, key: Any, mode: str, format: str) -> Source:
    if not isinstance(names, (list, tuple)) or not all([isinstance(n, str) for n in names]):
        raise TypeError("For 'load_distributed_checkpoint', the 'checkpoint_filenames' must be a list of file names, "
                        f"but got {names!r}.")
    plan = read_plan(strategy or context.parallel.strategy_ckpt_load_file)
    if len(names) != plan.size:
        raise ValueError("For 'Load_distributed_checkpoint', the length of 'checkpoint_filenames' should be equal to "
                         "the device count of training process. But got the length of 'checkpoint_filenames' is "
                         f"{len(names)} and the device count is {plan.size}.")
    return Source(plan, {r: {n: p._data for n, p in load_checkpoint(f, dec_key=key, dec_mode=mode, format=format)
                             .items() if isinstance(p, Parameter)} for r, f in enumerate(names)})


def _wanted(strategy: Any) -> Plan:
    if not isinstance(strategy, dict):
        return read_plan(strategy)
    return Plan(StrategyFile(layouts={
        n: LayoutRow(tuple(line[0]), tuple(line[1]), line[3] if len(line) > 3 else 0)
        if isinstance(line, (list, tuple)) else layout_of_message(line) for n, line in strategy.items()}))


def _write(folder: str, rank: int, form: str, held: Mapping[str, torch.Tensor]) -> None:
    os.makedirs(os.path.join(folder, f"rank_{rank}"), exist_ok=True)
    write_file(os.path.join(folder, f"rank_{rank}", f"net.{form}"), held)


def unified_safetensors(src_dir, src_strategy_file, dst_dir, merge_with_redundancy=True, file_suffix=None,
                        max_process_num=64, choice_func=None, split_dst_file=()):
    """Put what several processes saved into files without pieces, and an index of them.

    Args:
        src_dir: Folder with a folder `rank_N` for each process.
        src_strategy_file: The strategy file of those that saved; None where parameters are whole.
        dst_dir: Folder that gets `partN.safetensors` and `param_name_map.json`.
        merge_with_redundancy: Whether every process saved all that it has. If not, each piece is in one of the files.
        file_suffix: How the names of the files end, without `.safetensors`. Default: the last file counts.
        max_process_num: How many files are written at the same time.
        choice_func: Of the name: whether a parameter is kept, or the name that it gets.
        split_dst_file: `(k, n)` writes the k-th of n files only, so that several programs share the work.

    Raises:
        ValueError: Files are missing.
        TypeError: An argument has the wrong type.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> for rank in (0, 1):
        ...     Path(folder, "from", f"rank_{rank}").mkdir(parents=True)
        ...     piece = [{"name": "w", "data": Tensor([1.0, 2.0]) + 10 * rank}]
        ...     mindspore.save_checkpoint(piece, f"{folder}/from/rank_{rank}/net.safetensors", format="safetensors")
        >>> mindspore.unified_safetensors(folder + "/from", folder + "/two.ckpt", folder + "/whole")
        >>> mindspore.load_checkpoint(folder + "/whole/part0.safetensors", format="safetensors")["w"].tolist()
        [1.0, 2.0, 11.0, 12.0]
    """
    name = "unified_safetensors"
    check.boolean(name, "merge_with_redundancy", merge_with_redundancy)
    check.positive_int(name, "max_process_num", max_process_num)
    files = {r: p for r, p in checkpoint_files(src_dir, file_suffix or "").items() if p.endswith(".safetensors")}
    if not files:
        raise ValueError(f"For '{name}', no safetensors files found in directory '{src_dir}' with suffix "
                         f"'{file_suffix}'.")
    source = Source(read_plan(src_strategy_file), {r: read_file(p) for r, p in files.items()})
    names = _names(source, choice_func)
    parts = _parts(names, source, split_dst_file)
    os.makedirs(dst_dir, exist_ok=True)
    mine = range(len(parts)) if not split_dst_file else (split_dst_file[0] - 1,)
    index = {"metadata": {"total_size": sum([source.whole(n).nbytes for n in names])},
             "weight_map": {names[n]: f"part{k}.safetensors" for k, part in enumerate(parts) for n in part}}
    staged = scratch(source, dst_dir)
    with ThreadPoolExecutor(max_process_num) as pool:
        list(pool.map(lambda k: write_file(os.path.join(staged, f"part{k}.safetensors"),
                                           {names[n]: source.whole(n) for n in parts[k]}), mine))
    with atomic(os.path.join(staged, MAP)) as file:
        file.write(json.dumps(index, indent=4).encode())
    _taken_over(staged, dst_dir, [f"part{k}.safetensors" for k in mine])


def _taken_over(staged: str, folder: str, parts: list[str]) -> None:
    """Give files that are complete their names: while parts of two sets might be there, there is no map of them."""
    number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):              # a disk without locks
            fcntl.flock(number, fcntl.LOCK_EX)          # one program at a time
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, MAP))
        for name in (*parts, MAP):
            os.replace(os.path.join(staged, name), os.path.join(folder, name))
    finally:
        os.close(number)


def _names(source: Source, choice: Callable[[str], Any] | None) -> dict[str, str]:
    """The parameters that are kept, and the names that they get."""
    found: dict[str, str] = {}
    for n in source.stages:
        answer = choice(n) if choice else True
        if answer is not False:
            found[n] = answer if isinstance(answer, str) else n
    return found


def _parts(names: Mapping[str, str], source: Source, split: Any) -> list[list[str]]:
    if split:
        k, n = split
        if not 1 <= k <= n:
            raise ValueError("For 'unified_safetensors', the 'split_dst_file' must be (k, n) with 1 <= k <= n, but got "
                             f"{split}.")
        line = list(names)
        return [line[i::n] for i in range(n)]
    parts: list[list[str]] = [[]]
    size = 0
    for n in names:
        bytes_ = source.whole(n).nbytes
        if parts[-1] and size + bytes_ > LARGEST_PART:
            parts.append([])
            size = 0
        parts[-1].append(n)
        size += bytes_
    return parts


def load_segmented_checkpoints(ckpt_file_dir, net=None, strict_load=False, filter_prefix=None, dec_key=None,
                               dec_mode="AES-GCM", specify_prefix=None, choice_func=None):
    """Read all checkpoint files of a folder as one.

    Args:
        ckpt_file_dir: The folder.
        net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: As in `load_checkpoint`.

    Returns:
        A dict from names to parameters.

    Raises:
        ValueError: There is no such folder.

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> for name in "ab":
        ...     mindspore.save_checkpoint([{"name": name, "data": Tensor([1.0])}], f"{folder}/{name}.ckpt")
        >>> sorted(mindspore.load_segmented_checkpoints(folder))
        ['a', 'b']
    """
    if not os.path.isdir(ckpt_file_dir):
        raise ValueError(f"For 'load_segmented_checkpoints', the 'ckpt_file_dir' must be a folder, but {ckpt_file_dir} "
                         "is none.")
    found: dict[str, Any] = {}
    for file in sorted(os.listdir(ckpt_file_dir)):
        if file.endswith(".ckpt"):
            found.update(load_checkpoint(os.path.join(ckpt_file_dir, file), None, strict_load, filter_prefix, dec_key,
                                         dec_mode, specify_prefix, choice_func))
    if net is not None:
        load_param_into_net(net, found, strict_load)
    return found


def get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path):
    """The file of a process that has the same pieces as the one to which a file belongs, if that is lost.

    Args:
        cur_ckpt_path: The file, with `rank_N` in its path for the process N.
        cur_strategy_path: The strategy file.

    Returns:
        The path itself if it exists, else that of another process; None if there is none.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> for rank in (0, 1):
        ...     Path(folder, "from", f"rank_{rank}").mkdir(parents=True)
        ...     piece = [{"name": "w", "data": Tensor([1.0, 2.0]) + 10 * rank}]
        ...     mindspore.save_checkpoint(piece, f"{folder}/from/rank_{rank}/net.ckpt")
        >>> path = folder + "/from/rank_1/net.ckpt"
        >>> mindspore.train.get_ckpt_path_with_strategy(path, folder + "/two.ckpt") == path
        True
    """
    if os.path.isfile(cur_ckpt_path):
        return cur_ckpt_path
    match = re.search(r"rank_(\d+)", cur_ckpt_path)
    if match is None:
        return None
    plan, rank = read_plan(cur_strategy_path), int(match[1])
    stage, place = divmod(rank, plan.devices)
    rows = plan.layouts.get(stage, {}).values()
    for other in range(plan.devices):
        path = re.sub(r"rank_\d+", f"rank_{stage * plan.devices + other}", cur_ckpt_path)
        if all([number(row, other) == number(row, place) for row in rows]) and os.path.isfile(path):
            return path
    return None


def parameter_broadcast(net, layout, cur_rank=0, initial_rank=0):
    """Give all processes that have the same pieces of a parameter those of the first of them.

    Args:
        net: The network.
        layout: How its parameters lie: what `parameter_layout_dict` or `build_searched_strategy` says.
        cur_rank: The number of this process.
        initial_rank: The number of the first process of this stage.

    Raises:
        ValueError: A number is wrong, or a name of `layout` is no parameter of the network.
    """
    name = "parameter_broadcast"
    if not layout:
        return
    if cur_rank != get_rank():
        raise ValueError(f"For '{name}', the 'cur_rank' must be {get_rank()}, the number of this process, but got "
                         f"{cur_rank}.")
    plan, held = _wanted(dict(layout)), net.parameters_dict()
    if initial_rank % plan.devices or not initial_rank <= cur_rank < initial_rank + plan.devices <= get_group_size():
        raise ValueError(f"For '{name}', the 'initial_rank' must be the first process of the stage of {plan.devices} "
                         f"that has process {cur_rank}, but got {initial_rank}.")
    for parameter, row in plan.layouts[0].items():
        if parameter not in held:
            raise ValueError(f"For '{name}', the network has no parameter '{parameter}'.")
        same = [initial_rank + r for r in range(devices_of(row))
                if number(row, r) == number(row, cur_rank - initial_rank)]
        if len(same) > 1:
            group = "devices " + " ".join(map(str, same))
            if not has_group(group):
                create_group(group, same)
            held[parameter].set_data(wrap(sent_to_all(held[parameter]._data, 0, group)))
