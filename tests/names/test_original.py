"""The message about an original distribution in the same environment."""

from __future__ import annotations

import warnings

import pytest

from mindspore._names.original import installed, warn_if_installed


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("mindspore-2.10.0.dist-info", "mindspore 2.10.0"),
        ("mindspore_gpu-1.3.0.dist-info", "mindspore-gpu 1.3.0"),
        ("anyspore-0.1.0.dist-info", None),
        ("mindspore_hub-1.9.0.dist-info", None),
        ("mindspore-2.10.0.txt", None),
    ],
)
def test_distributions_are_told_apart_by_name(tmp_path, entry, found):
    (tmp_path / entry).mkdir()
    assert installed([str(tmp_path / "absent"), str(tmp_path)]) == found


def test_the_warning_says_what_to_do(tmp_path):
    (tmp_path / "mindspore-2.10.0.dist-info").mkdir()
    with pytest.warns(RuntimeWarning, match="pip uninstall mindspore") as caught:
        warn_if_installed([str(tmp_path)])
    assert "'mindspore 2.10.0'" in str(caught[0].message)


def test_without_an_original_nothing_is_said(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_installed([str(tmp_path)])


def test_the_folder_of_the_program_is_looked_at(tmp_path, monkeypatch):
    (tmp_path / "mindspore-2.10.0.dist-info").mkdir()
    monkeypatch.chdir(tmp_path)
    assert installed([""]) == "mindspore 2.10.0"
