"""MindRecord files: writing, reading, converting: `mindspore.mindrecord`.

The exceptions are added by the tables of names.
"""

from __future__ import annotations

from mindspore.mindrecord.config import set_dec_mode, set_enc_key, set_enc_mode
from mindspore.mindrecord.filereader import FileReader
from mindspore.mindrecord.filewriter import FileWriter
from mindspore.mindrecord.mindpage import MindPage
from mindspore.mindrecord.status import FAILED, SUCCESS
from mindspore.mindrecord.tools.cifar10_to_mr import Cifar10ToMR
from mindspore.mindrecord.tools.cifar100_to_mr import Cifar100ToMR
from mindspore.mindrecord.tools.csv_to_mr import CsvToMR
from mindspore.mindrecord.tools.imagenet_to_mr import ImageNetToMR
from mindspore.mindrecord.tools.mnist_to_mr import MnistToMR
from mindspore.mindrecord.tools.tfrecord_to_mr import TFRecordToMR

__all__ = [
    "FAILED",
    "SUCCESS",
    "Cifar100ToMR",
    "Cifar10ToMR",
    "CsvToMR",
    "FileReader",
    "FileWriter",
    "ImageNetToMR",
    "MindPage",
    "MnistToMR",
    "TFRecordToMR",
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
]
