"""`mindspore.export`: which formats there are, and what each of them takes."""
from __future__ import annotations

import inspect
from collections.abc import Callable

from mindspore.core import log
from mindspore.core.errors import show

from .air_export import write_air
from .mindir_export import write_mindir
from .onnx_export import write_onnx
from .paths import checked_path

# A writer takes the network, its inputs, the path (as given, made absolute) and the options.
Writer = Callable[..., None]
WRITERS: dict[str, Writer] = {"AIR": write_air, "ONNX": write_onnx, "MINDIR": write_mindir}
_REMOVED = {"obf_func": "dynamic obfuscation", "obf_config": "dynamic obfuscation"}


def export(net, *inputs, file_name, file_format, **kwargs):
    """Writes a network to a file, completely or not at all.

    Args:
        net: The Cell; for "MINDIR" it may be a function, too, also one under `jit`. Its training mode is as before
            afterwards; a format for inference gets it in evaluation mode.
        inputs: Examples of the arguments of `construct`; of tensors only shape and dtype matter. An extent of None in
            `Tensor(shape=[None, 3], dtype=...)` may have any value in the file. For "MINDIR" one may be a dataset with
            the column "image": its first row is the example, and the file gets its maps as from `dataset`.
        file_name: File to write; the suffix is added if it is missing. Folders that do not exist are made.
        file_format: "ONNX", "MINDIR" or "AIR".
        kwargs: What the format takes. ONNX: `enc_key` with `enc_mode`, a function of the content and the key that gives
            the bytes to write; `quant_mode` of 1.x, which may only be "NONQUANT"; `custom_func`, which may only be
            None. MINDIR: `enc_key`, also with `enc_mode` "AES-GCM", "AES-CBC" or "SM4-CBC"; `custom_func`, which gets
            the message of the model and may change it; `dataset`, a pipeline whose maps the file gets, for native
            readers that prepare images themselves (`mindspore.load` runs the graph alone); `incremental`, which changes
            nothing here. AIR: `enc_key` with `enc_mode`, a function as for ONNX. It is written by the description of
            GraphEngine's files, without branches and loops; no engine has tried it.

    Raises:
        TypeError: An argument has the wrong type, or is unknown.
        ValueError: The format is unknown, or an argument does not suit it.
        RuntimeError: The network has an operator that the format cannot say; the message names it and its line.
        NotImplementedError: An option asks for what is not supported.

    Examples:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mindspore.export(nn.Dense(3, 2), ops.ones((1, 3)), file_name=f"{folder}/net", file_format="ONNX")
        ...     os.listdir(folder)
        ['net.onnx']
    """
    for name, what in _REMOVED.items():
        if name in kwargs:
            raise NotImplementedError(f"For 'export', '{name}' is not supported: there is no {what}.")
    if file_format not in WRITERS:
        raise ValueError(f"For 'export', the 'file_format' must be one of {list(WRITERS)}, but got "
                         f"{show(file_format)}.")
    writer = WRITERS[file_format]
    known = [name for name, p in inspect.signature(writer).parameters.items() if p.kind is p.KEYWORD_ONLY]
    if unknown := sorted(set(kwargs) - set(known)):
        raise TypeError(f"For 'export', the format '{file_format}' takes {known}, but got {unknown}.")
    path = checked_path("export", file_name)
    log.info("exporting model file:%s format:%s.", file_name, file_format)
    writer(net, inputs, path, **kwargs)
