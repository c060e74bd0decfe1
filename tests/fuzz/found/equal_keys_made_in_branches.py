# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    t = {Both(x * 2): x}
    if x.sum() > 0:
        t = {Both(x * 3): w}
    s = {Both(x * 2)}
    if w.sum() > 0:
        s = {Both(w * 3)}
    return list(t)[0].v + t[Both(x)] + list(s)[0].v, 1
