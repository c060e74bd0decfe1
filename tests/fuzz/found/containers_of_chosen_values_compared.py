# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    seen = ["a", "c", s]
    return (x * ((s, 1) == ("a", 1)) + w * ([s] == ["bb"]), [s, 1] in [["a", 1]], ("a", s) < ("a", "b"), s in {"bb"},
            seen.index("c"), seen.count("a"), len(set(seen)), [3, 1, 2].index(o), [3, 1, 2].count(o))
