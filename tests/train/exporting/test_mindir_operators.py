"""Every operator as a MindIR file: read again it computes the same; the others are named."""
from __future__ import annotations

import mindir_operators
import pytest

from mindspore.operators.registry import REGISTRY
from mindspore.train.exporting.mindir_forms import FORMS


def test_every_operator_that_is_written_computes_the_same_when_it_is_read(tmp_path):
    without = mindir_operators.write(tmp_path)
    found = mindir_operators.differences(tmp_path)
    assert {name: d for name, d in found.items() if isinstance(d, str) or not d <= 1e-5} == {}
    assert set(without) == {*THEIR_INPUT, *WITHOUT}


# What is its input for this sample is no file of its own.
THEIR_INPUT = {"Copied", "Identity", "IsReal", "KeepPart", "Window"}
# Why the format cannot say what these compute.
WITHOUT = {
    "AdaptiveMaxPool": "no primitive of 2.10 gives the maxima of cells with their places",
    "AtLabel": "it tests its labels", "LessLabel": "it tests its labels", "PlacesHere": "it tests its places",
    "WeightAt": "it tests its labels", "WeightsPlaced": "it tests its labels",
    "CsrEnds": "it searches in sorted rows", "MaskedScatterGrad": "it counts the true elements of a mask",
    "DiagonalGrad": "torch's tracer does not follow its kernel", "Distances": "a kernel of torch as a whole",
    "MaxPool": "the places of maxima are no value of the format; without them it is written",
    "PolygammaOf": "a special function that is no primitive", "ShrinkGrad": "a kernel of torch as a whole",
    "LieAs": "it says how a tensor lies in memory", "LuFactor": "it factors a matrix",
    "PseudoInverse": "it factors a matrix", "SingularValues": "it factors a matrix",
    "ShortTime": "complex numbers", "Transform": "complex numbers", "TransformSeveral": "complex numbers",
}


def test_an_operator_has_one_rule():
    assert not [name for name in FORMS if REGISTRY[name].mindir_rule]


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_form_belongs_to_an_operator(name):
    assert name in REGISTRY
