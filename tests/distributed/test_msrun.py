"""The launcher: logs, numbers, failures."""
from __future__ import annotations

import subprocess
import sys
import time

import processes
import pytest

from mindspore.distributed import msrun

COMMAND = [sys.executable, "-m", "mindspore.distributed.msrun"]
PROGRAM = """
import os, sys, time
from mindspore.communication import get_rank, init
init()
print("number", get_rank(), os.environ["RANK_ID"], os.environ["RANK_SIZE"], sys.argv[1:], flush=True)
print("an error line", file=sys.stderr)
if "fail" in sys.argv and get_rank() == 1:
    raise ValueError("what went wrong")
time.sleep(95 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def launched(program, *flags, arguments=()):
    command = [*COMMAND, "--worker_num", "2", "--local_worker_num", "2", "--master_port", "0", "--log_dir",
               str(program.parent / "logs"), *flags, str(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=processes.environment(), timeout=100)


def test_every_process_has_a_number_and_a_log(program):
    done = launched(program, "--join", "True", "--tail_worker_log", "1", arguments=["--epochs", "3"])
    assert done.returncode == 0, done.stderr
    for r in (0, 1):
        log = (program.parent / "logs" / f"worker_{r}.log").read_text()
        assert f"number {r} {r} 2 ['--epochs', '3']" in log
        assert "an error line" in log
    assert "[worker 1] number 1" in done.stdout
    assert "number 0" not in done.stdout


def test_the_process_that_failed_is_shown_and_the_others_end(program):
    started = time.monotonic()
    done = launched(program, "--join=True", "--worker_log_name", "w", arguments=["fail"])
    assert time.monotonic() - started < 80          # on a busy machine; the other process would sleep longer
    assert done.returncode == 1
    last = done.stderr[done.stderr.index("msrun: process 1 failed first (status 1)"):]
    assert "ValueError: what went wrong" in last
    assert (program.parent / "logs" / "w_0.log").exists()


def test_without_join_the_command_returns_at_once(program):
    done = launched(program)
    assert done.returncode == 0
    assert "start in the background" in done.stdout
    log, end = program.parent / "logs" / "worker_1.log", time.monotonic() + 80
    while not (log.exists() and "number 1" in log.read_text()):
        assert time.monotonic() < end
        time.sleep(0.2)


def test_programs_start_themselves_and_scripts_by_python(tmp_path):
    for name, mode, itself in (("train.py", 0o755, False), ("train", 0o644, False), ("train", 0o755, True)):
        path = tmp_path / name
        path.touch()
        path.chmod(mode)
        words = msrun._command(msrun.parser().parse_args([str(path), "-m", "x"]))
        assert words[3:] == [*([] if itself else [sys.executable, "-u"]), str(path), "-m", "x"]
    for python in ("python", sys.executable):
        args = msrun.parser().parse_args([python, "-m", "x"])
        msrun._check(args)
        assert msrun._command(args)[3:] == [python, "-m", "x"]
    own = ["--work", "1", "--log", "--log_dir", "mine"]                  # options of the program are not looked at
    args = msrun.parser().parse_args(["--log_dir", "logs", "train.py", *own])
    assert (args.log_dir, args.task_script_args) == ("logs", own)


@pytest.mark.parametrize(("flags", "said"), [
    (["--worker_num", "0"], "must be at least 1"),
    (["--worker_num", "5", "--local_worker_num", "2"], "must be a multiple"),
    (["--worker_num", "2", "--local_worker_num", "2", "--min_worker_num", "3"], "--min_worker_num 3 must be from 1"),
    (["--master_port", "70000"], "from 1 to 65535"),
    (["--worker_num", "1", "--local_worker_num", "1"], "does not exist"),
    (["--join", "perhaps"], "--join"),
])
def test_wrong_flags_are_named(flags, said, capsys):
    with pytest.raises(SystemExit):
        msrun.main([*flags, "no_such_program.py"])
    assert said in capsys.readouterr().err
