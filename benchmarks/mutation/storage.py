"""Faults of the tape, of Parameters and of file formats: file, tests, (source text, fault)."""
FAULTS = [
    ("eager/tape.py", "eager/test_tape.py eager/test_saved_values.py eager/test_execution.py", [
        ("if self.data._version == self.version:", "if True:"),
        ("out = alias(out)                       # two tensors", "pass  # two tensors"),
        ("at = len(op.inputs) - 1", "at = len(op.inputs)"),
        ("var = (record, self.var) if type(self.var) is int else self.var", "var = None if type(self.var) is int else self.var"),
        ("if runtime.depth:                     # differentiated again", "if False:  # differentiated again"),
    ]),
    ("eager/hooks.py", "eager/test_gradients_of_their_own.py nn/test_hooks.py eager/test_hooks.py", [
        ("gradient = structure.copied(gradient)        # the gradient", "pass  # the gradient"),
        ("found if found.dtype is gradient.dtype else found.astype(gradient.dtype)", "found"),
        ("gradient = replaced(hook, gradient, hook(gradient))", "replaced(hook, gradient, hook(gradient))"),
        ("found = [place.pop(self.handle_id, None) for place in self._places]", "found = [place.pop(self.handle_id, None) for place in self._places[:1]]"),
    ]),
    ("eager/parameter.py", "eager/test_tape.py eager/test_changes_of_parameters.py eager/test_parameters_are_leaves.py nn/test_cell.py", [
        ("return structure.copied(self)", "return wrap(self._data)"),
        ("twin._data = elements_of(self).clone()", "twin._data = elements_of(self)"),
        ("self._data, self._var = _cast(data, self.dtype)._data.clone(), None", "self._data, self._var = data._data.clone(), None"),
        ("new = wrap(alias(new._data), new._var)", "pass"),
        ("twin.__dict__.update(without_hooks(self.__dict__))", "pass"),
    ]),
    ("formats/safetensors.py", "formats/test_safetensors.py", [
        ('text += b" " * (-len(text) % ALIGNMENT)', "pass"),
        ("(-NUMPY[arrays[name].dtype].itemsize, name)", "name"),
        ("if at != length:", "if False:"),
        ("if start != at:", "if False:"),
        ("total = zlib.crc32(name.encode(), total)", "pass"),
    ]),
    ("formats/wire.py", "formats", [
        ("return value - 2**64 if value >> 63 else value", "return value"),
        ("while value > 127:", "while value > 128:"),
        ("value &= 2**64 - 1", "pass"),
    ]),
    ("formats/tfrecord.py", "formats/test_tfrecord.py dataset/sources/test_tfrecord.py", [
        ("if masked_crc(record) != _SUM.unpack_from(content, length)[0]:", "if False:"),
        ("+ 0xA282EAD8", "+ 0xA282EAD9"),
        ("if len(content) < length + _SUM.size:", "if False:"),
    ]),
    ("formats/checkpoint.py", "formats/test_checkpoint.py train/test_serialization.py", [
        ("checksum = zlib.crc32(part, checksum)", "checksum = zlib.crc32(part)"),
        ("if stored != found:", "if False:"),
        ("() if self._scalar_of_1x() else self.dims", "self.dims"),
        ('name not in UNREADABLE}', "True}"),
        ("return _crc_at(files.view(path)) is not None", "return True"),
    ]),
    ("core/plain_files.py", "dataset/sources/test_no_regular_files.py", [
        ("if not stat.S_ISREG(kind):", "if stat.S_ISDIR(kind):"),
        ("flags | os.O_NONBLOCK | os.O_CLOEXEC)", "flags | os.O_CLOEXEC)"),
    ]),
    ("dataset/node.py", "dataset/test_observed_data.py", [
        ("return self.children[0].get_batch_size() if len(self.children) == 1 else 1", "return self.children[0].get_batch_size() if self.children else 1"),
        ("return self.children[0].get_repeat_count() if len(self.children) == 1 else 1", "return self.children[0].get_repeat_count() if self.children else 1"),
    ]),
    ("numpy/_elementwise.py", "numpy_names/test_against_numpy.py", [
        ("rest > 0, ops.logical_and(rest == 0, count % 2 == 1)", "rest > 0, rest == 0"),
        ("return a if decimals >= 0 else _tens(a, 10**-decimals)", "return a"),
    ]),
    ("numpy/_polynomials.py", "numpy_names/test_against_numpy.py", [
        ("return p.reshape((1,)) if p.ndim == 0 else p", "return p"),
    ]),
    ("numpy/_grids.py", "numpy_names/test_observed_numpy.py", [
        ("ops.sum(cast(diagonal(a, offset, axis1, axis2), dtype), dim=-1)", "ops.sum(diagonal(a, offset, axis1, axis2), dim=-1)"),
    ]),
    ("numpy/_series.py", "numpy_names/test_observed_numpy.py", [
        ("(*shape[:axis], own[axis], *shape[axis + 1 :])", "(*shape[:axis], own[axis], *own[axis + 1 :])"),
        ("own = (1,) * (len(shape) - part.ndim) + part.shape", "own = part.shape + (1,) * (len(shape) - part.ndim)"),
    ]),
    ("dataset/vision/warp.py", "dataset/vision/test_geometry.py dataset/test_observed_data.py", [
        ("if len(value) not in (2, 4):", "if len(value) not in (2, 3, 4):"),
        ("x, y = image.width * 0.5 + 0.5, image.height * 0.5 + 0.5", "x, y = image.height * 0.5 + 0.5, image.width * 0.5 + 0.5"),
    ]),
    ("dataset/vision/geometry.py", "dataset/test_limits.py", [
        ('self.top = check.integer(self, "top", top, 0, check.INT32_MAX)\n        self.left = check.integer(self, "left", left, 0, check.INT32_MAX)\n        self.height = check.integer(self, "height", height, 1, check.INT32_MAX)', 'self.top = check.integer(self, "top", top, 1, check.INT32_MAX)\n        self.left = check.integer(self, "left", left, 0, check.INT32_MAX)\n        self.height = check.integer(self, "height", height, 1, check.INT32_MAX)'),
    ]),
]
