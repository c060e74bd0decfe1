"""What everything stands on, at its edges: bounds of arguments, draws, seeds, scopes, caches, launchers."""
from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore.core import caching, check, context, draws, mutable, printing, seed
from mindspore.core.launched import launch

# ---------------------------------------------------------------------- arguments


@pytest.mark.parametrize("open_low", [False, True])
@pytest.mark.parametrize("open_high", [False, True])
def test_bounds_of_numbers_count_unless_they_are_open(open_low, open_high):
    for value in (-2, -1, -0.5, 0, 2.5, 3, 3.0, 4, math.inf, -math.inf, math.nan):
        inside = (value > -1 or (value == -1 and not open_low)) and (value < 3 or (value == 3 and not open_high))
        for low, high in ((-1, 3), (None, 3), (-1, None), (None, None)):
            fits = value == value and (inside or (low is None and value < 0) or (high is None and value > 0))
            call = (check.number, "f", "x", value, low, high, open_low, open_high)
            if fits:
                assert call[0](*call[1:]) is value
                continue
            with pytest.raises(ValueError, match="the 'x' must be a number in ") as told:
                call[0](*call[1:])
            left = "(" if open_low else "["
            assert f"{left}{'-inf' if low is None else low}, {'inf' if high is None else high}" in str(told.value)


@pytest.mark.parametrize(("low", "high"), [(None, None), (0, None), (None, 3), (0, 3), (-2, -1)])
def test_bounds_of_ints_count(low, high):
    for value in (-3, -2, -1, 0, 1, 3, 4):
        if (low is None or value >= low) and (high is None or value <= high):
            assert check.integer("f", "n", np.int64(value), low, high) == value
            assert check.ints("f", "n", value, 3, low) == (value,) * 3 or high is not None
            assert check.ints("f", "n", [value, value], 2, low) == (value, value)
        else:
            with pytest.raises(ValueError, match="must be an int in"):
                check.integer("f", "n", value, low, high)
            if low is not None and value < low:
                for given in (value, [low, value]):
                    with pytest.raises(ValueError, match="must be an int in"):
                        check.ints("f", "n", given, 2, low)
    with pytest.raises(ValueError, match="a tuple of 2 ints"):
        check.ints("f", "n", [1, 2, 3], 2)


@pytest.mark.parametrize("call", [
    lambda v: check.integer("f", "x", v), lambda v: check.number("f", "x", v), lambda v: check.ints("f", "x", v, 2),
    lambda v: check.instance("f", "x", v, int), lambda v: check.instance("f", "x", v, (str, int)),
    lambda v: check.floating("f", "x", v)])
def test_a_bool_is_no_number(call):
    for value in (True, False):
        with pytest.raises(TypeError, match="'x'"):
            call(value)
    assert check.instance("f", "x", True, (int, bool)) is True
    assert check.boolean("f", "x", False) is False


def test_floats_are_no_ints_and_may_be_zero_or_not():
    assert check.non_negative_float("f", "x", 0.0) == 0.0
    assert check.non_negative_int("f", "x", 0) == 0
    for wrong, error in ((lambda: check.positive_float("f", "x", 0.0), ValueError),
                         (lambda: check.floating("f", "x", 1), TypeError),
                         (lambda: check.non_negative_float("f", "x", -1e-300), ValueError),
                         (lambda: check.positive_int("f", "x", 0), ValueError),
                         (lambda: check.option("f", "x", 3, (1, 2)), ValueError)):
        with pytest.raises(error, match="'x'"):
            wrong()


# ---------------------------------------------------------------------- draws

@pytest.mark.parametrize(("low", "high"), [
    (-2, 2), (-0.5, 3), (0.5, 1.0), (1, 9), (-9, -1), (2.5, 4), (5, 6), (-0.01, 0.02)])
def test_truncated_draws_are_inside_and_distributed_as_within_the_limits(low, high):
    ms.set_seed(3)
    drawn = np.sort(draws.truncated_normal((40, 50), low, high).ravel().astype(np.float64))
    assert low <= drawn[0]
    assert drawn[-1] <= high
    cdf = torch.special.ndtr(torch.tensor(np.array([low, high, *drawn]))).numpy()
    wanted = (cdf[2:] - cdf[0]) / (cdf[1] - cdf[0])
    assert np.abs(wanted - (np.arange(2000) + 0.5) / 2000).max() < 1.63 / math.sqrt(2000)       # Kolmogorov, 1 %


def test_uniform_draws_are_as_wide_as_asked_and_start_anew_with_the_seed():
    ms.set_seed(5)
    first, second = draws.uniform((4000,), 0.3), draws.uniform((4000,), 0.3)
    assert -0.3 <= first.min() < -0.29
    assert 0.29 < first.max() < 0.3
    assert abs(first.mean()) < 0.01
    assert not np.array_equal(first, second)
    ms.set_seed(5)
    np.testing.assert_array_equal(draws.uniform((4000,), 0.3), first)
    np.testing.assert_array_equal(draws.uniform((4000,), 0.3), second)


def test_fans_and_gains_are_those_of_torch():
    init = torch.nn.init
    for shape in ((3, 5), (7, 2, 3), (4, 6, 3, 5), (2, 9, 1, 2, 4)):
        assert draws.calculate_fan_in_and_fan_out(shape) == init._calculate_fan_in_and_fan_out(torch.empty(shape))
        for mode in ("fan_in", "FAN_OUT"):
            wanted = init._calculate_correct_fan(torch.empty(shape), mode.lower())
            assert draws.calculate_correct_fan(shape, mode) == wanted
    for args in (("linear",), ("conv_transpose2d",), ("sigmoid",), ("tanh",), ("relu",), ("leaky_relu",),
                 ("leaky_relu", 0), ("leaky_relu", 0.3), ("leaky_relu", 2)):
        assert draws.calculate_gain(*args) == pytest.approx(init.calculate_gain(*args), rel=1e-12)


# ---------------------------------------------------------------------- seeds and scopes

def test_operators_without_a_seed_get_another_one_at_each_call_under_a_global_seed(monkeypatch):
    for name, value in (("_seed", None), ("_pending", False), ("_version", 100), ("_operator_seeds", {})):
        monkeypatch.setattr(seed, name, value)
    states = random.getstate(), np.random.get_state()
    get, step = seed._get_graph_seed, seed._SEED_STEP
    assert [get(None, "a"), get(0, "a"), get(7, "a")] == [(0, 0), (0, 0), (0, 7)]
    seed.set_seed(9)
    assert [get(None, "a") for _ in range(3)] == [(9, 0), (9, step), (9, 2 * step % (2**31 - 1))]
    assert [get(0, "b"), get(5, "b"), get(None, "b"), get(None, "a")] == [(9, 0), (9, 5), (9, step), (
        9, 3 * step % (2**31 - 1))]
    seed.set_seed(9)
    assert get(None, "a") == (9, 0)
    torch.manual_seed(123)
    seed.apply_pending()                             # there is nothing to be done any more
    assert torch.initial_seed() == 123
    random.setstate(states[0])
    np.random.set_state(states[1])


def test_scopes_of_devices_end_in_the_order_in_which_they_began():
    before = context.get_context("device_id")
    scope = ms.DeviceCtx("CPU", 2)
    numbers = []
    with ms.DeviceCtx("CPU", 0):
        numbers.append(context.get_context("device_id"))
        with scope:
            numbers.append(context.get_context("device_id"))
            with ms.DeviceCtx("CPU"):
                numbers.append(context.get_context("device_id"))
                with scope, pytest.raises(ValueError, match="device_id"), ms.DeviceCtx("CPU", -3):
                    pass
                with scope:
                    with ms.DeviceCtx("CPU", 4), ms.DeviceCtx("CPU", 0):
                        numbers.append(context.get_context("device_id"))
                    numbers.append(context.get_context("device_id"))
            numbers.append(context.get_context("device_id"))
        numbers.append(context.get_context("device_id"))
    assert numbers == [0, 2, 2, 0, 2, 2, 0]
    assert context.get_context("device_id") == before


def test_a_scope_that_cannot_be_entered_leaves_the_device_and_can_be_entered_later(monkeypatch):
    def unreachable():
        raise RuntimeError("no such device")
    before = context.get_context("device_id")
    scope = ms.DeviceCtx("CPU", before + 3)
    with monkeypatch.context() as patch:
        patch.setattr("mindspore.core.device_scope.torch_device", unreachable)
        with pytest.raises(RuntimeError, match="no such device"), scope:
            pass
    assert context.get_context("device_id") == before
    with scope:
        assert context.get_context("device_id") == before + 3
    assert context.get_context("device_id") == before


# ---------------------------------------------------------------------- numbers and texts

def test_numbers_of_runs_keep_their_type_and_bools_are_none():
    for value in (True, False):
        assert mutable.mutable_number(value) is value
    before = mutable.MutableCount.count
    for value in (3, -1, 0.5):
        made = mutable.mutable_number(value)
        assert (made, made._data, made.python) == (value, value, type(value))
        assert mutable.is_number(made)
        assert type(made._data) is type(value)
    assert mutable.MutableCount.count == before + 3


@pytest.mark.parametrize(("value", "shown"), [
    (math.nan, "nan"), (-math.nan, "-nan"), (1e-7, "1e-07"), (-0.0, "-0"), (3 - 4j, "3-4j"),
    (complex(1, math.nan), "1+nanj"), (complex(-0.0, -math.inf), "-0-infj")])
def test_the_sign_of_a_number_is_shown(value, shown):
    assert printing._short(value) == shown


@pytest.mark.parametrize(("count", "per_line"), [
    (11, 12), (12, 12), (13, 12), (24, 12), (24, 24), (25, 24), (48, 24), (1, 24)])
def test_a_row_breaks_after_each_full_line(count, per_line):
    texts = [str(k) for k in range(count)]
    lines = printing._row(texts, False, per_line).split("\n ")
    assert [part.strip(", ").split(", ") if part else [] for part in lines] == [
        texts[i : i + per_line] for i in range(0, count, per_line)] + ([[]] if count % per_line == 0 else [])
    assert printing._row(texts[:6], True, per_line) == "0, 1, 2 ... 3, 4, 5" if count > 5 else True


# ---------------------------------------------------------------------- where compiled code is kept

@pytest.mark.parametrize(("given", "wanted"), [
    ("off", None), ("OFF", None), ("Off", None), ("/a/b", "/a/b"), ("rel", "rel")])
def test_a_cache_of_the_user_is_where_a_variable_says(monkeypatch, given, wanted):
    monkeypatch.setenv("SOME_CACHE", given)
    found = caching.of_user("SOME_CACHE", "name")
    assert (found and str(found)) == wanted


@pytest.mark.parametrize(("base", "wanted"), [
    ("/x/y", "/x/y/anyspore/name"), ("relative", None), ("", "HOME/.cache/anyspore/name")])
def test_a_cache_of_the_user_has_a_folder_of_its_own(monkeypatch, base, wanted):
    monkeypatch.delenv("SOME_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setenv("HOME", "/HOME")
    found = caching.of_user("SOME_CACHE", "name")
    assert (found and str(found)) == (wanted and wanted.replace("HOME/", "/HOME/"))


@pytest.mark.parametrize("variable", [None, "0", "1"])
@pytest.mark.parametrize("setting", [None, True, False])
def test_the_program_says_before_the_environment_whether_code_is_kept(monkeypatch, tmp_path, variable, setting):
    class State:
        given = {} if setting is None else {"enable_compile_cache": setting}
        enable_compile_cache = bool(setting)
        save_compile_cache = load_compile_cache = False
        compile_cache_path = ""

    monkeypatch.setattr(caching.context, "state", State)
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path))
    monkeypatch.delenv("MS_COMPILER_CACHE_ENABLE", raising=False)
    if variable is not None:
        monkeypatch.setenv("MS_COMPILER_CACHE_ENABLE", variable)
    wanted = variable == "1" if setting is None else setting
    assert caching.place() == (tmp_path if wanted else None)
    assert caching.refused() is (variable == "0" if setting is None else not setting)
    State.save_compile_cache = True
    assert caching.place() == (tmp_path if setting is not False else None)
    State.compile_cache_path = "/given"
    assert str(caching.place()) == ("/given" if setting is not False else "None")


# ---------------------------------------------------------------------- launchers

TORCH = {"WORLD_SIZE": "4", "RANK": "3", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}
MPI = {"OMPI_COMM_WORLD_SIZE": "5", "OMPI_COMM_WORLD_RANK": "2"}
SHELL = {"RANK_SIZE": "6", "RANK_ID": "5"}


def test_the_first_launcher_of_the_list_counts():
    for env, size in ((TORCH | MPI | SHELL, 4), (MPI | SHELL, 5), (SHELL, 6), (TORCH | SHELL, 4)):
        assert launch(env).size == size
    assert launch(SHELL | {"WORLD_SIZE": ""}).rank == 5


@pytest.mark.parametrize("rank", range(5))
@pytest.mark.parametrize("given", [{}, {"MASTER_ADDR": "elsewhere"}])
def test_a_rank_table_in_any_order_tells_neighbours(tmp_path, rank, given):
    hosts = {0: "b", 1: "a", 2: "b", 3: "c", 4: "b"}
    servers = [{"server_id": h, "device": [{"rank_id": r} for r in sorted(hosts, reverse=True) if hosts[r] == h]}
               for h in "cab"]
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"server_list": servers}))
    found = launch({"RANK_SIZE": "5", "RANK_ID": str(rank), "RANK_TABLE_FILE": str(path)} | given)
    mine = [r for r in range(5) if hosts[r] == hosts[rank]]
    assert (found.local_rank, found.local_size) == (mine.index(rank), len(mine))
    assert found.address == given.get("MASTER_ADDR", "b")


@pytest.mark.parametrize(("role", "wanted"), [
    ("MS_SCHED", "scheduler"), ("MS_PSERVER", "server"), ("MS_WORKER", "worker")])
def test_roles_of_a_scheduled_job(role, wanted):
    found = launch({"MS_WORKER_NUM": "3", "MS_NODE_ID": "2", "MS_ROLE": role})
    assert (found.role, found.rank, found.scheduler) == (wanted, 2 if wanted == "worker" else None, True)
