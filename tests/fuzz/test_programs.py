"""Random programs: PyNative mode, graph mode and torch's gradient agree."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

FOUND = sorted((Path(__file__).parent / "found").glob("*.py"))
FOUND_VIEWS = sorted((Path(__file__).parent / "found" / "views").glob("*.py"))
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@given(st.data())
@settings(max_examples=15, deadline=None, derandomize=True, database=None, suppress_health_check=QUIET)
def test_the_modes_agree_on_random_programs(judge, writer, data):
    written = writer(lambda n: data.draw(st.integers(0, n - 1)))
    source = written.program()
    event("compiled" if judge(source, written.plain) else "in Python")


def test_many_random_programs_are_compiled_as_a_whole(judge, writer):
    compiled = []
    for seed in range(20):
        written = writer(random.Random(seed).randrange)
        source = written.program()
        compiled.append(judge(source, written.plain))
    assert sum(compiled) >= 8


def test_views_and_changes_in_place_are_torch_s(judge, view_writer):
    compiled = [judge(view_writer(random.Random(seed).randrange).program(), views=True) for seed in range(20)]
    assert sum(compiled) >= 4


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.stem)
def test_programs_that_once_differed_agree(judge, file):
    judge(file.read_text())


@pytest.mark.parametrize("file", FOUND_VIEWS, ids=lambda file: file.stem)
def test_programs_on_views_that_once_differed_agree(judge, file):
    judge(file.read_text(), views=True)


@pytest.mark.nightly
@pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY to the minutes it may take")
@pytest.mark.parametrize("views", [False, True], ids=["all", "views"])
def test_the_modes_agree_for_minutes(judge, writer, view_writer, tmp_path, views):
    end = time.monotonic() + 30 * float(os.environ["ANYSPORE_NIGHTLY"])
    seed, compiled = int(os.environ.get("ANYSPORE_SEED", time.time_ns() % 10**9)), 0
    first = seed
    while time.monotonic() < end:
        written = (view_writer if views else writer)(random.Random(seed).randrange)
        source = written.program()
        try:
            compiled += judge(source, views=True) if views else judge(source, written.plain)
        except Exception as error:  # whatever is wrong, the program is kept
            (tmp_path / f"seed_{seed}.py").write_text(source)
            pytest.fail(f"seed {seed}: {error}\n{source}")
        seed += 1
    print(f"{seed - first} programs from seed {first}, {compiled} compiled as a whole")
