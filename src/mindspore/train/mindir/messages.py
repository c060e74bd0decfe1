"""`load_mindir` and `save_mindir`: the message of a MindIR file, to look at and to change."""
from __future__ import annotations

import os
from typing import Any

from google.protobuf.message import DecodeError

from mindspore.core.errors import ModelError, show
from mindspore.formats import cipher
from mindspore.formats.files import atomic
from mindspore.formats.mindir import MESSAGES

from ..exporting.paths import checked_path, prepared_path


def load_mindir(file_name):
    """Reads the message that a MindIR file is; nothing in it is run or checked.

    Args:
        file_name: The file, not encrypted.

    Returns:
        The message (`Model` of the format), whose fields are attributes.

    Raises:
        TypeError: The name is no text.
        ValueError: There is no such file.
        ModelError: The file is encrypted or no MindIR file; a ValueError and a RuntimeError.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = f"{folder}/relu.mindir"
        ...     mindspore.export(nn.ReLU(), Tensor([0.0]), file_name=file, file_format="MINDIR")
        ...     model = mindspore.load_mindir(file)
        ...     model.user_info["version"] = "second"
        ...     mindspore.save_mindir(model, file)
        ...     dict(mindspore.load_mindir(file).user_info)
        {'version': 'second'}
    """
    if not isinstance(file_name, str):
        raise TypeError(f"For 'load_mindir', the 'file_name' must be a string, but got {show(file_name)}.")
    if not os.path.isfile(file_name):
        raise ValueError(f"For 'load_mindir', the 'file_name' must be a file, but there is no file '{file_name}'.")
    with open(file_name, "rb") as file:
        content = file.read()
    if cipher.is_encrypted(memoryview(content)):
        raise ModelError(f"The file '{file_name}' is encrypted: read it by 'load', which takes its key.")
    try:
        message = MESSAGES.Model.FromString(content)
    except DecodeError as error:
        raise ModelError(f"The file '{file_name}' is no MindIR file, or damaged: {error}.") from None
    if not message.graph.name:
        raise ModelError(f"The file '{file_name}' is no MindIR file: it has no graph.")
    return message


def save_mindir(model: Any, file_name):
    """Writes a message that `load_mindir` gave to a MindIR file, completely or not at all.

    Args:
        model: The message.
        file_name: File to write; the suffix .mindir is added if it is missing. Folders that do not exist are made.

    Raises:
        TypeError: The model is no such message, or the name no text.
        ValueError: The name has characters that names of models may not have.

    Examples:
        >>> mindspore.save_mindir("net", "net.mindir")
        Traceback (most recent call last):
        TypeError: For 'save_mindir', the 'model' must be what 'load_mindir' gives, but got 'net'.
    """
    path = checked_path("save_mindir", file_name)
    if not isinstance(model, MESSAGES.Model):
        raise TypeError(f"For 'save_mindir', the 'model' must be what 'load_mindir' gives, but got {show(model)}.")
    with atomic(prepared_path(path, ".mindir")) as file:
        file.write(model.SerializeToString())
