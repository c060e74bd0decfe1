from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision


@pytest.mark.parametrize("value", [5, "text", [[1, 2], [3, 4]], None, np.array(["a"])])
def test_an_input_that_is_no_image_is_a_wrong_type_and_an_error_of_the_pipeline(value):
    for error in (TypeError, RuntimeError):
        with pytest.raises(error, match="image"):
            vision.Invert()(value)
