"""The command `msrun`: starts the processes of a program, keeps a log of each, and ends all when one fails.

    msrun --worker_num 4 --local_worker_num 4 --join True train.py --epochs 3

It is torch's elastic agent with the flags of MindSpore's launcher.
"""
from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import uuid
from argparse import REMAINDER, ArgumentParser, Namespace
from pathlib import Path
from typing import Any

OWN = "mindspore.distributed.msrun"
TAIL = 40             # lines of the failing process that are shown


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def parser() -> ArgumentParser:
    """What the command takes."""
    found = ArgumentParser("msrun", description="Start the processes of a program that work together.",
                           allow_abbrev=False)              # options of the program may begin as one of these does
    add = found.add_argument
    add("--worker_num", type=int, default=8, help="processes on all machines together (8)")
    add("--local_worker_num", type=int, default=8, help="processes on this machine (8)")
    add("--master_addr", default="127.0.0.1", help="where the processes meet (127.0.0.1)")
    add("--master_port", type=int, default=8118, help="the port there (8118); 0: a free one of this machine")
    add("--node_rank", type=int, default=-1, help="number of this machine; by default they are given out as they come")
    add("--log_dir", default="", help="folder of the logs worker_<rank>.log (the current one)")
    add("--join", type=_flag, default=False, help="wait for the processes and report how they ended (False)")
    add("--cluster_time_out", type=int, default=600, help="seconds to wait for all processes (600); negative: for ever")
    add("--bind_core", type=_flag, default=False, help="give each process CPU cores of its own (False)")
    add("--max_restarts", type=int, default=0, help="how often the job is started anew after a failure (0)")
    add("--min_worker_num", type=int, default=0, help="when a signal killed a process and no restart is left, continue "
        "with one process fewer, down to so many (0: never)")
    add("--rank_table_file", default="", help="a rank table, for scripts that read RANK_TABLE_FILE")
    add("--worker_log_name", default="", help="name of the logs in place of worker_<rank>; {rank} is the number")
    add("--tail_worker_log", default="-1", help="numbers on this machine whose output is shown as well: 0,2 or -1 for "
                                                "all")
    add("task_script", help="the program")
    add("task_script_args", nargs=REMAINDER, help="its arguments")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    args = parser().parse_args(words)
    _check(args)
    logs = Path(args.log_dir or ".")
    logs.mkdir(parents=True, exist_ok=True)
    if not args.join:
        with open(logs / "msrun.log", "w", encoding="utf-8") as file:
            at = words.index(args.task_script)
            command = [sys.executable, "-m", OWN, *words[:at], "--join", "True", *words[at:]]
            process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
        print(f"msrun: {args.local_worker_num} processes start in the background (process {process.pid}); "
              f"see {logs / 'msrun.log'} and {logs / _log_name(args, '<rank>')}.", flush=True)
        return 0
    return run(args, logs)


def _check(args: Namespace) -> None:
    wrong = parser().error
    if args.worker_num < 1 or not 1 <= args.local_worker_num <= args.worker_num:
        wrong(f"--worker_num {args.worker_num} must be at least 1, and --local_worker_num {args.local_worker_num} from "
              f"1 to it")
    if not 0 <= args.master_port <= 65535 or (args.master_port == 0 and args.worker_num != args.local_worker_num):
        wrong(f"--master_port {args.master_port} must be from 1 to 65535; 0 only if all processes are on this machine")
    if args.worker_num % args.local_worker_num:
        wrong(f"--worker_num {args.worker_num} must be a multiple of --local_worker_num {args.local_worker_num}: every "
              "machine starts as many processes as the others")
    if args.min_worker_num and not 1 <= args.min_worker_num <= args.worker_num == args.local_worker_num:
        wrong(f"--min_worker_num {args.min_worker_num} must be from 1 to --worker_num {args.worker_num}, all of which "
              "are on this machine")
    if args.rank_table_file and not Path(args.rank_table_file).is_file():
        wrong(f"--rank_table_file {args.rank_table_file}: there is no such file")
    if not (_runs_itself(args.task_script) or Path(args.task_script).is_file()):
        wrong(f"the program {args.task_script} does not exist")


def _log_name(args: Namespace, rank: str) -> str:
    name = args.worker_log_name or "worker_{rank}"
    return (name if "{rank}" in name else f"{name}_{{rank}}").replace("{rank}", rank) + ".log"


def run(args: Namespace, logs: Path) -> int:
    """Start the processes and wait for them; 0, or 1 after the report of the one that failed first."""
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import elastic_launch

    wait = args.cluster_time_out if args.cluster_time_out >= 0 else 10 ** 8
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, len(_cores()) // args.local_worker_num)))
    os.environ.setdefault("MS_TOPO_TIMEOUT", str(wait))
    if args.bind_core:
        os.environ["MS_BIND_CORE"] = "1"
    if args.rank_table_file:
        os.environ["RANK_TABLE_FILE"] = str(Path(args.rank_table_file).resolve())
    count = args.local_worker_num
    while True:
        try:
            elastic_launch(_config(args, logs, count, wait), "/bin/sh")(*_command(args))
        except ChildFailedError as error:
            _report(error, args, logs)
            if error.get_first_failure()[1].exitcode >= 0 or not args.min_worker_num or count <= args.min_worker_num:
                return 1
            count -= 1
            print(f"msrun: the job continues with {count} processes.", file=sys.stderr, flush=True)
        else:
            return 0


def _config(args: Namespace, logs: Path, count: int, wait: int) -> Any:
    """What torch's agent is told for so many processes on this machine."""
    from torch.distributed.launcher.api import LaunchConfig

    machines = args.worker_num // args.local_worker_num
    port = args.master_port or _free_port()
    together = args.node_rank >= 0 or machines == 1
    return LaunchConfig(
        min_nodes=machines, max_nodes=machines, nproc_per_node=count, run_id=f"msrun-{uuid.uuid4()}"
        if machines == 1 else f"msrun-{args.master_port}", rdzv_backend="static" if together else "c10d",
        rdzv_endpoint=f"{args.master_addr}:{port}",
        rdzv_configs={"timeout": wait, **({"rank": max(args.node_rank, 0)} if together else {})},
        max_restarts=args.max_restarts, logs_specs=_logs(args, logs), log_line_prefix_template="[worker ${rank}] ",
        local_addr="127.0.0.1" if machines == 1 else None, monitor_interval=0.05)


def _command(args: Namespace) -> list[str]:
    """How the shell starts a process: it joins both outputs in one log, and does not stay."""
    program = [args.task_script] if _runs_itself(args.task_script) else [sys.executable, "-u", args.task_script]
    return ["-c", 'export RANK_ID="$RANK" RANK_SIZE="$WORLD_SIZE" DEVICE_ID="$LOCAL_RANK"; exec "$@" 2>&1', "sh",
            *program, *args.task_script_args]


def _runs_itself(program: str) -> bool:
    """Whether a program is one that the system starts, as `python`; all else is a script."""
    return not program.endswith(".py") and shutil.which(program) is not None


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def _logs(args: Namespace, logs: Path) -> Any:
    from torch.distributed.elastic.multiprocessing import LogsDest, LogsSpecs

    class Logs(LogsSpecs):
        """One file for each process."""

        def reify(self, envs: dict[int, dict[str, str]]) -> LogsDest:
            paths = {k: str(logs / _log_name(args, env["RANK"])) for k, env in envs.items()}
            shown = list(paths) if args.tail_worker_log.strip() == "-1" else [
                int(k) for k in args.tail_worker_log.split(",")]
            return LogsDest(stdouts=paths, stderrs=dict.fromkeys(paths, ""), tee_stderrs={},
                            tee_stdouts={k: paths[k] for k in shown if k in paths},
                            error_files={k: f"{path}.error" for k, path in paths.items()})

        @property
        def root_log_dir(self) -> str:
            return str(logs)

    return Logs(str(logs))


def _report(error: Any, args: Namespace, logs: Path) -> None:
    """Say which process failed first, and what it said last."""
    rank, failure = error.get_first_failure()
    path = logs / _log_name(args, str(rank))
    ended = f"signal {-failure.exitcode}" if failure.exitcode < 0 else f"status {failure.exitcode}"
    print(f"msrun: process {rank} failed first ({ended}); the others were ended. The last lines of {path}:",
          file=sys.stderr)
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as problem:
        lines = [f"(the log cannot be read: {problem})"]
    print("\n".join([f"    {line}" for line in lines[-TAIL:]]), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
