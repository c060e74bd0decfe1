from __future__ import annotations

import pickle

import pytest

from mindspore.core.errors import GraphSyntaxError, transferable


class TwoParts(Exception):
    """Python makes it again from its text alone, which fails."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


def local_error():
    class Local(Exception):
        pass

    return Local("of a function")


@pytest.mark.parametrize("error", [GraphSyntaxError("a"), KeyError("b"), SystemExit(3)])
def test_an_error_that_another_process_can_read_is_sent_as_it_is(error):
    assert transferable(error) is error


@pytest.mark.parametrize(
    ("error", "text"), [(TwoParts(1, 2), "TwoParts: 1 and 2"), (local_error(), "Local: of a function")]
)
def test_another_one_says_the_same(error, text):
    read = pickle.loads(pickle.dumps(transferable(error)))
    assert type(read) is RuntimeError
    assert str(read) == text
