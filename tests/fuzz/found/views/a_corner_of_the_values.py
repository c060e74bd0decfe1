# ruff: noqa  # a program as drawn
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    m, q = ops.stack([x, w]) * 1, ops.stack([x, w, x * w]) * 1
    n, r = 0, 0.5
    views = [a[:], q[0], m[1]]
    table = {"u": q[:, 1], "v": b.view(3)}
    box = Box(q[2])

    def change(v, by):
        v.add_(by)
        return v

    def part(v):
        return v[:] if v.sum() > 0 else v

    def row(v, k):
        nonlocal n
        n += 1
        return v[k]

    m[:, [0, 2]] *= w[1:]
    m, q = ops.cat([m, q[2:]])[:2] * 1, ops.cat([q])
    part(q.T[1]).fill_((n + 2))
    k0 = 0
    while views[-1][2] > 0.2 and k0 < 3:
        k0 += 1
        m[:].unbind()[1].view(3, 1)[:, 0][::2] -= n
        [v for v in q][0][2] = 0.5
    if table['u'].sum() > 0:
        q[None][0][0][[2, 0]] = box.v[1:]
        q.T.sub_(w[[2, 0, 1]][[2, 0, 1]])
    q.swapaxes(0, 1)[q.swapaxes(0, 1) > 0] = n
    ops.diagonal(q)[:].expand_as(m)[1].sub_(ops.exp(-abs(w)))

    total = a + b * 2 + c * 3 + m.sum(0) * 5 + q[0] * 7 + q[1] * 11 + q[2] * 13 + box.v * 17 + table["u"] * 19
    for v in [*views, *box.parts]:
        total = total * 1.25 + v
    return total + table["v"], n, len(views)

