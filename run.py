#!/usr/bin/env python3
"""Two commands that set themselves up: train a network, or run the tests.

    python3 run.py demo [--mode graph|pynative] [--data-path MNIST] [--epochs N]
    python3 run.py test [arguments for pytest]

Both accept `--torch-index URL`, a package index that has the build of torch you want (such as one
without CUDA); otherwise pip decides by its own configuration. The first run makes a virtual
environment in `.venv` beside this file and installs what constraints.txt pins; later runs start at
once. An environment that is incomplete, damaged or out of date is made anew.

Needs Python 3.11 or newer, and nothing but its standard library.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
STAMP = VENV / "anyspore.json"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
COMMANDS = {"demo": [str(HERE / "examples" / "lenet_digits.py")], "test": ["-m", "pytest"]}


def main(arguments: list[str]) -> int:
    """Set up if necessary, then become the command."""
    if sys.version_info < (3, 11):  # noqa: UP036  # an older Python reads this file, too
        found = ".".join(str(part) for part in sys.version_info[:3])
        sys.exit(f"run.py needs Python 3.11 or newer, but this is {found} ({sys.executable}).")
    index, words = taken("--torch-index", arguments)
    if not words or words[0] not in COMMANDS:
        print(__doc__)
        return 0 if words in (["-h"], ["--help"]) else 2
    with exclusive():
        prepare(index)
    return become([str(PYTHON), *COMMANDS[words[0]], *words[1:]])


def taken(option: str, words: list[str]) -> tuple[str | None, list[str]]:
    """The value of an option, and the words without it."""
    for i, word in enumerate(words):
        if word == option and i + 1 < len(words):
            return words[i + 1], words[:i] + words[i + 2 :]
        if word.startswith(option + "="):
            return word.partition("=")[2], words[:i] + words[i + 1 :]
    return None, words


def become(command: list[str]) -> int:
    """Run the command in the checkout with this process's terminal, and return its exit status."""
    os.chdir(HERE)
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.call(command)


@contextlib.contextmanager
def exclusive():
    """Let one process at a time set up; a second one waits for the first."""
    try:
        import fcntl  # only Unix has it
    except ImportError:
        yield
        return
    with open(HERE / ".venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepare(index: str | None) -> None:
    """Make the environment unless a complete one for these pins is there.

    The stamp is written last and in one step, so an interrupted set-up never looks complete.
    """
    wanted = digest()
    if is_complete(wanted, index):
        return
    print("Setting up .venv (once; this takes a few minutes).", flush=True)
    pip = make_environment()
    command = [*pip, "install", "--constraint", str(HERE / "constraints.txt")]
    command += ["--extra-index-url", index] if index else []
    run([*command, "--editable", f"{HERE}[demo,crypto,text,video,onnx,dev]"])
    part = STAMP.with_suffix(".part")
    part.write_text(json.dumps({"digest": wanted, "index": index, "installed": installed()}))
    part.replace(STAMP)


def digest() -> str:
    """A number that changes with Python, the pins, what the project says it needs, or its place."""
    import tomllib  # an older Python, which is sent away before, does not have it

    project = tomllib.loads((HERE / "pyproject.toml").read_text())
    needs = json.dumps([project.get("build-system"), project.get("project")], sort_keys=True)
    pins = (HERE / "constraints.txt").read_text()
    return hashlib.sha256("\n".join([sys.version, str(HERE), needs, pins]).encode()).hexdigest()


def is_complete(wanted: str, index: str | None) -> bool:
    """Whether a stamp for these pins is there, and what it says was installed still is."""
    try:
        stamp = json.loads(STAMP.read_text())
        return (
            stamp["digest"] == wanted
            and index in (None, stamp["index"])
            and PYTHON.exists()
            and set(stamp["installed"]) <= set(installed())
        )
    except (OSError, ValueError, KeyError, TypeError):  # no stamp, or one that was cut short
        return False


def installed() -> list[str]:
    """The entries of the environment's package folder."""
    folder = VENV / "Lib" if os.name == "nt" else next((VENV / "lib").glob("python*"))
    names = (entry.name for entry in (folder / "site-packages").iterdir())
    return sorted(name for name in names if name != "__pycache__")


def make_environment() -> list[str]:
    """A new virtual environment; returns the command that is its pip."""
    shutil.rmtree(VENV, ignore_errors=True)
    venv = [sys.executable, "-m", "venv"]
    made = subprocess.run([*venv, str(VENV)], capture_output=True, text=True)
    if made.returncode == 0:
        return [str(PYTHON), "-m", "pip", "--disable-pip-version-check"]
    # Some systems ship Python without ensurepip: let the pip that started us fill the environment.
    shutil.rmtree(VENV, ignore_errors=True)
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True).returncode == 0:
        run([*venv, "--without-pip", str(VENV)])
        return [*pip, "--disable-pip-version-check", "--python", str(PYTHON)]
    sys.exit(
        "This Python can make no virtual environment: it has neither ensurepip nor pip. Install "
        "one of them (on Debian: the package python3-venv) and try again.\n" + made.stdout
    )


def run(command: list[str]) -> None:
    """Run a step of the set-up; stop with its exit status if it fails."""
    status = subprocess.call(command, cwd=HERE)
    if status:
        sys.exit(f"Setting up failed (exit status {status}): {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
