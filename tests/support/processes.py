"""Programs that run in several processes, for tests: started like a user's, their answers collected."""
from __future__ import annotations

import json
import os
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


def start(size, program, folder, **more):
    """The processes of a program, one for each number below `size`."""
    path = Path(folder) / "program.py"
    path.write_text(START + textwrap.dedent(program) + END)
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


def run(size, program, folder, **more):
    """What the processes answered, by number; fails if one of them did."""
    found = finished(start(size, program, folder, **more))
    for r, (code, out, err) in enumerate(found):
        assert code == 0, f"process {r} of {size}:\n{out}\n{err}"
    return [json.loads(out.split("ANSWERS ")[-1]) for _, out, _ in found]
