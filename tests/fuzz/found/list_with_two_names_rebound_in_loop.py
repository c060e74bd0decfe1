# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    items = [x * 1, w * 2]
    alias = items
    k = 0
    while x.sum() < 1 and k < 3:
        k += 1
        if w.sum() > 1:
            alias = list(items)
    alias[0] = w * 1
    return items[0] + alias[0], k
