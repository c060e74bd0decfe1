"""Parameters and optimizers' state in pieces between steps, on all devices of a mesh in one process."""
from __future__ import annotations

import pytest
import split_steps
import torch

from mindspore.parallel.placement import REPLICATE, Mesh, Shard
from mindspore.parallel.storing import Stored, writable


@pytest.mark.parametrize("name", split_steps.NETS)
@pytest.mark.parametrize("devices", [2, 3])
def test_ten_steps_with_pieces_are_those_of_one_device(name, devices):
    found, wanted, losses, plan, _ = split_steps.stepping(name, devices, parallel=devices != 2)
    for one, other in losses:
        assert one == pytest.approx(other, rel=1e-5)
    for a, b in zip(found, wanted, strict=True):
        for x, y in zip(a, b, strict=True):
            torch.testing.assert_close(x, y, rtol=1e-5, atol=1e-5)
    assert any(p != plan.mesh.whole for p in plan.stored.values())


@pytest.mark.parametrize("devices", [2, 4])
def test_a_parallel_optimizer_divides_what_a_device_holds(devices):
    *_, (held, whole) = split_steps.stepping("transformer", devices, parallel=True, steps=1)
    assert max(held) < 1.15 * whole / devices


def test_pieces_are_cut_and_put_together_again():
    mesh = Mesh((2, 3))
    x = torch.arange(7 * 5.0).reshape(7, 5)
    stored = Stored(mesh, (Shard(1), Shard(0)), (7, 5))
    assert [stored.local(d) for d in range(6)] == [(3, 3), (2, 3), (2, 3), (3, 2), (2, 2), (2, 2)]
    torch.testing.assert_close(stored.piece(x, 4), x[3:5, 3:])
    assert stored.piece(x, 0).untyped_storage().data_ptr() != x.untyped_storage().data_ptr()


def test_files_can_say_equal_pieces_and_axes_side_by_side():
    cube = Mesh((2, 2, 2))
    assert writable((Shard(0), Shard(0), REPLICATE), (8, 8), cube)
    assert writable((Shard(0), Shard(1), REPLICATE), (7, 7), cube)
    assert not writable((Shard(0), REPLICATE, Shard(0)), (8, 8), cube)
    assert not writable((Shard(0), Shard(0), REPLICATE), (7, 8), cube)
    assert not writable((Shard(0, 3), REPLICATE, REPLICATE), (9, 8), cube)
