"""Faults of layers and of operators on places, bands and turns: file, tests, (source text, fault)."""
FAULTS = [
    ("nn/pooling.py", "nn/test_options_beside_torch.py nn/test_windows_of_unequal_extents.py", [
        ('if self.n != 1:\n            return y', 'if self.n == 2:\n            return y'),
        ('if self.divisor_override is not None:\n            return total', "pass"),
        ("return tuple([part.transpose(0, 2, 3, 1) for part in y])", "return y"),
    ]),
    ("operators/indexing.py", "ops/test_places_from_the_end.py", [
        ("out = torch.index_select(x, axis, checked(flat, x.shape[axis]))", "out = torch.index_select(x, axis, checked(flat, x.shape[0]))"),
        ("torch.where(kept, moved, 0), accumulate=True)", "torch.where(kept, moved, 0), accumulate=False)"),
        ("return torch.gather(x, dim, from_start(index, x.shape[dim]))", "return torch.gather(x, dim, from_start(index, x.shape[-1]))"),
        ("scatter_add_(dim, from_start(index, shape[dim]), dout)", "scatter_add_(dim, counted(index), dout)"),
        ('rows = torch.where(inside[..., None], rows, 0)\n    return rows.reshape(indices', "return rows.reshape(indices"),
        ('line = counted(indices) - offset\n    inside', 'line = counted(indices) + offset\n    inside'),
    ]),
    ("operators/scatter.py", "ops/test_places_from_the_end.py", [
        ("place = i if place is None else place * n + i", "place = i if place is None else place * len(indices) + i"),
        ("alpha=1 if mode == \"add\" else -1)", "alpha=1)"),
        ("flat.div_(factor) if x.is_floating_point() else flat.div_(factor, rounding_mode=\"trunc\")", "flat.div_(factor) if x.is_floating_point() else flat.div_(factor, rounding_mode=\"floor\")"),
        ("return (lambda: tensor_scatter_update(dout, indices, zeros_like(updates)), None,", "return (lambda: dout, None,"),
        ("lambda: gather_nd(dout * x, indices))", "lambda: gather_nd(dout, indices) * updates)"),
        ("line = from_start(indices, data.shape[axis])", "line = counted(indices)"),
        ("return data.scatter_reduce(axis, line, updates, \"prod\")", "return data.scatter_reduce(axis, line, updates, \"prod\", include_self=False)"),
        ("return tensor_scatter_elements(dout, indices, updates, axis=axis, reduction=\"mul\")", "return dout"),
        ("return gather_d(dout * out, indices, dim=axis) / updates", "return gather_d(dout, indices, dim=axis)"),
        ("return x.index_add(axis, from_start(indices, x.shape[axis]), y.to(x.dtype))", "return x.index_add(axis, counted(indices), y.to(x.dtype))"),
    ]),
    ("operators/segments.py", "ops/test_places_from_the_end.py", [
        ("torch.where((line < 0) | (line >= count), count, line)", "torch.where(line < 0, count, line)"),
    ]),
]
