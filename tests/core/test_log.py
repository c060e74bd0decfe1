from __future__ import annotations

import importlib
import logging
import re

import pytest

from mindspore.core import log


@pytest.fixture
def fresh(monkeypatch):
    """The log as a new process finds it; the settings of this one come back afterwards."""
    logger = logging.getLogger("mindspore")
    kept = logger.handlers[:], logger.level, logger.propagate
    for name in ("GLOG_v", "GLOG_logtostderr", "GLOG_log_dir", "GLOG_stderrthreshold", "RANK_ID", "logger_maxBytes"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(log, "_logger", None)
    yield monkeypatch
    for handler in logger.handlers:
        if handler not in kept[0]:
            handler.close()
    logger.handlers[:], logger.level, logger.propagate = kept


def test_a_warning_is_shown_with_level_time_and_the_place_of_the_caller(fresh, capsys):
    log.warning("lost %d of %s", 2, "five")
    pattern = r"\[WARNING\] ME\(\d+:\d+,\w+\):\d{4}(-\d\d){3}:\d\d:\d\d\.\d{3}\.000 \[(.*):\d+\] lost 2 of five\n"
    match = re.fullmatch(pattern, capsys.readouterr().err)
    assert match
    assert match[2].endswith("test_log.py")


@pytest.mark.parametrize(("level", "shown"), [("0", "diwec"), ("1", "iwec"), ("2", "wec"), ("3", "ec"), ("4", "c")])
def test_only_messages_from_the_level_of_the_environment_are_shown(fresh, capsys, level, shown):
    fresh.setenv("GLOG_v", level)
    for write in (log.debug, log.info, log.warning, log.error, log.critical):
        write(write.__name__)
    lines = capsys.readouterr().err.splitlines()
    assert "".join(line.split("] ")[-1][0] for line in lines) == shown
    assert log.get_level() == level


def test_the_level_can_be_changed_while_running(fresh, capsys):
    log.info("before")
    log.set_level(1)
    log.info("after")
    assert capsys.readouterr().err.endswith("after\n")
    assert log.get_log_config() == {"GLOG_v": "1", "GLOG_logtostderr": "1"}
    with pytest.raises(ValueError, match="level"):
        log.set_level(9)


def test_an_unknown_level_in_the_environment_is_refused(fresh):
    fresh.setenv("GLOG_v", "7")
    with pytest.raises(ValueError, match="GLOG_v"):
        log.warning("x")


def test_messages_go_to_a_file_of_the_process_and_serious_ones_to_standard_error_too(fresh, tmp_path, capsys):
    fresh.setenv("GLOG_logtostderr", "0")
    fresh.setenv("GLOG_log_dir", str(tmp_path))
    fresh.setenv("GLOG_stderrthreshold", "3")
    fresh.setenv("RANK_ID", "5")
    log.warning("quiet")
    log.error("loud")
    (file,) = (tmp_path / "rank_5" / "logs").iterdir()
    assert [line[-5:] for line in file.read_text().splitlines()] == ["quiet", " loud"]
    assert "quiet" not in capsys.readouterr().err
    assert log.get_log_config()["GLOG_log_dir"] == str(file.parent)


def test_a_file_needs_a_folder(fresh):
    fresh.setenv("GLOG_logtostderr", "0")
    with pytest.raises(ValueError, match="GLOG_log_dir"):
        log.warning("x")


def test_nothing_is_configured_by_importing(fresh):
    before = logging.getLogger("mindspore").handlers[:]
    importlib.reload(log)
    assert logging.getLogger("mindspore").handlers == before
