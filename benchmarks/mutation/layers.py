"""Faults of layers, cells and schedules: file, tests, (source text, fault)."""
_RNN = "nn/test_recurrent_and_attention_layers.py"
FAULTS = [
    ("nn/dropout.py", "nn/test_layers.py nn/test_dropout.py", [
        ("if not self.training or self._kept == 1.0:", "if self._kept == 1.0:"),
        ("self._kept = float(keep_prob if p is None else 1 - p)", "self._kept = float(keep_prob if p is None else p)"),
        ("return ops.dropout2d(x, self.prob, True)", "return ops.dropout2d(x, self.keep_prob, True)"),
        ("if not self.training or not self.prob:", "if not self.prob:"),
        ("seed=self.seed0, seed2=self.seed1)[0]", "seed=self.seed0)[0]"),
    ]),
    ("nn/padding.py", "nn/test_layers.py", [
        ("value=self.value)", "value=0)"),
        ("return ops.mirror_pad(x, self.paddings, self.mode)", "return ops.mirror_pad(x, self.paddings, \"REFLECT\")"),
    ]),
    ("nn/recurrent.py", _RNN, [
        ("below = self.hidden_size * self.num_directions if layer else self.input_size", "below = self.hidden_size if layer else self.input_size"),
        ("(y.transpose(1, 0, 2) if self.batch_first else y)", "y"),
        ("if not (self.training and self.dropout and self.num_layers > 1):", "if not (self.dropout and self.num_layers > 1):"),
        ("at = slice(layer * self.num_directions, (layer + 1) * self.num_directions)", "at = slice(layer, layer + self.num_directions)"),
        ("reverse=bool(side))", "reverse=False)"),
        ("at = layer * self.num_directions + side", "at = side * count + layer"),
        ("return self._checked(x, hx[0]), self._checked(x, hx[1])", "return self._checked(x, hx[1]), self._checked(x, hx[0])"),
        ("nonlinearity=self.nonlinearity, **self._attrs(count))", "**self._attrs(count))"),
    ]),
    ("nn/batch_norm.py", "nn/test_normalisation.py nn/test_layers.py", [
        ("self._rate = 1.0 - momentum", "self._rate = momentum"),
        ("transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)", "transpose(0, 3, 1, 2)).transpose(0, 3, 1, 2)"),
        ('owner.gamma = owner.parameter("gamma", shape, gamma, dtype, requires_grad=affine)', 'owner.gamma = owner.parameter("gamma", shape, gamma, dtype)'),
        ("moving_mean_init, moving_var_init, use_batch_statistics, dtype=dtype)\n\n    def construct", "moving_mean_init, moving_var_init, None, dtype=dtype)\n\n    def construct"),
    ]),
    ("nn/_state.py", "nn/test_cell.py", [
        ('(own["_transient"].discard if persistent else own["_transient"].add)(name)', "pass"),
        ("remove_duplicate and id(tensor) in seen", "id(tensor) in seen"),
        ("target.assign_value(Tensor(value, target.dtype))", "target.assign_value(value)"),
        ("if strict and keys:", "if keys:"),
    ]),
    ("nn/_tree.py", "nn/test_cell.py", [
        ("if self in seen:\n            return\n", "\n"),
        ("if p.requires_grad]", "]"),
        ("if id(parameter) not in seen:", "if True:"),
        ("if cell is not None and id(cell) not in seen:", "if cell is not None:"),
        ("parameter.name = prefix + path", "parameter.name = path"),
    ]),
    ("nn/schedules/cells.py", "nn/schedules", [
        ("return ops.floor(p) if self.is_stair else p", "return p"),
        ("self.position(global_step) * self.decay_steps if self.is_stair", "self.position(global_step) if self.is_stair"),
        ("ops.ceil(ops.maximum(step, 1.0) / self.decay_steps)", "ops.ceil(step / self.decay_steps)"),
        ("self.min_lr + 0.5 * (self.max_lr - self.min_lr) *", "0.5 * (self.max_lr - self.min_lr) *"),
        ("ops.minimum(_real(global_step), float(self.warmup_steps)) / self.warmup_steps", "_real(global_step) / self.warmup_steps"),
        ("ops.minimum(step, float(self.decay_steps)) / self.decay_steps", "step / self.decay_steps"),
    ]),
    ("nn/schedules/sequences.py", "nn/schedules", [
        ("rates += [rate] * (step - len(rates))", "rates += [rate] * step"),
        ("epoch // decay_epoch * decay_epoch if is_stair else epoch", "epoch // decay_epoch if is_stair else epoch"),
        ("learning_rate / (1 + decay_rate * _quotient(epoch, decay_epoch, is_stair))", "learning_rate / (1 + decay_rate * _quotient(epoch, decay_epoch, False))"),
    ]),
]
