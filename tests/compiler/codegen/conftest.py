"""What the tests of generated source share."""

from __future__ import annotations

import pytest

from mindspore.operators.cpu_threads import number


@pytest.fixture(autouse=True)
def all_threads_take_part(monkeypatch):
    """Sources look the same whether OpenMP's threads sleep between kernels or not."""
    monkeypatch.setattr(number, "SLEEP", False)
