"""AIR files (`.air`): graphs of GraphEngine's operators with their weights, one message of the package ge.proto."""
from __future__ import annotations

from mindspore.formats.messages import Messages

_DESCRIPTOR = {"name": (1, "string"), "dtype": (2, "int32"), "shape": (3, "Shape"), "layout": (4, "string"),
               "attr": (5, {"string": "Attr"}), "has_out_attr": (9, "bool"), "size": (10, "int64"),
               "weight_size": (11, "int64"), "reuse_input": (12, "bool"), "output_tensor": (13, "bool"),
               "device_type": (14, "string"), "input_tensor": (15, "bool"), "real_dim_cnt": (16, "int64"),
               "reuse_input_index": (17, "int64"), "data_offset": (18, "int64"), "cmps_size": (19, "int64"),
               "cmps_tab": (20, "string"), "cmps_tab_offset": (21, "int64")}
MESSAGES = Messages("anyspore.ge", {
    "Model": {"name": (1, "string"), "version": (2, "uint32"), "custom_version": (3, "string"),
              "graph": (7, ["Graph"]), "attr": (11, {"string": "Attr"})},
    "Graph": {"name": (1, "string"), "input": (4, ["string"]), "output": (5, ["string"]), "op": (6, ["Op"]),
              "attr": (11, {"string": "Attr"})},
    "Op": {"name": (1, "string"), "type": (2, "string"), "input": (5, ["string"]), "attr": (10, {"string": "Attr"}),
           "has_out_attr": (20, "bool"), "id": (21, "int64"), "stream_id": (22, "int64"),
           "input_name": (23, ["string"]), "src_name": (24, ["string"]), "src_index": (25, ["int64"]),
           "dst_name": (26, ["string"]),
           "dst_index": (27, ["int64"]), "input_i": (28, ["int64"]), "output_i": (29, ["int64"]),
           "workspace": (30, ["int64"]), "workspace_bytes": (31, ["int64"]), "is_input_const": (32, ["bool"]),
           "input_desc": (33, ["Descriptor"]), "output_desc": (34, ["Descriptor"]), "subgraph_name": (35, ["string"])},
    "Shape": {"dim": (1, ["int64"])},
    "Descriptor": _DESCRIPTOR,
    "Tensor": {"desc": (1, "Descriptor"), "data": (2, "bytes")},
    "NamedAttrs": {"name": (1, "string"), "attr": (2, {"string": "Attr"})},
    # a choice of one: it is written although it is 0
    "Attr": {"list": (1, "List", "value"), "s": (2, "bytes", "value"), "i": (3, "int64", "value"),
             "f": (4, "float", "value"), "b": (5, "bool", "value"), "bt": (7, "bytes", "value"),
             "func": (10, "NamedAttrs", "value"), "td": (11, "Descriptor", "value"), "t": (12, "Tensor", "value"),
             "g": (13, "Graph", "value"), "dt": (15, "int64", "value")},
    "List": {"s": (2, ["bytes"]), "i": (3, ["int64"]), "f": (4, ["float"]), "b": (5, ["bool"]), "bt": (7, ["bytes"]),
             "td": (8, ["Descriptor"]), "t": (9, ["Tensor"]), "g": (10, ["Graph"]), "na": (11, ["NamedAttrs"]),
             "dt": (12, ["int64"]), "val_type": (20, "int32")},
})
# types of elements in descriptors
TYPES = {"float32": 1, "float16": 2, "int8": 3, "uint8": 4, "int16": 5, "uint16": 6, "int32": 7, "int64": 8,
         "uint32": 9, "uint64": 10, "bool_": 11, "float64": 12, "complex64": 16, "complex128": 17, "bfloat16": 27}
# the same in attributes of operators, where GraphEngine's own numbers stand
NUMBERS = {"float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "uint16": 7, "uint32": 8,
           "int64": 9, "uint64": 10, "float64": 11, "bool_": 12, "complex64": 16, "complex128": 17, "bfloat16": 27}
STRINGS, INTEGERS, FLOATS, BOOLS = 1, 2, 3, 4        # what a list holds
