"""What is chosen follows from what was measured, and is what programs read afterwards."""
import os
import subprocess
import sys

import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import split
from mindspore.compiler.kernels.speeds import Speeds
from mindspore.operators.choices import NEVER, Choices, files
from mindspore.tune import __main__ as tune
from mindspore.tune import candidates, choose
from mindspore.tune.timing import Pair, crossing


def pairs(*ratios):
    return [Pair(10.0**k, ratio * 100.0, 100.0) for k, ratio in enumerate(ratios)]


@pytest.mark.parametrize(("ratios", "expected"), [
    ((0.5, 0.5, 2.0, 2.0), 10**1.5), ((2.0, 2.0), 1.0), ((0.5, 0.9), NEVER), ((1.0, 1.0), NEVER),
    ((0.5, 1.3, 0.9, 2.0, 2.0), 10**0.5), ((0.5, 1.1, 0.5, 2.0), 10**2.5)])
def test_the_second_way_is_taken_from_where_all_together_take_the_least(ratios, expected):
    assert crossing(pairs(*ratios)) == pytest.approx(expected)
    assert crossing(pairs(*ratios)[::-1]) == pytest.approx(expected)


def test_work_is_worth_threads_where_both_ways_take_as_long():
    speeds = Speeds(50.0, 1.8, 6_000.0, 300.0)
    work = choose.worth_threads(speeds)
    assert not speeds.worth(work * 0.99, 0)
    assert speeds.worth(work * 1.01, 0)
    assert choose.worth_threads(Speeds(50.0, 1.05, 6_000.0, 300.0)) >= 1e12


def test_disturbed_measurements_do_not_count():
    found = choose.quietest([Speeds(40.0, 1.9, 9.0, 4.0), Speeds(50.0, 1.0, 5.0, 7.0)])
    assert found == Speeds(50.0, 1.9, 5.0, 4.0)


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
def test_the_command_keeps_what_it_prints_and_programs_read_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ANYSPORE_CHOICES", str(tmp_path / "choices"))
    monkeypatch.setattr(choose, "_TIMES", 2)
    for name in ("product", "tiles_by_edge", "attention", "window", "lstm", "costly"):
        few = getattr(candidates, name)()[:2]
        monkeypatch.setattr(candidates, name, lambda few=few: few)
    assert tune.main(["--dry"]) == 0
    assert not (tmp_path / "choices").exists()
    assert tune.main([]) == 0
    printed = capsys.readouterr().out
    table = files.read(torch.get_num_threads(), Choices._fields)
    assert table["product_flop"] > 0
    assert table["flops"] > 0
    assert all(f"\n{name} " in printed for name in table)
    found = subprocess.run([sys.executable, "-c", "from mindspore.operators.choices import choices\n"
                            "print(choices().lstm_flop)"], text=True, capture_output=True, check=True,
                           env={**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads())})
    assert float(found.stdout) == table["lstm_flop"]


@pytest.mark.skipif(not (available() and split.available()), reason="the processor has no tiles of 16-bit floats")
@pytest.mark.parametrize(("ratio", "expected"), [(2.0, 16.0), (0.5, NEVER)])
def test_tiles_are_taken_where_they_were_faster(monkeypatch, ratio, expected):
    monkeypatch.setattr(candidates, "timed", lambda size, first, second, seconds: Pair(size, 100.0 * ratio, 100.0))
    found = choose.tiles({}, lambda line: None)
    assert found["split_edge"] == expected
    assert found.get("split_least") == (2.0 * 64 * 256 * 256 if ratio > 1 else None)      # none are left to measure


def test_where_tables_are_switched_off_it_says_so(capsys):
    assert tune.main([]) == 1
    said = capsys.readouterr().out
    assert "ANYSPORE_CHOICES" in said or "llvmlite" in said
