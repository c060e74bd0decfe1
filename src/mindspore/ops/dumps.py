"""Tensors written to files of NumPy's, to look at while a program is searched for mistakes."""
from __future__ import annotations

from typing import Any

from mindspore.core import check, context
from mindspore.operators.dumping import dump_tensor

from .arguments import tensor
from .primitive import composed


def _dump(owner: str, names: tuple[str, str, str], file: Any, x: Any, mode: Any) -> None:
    mode = check.option(owner, names[2], mode, ("out", "in"))
    if not check.string(owner, names[0], file):
        raise ValueError(f"For '{owner}', the '{names[0]}' must be the path of a file, but got an empty string.")
    split = context.parallel.parallel_mode in ("semi_auto_parallel", "auto_parallel")
    dump_tensor(tensor(owner, names[1], x), file=file, mode="in" if split and mode == "in" else "")


def tensordump(file_name: str, tensor: Any, mode: str = "out") -> None:
    """Write a tensor to a file of NumPy's when the program gets there, in PyNative and in graph mode.

    The file is FILE_DTYPE_NUMBER.npy, where the number counts the files that this process has written; a file is
    there as a whole or not at all.  Elements of bfloat16 are written as float32.

    Args:
        file_name: Path without the end; folders that are missing are made, and the end ".npy" is left out.
        tensor: The tensor, of any shape and dtype.
        mode: "out" or "in".  Where a program is cut over processes ("semi_auto_parallel", "auto_parallel"), every
            process writes the whole tensor, and files of "in" are called FILE_in_DTYPE_NUMBER.npy; else both mean
            the same.

    Raises:
        TypeError: If `file_name` is no string or `tensor` no tensor.
        ValueError: If `file_name` is empty or `mode` another word.
        OSError: When the file cannot be written.

    Examples:
        >>> import glob, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ops.tensordump(folder + "/x", Tensor([1.0, 2.0]))
        >>> np.load(glob.glob(folder + "/x_float32_*.npy")[0]).tolist()
        [1.0, 2.0]
    """
    _dump("tensordump", ("file_name", "tensor", "mode"), file_name, tensor, mode)


@composed("TensorDump(input_output='out')(file, input_x)")
def _tensor_dump(file: str, input_x: Any, *, input_output: str = "out") -> None:
    """Write a tensor to a file of NumPy's; `ops.tensordump` says how it is called.

    Args:
        input_output: "out" or "in", the `mode` of the function.

    Inputs:
        file: Path without the end.
        input_x: The tensor, of any shape and dtype.

    Raises:
        TypeError: If `file` is no string or `input_x` no tensor.
        ValueError: If `file` is empty or `input_output` another word.
        OSError: When the file cannot be written.

    Examples:
        >>> import glob, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ops.TensorDump()(folder + "/x", Tensor([3], mindspore.int32))
        >>> np.load(glob.glob(folder + "/x_int32_*.npy")[0]).tolist()
        [3]
    """
    _dump("TensorDump", ("file", "input_x", "input_output"), file, input_x, input_output)


__all__ = ["tensordump"]
