"""The script that sets up: when it installs, what it passes on. Nothing is installed here."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "run.py"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """run.py in a checkout of its own, with an installer that only makes folders."""
    spec = importlib.util.spec_from_file_location("run_script", SCRIPT)
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    venv = tmp_path / ".venv"
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "VENV", venv)
    monkeypatch.setattr(run, "STAMP", venv / run.STAMP.name)
    monkeypatch.setattr(run, "PYTHON", venv / "bin" / "python")
    (tmp_path / "pyproject.toml").write_text("[project]")
    (tmp_path / "constraints.txt").write_text("torch==2.13.0\n")
    run.installs, run.started = [], []

    def make_environment():
        (venv / "bin").mkdir(parents=True, exist_ok=True)
        (venv / "bin" / "python").touch()
        return ["pip"]

    def install(command):
        run.installs.append(command)
        for name in ("torch", "torch-2.13.0.dist-info"):
            (venv / "lib" / "python3" / "site-packages" / name).mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(run, "make_environment", make_environment)
    monkeypatch.setattr(run, "run", install)
    monkeypatch.setattr(run, "become", lambda command: run.started.append(command) or 0)
    return run


def test_the_second_run_installs_nothing(script):
    assert script.main(["test"]) == script.main(["test"]) == 0
    assert (len(script.installs), len(script.started)) == (1, 2)


def test_changed_pins_are_installed(script):
    script.main(["test"])
    (script.HERE / "constraints.txt").write_text("torch==2.14.0\n")
    script.main(["test"])
    assert len(script.installs) == 2


def test_a_changed_setting_of_a_tool_installs_nothing(script):
    script.main(["test"])
    (script.HERE / "pyproject.toml").write_text("[project]\n[tool.ruff]\nline-length = 99\n")
    script.main(["test"])
    assert len(script.installs) == 1


def test_an_interrupted_installation_is_done_again(script, monkeypatch):
    install = script.run
    monkeypatch.setattr(script, "run", lambda command: (install(command), exit("interrupted")))
    with pytest.raises(SystemExit, match="interrupted"):
        script.main(["test"])
    monkeypatch.setattr(script, "run", install)
    script.main(["test"])
    assert (len(script.installs), len(script.started)) == (2, 1)


@pytest.mark.parametrize("lost", ["bin/python", "lib/python3/site-packages/torch", "anyspore.json"])
def test_a_damaged_environment_is_made_anew(script, lost):
    script.main(["test"])
    victim = script.VENV / lost
    victim.rmdir() if victim.is_dir() else victim.unlink()
    script.main(["test"])
    assert len(script.installs) == 2


def test_a_stamp_that_was_cut_short_does_not_count(script):
    script.main(["test"])
    script.STAMP.write_text(script.STAMP.read_text()[:20])
    script.main(["test"])
    assert len(script.installs) == 2


def test_what_the_user_installs_besides_is_left_alone(script):
    script.main(["test"])
    (script.VENV / "lib" / "python3" / "site-packages" / "ipython").mkdir()
    script.main(["test"])
    assert len(script.installs) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--torch-index", "URL", "test", "-x"],
        ["test", "--torch-index=URL", "-x"],
        ["test", "-x", "--torch-index", "URL"],
    ],
)
def test_the_index_goes_to_pip_and_the_rest_to_the_command(script, words):
    script.main(words)
    assert script.installs[0][-4:-2] == ["--extra-index-url", "URL"]
    assert script.started[0][-3:] == ["-m", "pytest", "-x"]


def test_another_index_installs_anew_and_none_takes_what_is_there(script):
    for words in (["test"], ["test", "--torch-index=URL"], ["test"], ["test", "--torch-index=URL"]):
        script.main(words)
    assert len(script.installs) == 2


@pytest.mark.parametrize(("words", "status"), [([], 2), (["train"], 2), (["--help"], 0)])
def test_without_a_command_the_usage_is_shown(script, capsys, words, status):
    assert script.main(words) == status
    assert "python3 run.py test" in capsys.readouterr().out
    assert script.installs == []


def test_an_old_python_is_named(script, monkeypatch):
    monkeypatch.setattr(script.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, but this is 3\.9\.2"):
        script.main(["test"])
