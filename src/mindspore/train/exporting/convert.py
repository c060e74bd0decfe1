"""Files of models in other formats, and what the system does not do with them."""
from __future__ import annotations

import os

from mindspore.core.errors import GraphValueError, show
from mindspore.eager.tensor import Tensor
from mindspore.nn.graph_cell import GraphCell

from ..mindir.load import load
from .export import export


def convert_model(mindir_file, convert_file, file_format):
    """Writes the graph of a MindIR file as a model of ONNX, completely or not at all.

    Extents that the file leaves open stay open.

    Args:
        mindir_file: The file, whose name ends with ".mindir".
        convert_file: File to write; the suffix .onnx is added if it is missing.
        file_format: "ONNX".

    Raises:
        TypeError: A name is no text.
        ValueError: There is no such file, or the format is another.
        ModelError: The file is damaged or encrypted; a ValueError and a RuntimeError.
        NotImplementedError: The graph has a primitive that is not supported, or inputs that are no tensors.
        RuntimeError: The graph has an operator that ONNX cannot say.

    Examples:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mindspore.export(nn.ReLU(), Tensor([0.0]), file_name=f"{folder}/a", file_format="MINDIR")
        ...     mindspore.convert_model(f"{folder}/a.mindir", f"{folder}/b", "ONNX")
        ...     sorted(os.listdir(folder))
        ['a.mindir', 'b.onnx']
    """
    if file_format != "ONNX":
        raise ValueError(f"For 'convert_model', the 'file_format' must be 'ONNX', but got {show(file_format)}.")
    graph = load(mindir_file)
    inputs = []
    for k, kind in enumerate(graph.inputs):
        if kind is None or -2 in kind[1]:
            raise NotImplementedError(f"For 'convert_model', input {k} of the graph is no tensor of a known rank, "
                                      "which is not converted.")
        inputs.append(Tensor(shape=[None if n < 0 else n for n in kind[1]], dtype=kind[0]))
    try:
        export(GraphCell(graph), *inputs, file_name=convert_file, file_format="ONNX")
    except GraphValueError as error:
        raise NotImplementedError(f"For 'convert_model', the graph of '{mindir_file}' has branches or loops on "
                                  f"tensors, which are not converted: export the network itself ({error})") from None


def export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True):
    """Would split the graph of a MindIR file over devices; there is nothing here that splits graphs of files.

    Args:
        file_name: The file.
        device_num: Number of devices.
        rank_id: Whose part is wanted.
        dynamic: Whether the graph has open extents.
        sapp: Whether the split is searched for.

    Raises:
        ValueError: The name is no text, or there is no such file.
        NotImplementedError: Always, else.

    Examples:
        >>> file = tempfile.mkdtemp() + "/net.mindir"
        >>> mindspore.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=file, file_format="MINDIR")
        >>> try:
        ...     mindspore.export_split_mindir(file)
        ... except NotImplementedError as error:
        ...     print("refused")
        refused
    """
    if not isinstance(file_name, str) or not os.path.isfile(file_name):
        raise ValueError(f"For 'export_split_mindir', the 'file_name' must be a file, but got {show(file_name)}.")
    raise NotImplementedError(f"For 'export_split_mindir', a file is not split over {device_num} devices "
                              f"(rank_id={rank_id}, dynamic={dynamic}, sapp={sapp}): load it whole with "
                              "'mindspore.load'.")


def obfuscate_model(obf_config, **kwargs):
    """Would change the graph of a MindIR file so that it needs a secret to run; releases after 2.4 have it no more.

    Args:
        obf_config: What to change.
        kwargs: How the file is encrypted.

    Raises:
        TypeError: The 'obf_config' is no dict.
        NotImplementedError: Always, else.

    Examples:
        >>> try:
        ...     mindspore.obfuscate_model({"type": "dynamic"})
        ... except NotImplementedError as error:
        ...     print("refused")
        refused
    """
    if not isinstance(obf_config, dict):
        raise TypeError(f"For 'obfuscate_model', the 'obf_config' must be a dict, but got {show(obf_config)}.")
    raise NotImplementedError("For 'obfuscate_model', graphs are not obfuscated, as in MindSpore after 2.4: encrypt "
                              "the file with 'enc_key' of 'mindspore.export'"
                              f"{' instead of ' + ', '.join(sorted(kwargs)) if kwargs else ''}.")
