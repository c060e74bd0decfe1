"""Every operator as a model of ONNX, by its own form or by what its kernel computes, run by ONNX Runtime."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from layout_samples import MORE
from onnx_models import run_message, written
from operator_samples import as_tuple, drawn

from mindspore.core.dtype import from_torch
from mindspore.operators.registry import REGISTRY

onnx = pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")

# Why operators cannot be written for some sample or all.
REASONS = {
    "complex numbers": (
        "Complex ComplexAbs Eig FFTWithSize Imag Polar Real ShortTime Transform TransformSeveral ViewAsReal"),
    "it factors or inverts a matrix": (
        "LuFactor Cholesky CholeskyInverse CholeskySolve Geqrf LogMatrixDeterminant Lstsq LuSolve LuUnpack "
        "MatrixExp MatrixInverse MatrixSolve MatrixTriangularSolve Orgqr Ormqr PseudoInverse Qr SingularValues Svd"),
    "a special function that ONNX lacks": (
        "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e "
        "BesselY0 BesselY1 Digamma Igamma IgammaSlope Igammac Polygamma PolygammaOf Zeta"),
    "a step of a training, and models are for evaluation": "AdamStep MomentumStep",
    "its kernel looks at elements": (
        "AtLabel CheckNumerics Histogram HistogramFixedWidth LessLabel MaskedScatter PlacesHere RoiAlign "
        "TensorScatterDiv WeightAt WeightsPlaced"),
    "a loop whose length depends on elements, or on bits": "Gcd Lcm NextAfter",
    "windows whose places are computed, or lie in memory": (
        "AdaptiveMaxPool ConvolveSamples FractionalMaxPool SampleWindows"),
    "which of equal elements is meant": "Median",
}
# those that have a form but for inputs of so many dimensions: three to pool, several lines to search
PARTS = {("AdaptiveAvgPool", 5), ("SearchSorted", 2)}
WITHOUT = {name for names in REASONS.values() for name in names.split()}
LONG = {"Betainc"}                 # its continued fraction has thousands of nodes
OPERATORS = [op for op in REGISTRY.values()
             if not op.effect and not op.name.lower().endswith("grad") and op.name not in LONG]
SAMPLES = [pytest.param(op, sample, id=f"{op.name}-{i}") for op in OPERATORS
           for i, sample in enumerate([*op.samples, *MORE.get(op.name, ())]) if op.onnx_rule or not i]


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_an_operator_computes_the_same_in_onnx_runtime(op, sample):
    torch.manual_seed(0)
    inputs, attrs = drawn(sample, torch.float32)
    if op.name == "CsrEnds":            # it takes sorted rows
        inputs[0] = inputs[0].sort().values
    wanted = as_tuple(op.kernel(*inputs, **attrs))
    if op.name in WITHOUT or (op.name, getattr(inputs[0] if inputs else None, "ndim", 0)) in PARTS:
        with pytest.raises(RuntimeError, match=f"the operator '{op.name}' cannot be written as ONNX"):
            written(op, inputs, attrs)
        return
    model, fed = written(op, inputs, attrs)
    onnx.checker.check_model(model, full_check=True)
    for mine, theirs in zip(run_message(model, fed), wanted, strict=True):
        assert from_torch(theirs.dtype).numpy == mine.dtype
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-4, atol=1e-5)


def test_operators_are_left_out_by_name_only_where_they_are():
    assert {op.name for op in OPERATORS} >= WITHOUT
