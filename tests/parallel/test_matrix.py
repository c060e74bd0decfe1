"""Ten steps of every kind of network over every number of devices, with and without a parallel optimizer."""
from __future__ import annotations

import os

import pytest
import split_steps
import torch

from mindspore.parallel.placement import Mesh, meshes_of

NAMES = [*split_steps.NETS, *split_steps.MORE]
DEVICES = (2, 3, 4, 5, 6, 8)


def check(name, mesh, parallel):
    """Losses and all that lies between steps are those of one device; in float64, if there is such a kernel."""
    exact = name != "lstm"
    near = 1e-10 if exact else 1e-5
    found, wanted, losses, plan, _ = split_steps.stepping(name, mesh.size, parallel, mesh=mesh, exact=exact)
    for one, other in losses:
        assert one == pytest.approx(other, rel=near)
    for a, b in zip(found, wanted, strict=True):
        for x, y in zip(a, b, strict=True):
            torch.testing.assert_close(x, y, rtol=near, atol=near)
    assert any([any(c.labels) for c in plan.chosen.values()])
    return plan


@pytest.mark.parametrize(("name", "shape", "parallel"), [
    ("norm", (4,), False), ("transformer", (2, 3), True), ("tied", (2, 2), False), ("lenet", (5,), True),
    ("experts", (2, 2), True), ("lstm", (6,), True)])
def test_ten_steps_are_those_of_one_device(name, shape, parallel):
    plan = check(name, Mesh(shape), parallel)
    if name in ("norm", "tied", "experts"):
        assert any([c.across for c in plan.chosen.values()])


@pytest.mark.nightly
@pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY to the minutes it may take")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("devices", DEVICES)
def test_ten_steps_over_every_mesh_are_those_of_one_device(name, devices):
    for mesh in meshes_of(devices):
        for parallel in (False, True):
            check(name, mesh, parallel)
