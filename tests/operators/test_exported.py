"""The ONNX rule of every operator that has one, run by ONNX's reference evaluator."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from layout_samples import MORE
from operator_samples import SAYS_TYPE, as_tuple, avals, drawn

from mindspore.core.dtype import from_torch
from mindspore.operators.exported import OPSET, Exported
from mindspore.operators.registry import REGISTRY

onnx = pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
reference = pytest.importorskip("onnx.reference", reason="the extra 'onnx' is not installed")

OPERATORS = [op for op in REGISTRY.values() if op.onnx_rule]
SAMPLES = [pytest.param(op, i, sample, id=f"{op.name}-{i}") for op in OPERATORS
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())])]
NOT_IN_ONNX = {("Elu", 1), ("Gather", 2), ("AdaptiveAvgPool", 0), ("AdaptiveAvgPool", 1), ("GetItem", 3)}
# samples with attributes that ONNX's operators do not have


def written(op, inputs, attrs):
    """A model of one operator, and what it is fed."""
    graph = Exported()
    names = [graph.value(a) if isinstance(x, torch.Tensor) else x for x, a in zip(inputs, avals(inputs), strict=True)]
    outs = as_tuple(graph.apply(op, names, attrs))
    kinds = {n: onnx.helper.np_dtype_to_tensor_dtype(np.dtype(graph.avals[n].dtype.numpy)) for n in graph.avals}
    nodes = [onnx.helper.make_node(n.kind, n.inputs, n.outputs, **n.attributes) for n in graph.nodes]
    fed = {n: x.numpy() for n, x in zip(names, inputs, strict=True) if isinstance(x, torch.Tensor)}
    body = onnx.helper.make_graph(
        nodes, op.name,
        [onnx.helper.make_tensor_value_info(n, kinds[n], graph.avals[n].shape) for n in fed],
        [onnx.helper.make_tensor_value_info(n, kinds[n], graph.avals[n].shape) for n in outs],
        [onnx.numpy_helper.from_array(v, n) for n, v in graph.constants.items()])
    model = onnx.helper.make_model(body, opset_imports=[onnx.helper.make_opsetid("", OPSET)])
    onnx.checker.check_model(model, full_check=True)
    return model, fed


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value encountered in divide")
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
@pytest.mark.parametrize(("op", "at", "sample"), SAMPLES)
def test_the_onnx_rule_computes_what_the_kernel_computes(op, at, sample, dtype):
    inputs, attrs = drawn(sample, dtype)
    if (op.name, at) in NOT_IN_ONNX and dtype is torch.float32:
        with pytest.raises(NotImplementedError, match="ONNX has no"):
            written(op, inputs, attrs)
        return
    kinds = {x.dtype for x in inputs if isinstance(x, torch.Tensor)}
    if op.promote and (len(kinds) > 1 or (torch.int32 in kinds and any(isinstance(x, float) for x in inputs))):
        pytest.skip("the inputs are cast first")
    try:
        wanted = as_tuple(op.kernel(*inputs, **attrs))
        op.infer(*avals(inputs), **attrs)
    except (RuntimeError, TypeError) as error:
        if dtype is not torch.int32 or not SAYS_TYPE.search(str(error)):
            raise
        pytest.skip("the operator does not take this type")
    try:
        model, fed = written(op, inputs, attrs)
    except (onnx.shape_inference.InferenceError, NotImplementedError) as error:
        if dtype is not torch.int32 or not ("unsupported type" in str(error) or "ONNX has no" in str(error)):
            raise
        pytest.skip("ONNX does not take this type")
    if (op.name, at) == ("Rnn", 1):
        pytest.skip("the reference evaluator knows no Relu in it; ONNX Runtime does")
    found = reference.ReferenceEvaluator(model).run(None, fed)
    for mine, theirs in zip(found, wanted, strict=True):
        assert from_torch(theirs.dtype).numpy == mine.dtype
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-5, atol=1e-6)


def test_every_rule_has_a_sample_with_which_it_is_tried():
    tried = {p.values[0].name for p in SAMPLES}
    # what draws, has results of any size, or depends on a size that only a run tells is tried in tests/train/exporting
    assert {op.name for op in OPERATORS} - tried == {"Arange", "LstmLayer", "NonZero", "MaskPlaces", "Dropout",
                                                     "StandardNormal", "UniformReal"}


def test_an_operator_without_a_form_in_onnx_says_so():
    with pytest.raises(NotImplementedError, match="'SampleWindows' has no form in ONNX"):
        Exported().apply(REGISTRY["SampleWindows"], (), {})
