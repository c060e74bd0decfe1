"""Programs that run in several processes, for tests: started like a user's, their answers collected."""
from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
START = """
import json, sys
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.communication import init, get_rank, get_group_size, create_group, release
answers = {}
def answer(name, value):
    value = [v.asnumpy().tolist() for v in value] if isinstance(value, (tuple, list)) and value and hasattr(
        value[0], "asnumpy") else value.asnumpy().tolist() if hasattr(value, "asnumpy") else value
    answers[name] = value
"""
END = """
print("ANSWERS " + json.dumps(answers), flush=True)
"""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def environment(**more):
    """The variables of a process that uses this checkout, one thread each."""
    env = {k: v for k, v in os.environ.items() if k not in ("RANK_ID", "RANK_SIZE", "RANK", "WORLD_SIZE")}
    return {**env, "PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1", "GLOG_v": "3", **more}


def written(program, folder):
    """The file of a program that answers."""
    path = Path(folder) / "program.py"
    path.write_text(START + textwrap.dedent(program) + END)
    return path


def start(size, program, folder, **more):
    """The processes of a program, one for each number below `size`."""
    path = written(program, folder)
    port = str(free_port())
    return [subprocess.Popen([sys.executable, str(path)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment(RANK_SIZE=str(size), RANK_ID=str(r), MASTER_PORT=port, **more))
            for r in range(size)]


def finished(processes, seconds=240):
    """Status, output and errors of each process; those that take too long are killed."""
    found = []
    for p in processes:
        try:
            out, err = p.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
            err += "\n(killed: it took too long)"
        found.append((p.returncode, out, err))
    return found


def run(size, program, folder, seconds=300, **more):
    """What the processes answered, by number; fails if one of them did.

    They are copies of one process that has loaded the package, where the system can copy processes.
    """
    if not hasattr(os, "fork"):
        found = finished(start(size, program, folder, **more), seconds)
    else:
        found = finished_copies(size, written(program, folder), Path(folder), seconds, **more)
    for r, (code, out, err) in enumerate(found):
        assert code == 0, f"process {r} of {size}:\n{out}\n{err}"
    return [json.loads(out.split("ANSWERS ")[-1]) for _, out, _ in found]


def finished_copies(size, path, folder, seconds, **more):
    """As `finished`, of processes that are copies of one."""
    command = [sys.executable, str(Path(__file__).parent / "forked.py"), str(size), str(folder), str(path)]
    parent = subprocess.Popen(command, start_new_session=True, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env=environment(RANK_SIZE=str(size), MASTER_PORT=str(free_port()), **more))
    try:
        said, late = parent.communicate(timeout=seconds)[0], ""
    except subprocess.TimeoutExpired:
        os.killpg(parent.pid, signal.SIGKILL)
        said, late = parent.communicate()[0], "\n(killed: it took too long)"
    codes = folder / "codes"
    found = codes.read_text().split() if codes.exists() and not late else ["1"] * size
    codes.unlink(missing_ok=True)

    def text(name):
        return (folder / name).read_text() if (folder / name).exists() else said
    return [(int(code), text(f"out{r}"), text(f"err{r}") + late) for r, code in enumerate(found)]
