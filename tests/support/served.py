"""Programs with parameter servers, for tests: a scheduler, servers and workers."""
from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import processes


def start(program, folder, workers=2, servers=2):
    """The processes of a program by role, and a function that starts one more."""
    path = Path(folder) / "program.py"
    path.write_text(processes.START + textwrap.dedent(program) + processes.END)
    port = str(processes.free_port())

    def one(role, **more):
        env = processes.environment(MS_ROLE=role, MS_SCHED_HOST="127.0.0.1", MS_SCHED_PORT=port, MS_TOPO_TIMEOUT="60",
                                    MS_WORKER_NUM=str(workers), MS_SERVER_NUM=str(servers), **more)
        return subprocess.Popen([sys.executable, str(path)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=env, cwd=folder)
    line = {"scheduler": [one("MS_SCHED")], "servers": [one("MS_PSERVER") for _ in range(servers)],
            "workers": [one("MS_WORKER", MS_NODE_ID=str(r)) for r in range(workers)]}
    return line, one


def answers(line):
    """What the workers answered; fails if a process did."""
    found = {role: processes.finished(group, 120) for role, group in line.items()}
    for role, group in found.items():
        for k, (code, out, err) in enumerate(group):
            assert code == 0, f"{role} {k}:\n{out}\n{err}\n" + "\n".join(
                e[-1500:] for g in found.values() for _, _, e in g)
    return [json.loads(out.split("ANSWERS ")[-1]) for _, out, _ in found["workers"]]
