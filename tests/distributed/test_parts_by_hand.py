"""Groups of a world that is only told of, messages of several tensors, places on machines, the launcher's own parts."""
from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest
import torch

from mindspore import distributed as dist
from mindspore.core import context
from mindspore.core.launched import ALONE
from mindspore.distributed import groups, msrun, together, world


@pytest.fixture
def four(monkeypatch):
    """This process is number 2 of four on two machines, 'x' and 'y' in turns."""
    started = ALONE._replace(size=4, rank=2)
    monkeypatch.setattr(world, "world", world.World(started, 2, None, ("x", "y", "x", "x")))
    monkeypatch.setattr(groups.GlobalComm, "INITED", True)
    monkeypatch.setattr(groups, "_known", {})


def test_numbers_in_groups_and_machines(four):
    assert (dist.get_rank(), dist.get_group_size(), dist.get_local_rank(), dist.get_local_rank_size()) == (2, 4, 1, 3)
    dist.create_group("late", [3, 2, 1])
    assert dist.get_process_group_ranks("late") == [1, 2, 3]
    assert (dist.get_rank("late"), dist.get_group_size("late")) == (1, 3)
    assert (dist.get_local_rank("late"), dist.get_local_rank_size("late")) == (0, 2)
    assert [dist.get_world_rank_from_group_rank("late", k) for k in range(3)] == [1, 2, 3]
    assert [dist.get_group_rank_from_world_rank(r, "late") for r in (1, 2, 3)] == [0, 1, 2]
    for wrong in (3, -1):
        with pytest.raises(ValueError, match=r"must be in \[0, 3\)"):
            dist.get_world_rank_from_group_rank("late", wrong)
    with pytest.raises(ValueError, match=r"must be one of \[1, 2, 3\]"):
        dist.get_group_rank_from_world_rank(0, "late")
    found = dist.get_process_group_ranks("late")
    found.clear()
    assert dist.get_group_size("late") == 3


def test_a_process_outside_of_a_group_has_no_number_in_it(four):
    world.world.groups["others"] = None, [0, 1, 3]
    assert dist.get_rank("others") == -1
    assert (dist.get_local_rank("others"), dist.get_local_rank_size("others")) == (-1, 2)


def test_groups_are_made_of_known_processes_under_names_that_stay_theirs(four):
    for ranks, error, said in (([2, 4], RuntimeError, "below the size of the world, 4"),
                               ([-1, 2], RuntimeError, "below"),
                               ([0, 1], RuntimeError, "this process, 2, must be among"),
                               ([2, 2], ValueError, "different numbers"), ([], ValueError, "at least one"),
                               ([True, 2], TypeError, "must be an int"), ((2,), TypeError, "must be a list")):
        with pytest.raises(error, match=said):
            dist.create_group("g", ranks)
    for name in ("", "n" * 128, "nccl_world_group"):
        with pytest.raises(ValueError, match="must be a name of 1 to 127"):
            dist.create_group(name, [2])
    dist.create_group("n" * 127, [2])
    assert groups.has_group("n" * 127)
    assert groups.has_group("mccl_world_group")
    assert not groups.has_group("g")
    dist.create_group("g", [3, 2])
    dist.destroy_group("g")
    with pytest.raises(KeyError, match="no group 'g'"):
        dist.destroy_group("g")
    with pytest.raises(RuntimeError, match="had the processes"):
        dist.create_group("g", [2])
    dist.create_group("g", [2, 3])


def test_after_release_the_process_is_alone_and_joins_again_only_if_it_asks(monkeypatch):
    joined = []
    for name in ("BACKEND", "WORLD_COMM_GROUP", "INITED", "CHECK_ENVS"):
        monkeypatch.setattr(dist.GlobalComm, name, getattr(dist.GlobalComm, name))
    monkeypatch.setattr(world, "join", lambda: joined.append(1))
    dist.init()
    dist.init()
    assert joined == [1]
    dist.release()
    assert dist.GlobalComm.INITED is False
    with pytest.raises(RuntimeError, match="call `init"):
        dist.get_comm_name()
    monkeypatch.setattr(dist.GlobalComm, "CHECK_ENVS", False)
    dist.init()
    assert joined == [1]
    dist.release()


def test_messages_have_one_type_and_not_more_bytes_than_asked_for():
    a, b = torch.float32, torch.float64
    assert together.messages([(a, 4), (a, 4), (a, 4)], 8) == [[2, 1], [0]]
    assert together.messages([(a, 4), (b, 4), None, (a, 4), (b, 4)], 8) == [[4, 1], [3, 0]]
    assert together.messages([(a, 4), (a, 100), (a, 4), (a, 3)], 8) == [[3, 2], [1], [0]]
    assert together.messages([(a, 3), (a, 3), (a, 3), (a, 3)], 6) == [[3, 2], [1, 0]]
    assert together.messages([], 8) == []


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 3), (), (0, 2, 1, 3), (1, 3, 1, 2)])
def test_the_order_in_which_elements_travel_does_not_depend_on_memory(shape):
    x = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
    other = x.contiguous(memory_format=torch.channels_last) if len(shape) == 4 else x.clone()
    assert torch.equal(together._flat(x), together._flat(other))
    assert torch.equal(together._shaped(together._flat(other), shape), x)


def test_types_that_travel_with_others_are_floats_that_are_added_as_they_are():
    kinds = (torch.float32, torch.float64, torch.int32, torch.int64, torch.bool, torch.complex64)
    assert [together.joins(k) for k in kinds] == [True, True, False, False, False, False]


@pytest.mark.parametrize(("text", "wrong"), [("2.5", False), ("0", True), ("-1", True), ("soon", True), ("", False)])
def test_times_are_positive_numbers(monkeypatch, text, wrong):
    monkeypatch.setenv("MS_TOPO_TIMEOUT", text)
    if wrong:
        with pytest.raises(RuntimeError, match="MS_TOPO_TIMEOUT must be a positive number of seconds"):
            world.seconds("MS_TOPO_TIMEOUT", 7)
    else:
        assert world.seconds("MS_TOPO_TIMEOUT", 7) == (float(text) if text else 7)


def test_processes_of_a_machine_share_its_cores(monkeypatch):
    taken, threads = [], []
    monkeypatch.setattr(world.os, "sched_getaffinity", lambda pid: set(range(7)), raising=False)
    monkeypatch.setattr(world.os, "sched_setaffinity", lambda pid, cores: taken.append(list(cores)), raising=False)
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    monkeypatch.setenv("MS_BIND_CORE", "1")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    hosts = ("x", "y", "x", "x")
    for rank in (0, 2, 3, 1):
        world._place(ALONE._replace(size=4, local_rank=None), rank, hosts)
    assert taken == [[0, 1], [2, 3], [4, 5], list(range(7))]
    assert threads == [2, 2, 2, 7]
    world._place(ALONE._replace(size=4, local_rank=1), 0, hosts)
    assert taken[-1] == [2, 3]
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.delenv("MS_BIND_CORE")
    world._place(ALONE._replace(size=4), 0, hosts)
    assert (len(taken), len(threads)) == (5, 5)


def test_processes_of_a_machine_get_devices_of_their_own_unless_they_chose(monkeypatch):
    chosen = []
    monkeypatch.setattr(context, "target_in_use", lambda: "GPU")
    monkeypatch.setattr(context, "set_context", lambda **given: chosen.append(given))
    monkeypatch.setattr(context.state, "given", set())
    for rank in range(3):
        world._place(ALONE._replace(size=3, local_rank=None), rank, ("x", "y", "x"))
    assert chosen == [{"device_id": 0}, {"device_id": 0}, {"device_id": 1}]
    monkeypatch.setattr(context.state, "given", {"device_id"})
    world._place(ALONE._replace(size=3), 2, ("x", "y", "x"))
    assert len(chosen) == 3


class Meeting:
    """A store that some processes have come to."""

    def __init__(self, *names):
        self.kept = dict.fromkeys(names, b"h")
        self.count = 0

    def set(self, name, value):
        self.kept[name] = value.encode()

    def get(self, name):
        return self.kept[name]

    def add(self, name, amount):
        self.count += amount
        return self.count

    def check(self, names):
        return all(name in self.kept for name in names)


def test_the_processes_that_did_not_come_are_named_at_once_if_another_gave_up(monkeypatch):
    monkeypatch.setenv("MS_WORKER_IP", "here")
    assert world._gathered(Meeting("host/0", "host/2"), 1, 3, timedelta(seconds=5)) == ("h", "here", "h")
    with pytest.raises(RuntimeError, match=r"the processes \[0, 3\] did not come within 0.05 s"):
        world._gathered(Meeting("host/2"), 1, 4, timedelta(seconds=0.05))
    with pytest.raises(RuntimeError, match=r"the processes \[2\] did not come"):
        world._gathered(Meeting("host/0", "gave up"), 1, 3, timedelta(seconds=600))


def test_what_an_error_says_is_its_first_line_and_one_sentence():
    assert world.first_line(ValueError("no port.\nstack")) == "no port."
    assert world.first_line(ValueError("no port")) == "no port."


def test_torch_names_groups_as_before_when_one_is_made():
    module = type(sys)("module")
    plain = module._hash_ranks_to_str = lambda ranks: "plain"
    with world._named(module, "a"):
        first = module._hash_ranks_to_str([1])
    assert module._hash_ranks_to_str is plain
    with world._named(module, "b"):
        assert module._hash_ranks_to_str([1]) != first
    naming = world._named(module, "c")
    naming.__enter__()
    assert not naming.__exit__(OSError, OSError("x"), None)
    assert module._hash_ranks_to_str is plain


@pytest.mark.parametrize("failed", [True, False])
def test_after_an_error_nobody_is_waited_for(monkeypatch, failed):
    found = []
    monkeypatch.setattr(world, "leave", lambda together: found.append(together))
    monkeypatch.setattr(sys, "last_type", ValueError if failed else None, raising=False)
    world._at_exit()
    assert found == [not failed]


# ------------------------------------------------------------------ msrun

def options(*flags):
    return msrun.parser().parse_args([*flags, "x.py"])


def test_logs_have_the_name_that_was_asked_for():
    assert msrun._log_name(options(), "3") == "worker_3.log"
    assert msrun._log_name(options("--worker_log_name", "job"), "3") == "job_3.log"
    assert msrun._log_name(options("--worker_log_name", "n{rank}of"), "3") == "n3of.log"


@pytest.mark.parametrize(("flags", "said"), [
    (["--worker_num", "0"], "must be at least 1"), (["--worker_num", "4", "--local_worker_num", "0"], "from 1 to it"),
    (["--worker_num", "2", "--local_worker_num", "4"], "from 1 to it"),
    (["--worker_num", "5", "--local_worker_num", "2"], "must be a multiple"),
    (["--worker_num", "4", "--local_worker_num", "2", "--master_port", "0"], "0 only if all"),
    (["--master_port", "65536"], "from 1 to 65535"), (["--master_port", "-1"], "from 1 to 65535"),
    (["--worker_num", "4", "--local_worker_num", "4", "--min_worker_num", "5"], "from 1 to --worker_num"),
    (["--worker_num", "4", "--local_worker_num", "2", "--min_worker_num", "1"], "all of which"),
    (["--rank_table_file", "nowhere"], "there is no such file")])
def test_flags_that_do_not_fit_are_told(flags, said, capsys, tmp_path):
    (tmp_path / "x.py").write_text("")
    with pytest.raises(SystemExit):
        msrun._check(msrun.parser().parse_args([*flags, str(tmp_path / "x.py")]))
    assert said in capsys.readouterr().err
    for right in (["--worker_num", "4", "--local_worker_num", "2"], ["--master_port", "0"], ["--min_worker_num", "8"]):
        msrun._check(msrun.parser().parse_args([*right, str(tmp_path / "x.py")]))


def test_flags_of_the_program_that_begin_like_ours_are_its_own():
    found = msrun.parser().parse_args(["x.py", "--worker", "3", "--join", "x"])
    assert (found.worker_num, found.join, found.task_script_args) == (8, False, ["--worker", "3", "--join", "x"])
    with pytest.raises(SystemExit):
        msrun.parser().parse_args(["--worker", "3", "x.py"])


def test_scripts_are_started_by_python_and_programs_by_themselves():
    assert msrun._command(options("--worker_num", "2"))[3:] == [sys.executable, "-u", "x.py"]
    args = msrun.parser().parse_args(["sh", "-c", "true"])
    assert msrun._command(args)[3:] == ["sh", "-c", "true"]
    assert not msrun._runs_itself("no such program")


class Failed(Exception):
    def __init__(self, rank, code):
        self.first = rank, type("Failure", (), {"exitcode": code})()

    def get_first_failure(self):
        return self.first


def launched(monkeypatch, tmp_path, codes, *flags):
    """Run msrun where jobs end with codes, one after the other: its status, and how many processes each job had."""
    from torch.distributed.elastic.multiprocessing import errors
    from torch.distributed.launcher import api
    counts, left = [], list(codes)

    def launch(config, shell):
        counts.append(config.nproc_per_node)

        def job(*command):
            if left[0]:
                raise Failed(1, left.pop(0))
        return job
    monkeypatch.setattr(errors, "ChildFailedError", Failed)
    monkeypatch.setattr(api, "elastic_launch", launch)
    monkeypatch.setattr(msrun, "_cores", lambda: list(range(12)))
    for name in ("OMP_NUM_THREADS", "MS_TOPO_TIMEOUT", "MS_BIND_CORE", "RANK_TABLE_FILE"):
        monkeypatch.setenv(name, "x")
        monkeypatch.delenv(name)
    (tmp_path / "worker_1.log").write_text("".join(f"line {k}\n" for k in range(50)))
    args = options("--worker_num", "4", "--local_worker_num", "4", "--master_port", "0", *flags)
    return msrun.run(args, Path(tmp_path)), counts


def test_jobs_that_lost_a_process_continue_with_one_fewer_down_to_a_number(monkeypatch, tmp_path, capsys):
    assert launched(monkeypatch, tmp_path, [-9, -9, 0], "--min_worker_num", "2") == (0, [4, 3, 2])
    said = capsys.readouterr().err
    assert "process 1 failed first (signal 9)" in said
    assert "continues with 3 processes" in said
    assert launched(monkeypatch, tmp_path, [-9] * 5, "--min_worker_num", "2") == (1, [4, 3, 2])
    assert launched(monkeypatch, tmp_path, [1, 0], "--min_worker_num", "2") == (1, [4])
    assert launched(monkeypatch, tmp_path, [-9, 0]) == (1, [4])


def test_the_last_lines_of_the_process_that_failed_are_shown(monkeypatch, tmp_path, capsys):
    assert launched(monkeypatch, tmp_path, [3])[0] == 1
    said = capsys.readouterr().err
    assert "(status 3)" in said
    assert "    line 49\n" in said
    assert "    line 10\n" in said
    assert "    line 9\n" not in said


@pytest.mark.parametrize(("seconds", "wait"), [("0", 0), ("7", 7), ("-1", 10 ** 8)])
def test_processes_know_how_many_threads_and_how_much_time_they_have(monkeypatch, tmp_path, seconds, wait):
    launched(monkeypatch, tmp_path, [0], "--cluster_time_out", seconds)
    assert (msrun.os.environ["OMP_NUM_THREADS"], msrun.os.environ["MS_TOPO_TIMEOUT"]) == ("3", str(wait))


@pytest.mark.parametrize(("flag", "shown"), [("-1", [0, 1, 2]), ("0,2", [0, 2]), ("1,9", [1])])
def test_the_output_of_chosen_processes_is_shown(tmp_path, flag, shown):
    logs = msrun._logs(options("--tail_worker_log", flag), tmp_path)
    found = logs.reify({k: {"RANK": str(k + 4)} for k in range(3)})
    assert found.tee_stdouts == {k: str(tmp_path / f"worker_{k + 4}.log") for k in shown}
    assert found.stdouts == {k: str(tmp_path / f"worker_{k + 4}.log") for k in range(3)}
