"""Attributes of primitives are checked when a primitive is made, with the classes of errors that 2.10 raises."""
from __future__ import annotations

import inspect

import pytest

import mindspore as ms
from mindspore import nn
from mindspore.ops import operations as P
from mindspore.ops.attribute_kinds import checks

# What MindSpore 2.10 raises
REFUSED = [
    ("Softmax", {"axis": "a"}, TypeError), ("Softmax", {"axis": 1.5}, TypeError),
    ("Conv2D", {"out_channel": 0, "kernel_size": 2}, ValueError),
    ("Conv2D", {"out_channel": 2, "kernel_size": 0}, ValueError),
    ("Conv2D", {"out_channel": 2, "kernel_size": (-1, -1)}, ValueError),
    ("Conv2D", {"out_channel": 2, "kernel_size": ("a", "a")}, ValueError),
    ("Conv2D", {"out_channel": 2.5, "kernel_size": 2}, TypeError),
    ("Conv2D", {"out_channel": 2, "kernel_size": 2, "pad_mode": "full"}, ValueError),
    ("Conv2D", {"out_channel": 2, "kernel_size": 2, "group": 0}, ValueError),
    ("MaxPool", {"kernel_size": 0}, ValueError), ("MaxPool", {"kernel_size": -1}, ValueError),
    ("MaxPool", {"kernel_size": ()}, ValueError), ("MaxPool", {"kernel_size": "a"}, TypeError),
    ("MaxPool", {"pad_mode": "a"}, ValueError), ("MaxPool", {"data_format": "a"}, ValueError),
    ("MaxPool", {"data_format": 0}, ValueError), ("AvgPool3D", {"kernel_size": 0}, ValueError),
    ("AvgPool3D", {"divisor_override": -1}, ValueError), ("AvgPool", {"kernel_size": 1.5}, TypeError),
    ("Dropout2D", {"keep_prob": 1.5}, ValueError), ("Dropout2D", {"keep_prob": "a"}, TypeError),
    ("ApplyMomentum", {"gradient_scale": "a"}, TypeError), ("LRN", {"depth_radius": -1}, ValueError),
    ("LRN", {"bias": "a"}, TypeError), ("DepthToSpace", {"block_size": 1}, ValueError),
    ("DepthToSpace", {"block_size": "a"}, TypeError), ("KLDivLoss", {"reduction": "a"}, ValueError),
    ("KLDivLoss", {"reduction": 0}, ValueError), ("NLLLoss", {"reduction": "a"}, ValueError),
    ("GridSampler2D", {"padding_mode": "a"}, ValueError), ("MirrorPad", {"mode": "a"}, ValueError),
    ("IOU", {"mode": "a"}, ValueError), ("IOU", {"mode": 0}, TypeError),
    ("ListDiff", {"out_idx": ms.float32}, TypeError), ("Multinomial", {"dtype": ms.float32}, TypeError),
    ("TrilIndices", {"row": -1, "col": 2}, ValueError), ("ConfusionMatrix", {"num_classes": "a"}, TypeError),
    ("BroadcastTo", {"shape": "a"}, TypeError), ("Pad", {"paddings": 0}, TypeError),
    ("Im2Col", {"ksizes": 0}, ValueError), ("Im2Col", {"ksizes": 2, "pads": -1}, ValueError),
    ("Conv3D", {"out_channel": 2, "kernel_size": 2, "stride": 0}, ValueError),
    ("HShrink", {"lambd": "a"}, TypeError), ("Pdist", {"p": -0.5}, ValueError),
]


@pytest.mark.parametrize(("name", "given", "error"), REFUSED)
def test_what_the_original_refuses(name, given, error):
    with pytest.raises(error, match=rf"For '{name}', the '\w+' must be"):
        getattr(P, name)(**given)


def test_rows_name_attributes_and_defaults_pass():
    for name, attributes in checks().items():
        parameters = inspect.signature(getattr(P, name)).parameters
        assert attributes.keys() <= parameters.keys(), name
        for attribute, run in attributes.items():
            default = parameters[attribute].default
            if default is not inspect.Parameter.empty and default is not None and str(default) != "<absent>":
                run(name, attribute, default)


def test_what_may_be_an_int_or_several():
    assert P.Conv2D(2, (3, 2), stride=(1, 1, 2, 2)).kernel_size == (3, 2)
    assert P.Softmax((0, 1)).axis == (0, 1)
    assert P.MaxPool((1, 1, 2, 3)).kernel_size == (1, 1, 2, 3)          # as 1.x takes them
    assert P.AdaptiveAvgPool2D((None, 2)).output_size == (None, 2)
    assert P.GridSampler2D("BILINEAR").interpolation_mode == "BILINEAR"


@pytest.mark.parametrize(("make", "error"), [
    (lambda: nn.AdaptiveAvgPool1d("a"), TypeError), (lambda: nn.AdaptiveAvgPool1d(0), ValueError),
    (lambda: nn.AdaptiveMaxPool1d(-1), ValueError), (lambda: nn.HShrink("a"), TypeError),
    (lambda: nn.SoftShrink(()), TypeError),
])
def test_cells(make, error):
    with pytest.raises(error, match="must be"):
        make()
