"""Every public path that is not a file of its own: one row each; `hook.py` says what a row means."""

from __future__ import annotations

PATHS: dict[str, str | list[str]] = {
    "mindspore": [
        "mindspore.core.tensor:Tensor tensor is_tensor",
        "mindspore.core.parameter:Parameter ParameterTuple",
        "mindspore.core.dtype:*",
        "mindspore.core.context:set_context get_context GRAPH_MODE PYNATIVE_MODE",
        "mindspore.core.seed:set_seed get_seed",
        "mindspore.train:Model",
    ],
    "mindspore.context": "mindspore.core.context",
    "mindspore.dtype": "mindspore.core.dtype",
    "mindspore.log": "mindspore.core.log",
    "mindspore.common": ["mindspore.core.tensor:Tensor", "mindspore.core.seed:set_seed get_seed"],
    "mindspore.common.dtype": "mindspore.core.dtype",
    "mindspore.common.initializer": "mindspore.core.initializer",
    "mindspore.common.seed": ["mindspore.core.seed:set_seed get_seed"],
    "mindspore.common.tensor": ["mindspore.core.tensor:Tensor tensor __call__=tensor"],
}
