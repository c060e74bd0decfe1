"""Faults of placements, plans and groups of processes: file, tests, (source text, fault)."""
FAULTS = [
    ("parallel/placement.py", "parallel/test_placement.py", [
        ("for n in reversed(self.shape):\n            device, c", "for n in self.shape:\n            device, c"),
        ("(rows // parts + (k < rows % parts)) * unit", "(rows // parts + (k >= parts - rows % parts)) * unit"),
        ("sorted(factors, reverse=True)", "factors"),
    ]),
    ("parallel/schedules.py", "parallel/test_arrangements.py", [
        ("return not v or ended(line[v - 1], \"F\")", "return True"),
    ]),
    ("parallel/splitting.py", "parallel/test_placement.py", [
        ("kind = old.kind if isinstance(old, Partial) else \"\"", "kind = \"sum\""),
    ]),
]
