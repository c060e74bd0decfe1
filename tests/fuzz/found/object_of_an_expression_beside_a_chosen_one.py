# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    first = max([box, Box(x)], key=lambda b: b.v.sum())
    second = min([Box(x), Box(w), box], key=lambda b: b.v[0]).add(x)
    return first.v + second.v + (Wide(x) + box).v, 0
