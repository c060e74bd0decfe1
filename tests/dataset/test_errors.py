"""How damage is told."""

from __future__ import annotations

import pytest

from mindspore.core.errors import shortened
from mindspore.dataset.errors import InputError, PipelineError, telling


@pytest.mark.parametrize("error", [ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError, EOFError,
                                   OSError, UnicodeError, ZeroDivisionError])
def test_what_parsers_raise_names_owner_place_and_cause(error):
    cause = error("cause")
    with pytest.raises(PipelineError, match=r"For 'Reader', the file 'a' .*cause") as found, telling(
            "Reader", lambda: "the file 'a'"):
        raise cause
    assert found.value.__cause__ is cause


@pytest.mark.parametrize("error", [PipelineError("own"), InputError("own"), MemoryError(), NameError("x"),
                                   KeyboardInterrupt()])
def test_other_errors_stay_as_they_are(error):
    with pytest.raises(type(error)) as found, telling("Reader", lambda: "the file 'a'"):
        raise error
    assert found.value is error


def test_messages_do_not_repeat_files():
    assert shortened("short") == "short"
    text = shortened("a" * 10_000 + "b")
    assert len(text) < 500
    assert text.startswith("aaa")
    assert text.endswith("aab")
