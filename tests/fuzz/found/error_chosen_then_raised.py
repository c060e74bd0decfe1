# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    e = KeyError(x, "k")
    if s == "a":
        e = KeyError(x * 2, w)
        if x.sum() > 0:
            e = Refused(w * 2, 5)
    print(len(e.args))
    if x.sum() > 2:
        raise KeyError("k") if s == "a" else ValueError("v")
    raise (KeyError if s == "a" else ValueError)("k")
