"""File formats in plain Python and NumPy; no torch, so that tools can read files without the framework."""
