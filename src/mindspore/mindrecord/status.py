"""Results of methods that cannot fail without an error, and the numbers of error codes."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["FAILED", "SUCCESS", "SYS_ID", "ErrorCodeType", "ErrorLevel", "LogRuntime", "MSRStatus"]


class MSRStatus(IntEnum):
    """How a call ended."""

    SUCCESS = 0
    FAILED = 1


SUCCESS, FAILED = MSRStatus.SUCCESS, MSRStatus.FAILED
SYS_ID = 42  # of this part of the system


class LogRuntime:
    """Where an error happened."""

    RT_HOST = 1
    RT_DEVICE = 2


class ErrorCodeType:
    """What an error code represents."""

    ERROR_CODE = 1
    EXCEPTION_CODE = 2


class ErrorLevel:
    """How bad an error is."""

    COMMON_LEVEL = 0
    SUGGESTION_LEVEL = 1
    MINOR_LEVEL = 2
    MAJOR_LEVEL = 3
    CRITICAL_LEVEL = 4
