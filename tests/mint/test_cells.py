"""Cells of `mint.nn` against those of torch: the same results, derivatives, names of parameters and repeated
                                    training."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, mint

RNG = np.random.default_rng(4)
SEQ, IMG, VOL = [RNG.normal(size=s).astype("f4") for s in ((3, 4, 9), (3, 4, 6, 5), (3, 4, 4, 3, 5))]
ROWS = RNG.normal(size=(3, 4)).astype("f4")
CLASSES = np.array([1, 0, 2])
LOGP, PROB = np.log(RNG.dirichlet(np.ones(4), 3)).astype("f4"), RNG.dirichlet(np.ones(4), 3).astype("f4")

CELLS = [
    *[(n, (), {}, (IMG,)) for n in ("ReLU", "ReLU6", "SELU", "SiLU", "ELU", "GELU", "Hardshrink", "Hardsigmoid",
                                    "Hardswish",
                                    "Hardtanh", "LogSigmoid", "Mish", "PReLU", "Sigmoid", "Softshrink", "Tanh",
                                    "Identity",
                                    "Flatten")],
    ("ReLU6", (True,), {}, (IMG,)), ("SiLU", (True,), {}, (IMG,)), ("ELU", (2.0, True), {}, (IMG,)),
    ("GELU", ("tanh",), {}, (IMG,)),
    ("GLU", (1,), {}, (IMG,)), ("Hardshrink", (0.2,), {}, (IMG,)), ("Softshrink", (0.2,), {}, (IMG,)),
    ("Hardtanh", (-2.0, 0.3), {}, (IMG,)),
    ("LogSoftmax", (1,), {}, (IMG,)), ("Softmax", (), {"dim": -1}, (IMG,)), ("Threshold", (0.2, 7.0), {}, (IMG,)),
    ("PReLU", (4, 0.1), {}, (IMG,)), ("Linear", (5, 3), {}, (IMG,)), ("Linear", (5, 3, False), {}, (IMG,)),
    ("Flatten", (2,), {}, (IMG,)), ("Dropout", (0.0,), {}, (IMG,)), ("Dropout2d", (1.0,), {}, (IMG,)),
    ("Conv1d", (4, 6, 3), {}, (SEQ,)), ("Conv1d", (4, 6, 3, 2, 1, 2, 2, False), {}, (SEQ,)),
    ("Conv1d", (4, 6, 3), {"padding": 2, "padding_mode": "reflect"}, (SEQ,)),
    ("Conv1d", (4, 6, 3), {"padding": "same"}, (SEQ,)),
    ("Conv2d", (4, 6, 3), {}, (IMG,)), ("Conv2d", (4, 6, (3, 2), (2, 1), (1, 0), 1, 2), {}, (IMG,)),
    ("Conv2d", (4, 6, 3), {"padding": (2, 1), "padding_mode": "circular"}, (IMG,)),
    ("Conv2d", (4, 6, (2, 3)), {"padding": "same", "padding_mode": "replicate"}, (IMG,)),
    ("Conv2d", (4, 6, 3), {"padding": 1, "padding_mode": "replicate"}, (IMG[0],)),
    ("Conv2d", (4, 6, 3), {}, (IMG[0],)),
    ("Conv3d", (4, 6, 2), {}, (VOL,)), ("Conv3d", (4, 6, 3), {"padding": 1, "stride": 2}, (VOL,)),
    ("ConvTranspose2d", (4, 6, 3), {}, (IMG,)), ("ConvTranspose2d", (4, 6, 3, 2, 1, 1, 2), {}, (IMG,)),
    ("ConvTranspose2d", (4, 6, (2, 3), 3, (0, 1), (1, 2), 1, False, 2), {}, (IMG[0],)),
    ("ConvTranspose2d", (4, 6, 3, 2), {}, (IMG, (14, 12))),
    ("Embedding", (5, 3), {}, (CLASSES,)), ("Embedding", (5, 3, 1), {}, (CLASSES,)),
    ("BatchNorm1d", (4,), {}, (SEQ,)), ("BatchNorm1d", (4, 1e-3, 0.3), {}, (ROWS,)),
    ("BatchNorm1d", (4,), {"momentum": None}, (SEQ,)),
    ("BatchNorm2d", (4,), {"affine": False}, (IMG,)), ("BatchNorm2d", (4,), {"track_running_stats": False}, (IMG,)),
    ("BatchNorm2d", (4,), {}, (IMG,)), ("BatchNorm3d", (4,), {}, (VOL,)),
    ("GroupNorm", (2, 4), {}, (IMG,)), ("GroupNorm", (2, 4, 0.1, False), {}, (IMG,)),
    ("LayerNorm", (5,), {}, (IMG,)), ("LayerNorm", ((6, 5), 0.1), {}, (IMG,)),
    ("LayerNorm", (5,), {"bias": False}, (IMG,)),
    ("LayerNorm", (5,), {"elementwise_affine": False}, (IMG,)),
    ("AdaptiveAvgPool1d", (4,), {}, (SEQ,)), ("AdaptiveAvgPool2d", (4,), {}, (IMG,)),
    ("AdaptiveAvgPool3d", (2,), {}, (VOL,)),
    ("AdaptiveMaxPool1d", (4,), {}, (SEQ,)), ("AdaptiveMaxPool2d", (4,), {}, (IMG,)),
    ("AvgPool1d", (3,), {}, (SEQ,)), ("AvgPool1d", (3, 2, 1, True, False), {}, (SEQ,)),
    ("AvgPool2d", (2,), {"divisor_override": 3}, (IMG,)),
    ("AvgPool2d", ((3, 2), 1, (1, 0)), {"ceil_mode": True}, (IMG,)),
    ("AvgPool3d", (2, 1, 1, False, False), {}, (VOL,)), ("MaxPool2d", (2,), {}, (IMG,)),
    ("MaxPool2d", (3, 2, 1, 2), {}, (IMG,)),
    ("Unfold", (2,), {"padding": 1, "stride": 2}, (IMG,)), ("Fold", ((7, 6), 2), {}, (IMG.reshape(3, 4, 30),)),
    ("PixelShuffle", (2,), {}, (IMG,)), ("Upsample", (), {"scale_factor": 2.0}, (IMG,)),
    ("UpsamplingBilinear2d", ((4, 7),), {}, (IMG,)), ("UpsamplingNearest2d", (), {"scale_factor": 2.0}, (IMG,)),
    ("ZeroPad1d", (2,), {}, (SEQ,)), ("ZeroPad1d", ((1, 2),), {}, (SEQ,)), ("ZeroPad2d", ((1, 2, 0, 1),), {}, (IMG,)),
    ("ZeroPad3d", (1,), {}, (VOL,)), ("ZeroPad3d", ((1, 0, 2, 1, 0, 1),), {}, (VOL,)),
    ("ConstantPad1d", ((1, 2), 3.0), {}, (SEQ,)), ("ConstantPad2d", (1, 3.0), {}, (IMG,)),
    ("ConstantPad3d", (1, 3.0), {}, (VOL,)),
    ("ReflectionPad1d", (2,), {}, (SEQ,)), ("ReflectionPad2d", (2,), {}, (IMG,)),
    ("ReflectionPad3d", (1,), {}, (VOL,)),
    ("ReplicationPad1d", (2,), {}, (SEQ,)), ("ReplicationPad2d", (2,), {}, (IMG,)),
    ("ReplicationPad3d", (1,), {}, (VOL,)),
    ("BCELoss", (), {}, (PROB, PROB[::-1].copy())), ("BCEWithLogitsLoss", (), {"reduction": "sum"}, (ROWS, PROB)),
    ("CrossEntropyLoss", (), {"label_smoothing": 0.1}, (ROWS, CLASSES)),
    ("CrossEntropyLoss", (), {"ignore_index": 2}, (ROWS, CLASSES)),
    ("KLDivLoss", (), {"reduction": "batchmean"}, (LOGP, PROB)),
    ("KLDivLoss", (), {"log_target": True, "reduction": "sum"}, (LOGP, LOGP[::-1].copy())),
    ("L1Loss", (), {}, (ROWS, PROB)), ("MSELoss", (), {}, (ROWS, PROB)),
    ("NLLLoss", (), {"ignore_index": 0}, (LOGP, CLASSES)),
    ("SmoothL1Loss", (), {"beta": 0.3}, (ROWS, PROB)), ("SoftMarginLoss", (), {}, (ROWS, np.sign(LOGP + 1))),
    ("CosineEmbeddingLoss", (0.1,), {}, (ROWS, PROB, np.array([1.0, -1.0, 1.0], "f4"))),
]


def twins(name, args, options):
    """A cell, and torch's module with its parameters."""
    cell, module = getattr(mint.nn, name)(*args, **options), getattr(torch.nn, name)(*args, **options)
    named = {p.name.rpartition(".")[2]: p for p in cell.get_parameters()}
    theirs = dict(module.state_dict())
    assert set(named) == set(theirs)
    with torch.no_grad():
        for key, p in named.items():
            assert tuple(p.shape) == tuple(theirs[key].shape)
            theirs[key].copy_(torch.from_numpy(p.asnumpy()))
    return cell, module


def inputs(values):
    ours = [Tensor(v) if isinstance(v, np.ndarray) else v for v in values]
    theirs = [torch.from_numpy(v.copy()) if isinstance(v, np.ndarray) else v for v in values]
    return ours, theirs


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "args", "options", "given"),
                         [pytest.param(*c, id=f"{c[0]}-{i}") for i, c in enumerate(CELLS)])
def test_results_and_derivatives_are_those_of_torch(name, args, options, given):
    cell, module = twins(name, args, options)
    cell.set_train()
    weights, named = list(cell.trainable_params()), dict(module.named_parameters())
    floats = given[0].dtype.kind == "f"
    for _ in range(2):                                   # running statistics move
        ours, (first, *rest) = inputs(given)
        first.requires_grad_(floats)
        want = module(first * 1, *rest)
        factors = np.cos(np.arange(want.numel())).reshape(want.shape).astype("f4")
        (want * torch.from_numpy(factors)).sum().backward()

        by = Tensor(factors)

        def weighed(x, *others):
            out = cell(x * 1, *others)
            return (out * by).sum(), out            # noqa: B023 (called before the next turn)

        (_, out), found = ms.value_and_grad(weighed, 0 if floats else None, weights or None, has_aux=True)(*ours)
        assert_near(out, want.detach())
        if floats:
            of_input, found = found if weights else (found, ())
            assert_near(of_input, first.grad)
        for p, g in zip(weights, found, strict=True):
            assert_near(g, named[p.name.rpartition(".")[2]].grad)
        module.zero_grad()
    for p in cell.get_parameters():
        assert_near(p, module.state_dict()[p.name.rpartition(".")[2]])
    cell.set_train(False)
    module.eval()
    ours, theirs = inputs(given)
    assert_near(cell(*ours), module(*theirs).detach())


def assert_near(got, want):
    np.testing.assert_allclose(got.asnumpy(), want.numpy(), rtol=2e-4, atol=3e-5)
