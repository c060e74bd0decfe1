# ruff: noqa  # written after a program that was drawn
def program(x, w):
    n = 0

    def other(v):
        nonlocal n
        try:
            yield v
        except Exception:
            n += 10
        finally:
            n += 1

    g = other(x)
    w = w + next(g)
    g.close()
    return w, n
