"""What a record takes: copies of tensors, and messages of the format."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import bfloat16
from mindspore.eager.tensor import Tensor
from mindspore.formats.event_values import Sampled, is_image
from mindspore.formats.events import EVENTS, LINEAGE, NUMBERS

VALUES = ("scalar", "tensor", "histogram", "image")
LINEAGES = {"dataset_graph": ("DatasetGraph", "dataset_graph"),
            "train_lineage": ("TrainLineage", "train_lineage"),
            "eval_lineage": ("EvaluationLineage", "evaluation_lineage"),
            "custom_lineage_data": ("UserDefinedInfo", "user_defined_info")}
PLUGINS = (*VALUES, *LINEAGES, "graph", "landscape")


class Message(NamedTuple):
    """A message of the caller's under a plug-in: a graph, a landscape, a part of the lineage."""

    plugin: str
    tag: str
    content: Any


class Latest(list[Any]):
    """The values that summary operators were given since the last record: the last one under each name."""

    def append(self, one: Any, /) -> None:
        """Take a value in place of an earlier one of the same kind and name."""
        for k, other in enumerate(self):
            if (other.kind, other.tag) == (one.kind, one.tag):
                self[k] = one
                return
        super().append(one)


def sampled(plugin: str, tag: str, value: Tensor) -> Sampled:
    """A tensor as it is now.  TypeError for complex elements, ValueError for a shape that the plug-in does not take."""
    owner, type_name = "SummaryRecord", value.dtype.name.removesuffix("_")
    array = _copied(value)
    if array.dtype.kind == "c" or type_name not in NUMBERS:
        raise check.fail(TypeError, owner, tag, "a tensor of real numbers or bools", value)
    if plugin == "scalar" and array.size != 1:
        raise check.fail(ValueError, owner, tag, "a scalar, which has one element", value)
    if plugin in ("tensor", "histogram") and not array.ndim:
        raise check.fail(ValueError, owner, tag, f"a {plugin}, which has one dimension or more", value)
    if plugin == "image" and not is_image(array):
        raise check.fail(ValueError, owner, tag, "an image, which has the shape (N, 1 or 3, H, W)", value)
    return Sampled(plugin, tag, array, type_name)


def _copied(value: Tensor) -> np.ndarray:
    """The elements, copied by one thread: beside a training, several of them cost more than they save."""
    return np.array(value.asnumpy() if value.dtype is bfloat16 else value._data.numpy(force=True), order="C")


def message_of(plugin: str, value: Any) -> Any:
    """A message of the format: of ours, or of another library that describes the same."""
    from google.protobuf.message import DecodeError  # loaded by need, as the messages are

    kind, file = (LINEAGES[plugin][0], LINEAGE) if plugin in LINEAGES else (
        "GraphProto" if plugin == "graph" else "LossLandscape", EVENTS)
    owner = "SummaryRecord.add_value"
    if plugin == "graph" and isinstance(value, bytes):
        try:
            return EVENTS.ModelProto.FromString(value).graph
        except DecodeError as error:
            raise ValueError(f"For '{owner}', the bytes of a graph must be those of a ModelProto, "
                             f"but: {error}.") from None
    named = getattr(getattr(value, "DESCRIPTOR", None), "name", None)
    if named != kind:
        raise check.fail(TypeError, owner, "value", f"a {kind}", value)
    return getattr(file, kind).FromString(value.SerializeToString())
