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
]
