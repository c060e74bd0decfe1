# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    print([s], {"k": (s,)}, s, o, (o,))
    return (x, f"{[s]}", "%s" % s, "%s %s" % (s, "z"), "{} {}".format(s, [s]), "-".join([s, s]), str([s]), repr((s,)),
            str({"k": s}), f"{s:>4}")
