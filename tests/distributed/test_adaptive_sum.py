"""Gradients that are summed so that common directions count once, against the formula."""
from __future__ import annotations

import numpy as np
import processes
import pytest

from mindspore import Parameter, Tensor, nn
from mindspore.nn.wrap.adaptive_sum import adaptive_sum

PROGRAM = """
ms.set_context(mode=MODE)
init()
draw = np.random.RandomState(get_rank())
grads = [draw.randn(3, 2).astype(np.float32) for _ in range(2)]
for kind in (nn.AdaSumByGradWrapCell, nn.AdaSumByDeltaWeightWrapCell):
    w = ms.Parameter(Tensor(np.ones((3, 2), np.float32)), name="w")
    step = kind(nn.SGD([w], 0.5))
    for g in grads:
        step((Tensor(g),))
    answer(kind.__name__, w)
for name, servers in (("apart", (1, 2)), ("together", (2, 1))):
    w = ms.Parameter(Tensor(np.ones((3, 2), np.float32)), name="w")
    answer(name, ms.boost.AdaSum(get_rank(), *servers, (w,))((Tensor(grads[0]),), (w,), (w * 1,))[0])
"""


def summed(a, b):
    return (1 - (a * b).sum() / (2 * (a * a).sum())) * a + (1 - (a * b).sum() / (2 * (b * b).sum())) * b


def test_orthogonal_gradients_are_added_and_equal_ones_averaged():
    a, b = Tensor([1.0, 0.0]), Tensor([0.0, 3.0])
    assert adaptive_sum(a, b).tolist() == [1, 3]
    assert adaptive_sum(a, a).tolist() == [1, 0]
    assert adaptive_sum(a, a * 0).tolist() == [1, 0]


@pytest.mark.parametrize("mode", [0, 1])
def test_a_step_of_two_processes_follows_the_formula(tmp_path, mode):
    found = processes.run(2, f"MODE = {mode}\n" + PROGRAM, tmp_path)
    draws = [np.random.RandomState(r) for r in range(2)]
    w = np.ones((3, 2))
    pairs = [[d.randn(3, 2).astype(np.float32).astype(np.float64) for d in draws] for _ in range(2)]
    for pair in pairs:
        w = w - 0.5 * summed(*pair)
    for f in found:
        np.testing.assert_allclose(f["apart"], 1 - summed(*pairs[0]), rtol=1e-5)
        np.testing.assert_allclose(f["together"], 1 - np.mean(pairs[0], 0), rtol=1e-5)
        for kind in ("AdaSumByGradWrapCell", "AdaSumByDeltaWeightWrapCell"):
            np.testing.assert_allclose(f[kind], w, rtol=1e-5)     # steps of SGD are multiples of the gradients


def test_a_program_of_one_process_has_nothing_to_sum():
    with pytest.raises(RuntimeError, match="stand-alone"):
        nn.AdaSumByGradWrapCell(nn.SGD([Parameter(Tensor([1.0]), name="w")], 0.1))
