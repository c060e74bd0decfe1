"""Models in an opset of the user's choice; the rules of operators are written for one."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mindspore.operators.exported import OPSET

_REDUCTIONS = {"ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
               "ReduceLogSumExp", "ReduceSumSquare"}
_LATER = {"Mish", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "Col2Im", "CenterCropPad"}


def library() -> Any:
    """The package `onnx`.

    Raises:
        ImportError: If it is not installed.
    """
    try:
        import onnx
    except ImportError:
        raise ImportError("Writing ONNX files needs the package 'onnx': pip install anyspore[onnx]") from None
    return onnx


def model_message(graph: Any, opset: int, notes: Mapping[str, str]) -> Any:
    """The message of a model, in an opset of the user's choice.

    Raises:
        ValueError: If ONNX's operators cannot be brought to that opset.
    """
    onnx = library()

    def model(version: int) -> Any:
        identifiers = [onnx.helper.make_opsetid("", version)]
        made = onnx.helper.make_model(graph, opset_imports=identifiers, producer_name="anyspore",
                                      ir_version=onnx.helper.find_min_ir_version_for(identifiers))
        onnx.helper.set_model_props(made, dict(notes))
        return made
    if opset < OPSET:
        lowered(graph, opset)
        return model(opset)
    made = model(OPSET)
    if opset > OPSET:
        try:
            return onnx.version_converter.convert_version(made, opset)
        except RuntimeError as error:
            raise ValueError(f"For 'export', the model cannot be written in opset {opset}: {error}") from None
    return made


def lowered(graph: Any, opset: int, constants: dict[str, Any] | None = None) -> None:
    """Rewrite a graph of opset 18 in place as one of 17: reductions have their axes as attributes.

    Raises:
        ValueError: If it has an operator that 17 does not have.
    """
    onnx = library()
    constants = {**(constants or {}), **{t.name: t for t in graph.initializer}}
    for node in graph.node:
        if node.op_type in _LATER or (node.op_type == "Split" and len(node.input) < 2):
            raise ValueError(f"For 'export', the model needs ONNX's operator '{node.op_type}', which opset {opset} "
                             "lacks: use 18 or later.")
        if node.op_type in _REDUCTIONS and len(node.input) > 1:
            axes = onnx.numpy_helper.to_array(constants[node.input[1]])
            node.attribute.append(onnx.helper.make_attribute("axes", np.atleast_1d(axes).tolist()))
            del node.input[1:]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                lowered(attribute.g, opset, constants)
