from __future__ import annotations

import os

import pytest

from mindspore.core import check


def test_none_passes_where_a_value_is_optional():
    assert check.optional(check.integer, "f", "n", None, 1) is None
    assert check.optional(check.integer, "f", "n", 2, 1) == 2
    with pytest.raises(ValueError, match=r"For 'f', the 'n' must be an int in \[1, inf\], but got 0"):
        check.optional(check.integer, "f", "n", 0, 1)


def test_names_are_a_list_of_different_ones():
    assert check.names("f", "columns", "a") == ["a"]
    assert check.names("f", "columns", ("a", "b")) == ["a", "b"]
    for value in ([], ["a", "a"], [""]):
        with pytest.raises(ValueError, match="'columns'"):
            check.names("f", "columns", value)
    with pytest.raises(TypeError, match="'columns'"):
        check.names("f", "columns", 3)


def test_paths_must_exist(tmp_path):
    file = tmp_path / "a"
    file.write_text("")
    assert check.file("f", "path", str(file)) == os.path.realpath(file)
    assert check.files("f", "path", file) == [os.path.realpath(file)]
    assert check.folder("f", "path", tmp_path) == os.path.realpath(tmp_path)
    for look, path in ((check.file, tmp_path), (check.folder, file)):
        with pytest.raises(ValueError, match="'path' must be a"):
            look("f", "path", path)


def test_what_cannot_be_honoured_is_refused():
    assert check.unsupported("f", "mode", None, "Leave it out.") is None
    with pytest.raises(NotImplementedError, match=r"'mode' is not supported\. Leave it out\."):
        check.unsupported("f", "mode", 1, "Leave it out.")
    with pytest.raises(TypeError, match="callable"):
        check.callable_("f", "function", 1)
