# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n, seen = 0, {0}
    for k1 in range(x[0].int()):
        pass
    else:
        try:
            seen.add(n)
        finally:
            n += 1
    return x, len(seen)
