from __future__ import annotations

import torch

from mindspore.core.dtype import bfloat16
from mindspore.ir import Aval
from mindspore.operators.avals import aval_of, meta


def test_avals_and_tensors_without_elements_describe_each_other():
    aval = Aval((2, 3), bfloat16)
    made = meta(aval)
    assert (made.device.type, made.dtype, tuple(made.shape)) == ("meta", torch.bfloat16, (2, 3))
    assert aval_of(made) == aval
    assert meta(2.0) == 2.0
