"""Exceptions of MindRecord files, by the public names (`mindspore.mindrecord.common.exceptions`).

Each is also a ValueError, TypeError or RuntimeError, so that a program may catch what it would catch elsewhere.
"""

from __future__ import annotations

__all__ = [
    "DbConnectionError",
    "MRMAddIndexError",
    "MRMAddSchemaError",
    "MRMBuildSchemaError",
    "MRMCloseError",
    "MRMCommitError",
    "MRMDefineBlobError",
    "MRMDefineCategoryError",
    "MRMDefineIndexError",
    "MRMFetchCandidateFieldsError",
    "MRMFetchDataError",
    "MRMFinishError",
    "MRMGenerateIndexError",
    "MRMGetMetaError",
    "MRMIndexGeneratorError",
    "MRMInitSegmentError",
    "MRMInvalidHeaderSizeError",
    "MRMInvalidPageSizeError",
    "MRMInvalidSchemaError",
    "MRMLaunchError",
    "MRMOpenError",
    "MRMOpenForAppendError",
    "MRMReadCategoryInfoError",
    "MRMSetHeaderError",
    "MRMUnsupportedSchemaError",
    "MRMValidateDataError",
    "MRMWriteDatasetError",
    "MindRecordException",
    "MindRecordFileError",
    "ParamMissError",
    "ParamTypeError",
    "ParamValueError",
    "PathNotExistsError",
    "UnknownError",
]

_SHOWN = 3000  # characters of a detail, which may quote what a damaged file holds
_CODES = 0x50541000  # of this part of the system; a class adds its number


class MindRecordException(Exception):
    """Base of all of them.

    Args:
        error_detail: What is wrong, after the text of the class.
    """

    number, text = 0, "Unknown Error."

    def __init__(self, error_detail: str = ""):
        super().__init__()
        self.detail = error_detail if len(error_detail) <= _SHOWN else f"{error_detail[:_SHOWN]}..."

    @property
    def error_code(self) -> int:
        """Number of the error, with that of this part of the system."""
        return self.transform_error_code(self.number)

    @property
    def error_msg(self) -> str:
        """Text of the error without the name of the class."""
        return f"{self.text} {self.detail}".rstrip()

    def transform_error_code(self, exception_no: int) -> int:
        """Error code of an error number."""
        return _CODES + exception_no

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {self.error_msg}"

    def __reduce__(self):
        return _revived, (type(self), self.__dict__)


def _revived(kind: type[MindRecordException], state: dict) -> MindRecordException:
    """An exception that comes out of a worker process."""
    error = kind.__new__(kind)
    error.__dict__.update(state)
    return error


class _DetailedError(MindRecordException):
    """An error that makes no sense without its detail."""

    def __init__(self, error_detail: str):
        super().__init__(error_detail)


class _NamedDetailError(_DetailedError):
    """An error whose detail follows the word."""

    @property
    def error_msg(self) -> str:
        return f"{self.text} Detail: {self.detail}"


class MindRecordFileError(_DetailedError, RuntimeError, ValueError):
    """A file that is missing, truncated, corrupt, of another format, or not of the set it is read with."""

    text = "MindRecord file:"


class UnknownError(MindRecordException, RuntimeError):
    """An error without a class of its own."""


class ParamTypeError(MindRecordException, TypeError):
    """An argument of a wrong type."""

    number, text = 1, "Invalid parameter type."

    def __init__(self, param_name: str, expected_type: str):
        super().__init__(f"'{param_name}' expect {expected_type} type.")


class ParamValueError(_DetailedError, ValueError):
    """An argument of a wrong value."""

    number, text = 2, "Invalid parameter value."


class ParamMissError(MindRecordException, ValueError):
    """An argument that is missing."""

    number, text = 3, "Param missing."

    def __init__(self, param_name: str):
        super().__init__(f"'{param_name}' is required.")


class PathNotExistsError(_DetailedError, RuntimeError):
    """A path that does not exist or holds nothing usable."""

    number, text = 4, "Invalid path."

    def __init__(self, error_path: str):
        super().__init__(error_path)


class DbConnectionError(_NamedDetailError, RuntimeError):
    """An index that cannot be opened."""

    number, text = 5, "Db connection is error."


class MRMOpenError(MindRecordException, RuntimeError):
    """A file cannot be opened."""

    number, text = 0x1064, "MindRecord File could not open successfully."


class MRMOpenForAppendError(MindRecordException, RuntimeError):
    """A file cannot be opened to append to."""

    number, text = 0x1065, "MindRecord File could not open successfully for append."


class MRMInvalidPageSizeError(MindRecordException, ValueError, RuntimeError):
    """A size that pages cannot have."""

    number, text = 0x1066, "Failed to set page size."


class MRMInvalidHeaderSizeError(MindRecordException, ValueError, RuntimeError):
    """A size that the header area cannot have."""

    number, text = 0x1067, "Failed to set header size."


class MRMSetHeaderError(MindRecordException, RuntimeError):
    """A header that cannot be written."""

    number, text = 0x1068, "Failed to set header."


class MRMWriteDatasetError(MindRecordException, RuntimeError):
    """Rows that cannot be written."""

    number, text = 0x1069, "Failed to write dataset."


class MRMCommitError(MindRecordException, RuntimeError):
    """Files that cannot be completed."""

    number, text = 0x106B, "Failed to commit."


class MRMLaunchError(MindRecordException, RuntimeError):
    """Reading that cannot begin."""

    number, text = 0x106C, "Failed to launch."


class MRMFinishError(MindRecordException, RuntimeError):
    """Reading that cannot end."""

    number, text = 0x106D, "Failed to finish."


class MRMCloseError(MindRecordException, RuntimeError):
    """Files that cannot be closed."""

    number, text = 0x106E, "Failed to close."


class MRMAddSchemaError(MindRecordException, RuntimeError):
    """A second schema."""

    number, text = 0x106F, "Failed to add schema."


class MRMAddIndexError(MindRecordException, RuntimeError):
    """Index fields that cannot be added."""

    number, text = 0x1070, "Failed to add index field."


class MRMBuildSchemaError(MindRecordException, ValueError, RuntimeError):
    """A schema with shapes that cannot be."""

    number, text = 0x1071, "Failed to build schema."


class MRMGetMetaError(MindRecordException, RuntimeError):
    """A header that cannot be read."""

    number, text = 0x1072, "Failed to get meta info."


class MRMIndexGeneratorError(MindRecordException, RuntimeError):
    """An index that cannot be begun."""

    number, text = 0x1073, "Failed to create index generator."


class MRMGenerateIndexError(MindRecordException, RuntimeError):
    """An index that cannot be written."""

    number, text = 0x1074, "Failed to generate index."


class MRMInitSegmentError(MindRecordException, RuntimeError):
    """Files that cannot be read by category."""

    number, text = 0x1075, "Failed to initialize segment."


class MRMFetchCandidateFieldsError(MindRecordException, RuntimeError):
    """The fields for categories cannot be told."""

    number, text = 0x1076, "Failed to fetch candidate category fields."


class MRMReadCategoryInfoError(MindRecordException, RuntimeError):
    """The categories cannot be read."""

    number, text = 0x1077, "Failed to read category information."


class MRMFetchDataError(MindRecordException, RuntimeError):
    """Rows of a category cannot be read."""

    number, text = 0x1078, "Failed to fetch data by category."


class MRMInvalidSchemaError(_NamedDetailError, ValueError):
    """A schema that is none."""

    number, text = 0x20C8, "Schema format is error."


class MRMValidateDataError(_NamedDetailError, ValueError):
    """A row that does not fit the schema."""

    number, text = 0x20C9, "Raw data do not match the schema."


class MRMDefineIndexError(_NamedDetailError, ValueError, RuntimeError):
    """A field that cannot be an index."""

    number, text = 0x20CA, "Failed to define index field."


class MRMDefineBlobError(_NamedDetailError, ValueError):
    """A field that cannot be a blob."""

    number, text = 0x20CB, "Failed to define blob field."


class MRMUnsupportedSchemaError(_NamedDetailError, ValueError):
    """A schema that is not supported."""

    number, text = 0x20CC, "Schema is not supported."


class MRMDefineCategoryError(_NamedDetailError, ValueError):
    """A field that cannot give categories."""

    number, text = 0x20CD, "Failed to define category field."
