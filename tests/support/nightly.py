"""Cases that take long and are like others: they run where ANYSPORE_NIGHTLY is set."""

from __future__ import annotations

import os

import pytest

_LEFT_OUT = pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY for all cases")


def at_night(*values):
    """Parameters of such a case."""
    return pytest.param(*values, marks=[pytest.mark.nightly, _LEFT_OUT])
