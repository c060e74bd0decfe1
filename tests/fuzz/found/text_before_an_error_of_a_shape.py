# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    print(x > 0)
    if w.sum() > 0:
        print(w > 0)
    c = ops.tanh(w)[0][0]
    return x * c, 0
