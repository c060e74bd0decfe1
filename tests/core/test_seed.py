from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
import torch

from mindspore.core import seed


@pytest.fixture(autouse=True)
def _keep(monkeypatch):
    states = random.getstate(), np.random.get_state()
    for name in ("_seed", "_pending", "_version"):
        monkeypatch.setattr(seed, name, getattr(seed, name))
    yield
    random.setstate(states[0])
    np.random.set_state(states[1])


def test_the_seed_starts_the_generators_of_numpy_and_python_again():
    # observed: MindSpore 2.10, CPU: both follow
    seed.set_seed(3)
    first = np.random.rand(), random.random()
    assert first == (np.random.RandomState(3).rand(), random.Random(3).random())
    seed.set_seed(3)
    assert (np.random.rand(), random.random()) == first
    assert seed.get_seed() == 3


def test_torch_s_generator_follows_when_torch_is_loaded():
    seed.set_seed(11)
    assert torch.rand(2).tolist() == torch.rand(2, generator=torch.Generator().manual_seed(11)).tolist()


def test_a_seed_from_before_torch_is_loaded_reaches_it_once():
    program = """
import sys
from mindspore.core import seed
seed.set_seed(7)
assert "torch" not in sys.modules
import torch
seed.apply_pending()
first = torch.rand(1).item()
seed.apply_pending()
assert first == torch.rand(1, generator=torch.Generator().manual_seed(7)).item() != torch.rand(1).item()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_new_seed_is_a_new_version():
    before = seed.version()
    seed.set_seed(1)
    seed.set_seed(1)
    assert seed.version() == before + 2


@pytest.mark.parametrize("value", [1.5, "1", None, True, np.int64(3)])
def test_a_seed_that_is_no_int_is_refused(value):
    with pytest.raises(TypeError, match="For 'set_seed', the argument 'seed' must be type of int"):
        seed.set_seed(value)


@pytest.mark.parametrize("value", [-1, 2**32, 2**64])
def test_a_seed_that_numpy_does_not_take_is_refused_and_changes_nothing(value):
    seed.set_seed(5)
    with pytest.raises(ValueError, match="seed"):
        seed.set_seed(value)
    assert seed.get_seed() == 5
    assert np.random.rand() == np.random.RandomState(5).rand()
