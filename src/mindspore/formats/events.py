"""Event files: what a training leaves for those who look at it later, framed as TFRecord files are.

The first record of a summary tells the version; each further one is a time with a graph, or with a step and its
values. Files of lineage hold events of their own. Both are messages of the older protocol-buffer language, which
stores zeros. TensorBoard's files have the same frames and other numbers of fields.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mindspore.core.plain_files import regular
from mindspore.formats.messages import Messages
from mindspore.formats.tfrecord import RecordError, records

VERSION = "MindSpore.Event:1"
TENSORBOARD_VERSION = "brain.Event:2"

# data_type of tensors in values and graphs
NUMBERS = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9,
    "float16": 10, "float32": 11, "float64": 12, "complex64": 43, "complex128": 44, "bfloat16": 46,
}
STRING, TENSOR, TUPLE, LIST, NONE, TYPE = 13, 14, 31, 32, 34, 39

_TENSOR = {
    "dims": (1, ["int64"]), "data_type": (2, "int32"), "float_data": (3, ["packed float"]),
    "int32_data": (4, ["packed int32"]), "int64_data": (5, ["packed int64"]), "double_data": (6, ["packed double"]),
    "uint64_data": (7, ["packed uint64"]), "raw_data": (8, "bytes"),
}
_POINT = {"x": (1, "TensorProto"), "y": (2, "TensorProto"), "z": (3, "TensorProto")}
_GRAPH = {
    "ModelProto": {"ir_version": (1, "int64"), "domain": (2, "string"), "model_version": (3, "int64"),
                   "graph": (4, "GraphProto")},
    "GraphProto": {"node": (1, ["NodeProto"]), "name": (2, "string"), "parameters": (3, ["ParameterProto"]),
                   "outputs": (4, ["OutputProto"]), "const_vals": (5, ["NamedValueProto"])},
    "NodeProto": {"input": (1, ["InputProto"]), "name": (2, "string"), "op_type": (3, "string"),
                  "scope": (4, "string"), "attribute": (5, ["AttributeProto"]), "output_type": (6, "TypeProto"),
                  "output_i": (7, "uint64"), "full_name": (8, "string"), "source_address": (9, "string"),
                  "instance_name": (10, "string")},
    "InputProto": {"name": (1, "string"), "type": (2, "int32")},
    "AttributeProto": {"name": (1, "string"), "value": (2, "ValueProto")},
    "ParameterProto": {"name": (1, "string"), "type": (2, "TypeProto"), "default_val": (3, "ValueProto")},
    "OutputProto": {"name": (1, "string"), "type": (2, "TypeProto")},
    "NamedValueProto": {"key": (1, "string"), "value": (2, "ValueProto"), "full_name": (3, "string")},
    "TypeProto": {"data_type": (1, "int32"), "tensor_type": (2, "TensorType", "value"),
                  "sequence_type": (3, "SequenceType", "value")},
    "TensorType": {"elem_type": (1, "int32"), "shape": (2, "TensorShapeProto")},
    "SequenceType": {"elem_types": (1, ["TypeProto"])},
    "TensorShapeProto": {"dim": (1, ["Dimension"])},
    "Dimension": {"size": (1, "int64"), "name": (2, "string")},
    "ValueProto": {"dtype": (1, "int32"), "bool_val": (2, "bool"), "int_val": (3, "int64"),
                   "uint_val": (4, "uint64"), "float_val": (5, "float"), "double_val": (6, "double"),
                   "str_val": (7, "string"), "tensor_val": (8, "TensorProto"), "graph": (9, "GraphProto"),
                   "values": (18, ["ValueProto"]), "dict_val": (19, ["NamedValueProto"]),
                   "type_val": (20, "TypeProto")},
    "TensorProto": _TENSOR,
}
EVENTS = Messages("mindspore.irpb", {
    **_GRAPH,
    "Event": {"wall_time": (1, "required double"), "step": (2, "int64"), "version": (3, "string", "what"),
              "graph_def": (4, "GraphProto", "what"), "summary": (5, "Summary", "what")},
    "Summary": {"value": (1, ["Value"])},
    "Value": {"tag": (1, "required string"), "scalar_value": (3, "float", "value"), "image": (4, "Image", "value"),
              "tensor": (8, "TensorProto", "value"), "histogram": (9, "Histogram", "value"),
              "loss_landscape": (10, "LossLandscape", "value")},
    "Image": {"height": (1, "required int32"), "width": (2, "required int32"), "colorspace": (3, "required int32"),
              "encoded_image": (4, "required bytes")},
    "Histogram": {"buckets": (1, ["Bucket"]), "nan_count": (2, "int64"), "pos_inf_count": (3, "int64"),
                  "neg_inf_count": (4, "int64"), "max": (5, "double"), "min": (6, "double"), "sum": (7, "double"),
                  "count": (8, "int64")},
    "Bucket": {"left": (1, "required double"), "width": (2, "required double"), "count": (3, "required int64")},
    "LossLandscape": {"landscape": (1, "Point"), "loss_path": (2, "LossPath"), "metadata": (3, "LandscapeMetadata"),
                      "convergence_point": (4, "Point")},
    "LossPath": {"intervals": (1, ["int32"]), "points": (2, "Point")},
    "LandscapeMetadata": {"decomposition": (1, "string"), "unit": (2, "string"), "step_per_epoch": (3, "int32")},
    "Point": _POINT,
}, "proto2")  # fmt: skip

LINEAGE = Messages("mindspore.lineage", {
    "LineageEvent": {"wall_time": (1, "required double"), "step": (2, "int64"), "version": (3, "string", "what"),
                     "train_lineage": (6, "TrainLineage", "what"),
                     "evaluation_lineage": (7, "EvaluationLineage", "what"),
                     "dataset_graph": (9, "DatasetGraph", "what"),
                     "user_defined_info": (10, "UserDefinedInfo", "what")},
    "UserDefinedInfo": {"user_info": (1, ["UserDefinedInfo"]), "map_dict": (2, {"string": "UserDefinedInfo"}),
                        "map_int32": (3, {"string": "int32"}), "map_str": (4, {"string": "string"}),
                        "map_double": (5, {"string": "double"})},
    "TrainLineage": {"hyper_parameters": (1, "HyperParameters"), "train_dataset": (2, "LineageDataset"),
                     "algorithm": (3, "Algorithm"), "model": (4, "LineageModel")},
    "HyperParameters": {"optimizer": (1, "string"), "learning_rate": (2, "float"), "loss_function": (3, "string"),
                        "epoch": (4, "int32"), "parallel_mode": (5, "string"), "device_num": (6, "int32"),
                        "batch_size": (8, "int32")},
    "LineageDataset": {"path": (1, "string"), "size": (2, "int32")},
    "Algorithm": {"network": (1, "string"), "loss": (2, "float")},
    "LineageModel": {"path": (3, "string"), "size": (4, "int64")},
    "EvaluationLineage": {"metric": (2, "string"), "valid_dataset": (3, "LineageDataset")},
    "DatasetGraph": {"children": (1, ["DatasetGraph"]), "parameter": (2, "OperationParameter"),
                     "operations": (3, ["Operation"]), "sampler": (4, "Operation")},
    "Operation": {"operationParam": (1, "OperationParameter"), "size": (2, ["int32"]), "weights": (3, ["float"])},
    "OperationParameter": {"mapStr": (1, {"string": "string"}), "mapStrList": (2, {"string": "StrList"}),
                           "mapBool": (3, {"string": "bool"}), "mapInt": (4, {"string": "int32"}),
                           "mapDouble": (5, {"string": "double"})},
    "StrList": {"strValue": (1, ["string"])},
}, "proto2")  # fmt: skip

TENSORBOARD = Messages("tensorboard", {
    "Event": {"wall_time": (1, "double"), "step": (2, "int64"), "file_version": (3, "string", "what"),
              "summary": (5, "Summary", "what")},
    "Summary": {"value": (1, ["Value"])},
    "Value": {"tag": (1, "string"), "simple_value": (2, "float", "value"), "image": (4, "Image", "value"),
              "histo": (5, "Histogram", "value"), "tensor": (8, "TensorProto", "value")},
    "Image": {"height": (1, "int32"), "width": (2, "int32"), "colorspace": (3, "int32"),
              "encoded_image_string": (4, "bytes")},
    "Histogram": {"min": (1, "double"), "max": (2, "double"), "num": (3, "double"), "sum": (4, "double"),
                  "sum_squares": (5, "double"), "bucket_limit": (6, ["double"]), "bucket": (7, ["double"])},
    "TensorProto": {"dtype": (1, "int32"), "tensor_shape": (2, "TensorShape"), "float_val": (5, ["float"])},
    "TensorShape": {"dim": (2, ["Dim"])},
    "Dim": {"size": (1, "int64")},
})  # fmt: skip


class EventError(ValueError):
    """A file that is no event file, or whose frames or messages are damaged or cut off."""


def read_events(path: str | os.PathLike[str], lineage: bool = False) -> Iterator[Any]:
    """The events of a file in order, the version first.

    Args:
        path: The file.
        lineage: Whether it is one of lineage, whose name ends in `_lineage`.

    Raises:
        OSError: The file cannot be read.
        EventError: What follows the events so far is none; of a file that is still written, the end may be missing.
    """
    from google.protobuf.message import DecodeError  # loaded by need, as the messages are

    kind = LINEAGE.LineageEvent if lineage else EVENTS.Event
    with open(path, "rb", opener=regular) as file:
        try:
            for number, record in enumerate(records(file)):
                event = kind.FromString(record)
                if event.WhichOneof("what") is None or not event.IsInitialized():
                    raise EventError(f"'{os.fspath(path)}': record {number} is an event without its content, or one "
                                     "of another kind of file.")
                yield event
        except (RecordError, DecodeError) as error:
            raise EventError(f"'{os.fspath(path)}' is no event file, or is damaged: {error}.") from None
