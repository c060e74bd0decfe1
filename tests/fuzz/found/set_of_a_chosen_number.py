# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0
    if x[0] > 0:
        n += 1
    seen = {0}
    seen |= {n, 7}
    return x, len(seen), len({v for v in [n, 1]}), len(set([n, 0])), len({n: 1, 0: 2})
