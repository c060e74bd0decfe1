from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor
from mindspore.core.dtype import int8
from mindspore.eager.conversion import converted, device_of, shared

CPU = torch.device("cpu")


@pytest.mark.parametrize(("value", "dtype", "wanted"), [
    (1, torch.int64, 1), (True, torch.bool, True), (0.5, torch.float32, 0.5), (2j, torch.complex128, 2j),
    ([1, 2], torch.int64, [1, 2]), ([0.5], torch.float32, [0.5]), (np.float64(0.5), torch.float64, 0.5),
    ([np.float64(0.5)], torch.float32, [0.5]), ((Tensor([1]), Tensor([2])), torch.int64, [[1], [2]]),
])  # fmt: skip
def test_values_become_elements(value, dtype, wanted):
    made = converted(value, None, CPU)
    assert (made.dtype, made.tolist()) == (dtype, wanted)


def test_numbers_outside_a_type_wrap_as_elements_of_arrays_do():
    assert converted(300, int8, CPU).item() == np.array(300).astype(np.int8)


def test_arrays_share_their_memory_where_torch_can_describe_them():
    array = np.zeros(3)
    shared(array)[0] = 1
    assert array[0] == 1
    flipped = np.arange(3)[::-1]
    assert shared(flipped).tolist() == [2, 1, 0]
    assert shared(np.array([1], ">i4")).tolist() == [1]


def test_devices_have_the_names_of_the_context(monkeypatch):
    assert device_of("CPU") == CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert device_of("GPU:1") == torch.device("cuda", 1)
    for wrong in ("cuda", "GPU:", "GPU:a", "GPU:-1"):
        with pytest.raises(ValueError, match="'device'"):
            device_of(wrong)
