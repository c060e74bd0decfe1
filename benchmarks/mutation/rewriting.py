"""Faults of trees of networks, of boosts and of mixed precision: file, tests, (source text, fault)."""
FAULTS = [
    ("amp/managers.py", "amp", [
        ("return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)", "return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, 2000)"),
        ("check.number(self, \"scale_factor\", scale_factor, 0, open_low=True)", "check.number(self, \"scale_factor\", scale_factor, 0)"),
    ]),
    ("amp/precision.py", "amp", [
        ('if not isinstance(owner, _OutputTo):\n                owner.insert', 'if True:\n                owner.insert'),
        ('if isinstance(network, kept):\n        network.to_float(float32)\n        return network', "pass"),
        ("if (white_list is None) == (black_list is None):", "if white_list is None and black_list is None:"),
        ("return _OutputTo(lower(network, tuple(classes), dtype), float32)", "return lower(network, tuple(classes), dtype)"),
    ]),
    ("boost/auto.py", "boost", [
        ("held = {id(p) for p in optimizer.parameters}", "held = {id(p) for p in network.trainable_params()}"),
        ("if chosen[\"adasum\"] and optimizer is not None:", "if False:"),
        ("groups = min(self._param_groups, _layers(network))", "groups = self._param_groups"),
        ("if self.boost_config[\"less_bn\"] and not isinstance(network, LessBN):", "if self.boost_config[\"less_bn\"]:"),
        ("return any(type(c) is nn.Dense for name, c in network.cells_and_names() if name)", "return True"),
        ("return sum(any(p.requires_grad for p in c._params.values()) for _, c in network.cells_and_names())", "return sum(bool(c._params) for _, c in network.cells_and_names())"),
        ("if self._gc_flag:", "if True:"),
    ]),
    ("boost/freezing.py", "boost", [
        ("if steps.min() < 0 or steps.max() >= len(groups):", "if steps.min() < 0 or steps.max() > len(groups):"),
        ("ends = [round(len(layers) * i / count) for i in range(count + 1)]", "ends = [len(layers) // count * i for i in range(count + 1)]"),
        ("if (own := [p for p in cell._params.values() if p.requires_grad])]", "if (own := list(cell._params.values()))]"),
        ("count if use_grad_accumulation else 1)", "count)"),
    ]),
    ("boost/processes.py", "boost", [
        ("[p for p in g[\"params\"] if id(p) in known]", "list(g[\"params\"])"),
    ]),
    ("boost/steps.py", "boost", [
        ("self.train_strategy[self._done % len(self.train_strategy)]", "self.train_strategy[min(self._done, len(self.train_strategy) - 1)]"),
        ("own[\"max_accumulation_step\"] = auto.grad_accumulation_step if self.use_grad_accumulation else 1", "own[\"max_accumulation_step\"] = auto.grad_accumulation_step if auto else 1"),
    ]),
    ("rewrite/node.py", "rewrite", [
        ("for name in names_in(value)[:1]:", "for name in names_in(value)[-1:]:"),
        ("found[i] = (giver, at[0] if at else 0)", "found[i] = (giver, 0)"),
        ("record.kwargs[list(record.kwargs)[index - len(record.args)]] = value", "record.kwargs[list(record.kwargs)[0]] = value"),
        ("if out_idx is None and len(targets) != 1:", "if out_idx is None and not targets:"),
        ("return found + [name for block in self.blocks.values() for r in block for name in r.writes()]", "return found"),
    ]),
    ("rewrite/parsing.py", "rewrite", [
        ('left = ast.Name(s.target.id, ast.Load())\n            self._assigned(s, ast.BinOp(left, s.op, s.value)', 'left = ast.Name(s.target.id, ast.Load())\n            self._assigned(s, ast.BinOp(s.value, s.op, left)'),
        ("if isinstance(expr, ast.Call) and not _lazy(expr):", "if isinstance(expr, ast.Call):"),
        ("record.operator = isinstance(value, ast.Tuple)", "record.operator = False"),
        ("[None] * (len(listed) - len(a.defaults)) + list(a.defaults)", "list(a.defaults) + [None] * (len(listed) - len(a.defaults))"),
        ('if isinstance(s, ast.If):\n            s.test = self._operand(s.test, out)', 'if isinstance(s, (ast.If, ast.While)):\n            s.test = self._operand(s.test, out)'),
        ("for f in (\"body\", \"orelse\") if getattr(s, f, None)}", "for f in (\"body\",) if getattr(s, f, None)}"),
        ('if kind is NodeType.CallMethod and isinstance(expr.func, ast.Attribute):\n            expr.func.value = self._operand(expr.func.value, out)', "pass"),
    ]),
    ("rewrite/patterns.py", "rewrite", [
        ("if inner and len(inner) != len(inputs):", "if inner and len(inner) > len(inputs):"),
        ("giver.get_users() != [node]", "node not in giver.get_users()"),
        ("changed |= sub is not None and self.apply(sub)", "pass"),
        ('if not new:\n            return False', 'if not new:\n            return True'),
    ]),
    ("rewrite/symbol_tree.py", "rewrite", [
        ("block.insert(block.index(beside) + behind, record)", "block.insert(block.index(beside), record)"),
        ('self._block(record).remove(record)\n        record.tree = None', "self._block(record).remove(record)"),
        ("record.kwargs = {k: self._held(v) for k, v in record.kwargs.items()}", "pass"),
        ("if scope.get(key) is not record.fresh:", "if key not in scope:"),
        ('taken = {*self.network.__dict__, *self.fresh}\n', 'taken = set(self.fresh)\n'),
        ("file_name if file_name.endswith(\".py\") else f\"{file_name}.py\"", "f\"{file_name}.py\""),
    ]),
    ("rewrite/values.py", "rewrite", [
        ("{',' if len(self.value) == 1 else ''}", ""),
        ('if isinstance(value, cls):\n            return value', "pass"),
        ("scopes = [\"\"] * len(names) if scopes is None else scopes", "scopes = scopes or [\"\"] * len(names)"),
    ]),
    ("rewrite/writing.py", "rewrite", [
        ("whole = ast.Tuple(given, ast.Load()) if record.operator or len(given) > 1", "whole = ast.Tuple(given, ast.Load()) if len(given) > 1"),
        ("if module == \"__main__\":", "if False:"),
        ('while name in taken:\n        i += 1', 'while False:\n        i += 1'),
        ("return ast.UnaryOp(how, parts[0]) if kind is ast.UnaryOp else ast.Compare(parts[0], how, parts[1:])", "return ast.UnaryOp(how, parts[0]) if kind is ast.UnaryOp else ast.Compare(parts[0], how[:1], parts[1:2])"),
    ]),
]
