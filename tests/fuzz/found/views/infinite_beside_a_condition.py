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

    if views[-1][1] > 0.2:
        n += 1
        (views[2] if m.sum() > 2 else a).div_(m.flatten()[0:3].view(3) * m.mean(0) - w * m.flatten()[0:3].view(3) * m.mean(0) - w + 1)
    else:
        q[1:] = q[:2]
        box.parts.append(q.T[1])
    x.fill_(n)
    a, b = b, a

    total = a + b * 2 + c * 3 + m.sum(0) * 5 + q[0] * 7 + q[1] * 11 + q[2] * 13 + box.v * 17 + table["u"] * 19
    for v in [*views, *box.parts]:
        total = total * 1.25 + v
    return total + table["v"], n, len(views)
