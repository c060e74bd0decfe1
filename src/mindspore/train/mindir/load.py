"""`mindspore.load`: a graph from a MindIR file."""
from __future__ import annotations

import os

from mindspore.core.errors import ModelError, show
from mindspore.formats import mindir

from .running import LoadedGraph


def load(file_name, **kwargs):
    """Reads a graph from a MindIR file; `nn.GraphCell` makes a cell of it.

    Args:
        file_name: The file, whose name ends with ".mindir".
        kwargs: `dec_key`, the key of an encrypted file, with `dec_mode`: "AES-GCM" (the default), "AES-CBC" or
            "SM4-CBC", or a function of the file's name and the key that gives the content.

    Returns:
        A function of the tensors that the graph takes. It can be differentiated.

    Raises:
        TypeError: An argument has the wrong type, or is unknown.
        ValueError: The file does not exist, or an argument does not suit it.
        ModelError: The file is damaged or encrypted; a ValueError and a RuntimeError.
        NotImplementedError: The graph has a primitive that is not supported, or `obf_func` is given: graphs are not
            obfuscated, as in MindSpore after 2.4.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = f"{folder}/relu.mindir"
        ...     mindspore.export(nn.ReLU(), Tensor([0.0, 0.0]), file_name=file, file_format="MINDIR")
        ...     nn.GraphCell(mindspore.load(file))(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    if not isinstance(file_name, str):
        raise TypeError(f"For 'load', the 'file_name' must be a string, but got {show(file_name)}.")
    if not file_name.endswith(".mindir"):
        raise ValueError(f"For 'load', the 'file_name' must end with '.mindir', but got '{file_name}'.")
    if not os.path.isfile(file_name):
        raise ValueError(f"For 'load', the 'file_name' must be a file, but there is no file '{file_name}'.")
    if "obf_func" in kwargs:
        raise NotImplementedError("For 'load', 'obf_func' is not supported: obfuscated graphs are not read.")
    if unknown := kwargs.keys() - {"dec_key", "dec_mode"}:
        raise TypeError(f"For 'load', the arguments may be 'dec_key' and 'dec_mode', but got {sorted(unknown)}.")
    dec_key, dec_mode = kwargs.get("dec_key"), kwargs.get("dec_mode", "AES-GCM")
    if dec_key is not None and not isinstance(dec_key, bytes):
        raise TypeError(f"For 'load', the 'dec_key' must be bytes, but got {show(dec_key)}.")
    path = os.path.realpath(file_name)
    if callable(dec_mode):
        if dec_key is None:
            raise ValueError("For 'load', a function as 'dec_mode' needs a 'dec_key'.")
        model = mindir.parse(dec_mode(file_name, dec_key), path)
    else:
        model = mindir.read(path, dec_key, dec_mode)
    try:
        return LoadedGraph(model)
    except ModelError as error:
        raise ModelError(f"The file '{path}' is damaged: {error}.") from None
    except NotImplementedError as error:
        raise NotImplementedError(f"{error} It is in the file '{path}'.") from None
