"""Arrays of NumPy archives, read whole: one that stays open is closed by chance, as an error of another test."""
import numpy as np


def arrays_of(path):
    """The arrays of an `.npz` file by name."""
    with np.load(path) as archive:
        return dict(archive)
