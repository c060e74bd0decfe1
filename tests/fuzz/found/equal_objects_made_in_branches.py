# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    held = None
    if x.sum() > 0:
        held = Both(w)
    else:
        held = Both(x)
    return held.v, 1
