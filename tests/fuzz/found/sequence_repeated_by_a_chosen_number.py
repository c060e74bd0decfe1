# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    return x * len([1, 2] * o), ((1, 2) * o)[-1], len(o * (x,)), s * o, "ab" * o
