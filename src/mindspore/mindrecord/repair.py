"""Indexes of MindRecord files made again: `python -m mindspore.mindrecord.repair FILE...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from mindspore.formats.mindrecord.errors import MindRecordException
from mindspore.formats.mindrecord.index import index_path
from mindspore.formats.mindrecord.rebuilding import rebuild


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the indexes of sets again that are missing or damaged; 0 if all are sound then."""
    parser = argparse.ArgumentParser(
        prog="python -m mindspore.mindrecord.repair",
        description="Make the indexes (FILE.db) of MindRecord files again that are missing or damaged, and complete "
        "what a killed writer had only to rename. Data files are not changed.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a data file, which represents its whole set")
    parser.add_argument("--all", action="store_true", help="also make those again in which nothing is wrong")
    given = parser.parse_args(arguments)
    failed = 0
    for file in given.files:
        try:
            for path, is_new in rebuild(file, given.all).items():
                print(f"{index_path(path)}: {'made again' if is_new else 'sound'}")
        except MindRecordException as error:
            print(error, file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
