"""Cotangents of packed values: sums of trees, in which None is zero."""
from __future__ import annotations

import torch

from mindspore.compiler.codegen.flow import tree_add


def test_what_is_missing_in_one_sum_is_taken_from_the_other():
    a, b, c = torch.tensor(1.0), torch.tensor(2.0), torch.tensor(4.0)
    assert tree_add((a, None, (None, b)), (None, c, (a, b))) == (a, c, (a, b + b))
    assert tree_add(None, [a, b]) == [a, b]
    assert tree_add([a, b], None) == [a, b]
    assert tree_add(None, None) is None
