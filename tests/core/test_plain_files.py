"""Files that have no name, or are none."""
from __future__ import annotations

import os

import pytest

from mindspore.core.plain_files import content, regular


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_what_no_file_can_be_called_is_an_error_of_the_system(name):
    with pytest.raises(OSError, match="no name of a file") as caught:
        regular(name, os.O_RDONLY)
    assert caught.value.filename == name


def test_the_largest_size_is_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"four")
    assert content(path, 4) == b"four"
    with pytest.raises(ValueError, match="it has 4 bytes, more than 3"):
        content(path, 3)
