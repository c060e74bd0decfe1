# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    total = x
    for i in range(o)[::-1]:
        total = total * 2 + i
    return total, range(o)[-1], len([*range(o)]), len(range(o, 5)), sum(range(o)), o in range(2), [i for i in range(o)][-1]
