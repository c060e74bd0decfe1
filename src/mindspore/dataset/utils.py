"""Helpers for programs that write their own sources: `mindspore.dataset.utils`."""

from __future__ import annotations

from mindspore.dataset import _check as check


class LineReader:
    """Lines of a text file by their number, without the file being held in memory.

    Args:
        filename: The file.
    """

    def __init__(self, filename: str):
        self.filename = check.file(self, "filename", filename)
        self._file = open(self.filename, "rb")  # noqa: SIM115 - open as long as the reader
        self._ends = [0]
        for line in self._file:
            self._ends.append(self._ends[-1] + len(line))

    def __enter__(self) -> LineReader:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.len()

    def len(self) -> int:
        """Number of lines."""
        return len(self._ends) - 1

    def readline(self, line: int) -> str:
        """Line number `line`, from 1, without its end."""
        check.integer(self, "line", line, 1, self.len())
        self._file.seek(self._ends[line - 1])
        content = self._file.read(self._ends[line] - self._ends[line - 1])
        return content.decode().rstrip("\n").rstrip("\r")

    def close(self) -> None:
        """Close the file."""
        self._file.close()
