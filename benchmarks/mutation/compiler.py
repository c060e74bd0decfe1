"""Faults of the front end, autodiff, passes and code: file, tests, (source text, fault)."""
_LOOPS = "compiler/language/test_loops_that_hardly_run.py compiler/language/test_for.py compiler/language/test_while.py"
_RETURNS = "compiler/language/test_early_returns.py compiler/language/test_conditions.py"
FAULTS = [
    ("compiler/passes/algebra.py", "compiler/passes", [
        ("return x if _is(y, 0) else None", "return x if _is(y, 0) or _is(x, 0) else None"),
        ("both = tuple([first[p % rank] % rank for p in perm])", "both = tuple([perm[p % rank] % rank for p in first])"),
        ("return x               # the driver", "return None             # the driver"),
        ("return x.inputs[0] if x.op is a.neg else None", "return x.inputs[0]"),
        ("x.op is s.full and x.attrs[\"value\"] == value", "x.op is s.full"),
    ]),
    ("compiler/passes/attention.py", "compiler/passes/test_attention.py ops/test_arguments_that_count.py", [
        ("== (0, 1, 3, 2)", "in ((0, 1, 3, 2), (0, 2, 1, 3))"),
        ("node.attrs.get(\"axis\", -1) in (-1, 3)", "node.attrs.get(\"axis\", -1) in (-1, 2, 3)"),
        ("float(factor) / divisor", "float(factor) * divisor"),
        ("bool(product.attrs.get(\"transpose_b\")) and not product.attrs.get(\"transpose_a\")", "bool(product.attrs.get(\"transpose_b\"))"),
        ("if not factor or not divisor:", "if not divisor:"),
    ]),
    ("compiler/passes/fusion.py", "compiler/passes/test_fusion.py", [
        ("return _combined(new, rest, a, b, -1.0)", "return _combined(new, rest, a, b, 1.0)"),
        ("if a.keys() & b.keys():", "if False:"),
        ("{spec[0] % shape[0]: node.inputs[0]}", "{spec[0]: node.inputs[0]}"),
        ("if len(joined) == node.shape[0]:", "if len(joined) >= 2:"),
        ('{"alpha": sign * b}', '{"alpha": b}'),
    ]),
    ("compiler/passes/pooling.py", "compiler/passes/test_pooling.py", [
        ("return not uses.get(id(pool.items[1]))", "return True"),
    ]),
    ("compiler/passes/simplify.py", "compiler/passes/test_simplify.py compiler/language/test_statements.py", [
        ("(type_of(x), repr(x)) for x in ins", "x for x in ins"),
        ("repr(v) if type(v) is float else v", "v"),
        ("node.op.effect is not None or has_effects(node) or _measures(node)", "node.op.effect is not None or _measures(node)"),
        ("type(found) is Node and found.aval.strong == node.aval.strong", "type(found) is Node"),
    ]),
    ("compiler/autodiff/reverse.py", "compiler/autodiff compiler/language/test_combinations.py", [
        ("reach = {id(w) for w in self.wanted}", "reach = {id(w) for w in self.wanted[:1]}"),
        ("self.cotangents[id(x)] = REGISTRY[\"Add\"](held, d)", "self.cotangents[id(x)] = d"),
        ("head = node.inputs[:1] if node.op is COND else ()", "head = node.inputs[:1]"),
        ('"pops": pushes, "pushes": pops}', '"pops": pops, "pushes": pushes}'),
    ]),
    ("compiler/codegen/flow.py", "compiler/codegen/test_flow.py " + _LOOPS, [
        ("return b if a is None else a", "return None"),
        ("reversed({src.ref(x)} or", "({src.ref(x)} or"),
    ]),
    ("compiler/codegen/liveness.py", "compiler/codegen compiler/test_program.py compiler/language/test_arrays_changed_in_place.py", [
        ("or self.viewed.get(key, at) > at", ""),
        ("self.fresh -= held", "pass"),
        ("self.viewed[self.root[x]] = len(nodes)", "pass"),
    ]),
    ("compiler/frontend/control/ranges.py", _LOOPS, [
        ('"Less" if r.step > 0 else "Greater"', '"Less"'),
        ("f.put(counter, now + r.step)", "f.put(counter, now + 1)"),
    ]),
    ("compiler/frontend/control/loops.py", _LOOPS, [
        ("any(c.before is not c.after and is_reached(c.place) for c in probe.drop().values())", "False"),
        ("found[name] = after if some is True else MaybeUnbound(unbound(name), some, after)", "found[name] = after"),
        ("return (Steps(self.s.orelse), self.after) if self.s.orelse else self.after\n\n    def test_graph", "return self.after\n\n    def test_graph"),
        ("v in zip(out, held, strict=True)]", "v in zip(out, [None] * len(out), strict=True)]"),
    ]),
    ("compiler/frontend/syntax/conditions.py", _RETURNS, [
        ("return choose(test, rest, stop) if all_of else choose(test, stop, rest)", "return choose(test, rest, stop)"),
        ("return first if test != all_of else _shortcut", "return test if test != all_of else _shortcut"),
    ]),
    ("compiler/frontend/syntax/subscripts.py", "compiler/language/test_places_from_the_end.py compiler/language/test_subscripts.py compiler/language/test_chosen_values.py compiler/language/test_containers_from_outside.py compiler/test_outside.py", [
        ('REGISTRY["LogicalOr"](place == at, place == at - count)', "place == at"),
        ("place >= -count, place < count", "place >= 0, place < count"),
        ("holder[key] = value\n            return value", "return value"),
        ("if type(value) not in PLAIN[:-2] and id(holder) in heap.outside:", "if False:"),
    ]),
    ("compiler/frontend/syntax/match.py", "compiler/language/test_match.py", [
        ("test = _both(test, guard)", "test = guard"),
        ("end = len(values) - (count - 1 - star)", "end = len(values) - (count - star)"),
        ("return value if p.value else REGISTRY[\"LogicalNot\"](value)", "return value"),
        ("len(value) < count - 1)", "len(value) < count)"),
    ]),
    ("compiler/frontend/syntax/comprehensions.py", "compiler/language/test_comprehensions.py", [
        ("if not all(_kept(f, t) for t in one.ifs):", "if not any(_kept(f, t) for t in one.ifs):"),
        ("inner.around = f.home", "pass"),
    ]),
    ("compiler/frontend/control/branching.py", _RETURNS, [
        ('value[0] if kind == "return" else None', "None"),
        ("if len(kinds) == 1 and kinds <= {\"next\", \"break\", \"through\"}:", "if kinds <= {\"next\", \"break\", \"through\"}:"),
        ("return found and f.splits <= SPLITS", "return found and f.splits < 0"),
    ]),
    ("compiler/passes/algebra.py", "compiler/passes/test_conditions_of_rules.py", [
        ("p % rank == i for i, p", "p == i for i, p"),
        ("x.inputs[0].op not in (s.transpose, s.broadcast_to)", "True"),
    ]),
    ("compiler/passes/fusion.py", "compiler/passes/test_conditions_of_rules.py", [
        ("aval.dtype is float16 or", ""),
        ("if b.dtype is aval.dtype else None", ""),
    ]),
    ("compiler/passes/attention.py", "compiler/passes/test_conditions_of_rules.py", [
        ("return not any(product.attrs.values())", "return True"),
        ("type(x) is Node and x.shape != ()", "type(x) is Node"),
    ]),
    ("compiler/passes/layout.py", "compiler/passes/test_conditions_of_rules.py", [
        ("and is_alone(p._data)", ""),
        ("len(p.shape) == 4", "len(p.shape) >= 4"),
    ]),
    ("compiler/passes/clusters.py", "compiler/passes/test_conditions_of_rules.py", [
        ("if len(members) > _MOST or", "if len(members) >= _MOST or"),
    ]),
    ("compiler/passes/patterns.py", "compiler/passes/test_conditions_of_rules.py", [
        ("return first.intersection(*others)", "return first.union(*others)"),
    ]),
]
