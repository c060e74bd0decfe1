# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    def deep(v):
        return deep(v * 0.5) if v.sum() > 0 else deep(v + w)

    return deep(x), 1
