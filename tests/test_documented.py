"""Every public name explains its arguments and shows an example."""
from __future__ import annotations

import pytest
from tests import documented

# The families that are whole. What is left out of a family has its reason.
WHOLE = {
    "numpy": {},
    "numpy.fft": {},
    "boost": {},
    "amp": {},
    "ops": {"CustomOpBuilder": "an example needs a compiler and sources in files"},
    "Tensor": {},
    "train": {},
    "scipy.optimize": {},
    "dataset": {"sync_wait_for_dataset": "an example needs an object store"},
    "dataset.vision": dict.fromkeys(
        ["DecodeVideo", "VideoDecoder", "read_video", "read_video_timestamps"],
        "an example needs a video, which a few lines cannot make",
    ),
    "dataset.transforms": {"Plugin": "every call is refused"},
    "dataset.audio": {},
    "dataset.text": {"JiebaTokenizer": "an example needs a dictionary and a model in files"},
    "mint": {},
    "mint.nn": {},
    "mint.nn.functional": {},
    "mint.linalg": {},
    "mint.special": {},
    "mint.optim": {},
    "scipy.linalg": {},
    "scipy.fft": {},
    "scipy.sparse.linalg": {},
    "nn": {},
    "nn.probability.distribution": {},
    "nn.probability.bijector": {},
}


@pytest.mark.parametrize("family", WHOLE)
def test_public_names_explain_their_arguments_and_show_an_example(family):
    incomplete = {name: words for name, value in documented.public(family) if (words := documented.lacks(value))}
    assert {name: words for name, words in incomplete.items() if name not in WHOLE[family]} == {}
    assert set(WHOLE[family]) <= set(incomplete), "an exception is not needed any more"


# Methods have the texts of their functions.
@pytest.mark.parametrize("family", [name for name in WHOLE if name != "Tensor"])
def test_arguments_that_are_explained_exist(family):
    names = {name: words for name, value in documented.public(family) if (words := documented.invented(value))}
    assert names == {}


def test_an_argument_that_does_not_exist_is_found():
    def with_another(x):
        """Something.

        Args:
            x, axis: Both.
        """
    assert documented.invented(with_another) == ["axis"]


def test_what_a_docstring_lacks_is_found():
    def bare(x, axis=0):
        """Something."""

    def whole(x, axis=0):
        """Something.

        Args:
            x, axis: Both.

        Examples:
            >>> 1
            1
        """

    assert documented.lacks(bare) == "arguments x, axis; an example"
    assert documented.lacks(whole) == ""
