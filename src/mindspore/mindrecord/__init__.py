"""MindRecord files: writing, reading, converting: `mindspore.mindrecord`.

The exceptions and the converters are added by the tables of names.
"""

from __future__ import annotations

from mindspore.mindrecord.config import set_dec_mode, set_enc_key, set_enc_mode
from mindspore.mindrecord.filereader import FileReader
from mindspore.mindrecord.filewriter import FileWriter
from mindspore.mindrecord.mindpage import MindPage
from mindspore.mindrecord.status import FAILED, SUCCESS

__all__ = [
    "FAILED",
    "SUCCESS",
    "FileReader",
    "FileWriter",
    "MindPage",
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
]
