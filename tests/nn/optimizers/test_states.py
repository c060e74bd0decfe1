"""The state of a parameter server on the disk: damage is told, and leaves the parameters as they were."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter
from mindspore.nn.optimizers import states


def parameters(start):
    return {"a": Parameter(np.arange(start, start + 5, dtype=np.float32)),
            "b": Parameter(np.full((2, 3), start, np.float16))}


def values(found):
    return {name: p.asnumpy().tolist() for name, p in found.items()}


def refusal(path, found):
    """What is said of a file; "" if it is read."""
    try:
        assert states.read(path, found) == 7
    except ValueError as error:
        return str(error)
    return ""


def test_a_changed_bit_or_a_cut_is_told_or_changes_nothing(tmp_path):
    path, other = tmp_path / "whole.npz", tmp_path / "damaged.npz"
    states.written(path, parameters(3), 7)
    whole, told = path.read_bytes(), 0
    for at in range(0, len(whole), 3):
        for damaged in (whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :], whole[:at]):
            other.write_bytes(damaged)
            found = parameters(0)
            error = refusal(other, found)
            assert values(found) == values(parameters(0 if error else 3))
            assert not error or str(other) in error
            told += bool(error)
    assert told > len(whole) // 2


def test_the_state_of_another_program_is_told(tmp_path):
    path = tmp_path / "a.npz"
    states.written(path, parameters(3), 7)
    found = parameters(0) | {"c": Parameter(np.zeros(2, np.float32))}
    with pytest.raises(ValueError, match="c differ"):
        states.read(path, found)
    assert values(found)["a"] == values(parameters(0))["a"]
    assert states.read(path, parameters(0)) == 7
