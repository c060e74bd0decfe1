# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    table = {"a": x, "bb": w}
    made = {s: x, "bb": w}
    total = table[s] + table.get(s, x * 5) + made["bb"] + {("a", 1): x * 2}.get((s, 1), w)
    found = {k: v for k, v in [(s, 1), ("a", 2)]}
    table["a" if o > 1 else s] = w
    return total + table["a"], len(made), len({s, "a"}), len({(s, 1), ("a", 1)}), found["a"], {True: 3, False: 4}[o > 1]
