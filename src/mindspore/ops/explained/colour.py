"""Sections of the texts of operators in `colour`."""
TEXTS = {
    "RGBToHSV": """\
Args:
    x: Images (..., 3), floating point, in [0, 1].

Examples:
    >>> ops.RGBToHSV()(Tensor([[[0.0, 1.0, 0.0]]])).asnumpy().round(4)
    array([[[0.3333, 1.    , 1.    ]]], dtype=float32)
""",
    "HSVToRGB": """\
Args:
    x: Images (..., 3), floating point, in [0, 1].

Examples:
    >>> ops.HSVToRGB()(Tensor([[[[0.0, 1.0, 0.5]]]])).tolist()
    [[[[0.5, 0.0, 0.0]]]]
""",
    "AdjustHue": """\
Args:
    x: Images (..., 3), floating point, in [0, 1].
    delta: A tensor without dimensions, float32.

Examples:
    >>> ops.AdjustHue()(Tensor([[[1.0, 0.0, 0.0]]]), Tensor(0.5, mindspore.float32)).asnumpy().round(4)
    array([[[0., 1., 1.]]], dtype=float32)
""",
    "AdjustSaturation": """\
Args:
    x: Images (..., 3), floating point, in [0, 1].
    scale: A tensor without dimensions, float32.

Examples:
    >>> ops.AdjustSaturation()(Tensor([[[1.0, 0.5, 0.5]]]), Tensor(2.0, mindspore.float32)).asnumpy().round(4)
    array([[[1., 0., 0.]]], dtype=float32)
""",
}
