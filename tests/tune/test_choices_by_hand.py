"""What follows from times that are given, instead of measured."""
from __future__ import annotations

import time

import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.speeds import Speeds
from mindspore.operators.choices import NEVER, Choices, choices, files
from mindspore.tune import __main__ as command
from mindspore.tune import candidates, choose, timing
from mindspore.tune.timing import Pair, crossing, timed


@pytest.fixture(autouse=True)
def _threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def said(line):
    assert isinstance(line, str)


def test_operations_are_counted_as_the_costs_of_generated_code_are():
    assert candidates.counted("window", 9.0) == 8.0          # 4 products of a window are 2.25 times fewer than 9
    assert candidates.counted("attention", 9.0) == 4.5
    assert candidates.counted("product", 9.0) == 9.0


def test_pairs_are_divided_as_a_whole():
    assert candidates._over(Pair(6.0, 30.0, 60.0), 3.0) == Pair(6.0, 10.0, 20.0)


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
@pytest.mark.parametrize("name", ["attention", "lstm"])
def test_both_directions_count_as_three_of_one(monkeypatch, name):
    monkeypatch.setattr(candidates, "timed", lambda size, first, second: Pair(size, 30.0, 60.0))
    pair = getattr(candidates, name)()[0]()
    assert (pair.first, pair.second) == (10.0, 20.0)
    assert pair.size == {"attention": 4.0 * 2 * 2 * 32 * 32 * 16, "lstm": 16.0 * 8 * 4 * 64 * 64}[name]


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_both_ways_of_a_product_compute_it(monkeypatch, turned):
    found = []
    monkeypatch.setattr(candidates, "timed", lambda size, first, second, seconds: found.extend([first(), second()[0]])
                        or Pair(size, 1.0, 1.0))
    pair = candidates._product(8, 16, 32, turned)
    assert pair.size == 2.0 * 8 * 16 * 32
    assert found[0].shape == found[1].shape == (8, 32)
    torch.testing.assert_close(found[0], found[1], rtol=1e-4, atol=1e-4)


def test_the_cost_of_an_operation_is_that_of_generated_code_on_one_thread(monkeypatch):
    torch.set_num_threads(2)
    threads = []

    def case():
        threads.append((torch.get_num_threads(), choices().flops))
        return Pair(10.0, 500.0, 40.0)
    monkeypatch.setattr(candidates, "product", lambda: [None, case])
    assert choose.costs("product", {"flops": 7.0}, said) == {"product_flop": 4.0}
    assert threads == [(1, 7.0)]
    assert torch.get_num_threads() == 2


def test_threads_that_bring_next_to_nothing_are_never_woken():
    assert choose.worth_threads(Speeds(50.0, 1.1, 6_000.0, 300.0)) == 1e12
    assert choose.worth_threads(Speeds(50.0, 1.0, 6_000.0, 300.0)) == 1e12
    assert choose.worth_threads(Speeds(50.0, 2.2, 6_000.0, 300.0)) == pytest.approx(1.1 * 6_000.0 / 0.5)


def test_torchs_kernels_are_shared_from_the_times_at_which_that_is_worth_it(monkeypatch):
    assert choose.torchs(1, said) == {}
    streaming = [Pair(10.0, 20.0, 40.0), Pair(100.0, 200.0, 210.0), Pair(1000.0, 2000.0, 1000.0), Pair(1e4, 1e4, 5e3)]
    product = [Pair(10.0, 10.0, 40.0), Pair(1000.0, 500.0, 250.0)]
    monkeypatch.setattr(candidates, "shared_streaming", lambda threads: streaming)
    monkeypatch.setattr(candidates, "shared_product", lambda threads: product)
    found = choose.torchs(2, said)
    at = (100.0 * 1000.0) ** 0.5
    assert found == pytest.approx({"torch_streamed": 1.0, "torch_flop": 0.5, "torch_short": at,
                                   "torch_streaming": at / 3, "torch_short_product": 100.0 * 0.5})


def test_everything_that_is_measured_is_chosen_from(monkeypatch):
    table = {}
    monkeypatch.setattr(choose, "_TIMES", 1)
    monkeypatch.setattr(choose.measured, "__wrapped__", lambda threads: Speeds(50.0, 2.2, 6_000.0, 300.0))
    monkeypatch.setattr(choose, "costs", lambda name, table, say: {f"{name}_flop": 1.0})
    monkeypatch.setattr(choose, "tiles", lambda table, say: {"split_edge": NEVER})
    monkeypatch.setattr(choose, "torchs", lambda threads, say: {})
    for name in ("product", "attention", "window", "window_weight", "norm", "lstm", "costly"):
        monkeypatch.setattr(candidates, name, lambda: [lambda: Pair(100.0, 30_000.0, 15_000.0),
                                                       lambda: Pair(1e6, 60_000.0, 15_000.0)])
    table = choose.found(2, said)
    assert table["product_least"] == 100.0
    assert table["costly_least"] == pytest.approx(1e4)          # 20 us more for the code of a kernel of its own
    assert table["kernel_alone"] == pytest.approx(1.1 * 6_000.0 / 0.5)
    assert table["lstm_alone"] == pytest.approx(1.1 * 600.0 / 0.5)
    assert set(table) <= set(Choices._fields)


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
def test_tiles_are_measured_with_the_edge_that_was_found(monkeypatch):
    seen = []
    monkeypatch.setattr(candidates, "tiles_by_edge", lambda: [lambda: Pair(32.0, 2.0, 1.0)])
    monkeypatch.setattr(candidates, "tiles", lambda: [lambda: seen.append(choices().split_edge) or Pair(9.0, 2.0, 1.0)])
    assert choose.tiles({}, said) == {"split_edge": 32.0, "split_least": 9.0}
    assert seen == [32.0]
    monkeypatch.setattr(candidates, "tiles_by_edge", list)
    monkeypatch.setattr(candidates, "tiles", list)
    assert choose.tiles({}, said) == {}


def test_kernels_are_timed_on_one_thread_and_on_all_and_the_number_comes_back():
    torch.set_num_threads(1)
    numbers = []
    pair = candidates._on_all(2, 7.0, lambda: numbers.append(torch.get_num_threads()) or time.sleep(
        0.002 if torch.get_num_threads() == 1 else 0.0))
    assert set(numbers) == {1, 2}
    assert pair.size == 7.0
    assert pair.first > pair.second
    assert torch.get_num_threads() == 2


def test_times_are_medians_of_at_least_five_and_a_better_way_is_better_by_three_percent(monkeypatch):
    clock, calls = iter(range(10 ** 6)), []
    monkeypatch.setattr(timing.time, "perf_counter", lambda: 1e9 * len(calls))         # the time is over at once
    monkeypatch.setattr(timing.time, "perf_counter_ns", lambda: next(clock) ** 2)
    pair = timed(3.0, lambda: calls.append(1), lambda: calls.append(2), 0.1)
    assert (calls.count(1), calls.count(2)) == (7, 7)                              # two of each are not counted
    assert pair == Pair(3.0, 17.0, 21.0)               # of 1, 9, 17, 25, 33 and of 5, 13, 21, 29, 37
    assert crossing([Pair(1.0, 100.0, 96.0)]) == 1.0
    assert crossing([Pair(1.0, 100.0, 98.0)]) == NEVER
    assert crossing([Pair(1.0, 100.0, 97.0), Pair(5.0, 100.0, 97.0)]) in (NEVER, 1.0, 5.0)
    assert crossing([], otherwise=4.0) == 4.0


@pytest.mark.parametrize("refused", [True, False])
def test_a_table_that_is_not_kept_is_told_and_a_dry_run_wants_none(monkeypatch, capsys, tmp_path, refused):
    monkeypatch.setattr(command, "available", lambda: True)
    monkeypatch.setattr(command, "found", lambda threads, say: {"gain": 2.0, "product_least": NEVER, "flops": 50.0,
                                                                "costly_least": 12345.0})
    written = []

    def write(threads, table):
        written.append(table)
        if refused:
            raise OSError("no room")
        return "there"
    monkeypatch.setattr(files, "write", write)
    monkeypatch.setattr(files, "folder", lambda: None)
    assert command.main(["--dry"]) == 0
    assert command.main([]) == 1
    assert written == []
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    capsys.readouterr()
    assert command.main([]) == int(refused)
    out = capsys.readouterr().out
    assert ("is not kept: no room." in out) == refused
    assert len(written) == 1
    line = {words[0]: words[1] for words in (row.split() for row in out.splitlines()) if len(words) == 3}
    assert (line["product_least"], line["flops"], line["costly_least"]) == ("never", "50", "12,345")
