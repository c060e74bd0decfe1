"""Changes of placements, done with pieces in one process, against cutting the whole tensor."""
from __future__ import annotations

import itertools

import pytest
import torch

import mindspore as ms
from mindspore.ir import Aval, Node, param
from mindspore.parallel.placement import (
    REPLICATE,
    Mesh,
    Partial,
    Shard,
    local_shape,
    mesh_of,
    meshes_of,
    pieces,
    possible,
    steps,
)
from mindspore.parallel.simulation import MOVED, line
from mindspore.parallel.splitting import Plan, Splitter

STATES = [REPLICATE, Shard(0), Shard(1), Shard(2, 3), Partial(), Partial("max")]


def piece(x, placement, mesh, device):
    """What a device has of a tensor."""
    for axis, (state, n, c) in enumerate(zip(placement, mesh.shape, mesh.place(device), strict=True)):
        if isinstance(state, Shard):
            x = x.split(pieces(x.shape[state.dim], n, state.unit), state.dim)[c]
        elif state == Partial("max"):
            x = x - c * (1 + axis)
        elif isinstance(state, Partial):
            x = x * (c + 1) / (n * (n + 1) / 2)
    return x


@pytest.mark.parametrize("mesh", [Mesh((2,)), Mesh((3,)), Mesh((2, 3)), Mesh((2, 2))])
def test_every_change_of_placement_gives_the_pieces_that_it_shall(mesh):
    x = torch.arange(7 * 8 * 18, dtype=torch.float64).reshape(7, 8, 18) + 100
    aval = Aval((7, 8, 18), ms.float64)
    every = [p for p in itertools.product(STATES, repeat=len(mesh.shape))
             if len({s.unit for s in p if isinstance(s, Shard) and s.dim == 2}) < 2
             and len({s.kind for s in p if isinstance(s, Partial)}) < 2]
    done = 0
    for now, wanted in itertools.product(every, repeat=2):
        if any([isinstance(b, Partial) and b != a for a, b in zip(now, wanted, strict=True)]):
            continue
        have = [piece(x, now, mesh, d) for d in range(mesh.size)]
        state = list(now)
        for step in steps(now, wanted):
            made = []
            for d in range(mesh.size):
                splitter = Splitter(Plan(mesh, {}), d, line)
                source = param(aval)
                splitter._step(source, Node(None, (), {}, Aval(tuple(have[d].shape), aval.dtype)), aval.shape,
                               state, step)
                made.append(splitter.nodes[0])
            have = moved(made, have)
            state[step.axis] = step.wanted
        assert tuple(state) == wanted
        for d, found in enumerate(have):
            assert tuple(found.shape) == local_shape(x.shape, wanted, mesh, d)
            torch.testing.assert_close(found, piece(x, wanted, mesh, d))
        done += 1
    assert done >= 20


def moved(nodes, have):
    """What devices have after a movement."""
    if nodes[0].op not in MOVED:
        return [n.op.kernel(x, **n.attrs) for n, x in zip(nodes, have, strict=True)]
    found = list(have)
    for devices in {n.attrs["group"]: n.attrs["group"].devices for n in nodes}.values():
        outs = MOVED[nodes[0].op]([have[d] for d in devices], [nodes[d].attrs for d in devices])
        for d, out in zip(devices, outs, strict=True):
            found[d] = out
    return found


def test_pieces_differ_by_one_unit_and_meshes_have_prime_axes():
    assert pieces(10, 4) == [3, 3, 2, 2]
    assert pieces(12, 3, unit=3) == [6, 3, 3]
    assert mesh_of(12).shape == (3, 2, 2)
    assert [m.shape for m in meshes_of(8)] == [(8,), (2, 4), (4, 2)]
    assert [m.shape for m in meshes_of(7) + meshes_of(1)] == [(7,), ()]
    assert [mesh_of(6).place(d) for d in range(6)] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert mesh_of(6).line(3, 0) == [1, 3, 5]
    assert not possible((3, 8), (Shard(0), Shard(0)), Mesh((2, 2)))
