"""Arrays of text as arrays of bytes, and back."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import text


@pytest.mark.parametrize("encoding", ["utf8", "gb18030", "latin-1"])
def test_what_is_encoded_is_decoded(encoding):
    words = np.array([["é", "abc"], ["", "ü"]])
    encoded = text.to_bytes(words, encoding)
    assert encoded.dtype.kind == "S"
    assert encoded[0, 0] == "é".encode(encoding)
    assert text.to_str(encoded, encoding).tolist() == words.tolist()


def test_only_arrays_of_the_right_kind_are_taken():
    with pytest.raises(ValueError, match="For 'to_bytes'"):
        text.to_bytes(["a"])
    with pytest.raises(TypeError, match="For 'to_bytes'"):
        text.to_bytes(np.array([1]))
    for wrong in (b"a", np.array([1]), np.array(["a"])):
        with pytest.raises(TypeError, match="For 'to_str'"):
            text.to_str(wrong)
