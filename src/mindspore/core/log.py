"""Messages of the package (`mindspore.log`): standard logging, configured by the environment at first use.

GLOG_v             lowest level that is shown: 0 debug, 1 info, 2 warning, 3 error, 4 critical; default 2
GLOG_logtostderr   1: to standard error (default); 0: to GLOG_log_dir/rank_<id>/logs/mindspore.log.<process>
GLOG_log_dir       folder of the log files, needed with GLOG_logtostderr=0
GLOG_stderrthreshold   lowest level that is shown on standard error, too, with GLOG_logtostderr=0; default 2
logger_maxBytes, logger_backupCount   size of a log file in bytes and how many old ones are kept
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, ClassVar

LEVELS = {
    "0": logging.DEBUG,
    "1": logging.INFO,
    "2": logging.WARNING,
    "3": logging.ERROR,
    "4": logging.CRITICAL,
}
LOGGER_LEVEL, MAX_BYTES, BACKUP_COUNT = "2", "52428800", "30"

_logger: logging.Logger | None = None
_said: set[str] = set()      # what `warn_once` has said


class _Formatter(logging.Formatter):
    """[LEVEL] ME(process:thread,process name):time [file:line] message"""

    def __init__(self):
        super().__init__(
            "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s "
            "[%(pathname)s:%(lineno)d] %(message)s"
        )

    def formatTime(self, record, datefmt=None):
        seconds = time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime(record.created))
        return f"{seconds}.{int(record.msecs):03d}.000"


class _StandardError(logging.StreamHandler):
    """Writes to whatever `sys.stderr` is now, so that redirecting it works at any time."""

    def __init__(self):
        logging.Handler.__init__(self)

    @property
    def stream(self):
        return sys.stderr


def debug(msg: object, *args: object, **kwargs: Any) -> None:
    """Logs `msg % args` at level debug."""
    _active().debug(msg, *args, **_at_caller(kwargs))


def info(msg: object, *args: object, **kwargs: Any) -> None:
    """Logs `msg % args` at level info."""
    _active().info(msg, *args, **_at_caller(kwargs))


def warning(msg: object, *args: object, **kwargs: Any) -> None:
    """Logs `msg % args` at level warning."""
    _active().warning(msg, *args, **_at_caller(kwargs))


def warn_once(msg: str, *args: object) -> None:
    """Logs `msg % args` at level warning, the first time in this process that it would say just that."""
    said = msg % args
    if said not in _said:
        _said.add(said)
        _active().warning("%s", said, **_at_caller({}))


def error(msg: object, *args: object, **kwargs: Any) -> None:
    """Logs `msg % args` at level error."""
    _active().error(msg, *args, **_at_caller(kwargs))


def critical(msg: object, *args: object, **kwargs: Any) -> None:
    """Logs `msg % args` at level critical."""
    _active().critical(msg, *args, **_at_caller(kwargs))


def set_level(level: int | str) -> None:
    """Sets the lowest level that is shown, 0 (debug) to 4 (critical), for this process."""
    _active().setLevel(_checked_level("level", str(level)))


def get_level() -> str:
    """The lowest level that is shown, as a text from '0' (debug) to '4' (critical)."""
    shown = _active().level
    return next(key for key, value in LEVELS.items() if value == shown)


def get_log_config() -> dict[str, str | int]:
    """The settings in force, under the names of their environment variables."""
    config: dict[str, str | int] = {
        "GLOG_v": get_level(),
        "GLOG_logtostderr": _environment("GLOG_logtostderr", "1"),
    }
    if config["GLOG_logtostderr"] == "0":
        config["GLOG_log_dir"] = str(_log_folder())
        config["logger_maxBytes"] = int(_environment("logger_maxBytes", MAX_BYTES))
        config["logger_backupCount"] = int(_environment("logger_backupCount", BACKUP_COUNT))
        config["GLOG_stderrthreshold"] = _environment("GLOG_stderrthreshold", LOGGER_LEVEL)
    return config


def _active() -> logging.Logger:
    global _logger
    if _logger is None:
        _logger = _configured(logging.getLogger("mindspore"))
    return _logger


def _configured(logger: logging.Logger) -> logging.Logger:
    logger.setLevel(_checked_level("GLOG_v", _environment("GLOG_v", LOGGER_LEVEL)))
    logger.propagate = False
    handlers: list[logging.Handler] = [_StandardError()]
    if _environment("GLOG_logtostderr", "1") == "0":
        threshold = _environment("GLOG_stderrthreshold", LOGGER_LEVEL)
        handlers[0].setLevel(_checked_level("GLOG_stderrthreshold", threshold))
        handlers.append(_file())
    for handler in handlers:
        handler.setFormatter(_Formatter())
    logger.handlers[:] = handlers
    return logger


def _file() -> RotatingFileHandler:
    folder = _log_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return RotatingFileHandler(
        folder / f"mindspore.log.{os.getpid()}",
        maxBytes=int(_environment("logger_maxBytes", MAX_BYTES)),
        backupCount=int(_environment("logger_backupCount", BACKUP_COUNT)),
        encoding="utf-8",
        delay=True,
    )


def _log_folder() -> Path:
    folder = _environment("GLOG_log_dir", "")
    if not folder:
        raise ValueError(
            "For GLOG_logtostderr=0, GLOG_log_dir must name the folder of the log files."
        )
    rank = os.environ.get("RANK_ID") or os.environ.get("OMPI_COMM_WORLD_RANK") or "0"
    return Path(os.path.realpath(folder), f"rank_{rank}", "logs")


def _checked_level(name: str, level: str) -> int:
    if level not in LEVELS:
        raise ValueError(f"For the log, the '{name}' must be one of 0 to 4, but got {level!r}.")
    return LEVELS[level]


def _environment(name: str, default: str) -> str:
    return os.environ.get(name) or default


def _at_caller(kwargs):
    """The place that a message names is the caller of debug(), info(), ..."""
    return {**kwargs, "stacklevel": kwargs.get("stacklevel", 1) + 1}


class _LogActionOnce:
    """Lets a function warn through `logger` once for all functions of the same key, or, with `no_warning`, never."""

    _said: ClassVar[set[str]] = set()

    def __init__(self, logger: Any, key: str, no_warning: bool = False):
        self.logger, self.key, self.silent = logger, key, no_warning

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            warn = self.logger.warning

            def once(*message: Any, **options: Any) -> None:
                if not self.silent and self.key not in self._said:
                    self._said.add(self.key)
                    warn(*message, **options)

            self.logger.warning = once
            try:
                return function(*args, **kwargs)
            finally:
                self.logger.warning = warn
        return call
