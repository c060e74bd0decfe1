"""Functions that make checkpoints of one layout from those of another, and what they need of strategy files."""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import torch

from mindspore.core import check, log
from mindspore.eager.parameter import Parameter, owning
from mindspore.eager.tensor import wrap
from mindspore.formats.strategy import (
    layout_of_message,
    merged,
    read_groups,
    read_strategy,
    to_message,
    write_strategy,
)
from mindspore.parallel.files import cuts, devices_of, holders, joined

from .resharding import (
    Plan,
    Source,
    checkpoint_files,
    pieces_for,
    read_file,
    read_plan,
    strategy_of,
    write_file,
)


def transform_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file=None,
                          dst_strategy_file=None, process_num=1, output_format="ckpt"):
    """Write the checkpoints that processes with another layout want.

    Args:
        src_checkpoints_dir: Folder with a folder `rank_N` for each process that saved; its last file counts.
        dst_checkpoints_dir: Folder that gets `rank_N/PREFIXN.ckpt` for each process that shall load.
        ckpt_prefix: What the names of the files begin with.
        src_strategy_file: How the parameters lay; None where one process has all of them whole.
        dst_strategy_file: How they shall lie; None for whole.
        process_num: How many files are written at the same time.
        output_format: "ckpt" or "safetensors".

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: Folders or files are missing, or the strategy files do not fit to the checkpoints.
        NotADirectoryError: `src_checkpoints_dir` is no folder.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> for rank in (0, 1):
        ...     Path(folder, "from", f"rank_{rank}").mkdir(parents=True)
        ...     piece = [{"name": "w", "data": Tensor([1.0, 2.0]) + 10 * rank}]
        ...     mindspore.save_checkpoint(piece, f"{folder}/from/rank_{rank}/net.ckpt")
        >>> mindspore.transform_checkpoints(folder + "/from", folder + "/to", "net", folder + "/two.ckpt")
        >>> mindspore.load_checkpoint(folder + "/to/rank_0/net0.ckpt")["w"].tolist()
        [1.0, 2.0, 11.0, 12.0]
    """
    name = "transform_checkpoints"
    check.instance(name, "ckpt_prefix", ckpt_prefix, str)
    check.positive_int(name, "process_num", process_num)
    check.option(name, "output_format", output_format, ("ckpt", "safetensors"))
    files = checkpoint_files(src_checkpoints_dir)
    target = read_plan(dst_strategy_file)
    source = Source(read_plan(src_strategy_file), {r: read_file(p) for r, p in files.items()})
    _check_known(source, target)

    def write(rank: int) -> None:
        folder = os.path.join(dst_checkpoints_dir, f"rank_{rank}")
        os.makedirs(folder, exist_ok=True)
        write_file(os.path.join(folder, f"{ckpt_prefix}{rank}.{output_format}"), pieces_for(rank, source, target))
    with ThreadPoolExecutor(process_num) as pool:
        list(pool.map(write, range(target.size)))


def transform_checkpoint_by_rank(rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None,
                                 dst_strategy_file=None):
    """Write the checkpoint that one process with another layout wants.

    Args:
        rank_id: The number of the process.
        checkpoint_files_map: By number of a process the file that it saved; `rank_list_for_transform` says which.
        save_checkpoint_file_name: The file, which ends with .ckpt or .safetensors as those do.
        src_strategy_file, dst_strategy_file: As in `transform_checkpoints`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A file is missing, or the strategy files do not fit to the checkpoints.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> for rank in (0, 1):
        ...     Path(folder, "from", f"rank_{rank}").mkdir(parents=True)
        ...     piece = [{"name": "w", "data": Tensor([1.0, 2.0]) + 10 * rank}]
        ...     mindspore.save_checkpoint(piece, f"{folder}/from/rank_{rank}/net.ckpt")
        >>> files = {rank: f"{folder}/from/rank_{rank}/net.ckpt" for rank in (0, 1)}
        >>> mindspore.transform_checkpoint_by_rank(0, files, folder + "/whole.ckpt", folder + "/two.ckpt")
        >>> mindspore.load_checkpoint(folder + "/whole.ckpt")["w"].tolist()
        [1.0, 2.0, 11.0, 12.0]
    """
    name = "transform_checkpoint_by_rank"
    check.non_negative_int(name, "rank_id", rank_id)
    check.instance(name, "checkpoint_files_map", checkpoint_files_map, dict)
    if not str(save_checkpoint_file_name).endswith((".ckpt", ".safetensors")):
        raise ValueError(f"For '{name}', the save_checkpoint_file_name {save_checkpoint_file_name} should end with "
                         ".ckpt or .safetensors.")
    for rank, path in checkpoint_files_map.items():
        check.integer(name, "checkpoint_files_map", rank, 0)
        if not os.path.isfile(path):
            raise ValueError(f"For '{name}', the checkpoint file {path} of rank {rank} does not exist.")
    source = Source(read_plan(src_strategy_file), {r: read_file(p) for r, p in checkpoint_files_map.items()})
    target = read_plan(dst_strategy_file)
    _check_known(source, target)
    _check_rank(name, rank_id, target)
    write_file(save_checkpoint_file_name, pieces_for(rank_id, source, target))


def rank_list_for_transform(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """The numbers of the processes whose files `transform_checkpoint_by_rank` needs for a process.

    Args:
        rank_id: The number of the process that shall load.
        src_strategy_file, dst_strategy_file: As in `transform_checkpoints`.

    Returns:
        A list of numbers, in order.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A file does not exist, or there is no such process.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> mindspore.rank_list_for_transform(0, folder + "/two.ckpt")
        [0, 1]
    """
    name = "rank_list_for_transform"
    if isinstance(rank_id, bool) or not isinstance(rank_id, int):
        raise TypeError(f"For '{name}', the rank_id should be a int, but got {rank_id!r}.")
    source, target = read_plan(src_strategy_file), read_plan(dst_strategy_file)
    _check_rank(name, rank_id, target)
    wanted = target.layouts.get(rank_id // target.devices)
    found = {0} if not source.layouts else set[int]()
    for stage, line in source.layouts.items():
        for parameter, row in line.items():
            if wanted is None or parameter in wanted:
                found |= {stage * source.devices + r for r in holders(row).values()}
    return sorted(found)


def convert_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file=None,
                        dst_strategy_file=None, process_num=1, output_format="ckpt"):
    """The newer name of `transform_checkpoints`."""
    transform_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file, dst_strategy_file,
                          process_num, output_format)


def convert_checkpoint_by_rank(rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None,
                               dst_strategy_file=None):
    """The newer name of `transform_checkpoint_by_rank`."""
    transform_checkpoint_by_rank(rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file,
                                 dst_strategy_file)


def rank_list_for_convert(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """The newer name of `rank_list_for_transform`."""
    return rank_list_for_transform(rank_id, src_strategy_file, dst_strategy_file)


def merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file):
    """Put the strategy files of all stages of a pipeline into one.

    Args:
        src_strategy_dirs: Folder with a strategy file for each stage.
        dst_strategy_file: The file that is written.

    Raises:
        NotADirectoryError: `src_strategy_dirs` is no folder.
        ValueError: It holds no file.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> Path(folder, "stages").mkdir()
        >>> for name in ("embedding", "head"):
        ...     write_strategy(f"{folder}/stages/{name}.ckpt", StrategyFile(layouts={name: LayoutRow((2,), (0,))}))
        >>> mindspore.merge_pipeline_strategys(folder + "/stages", folder + "/all.ckpt")
        >>> sorted(mindspore.build_searched_strategy(folder + "/all.ckpt"))
        ['0-embedding', '0-head']
    """
    if not os.path.isdir(src_strategy_dirs):
        raise NotADirectoryError(f"For 'merge_pipeline_strategys', the src_strategy_dirs {src_strategy_dirs} is not a "
                                 "directory.")
    json = str(dst_strategy_file).endswith(".json")
    paths = [os.path.join(src_strategy_dirs, f) for f in sorted(os.listdir(src_strategy_dirs))
             if f.endswith(".json") == json and os.path.isfile(os.path.join(src_strategy_dirs, f))]
    if not paths:
        raise ValueError(f"For 'merge_pipeline_strategys', the folder {src_strategy_dirs} has no strategy file"
                         f"{' that ends with .json' if json else ''}.")
    write_strategy(str(dst_strategy_file), merged([read_strategy(p) for p in paths]))


def build_searched_strategy(strategy_filename):
    """The layouts of a strategy file: by name of a parameter a message `ParallelLayouts`.

    Args:
        strategy_filename: The file; None for None.

    Raises:
        TypeError: It is no str, or no strategy file.
        ValueError: The file does not exist.

    Examples:
        >>> from mindspore.formats.strategy import LayoutRow, StrategyFile, write_strategy
        >>> folder = tempfile.mkdtemp()
        >>> write_strategy(folder + "/two.ckpt", StrategyFile(layouts={"w": LayoutRow((2,), (0,))}))
        >>> list(mindspore.build_searched_strategy(folder + "/two.ckpt"))
        ['w']
    """
    if strategy_filename is None:
        return None


    return {i.param_name: i.parallel_layouts
            for i in to_message(strategy_of("build_searched_strategy", strategy_filename)).parallel_layout_item}


def merge_sliced_parameter(sliced_parameters, strategy=None):
    """One parameter of the pieces of all devices.

    Args:
        sliced_parameters: The pieces, in the order of the devices.
        strategy: What `build_searched_strategy` gives; None to join the pieces along the first dimension.

    Returns:
        A Parameter of the same name.

    Raises:
        TypeError: An element is no Parameter.
        ValueError: The pieces do not fit together, or their number is not that of the devices.
        KeyError: The strategy does not know the parameter.

    Examples:
        >>> parts = [Parameter(Tensor([1.0, 2.0]), name="w"), Parameter(Tensor([3.0]), name="w")]
        >>> mindspore.merge_sliced_parameter(parts).tolist()
        [1.0, 2.0, 3.0]
    """
    name = "merge_sliced_parameter"
    check.instance(name, "sliced_parameters", sliced_parameters, list)
    if not sliced_parameters:
        raise ValueError(f"For '{name}', the argument 'sliced_parameters' should not be empty.")
    for k, p in enumerate(sliced_parameters):
        if not isinstance(p, Parameter):
            raise TypeError(f"For '{name}', the element in 'sliced_parameters' should be 'Parameter', but got "
                            f"{type(p)} at index {k}.")
    first = sliced_parameters[0]
    for k, p in enumerate(sliced_parameters):
        if p.name != first.name or p.ndim != first.ndim or p.shape[1:] != first.shape[1:]:
            raise ValueError(f"For '{name}', the elements in 'sliced_parameters' must have the same name, number of "
                             f"dimensions and shape but for the first axis, but got {first.name}, {first.shape} and at "
                             f"index {k} {p.name}, {p.shape}.")
    data = [p._data for p in sliced_parameters]
    if strategy is None:
        whole = torch.cat(data)
    else:
        if first.name not in strategy:
            raise KeyError(f"For '{name}', the parameter name {first.name} should be a key in the 'strategy'. Please "
                           "check 'sliced_parameters' and 'strategy'.")
        row = layout_of_message(strategy[first.name])
        if len(data) != devices_of(row):
            raise ValueError(f"For '{name}', the length of 'sliced_parameters' should be equal to device_count. The "
                             f"length of 'sliced_parameters' is {len(data)}, but device_count is {devices_of(row)}.")
        whole = joined(data, row, torch.cat) if any(cuts(row, 0)) else data[0].clone()
    merged_parameter = owning(wrap(whole), first.name)
    merged_parameter.requires_grad, merged_parameter.layerwise_parallel = first.requires_grad, first.layerwise_parallel
    return merged_parameter


def restore_group_info_list(group_info_file_name):
    """The processes that have the same parameters, of which any checkpoint will do, as a file of groups says.

    Args:
        group_info_file_name: What `group_ckpt_save_file` named.

    Returns:
        A list of numbers.

    Raises:
        TypeError: The name is no str.
        ValueError: The file does not exist.

    Examples:
        >>> from mindspore.formats.strategy import write_groups
        >>> file = tempfile.mkdtemp() + "/groups"
        >>> write_groups(file, {"group": [0, 2]}, [0, 2])
        >>> mindspore.restore_group_info_list(file)
        [0, 2]
    """
    check.instance("restore_group_info_list", "group_info_file_name", group_info_file_name, str)
    if not os.path.isfile(group_info_file_name):
        raise ValueError(f"For 'restore_group_info_list', no such group information file: {group_info_file_name}.")
    return read_groups(group_info_file_name)[1]


def _check_rank(name: str, rank: int, target: Plan) -> None:
    if not 0 <= rank < target.size:
        raise ValueError(f"For '{name}', the 'rank_id' must be below {target.size}, the number of processes of the "
                         f"'dst_strategy_file', but got {rank}.")


def _check_known(source: Source, target: Plan) -> None:
    for plan in (source.plan, target):
        names = {name for line in plan.layouts.values() for name in line}
        if names and not names & source.stages.keys():
            raise ValueError("None of the parameters in the checkpoint files are in the strategy file, which knows "
                             f"{sorted(names)[:3]} and so on. Do they belong together?")
    if len(source.files) < source.plan.size:
        log.info("checkpoints: %d of %d files are there", len(source.files), source.plan.size)
