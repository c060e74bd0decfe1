"""Names that cannot be here, and parameters and tensors that wait or change places."""
from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._names.absent import ABSENT, SIGNATURES


@pytest.mark.parametrize("name", ABSENT)
def test_it_imports_and_says_what_to_use_instead(name):
    found = getattr(importlib.import_module("mindspore.core.absent"), name)
    with pytest.raises(NotImplementedError, match=f"'{name}' is not here: ") as caught:
        found(1)
    assert ABSENT[name] in str(caught.value)
    with pytest.raises(AttributeError):
        found.anything  # noqa: B018  # looking it up is the test


def test_signatures_are_those_of_listed_names():
    assert SIGNATURES.keys() <= ABSENT.keys()
    assert str(inspect.signature(ms.runtime.set_stream_limit)) == "(stream, cube_num=-1, vector_num=-1)"


def test_public_paths_lead_to_them():
    assert ops.Push is ops.operations.Push
    assert ops.operations.BondEnergy.__name__ == "BondEnergy"
    assert nn.GetNextSingleOp.__doc__.startswith("Not here: ")


@pytest.mark.usefixtures("both_modes")
def test_parameters_wait_for_a_checkpoint_or_the_first_call():
    with nn.no_init_parameters():
        net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init="ones"))
    weight, bias = net[0].weight, net[0].bias
    assert (weight.has_init, weight.asnumpy().sum()) == (True, 0)
    weight.set_data(Tensor([[1.0, 2], [3, 4]]))
    assert (weight.has_init, bias.has_init) == (False, True)
    assert net(Tensor([[1.0, 1.0]])).tolist() == [[4, 8]]            # the bias was drawn, the weight was given
    assert not bias.has_init
    with nn.utils.no_init_parameters():
        late = ms.Parameter(ms.common.initializer.initializer("ones", (2,)), name="late")
    assert late.init_data().tolist() == [1, 1]


def test_tensors_change_places_and_lie_in_memory_that_is_given():
    a, b = Tensor([1]), Tensor([2.0, 3.0])
    ms.swap_tensors(a, b)
    assert (a.tolist(), b.tolist()) == ([2, 3], [1])
    memory = bytearray(8)
    x = ms.frombuffer(memory, ms.int32, offset=4)
    memory[4] = 7
    assert x.tolist() == [7]
    np.testing.assert_array_equal(ms.frombuffer(b"\x01\x02", ms.uint8).asnumpy(), [1, 2])
