"""Sections of the texts of operators in `spectral`."""
TEXTS = {
    "FFTWithSize": """\
Args:
    x: Any shape, floating point or complex.
    signal_ndim: 1, 2 or 3.
    inverse: Whether to compute the inverse.
    real: Whether the input, or the result of the inverse, is real.
    norm: "backward", "forward" or "ortho".
    onesided: Whether the half that the other follows from is enough, for real signals.
    signal_sizes: The extents of the result of a real inverse.

Examples:
    >>> ops.FFTWithSize(1, False, True)(Tensor([1.0, 1.0])).tolist()
    [(2+0j), 0j]
""",
}
