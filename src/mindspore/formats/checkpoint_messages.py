"""Messages of checkpoints and of strategy files as classes, for programs that read such files themselves."""
from __future__ import annotations

from typing import Any

from mindspore.formats.messages import Messages
from mindspore.formats.strategy import STRATEGIES

CHECKPOINTS = Messages("mindspore.checkpoint", {
    "Checkpoint": {"value": (1, ["Value"])},
    "Value": {"tag": (1, "required string"), "tensor": (2, "required TensorProto")},
    "TensorProto": {"dims": (1, ["int64"]), "tensor_type": (2, "required string"),
                    "tensor_content": (3, "required bytes")},
}, "proto2")


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        for messages in (CHECKPOINTS, STRATEGIES):
            if hasattr(messages, name):
                return getattr(messages, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
