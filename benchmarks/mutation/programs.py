"""Faults of programs, their caches, passes and the front end: file, tests, (source text, fault)."""
FAULTS = [
    ("compiler/autodiff/copying.py", "compiler/autodiff/test_reverse.py", [
        ("if not unused:\n                block.append", "if unused:\n                block.append"),
    ]),
    ("compiler/passes/leaves.py", "compiler/passes/test_leaves.py", [
        ("                if isinstance(inner, Graph):\n                    _drop(inner, seen)", "                pass"),
    ]),
    ("compiler/passes/recurrence.py", "compiler/kernels/multiplication/test_lstm.py", [
        ("backwards = bool(node.attrs.get(\"reverse\"))", "backwards = False"),
    ]),
]
