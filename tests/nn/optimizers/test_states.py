"""The state of a parameter server on the disk: damage is told, and leaves the parameters as they were."""
from __future__ import annotations

import io
import zipfile

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


def test_parameters_without_elements_are_kept(tmp_path):
    path, held = tmp_path / "a.npz", parameters(3) | {"none": Parameter(np.full((0, 4), 1, np.float32))}
    states.written(path, held, 7)
    found = parameters(0) | {"none": Parameter(np.full((0, 4), 0, np.float32))}
    assert states.read(path, found) == 7
    assert values(found) == values(held)


@pytest.mark.parametrize("content", [b"text", np.zeros(5, np.float32), np.zeros((4, 5), np.uint8)], ids=str)
def test_what_is_no_vector_of_bytes_changes_nothing(content, tmp_path):
    """The checksums fit: it is what another program wrote."""
    path, found = tmp_path / "a.npz", parameters(0)
    states.written(path, parameters(3), 7)
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    array = io.BytesIO()
    np.save(array, content, allow_pickle=False)
    members["b.npy"] = content if isinstance(content, bytes) else array.getvalue()
    with zipfile.ZipFile(path, "w") as new:
        for name, body in members.items():
            new.writestr(name, body)
    with pytest.raises(ValueError, match=str(path)):
        states.read(path, found)
    assert values(found) == values(parameters(0))
