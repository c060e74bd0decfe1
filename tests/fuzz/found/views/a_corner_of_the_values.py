# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    m, q = ops.stack([x, w]) * 1, ops.stack([x, w, x * w]) * 1
    n, r = 0, 0.5
    views = [a[:], q[0], m[1]]
    table = {"u": q[:, 1], "v": b.view(3)}
    box = Box(q[2])

    def part(v):
        return v[:] if v.sum() > 0 else v
    part(q.T[1]).fill_((n + 2))
    if table['u'].sum() > 0:
        q.T.sub_(w[[2, 0, 1]][[2, 0, 1]])
    q.swapaxes(0, 1)[q.swapaxes(0, 1) > 0] = n
    total = a + b * 2 + c * 3 + m.sum(0) * 5 + q[0] * 7 + q[1] * 11 + q[2] * 13 + box.v * 17 + table["u"] * 19
    return total + table["v"], n, len(views)
