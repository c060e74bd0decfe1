"""What every test gets: one thread per process, fixed seeds, both execution modes on request."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is loaded; two workers share the cores
os.environ["ANYSPORE_KERNEL_CACHE"] = "off"  # what earlier runs compiled would not be compiled
os.environ["ANYSPORE_CHOICES"] = "off"  # what was measured on this machine would decide what tests see

import pytest

# Processes that tests start import the sources beside the tests, as the tests do.
SOURCES = str(Path(__file__).parents[1] / "src")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))

FOLDERS = {"nets": pytest.mark.nets, "compat": pytest.mark.compat, "dist": pytest.mark.dist}


def pytest_collection_modifyitems(items):
    """Give every test the marker of its folder."""
    for item in items:
        for part in item.path.relative_to(item.config.rootpath).parts[:-1]:
            if part in FOLDERS:
                item.add_marker(FOLDERS[part])


@pytest.fixture(autouse=True)
def _seeded():
    """The same random numbers in every test, whatever ran before it."""
    import numpy  # here, because some tests measure a process that loads nothing
    import torch

    random.seed(1)
    numpy.random.seed(1)
    torch.manual_seed(1)


@pytest.fixture
def choosing():
    """A function that lets choices be others than they are, until the test ends."""
    from mindspore.operators.choices import choices, using

    with contextlib.ExitStack() as stack:
        yield lambda **changed: stack.enter_context(using(choices()._replace(**changed)))


def _settings() -> dict[str, Any] | None:
    """The keys of `set_context` with their values; None while nothing has loaded them."""
    context = sys.modules.get("mindspore.core.context")
    return context and {key: context.get_context(key) for key in context.state.table}


@pytest.fixture(autouse=True)
def _the_context_is_left_as_it_was():
    """What a test sets would decide in which mode the following tests run."""
    before = _settings()
    yield
    after = _settings()
    if after is not None and before not in (None, after):
        sys.modules["mindspore.core.context"].reset_context()
        assert after == before


@pytest.fixture(params=["pynative", "graph"])
def both_modes(request):
    """Runs the test once in each mode: `@pytest.mark.usefixtures("both_modes")`, or as an argument."""
    from mindspore.core import context

    before = context.get_context("mode")
    wanted = context.GRAPH_MODE if request.param == "graph" else context.PYNATIVE_MODE
    context.set_context(mode=wanted)
    yield request.param
    context.set_context(mode=before)


@pytest.fixture
def warned(monkeypatch):
    """The texts of the package's warnings during the test, in order, whatever was said once before."""
    from mindspore.core import log

    log.get_level()                # the first use of the log sets its handlers
    monkeypatch.setattr(log, "_said", set())
    texts: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: texts.append(record.getMessage())
    logger = logging.getLogger("mindspore")
    logger.addHandler(handler)
    yield texts
    logger.removeHandler(handler)


@pytest.fixture
def reference():
    """Folder of the reference material, from the environment; without it the test is skipped."""
    folder = os.environ.get("ANYSPORE_REFERENCE")
    if not folder:
        pytest.skip("ANYSPORE_REFERENCE does not name the folder of the reference material")
    return folder
