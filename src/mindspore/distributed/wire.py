"""Messages between workers and parameter servers: a line of JSON and the bytes of tensors, nothing that could run."""
from __future__ import annotations

import json
import math
import socket
import struct
from collections.abc import Sequence
from typing import Any

import torch

LENGTH = struct.Struct("<Q")
LONGEST = 1 << 24              # bytes of the line of JSON


class Gone(ConnectionError):
    """The other end is not there any more."""


def send(link: socket.socket, head: dict[str, Any], tensors: Sequence[torch.Tensor] = ()) -> None:
    """Send a message.

    Raises:
        Gone: The other end has left.
    """
    plain = [t.detach().cpu().contiguous() for t in tensors]
    line = json.dumps({**head, "tensors": [[str(t.dtype).removeprefix("torch."), list(t.shape)] for t in plain]})
    try:
        link.sendall(LENGTH.pack(len(line.encode())) + line.encode())
        for t in plain:
            if t.numel():
                link.sendall(t.reshape(-1).view(torch.uint8).numpy().data)
    except OSError as error:
        raise Gone(str(error)) from None


def receive(link: socket.socket) -> tuple[dict[str, Any], list[torch.Tensor]]:
    """The next message.

    Raises:
        Gone: The other end has left.
        ValueError: What comes is no message.
    """
    (length,) = LENGTH.unpack(_bytes(link, LENGTH.size))
    if length > LONGEST:
        raise ValueError(f"What came begins with a length of {length} bytes; it is no message of a worker or server.")
    head = json.loads(_bytes(link, length))
    found: list[torch.Tensor] = []
    for name, shape in head.pop("tensors"):
        dtype = getattr(torch, name, None)
        if not isinstance(dtype, torch.dtype):
            raise ValueError(f"A message has a tensor of the type {name!r}, which there is not.")
        raw = _bytes(link, math.prod(shape) * dtype.itemsize)
        found.append(torch.frombuffer(raw, dtype=dtype).reshape(shape) if raw else torch.empty(shape, dtype=dtype))
    return head, found


def _bytes(link: socket.socket, count: int) -> bytearray:
    found = bytearray(count)
    view, at = memoryview(found), 0
    while at < count:
        try:
            got = link.recv_into(view[at:])
        except OSError as error:
            raise Gone(str(error)) from None
        if not got:
            raise Gone("the connection was closed")
        at += got
    return found
