# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    n = 1
    if w.sum() > 1:
        n = 2
    table = {f"{n}": x}
    return table[f"{n}"] + table.get(f"{n}", w), len({f"{n}", "1"}), f"{n}" in {"2": 1}
