"""What `set_algo_parameters` leaves of the choices, and its errors."""
from __future__ import annotations

import pytest
from split_steps import graph_of

import mindspore as ms
from mindspore.ir import ITEM
from mindspore.parallel import search_options
from mindspore.parallel.choices import choices
from mindspore.parallel.placement import Mesh, local_shape


@pytest.fixture(autouse=True)
def defaults():
    yield
    ms.reset_algo_parameters()


def nodes():
    graph, _ = graph_of("mlp")
    return [n for n in graph.nodes if n.op is not ITEM]


def test_all_devices_are_used_where_they_can_be():
    mesh = Mesh((2, 2))
    ms.set_algo_parameters(fully_use_devices=True)
    for node in nodes():
        every = choices(node, mesh)
        left = search_options.allowed(node, every, mesh)
        assert left
        if any(all(c.labels) for c in every):
            assert all(all(c.labels) for c in left)


def test_pieces_of_products_are_aligned():
    mesh = Mesh((4,))
    ms.set_algo_parameters(tensor_slice_align_enable=True, tensor_slice_align_size=4)
    product = next(n for n in nodes() if n.op.name == "MatMul")          # (8, 5).T times (8, 16)
    left = search_options.allowed(product, choices(product, mesh), mesh)
    assert len(left) == len(choices(product, mesh))                      # none has pieces of 4: nothing is left out
    wide = next(n for n in nodes() if n.op.name == "Dense")              # (8, 12), (16, 12), (16,)
    left = search_options.allowed(wide, choices(wide, mesh), mesh)
    assert len(left) > 0
    for choice in left:
        for x, placement in zip(wide.inputs, choice.inputs, strict=True):
            assert local_shape(x.aval.shape, placement, mesh, 3)[-1] % 4 == 0


def test_names_and_values_are_checked_and_kept():
    assert ms.get_algo_parameters("algo_approxi_epsilon") == 0.1
    ms.set_algo_parameters(algo_approxi_epsilon=0.5, enable_algo_approxi=True)
    assert ms.parallel.get_algo_parameters("algo_approxi_epsilon") == 0.5
    ms.reset_algo_parameters()
    assert ms.get_algo_parameters("enable_algo_approxi") is False
    for wrong, error in (({"fully_use_devices": 1}, TypeError), ({"algo_approxi_epsilon": 2.0}, ValueError),
                         ({"algo_approxi_epsilon": 1}, TypeError), ({"tensor_slice_align_size": 0}, ValueError),
                         ({"tensor_slice_align_size": 2000}, ValueError), ({"fully_use_device": True}, ValueError)):
        with pytest.raises(error):
            ms.set_algo_parameters(**wrong)
    with pytest.raises(ValueError, match="Did you mean 'fully_use_devices'"):
        ms.get_algo_parameters("fully_use_device")
