"""Faults of eager execution, the IR and the ground: file, tests, (source text, fault)."""
FAULTS = [
    ("core/caching.py", "core/test_ground_by_hand.py", [
        ("if os.path.isabs(base) else None", "if True else None"),
        ("given.lower() == \"off\"", "given == \"off\""),
        ("return not state.enable_compile_cache", "return state.enable_compile_cache"),
    ]),
    ("core/check.py", "core/test_check.py", [
        ("if len(set(value)) < len(value):", "if False:"),
    ]),
    ("core/check.py", "core/test_ground_by_hand.py", [
        ("(isinstance(value, bool) and bool not in wanted)", "False"),
        ("or value != value:", ":"),
        ("(given >= high if open_high else given > high)", "(given > high)"),
        ("return (integer(owner, name, value, low),) * count", "return (integer(owner, name, value),) * count"),
    ]),
    ("core/device_scope.py", "core/test_ground_by_hand.py", [
        ("            set_context(**before)\n            raise\n", "            raise\n"),
        ("before = self._before.pop()", "before = self._before.pop(0)"),
    ]),
    ("core/draws.py", "core eager/test_initializer.py", [
        ("_Stream.version = global_seed.version()", "pass"),
    ]),
    ("core/draws.py", "core/test_ground_by_hand.py", [
        ("wrong = wrong[(drawn < low) | (drawn > high)]", "wrong = wrong[drawn < low]"),
        ("return shape[1] * field, shape[0] * field", "return shape[0] * field, shape[1] * field"),
        ("ends[0], ends[1], shape)", "0.0, ends[1], shape)"),
        ("slope = 0.01 if param is None else param", "slope = param or 0.01"),
        ("np.float32(2 * bound) - np.float32(bound)", "np.float32(bound)"),
    ]),
    ("core/launched.py", "core/test_ground_by_hand.py", [
        ("local = [r for r in range(size) if hosts[r] == hosts[rank or 0]]", "local = list(range(size))"),
        ("return [found[rank] for rank in range(size)]", "return list(found.values())"),
        ("\"MS_SCHED\": \"scheduler\", \"MS_PSERVER\": \"server\"}", "\"MS_SCHED\": \"scheduler\"}"),
        ("address = address or hosts[0]", "address = hosts[0]"),
        ("next((n for n in LAUNCHERS if env.get(n.size, \"\")), None)", "next((n for n in reversed(LAUNCHERS) if env.get(n.size, \"\")), None)"),
    ]),
    ("core/launched.py", "core/test_launched.py", [
        ("return 20000 + zlib.crc32(job.encode()) % 20000 if job else PORT", "return PORT"),
        ("int(text) >= below", "int(text) > below"),
    ]),
    ("core/mutable.py", "core/test_ground_by_hand.py", [
        ("if isinstance(value, bool):\n        return value", "if False:\n        return value"),
    ]),
    ("core/printing.py", "core/test_ground_by_hand.py", [
        ("if not place % per_line:", "if not place % 12:"),
        ("text == \"nan\" and math.copysign(1.0, value) < 0", "text == \"nan\""),
        ("_number(value.imag, '+g')", "_number(value.imag, 'g')"),
    ]),
    ("core/printing.py", "core/test_printing.py", [
        ("longest = _ROW if array.ndim == 1 else 2 * _EDGE", "longest = 2 * _EDGE"),
        ("if is_cut:\n            array = array.take", "if is_cut and not axis:\n            array = array.take"),
    ]),
    ("core/seed.py", "core/test_ground_by_hand.py", [
        ("_operator_seeds[_version, kernel_name] = count + 1", "pass"),
        ("if op_seed or _seed is None:", "if op_seed is not None or _seed is None:"),
        ("return _seed or 0, op_seed or 0", "return op_seed or 0, _seed or 0"),
        ("_seed, _pending, _version = seed, True, _version + 1", "_seed, _pending, _version = seed, True, _version"),
        ("        _pending = False", "        pass"),
    ]),
    ("eager/hooks.py", "eager/test_hooks.py", [
        ("return found if found.dtype is gradient.dtype else found.astype(gradient.dtype)", "return found"),
    ]),
    ("eager/memory.py", "eager/test_changes_at_random.py", [
        ("x.__dict__.get(\"_at\") != known.number", "x.__dict__.get(\"_at\") is None"),
    ]),
    ("eager/memory.py", "eager/test_elements_that_share_memory.py", [
        ("return any([not step and n > 1 for", "return all([not step and n > 1 for"),
    ]),
    ("eager/parameter.py", "eager/test_hooks.py", [
        ("_cast(data, self.dtype)._data.clone(), None", "_cast(data, self.dtype)._data, None"),
    ]),
    ("eager/tape.py", "eager/test_gradients_of_integers.py", [
        ("key = data.shape, data.dtype", "key = data.shape"),
    ]),
    ("eager/tape.py", "eager/test_tape.py", [
        ("        runtime.depth -= 1\n", "        runtime.depth = 0\n"),
    ]),
    ("ir/build.py", "ir/test_graph.py", [
        ("        runtime.blocks.pop()\n", "        runtime.blocks.clear()\n"),
    ]),
    ("ir/build.py", "ir/test_sizes_by_hand.py", [
        ("        runtime.loc = loc\n", "        pass\n"),
        ("        runtime.origin = outer\n", "        pass\n"),
        ("    for one in (node, *node.with_items()):\n        one.block = id(block)", "    for one in (node, *node.with_items()):\n        node.block = id(block)"),
    ]),
    ("ir/dims.py", "ir/test_sizes_by_hand.py", [
        ("if env.check_divisor(b):", "if False:"),
        ("{m: f // b for m, f in a.poly.items() if m and f % b == 0}", "{m: f // b for m, f in a.poly.items() if m}"),
        ("0 if low >= 0 and b_low > 0 else -UNKNOWN", "0"),
    ]),
    ("ir/polynomials.py", "ir/test_sizes_by_hand.py", [
        ("sums[mono] = sums.get(mono, 0) + sign * factor", "sums[mono] = sums.get(mono, 0) + factor"),
        ("product[mono] = product.get(mono, 0) + f * g", "product[mono] = f * g"),
        ("rest.remove(atom)", "rest = [x for x in rest if x is not atom]"),
        ("if f % factor:\n            return None", "if False:\n            return None"),
        ("        if factor < 0:\n            a, b = b, a\n", ""),
        ("return substituted(total, settled)", "return total"),
        ("if len(b) != 1:", "if len(b) > 2:"),
        (".replace(\"+ -\", \"- \")", ".replace(\"+ -\", \"+ \")"),
        ("if factor != 1 or not names:", "if factor > 1 or not names:"),
    ]),
    ("ir/tree.py", "ir/test_tree.py", [
        ("return kind, value.maxlen, tuple([", "return kind, tuple(["),
        ("return (kind, parts, leaf(value.default_factory)) if isinstance(value, defaultdict) else (kind, parts)", "return (kind, parts)"),
        ("_DEQUE.__init__(made, parts, value.maxlen)", "_DEQUE.__init__(made, parts)"),
        ("below += [None] * (len(inner) - len(below))", "below += [None] * len(below)"),
        ("_DEFAULT.__init__(made, value.default_factory)", "pass"),
    ]),
    ("ir/verify.py", "ir/test_sizes_by_hand.py", [
        ("if owner.aval[i] != node.aval:", "if owner.aval[0] != node.aval and not i:"),
    ]),
    ("ir/verify.py", "ir/test_text.py", [
        ("if type(x) is Node and id(x) not in known:", "if type(x) is Node and id(x) not in known and False:"),
        ("        known.add(id(node))\n    for out", "        known.update([id(node), *map(id, graph.outs)])\n    for out"),
    ]),
]
