"""`RESULTS.md`: one section per benchmark, replaced as a whole, with the date and the kind of machine."""
from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path

FILE = Path(__file__).with_name("RESULTS.md")
HEAD = "# Results\n\nWritten by the commands in `README.md`.\n"


def machine() -> str:
    """What the figures were measured on."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = re.search(r"model name\s*: (.*)", info.read_text())
        name = found[1] if found else name
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


def write(title: str, command: str, table: list[str]) -> None:
    """Replace (or append) the section of that title."""
    text = FILE.read_text() if FILE.exists() else HEAD
    body = "\n".join([f"## {title}", "", f"`{command}`, {datetime.date.today()}, {machine()}", "", *table])
    parts = [p for p in re.split(r"(?m)^(?=## )", text) if not p.startswith(f"## {title}\n")]
    FILE.write_text("\n".join(p.rstrip() + "\n" for p in [*parts, body]))
