from __future__ import annotations

import numpy as np

import mindspore.dataset as ds


def test_flat_map_gives_the_rows_of_each_dataset_that_a_row_makes(column):
    data = ds.NumpySlicesDataset({"a": np.arange(3), "b": np.arange(3) * 10}, shuffle=False)
    data = data.flat_map(lambda a, b: ds.NumpySlicesDataset([int(a), int(b)], shuffle=False))
    assert column(data) == [0, 0, 1, 10, 2, 20]
