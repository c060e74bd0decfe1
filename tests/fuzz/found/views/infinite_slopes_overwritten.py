# ruff: noqa  # a program as drawn
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    m, q = ops.stack([x, w]) * 1, ops.stack([x, w, x * w]) * 1
    n, r = 0, 0.5
    views = [a * 2, q[0] * 1, m[1] * 1]
    table = {"u": q[:, 1] * 1, "v": b.view(3) * 1}
    box = Box(q[2] * 1)

    def change(v, by):
        v.add_(by)
        return v

    def part(v):
        return v[:] if v.sum() > 0 else v

    def row(v, k):
        nonlocal n
        n += 1
        return v[k]

    box.parts[0][1] = box.parts[0][0]
    box.parts[0].div_(x.sum(0) - ops.where(m.split(1)[1][0] > 0, m.split(1)[1][0], x) * x.sum(0) - ops.where(m.split(1)[1][0] > 0, m.split(1)[1][0], x) + 1)
    q.add_(m.mean(0) - w)
    views[0].zero_()
    views[-1].clamp_(-0.9, 1.1)
    box.parts[0].zero_()
    for k0, v in enumerate([a, b]):
        q[q > 0] = 2

    total = a + b * 2 + c * 3 + m.sum(0) * 5 + q[0] * 7 + q[1] * 11 + q[2] * 13 + box.v * 17 + table["u"] * 19
    for v in [*views, *box.parts]:
        total = total * 1.25 + v
    return total + table["v"], n, len(views)