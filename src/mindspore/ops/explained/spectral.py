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
    "STFT": """\
Args:
    signal: (time,) or (N, time), real or complex.
    window: (win_length,), what the windows are multiplied by.
    n_fft: The length of the transforms.
    hop_length: Steps between windows.
    win_length: The length of `window`, at most `n_fft`.
    normalized: Whether the result is divided by the root of `n_fft`.
    onesided: Whether only the frequencies that are not negative are given; for real signals.
    return_complex: Whether the result is complex; else it has a last dimension of real and imaginary part.

Examples:
    >>> stft = ops.STFT(4, 2, 4, False, True, False)
    >>> y = stft(Tensor(np.ones(6, np.float32)), Tensor(np.ones(4, np.float32)))
    >>> y.shape, y[..., 0].tolist()
    ((3, 2, 2), [[4.0, 4.0], [0.0, 0.0], [0.0, 0.0]])
""",
    "BartlettWindow": """\
Args:
    window_length: The number of elements, a tensor without dimensions, int32 or int64.
    periodic: Whether the window is the beginning of one that is one element longer, as Fourier transforms want it.
    dtype: The type of the elements, floating point.

Examples:
    >>> ops.BartlettWindow()(Tensor(4)).asnumpy().round(4)
    array([0. , 0.5, 1. , 0.5], dtype=float32)
""",
    "BlackmanWindow": """\
Args:
    window_length: The number of elements, a tensor without dimensions, int32 or int64.
    periodic: Whether the window is the beginning of one that is one element longer, as Fourier transforms want it.
    dtype: The type of the elements, floating point.

Examples:
    >>> ops.BlackmanWindow()(Tensor(4)).asnumpy().round(4)
    array([0.  , 0.34, 1.  , 0.34], dtype=float32)
""",
    "HammingWindow": """\
Args:
    length: The number of elements, a tensor with one integer.
    periodic: Whether the window is the beginning of one that is one element longer, as Fourier transforms want it.
    alpha, beta: The numbers of the formula.
    dtype: The type of the elements, floating point.

Examples:
    >>> ops.HammingWindow()(Tensor([4])).asnumpy().round(4)
    array([0.08, 0.54, 1.  , 0.54], dtype=float32)
""",
}
