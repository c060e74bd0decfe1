# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o = best = None
    if w.sum() > 1:
        y = x * 3
        if x.sum() > 0:
            o = y
    for v in [x, w, x * 2]:
        if best is None or v.sum() > best.sum():
            best = v
    return (x if o is None else o) * 2 + best, 0
