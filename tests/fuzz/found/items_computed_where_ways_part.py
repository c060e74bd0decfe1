# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    a, n = x * 1, 0
    m, fs = ops.stack([x, w]), [lambda v: v - a]
    for v in map(lambda v: v * 0.5, [a, w]):
        fs.append(lambda v, k=n: v * k)
        if v.sum() > 2:
            return a, n
        if a[2] > 0.7:
            break
    for k, v in zip(range(2), m):
        fs.append(lambda v, k=n: v * k)
        if v.sum() > 2:
            return a, n
        if a[2] > 0.5:
            break
    return a + fs[-1](x), len(fs)
