# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    def half(v):
        while v.sum() > 0.1:
            v = half(v * 0.5)
        return v

    return half(x + w), 1
