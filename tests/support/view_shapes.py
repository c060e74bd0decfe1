"""Views by operators of shapes, in chains, changed in place."""
from __future__ import annotations


def diagonal_of_a_square(lib, y):
    square = y[:, :2]
    lib.diagonal(square).mul_(3.0)
    return y


def diagonal_after(lib, y):
    d = lib.diagonal(y[:, 1:])
    y[0].mul_(2.0)
    return d


def diagonal_copied_into(lib, y):
    out = lib.zeros(2, 2)
    lib.diagonal(out).copy_(y[0, :2])
    return out * y[:, :2]


def split_changed(lib, y):
    a, b = lib.split(y, 1)
    a.mul_(2.0)
    return y * b


def split_of_a_transpose(lib, y):
    parts = lib.split(lib.transpose(y, (1, 0)), 1)
    y.mul_(2.0)
    return lib.concat(parts)


def chunk_changed(lib, y):
    a, b = lib.chunk(y, 2)
    b.add_(a)
    return y


def chain_of_four(lib, y):
    v = lib.unsqueeze(lib.transpose(y.reshape((3, 2)), (1, 0))[1], 0)
    v.mul_(2.0)
    return y


def chain_of_four_after(lib, y):
    v = lib.unsqueeze(lib.transpose(y.reshape((3, 2)), (1, 0))[1], 0)
    y.mul_(y * 1.0)
    return v


def narrow_of_narrow(lib, y):
    v = lib.narrow(lib.narrow(y, 1, 1, 2), 0, 1, 1)
    v.mul_(5.0)
    return y


def narrow_after(lib, y):
    v = lib.narrow(y, 1, 0, 2)
    y[:, 1].mul_(2.0)
    return v


def unsqueezed(lib, y):
    lib.unsqueeze(y, 1)[0, 0].add_(2.0)
    return y


def unsqueezed_after(lib, y):
    v = lib.unsqueeze(y, 0)
    y[1].mul_(2.0)
    return v


def squeezed(lib, y):
    v = lib.squeeze(y[:1], 0)
    v.mul_(3.0)
    return y


def flattened(lib, y):
    lib.flatten(y)[2:4].mul_(2.0)
    return y


def flattened_transpose_is_a_copy(lib, y):
    c = lib.flatten(lib.transpose(y, (1, 0)))
    c.mul_(2.0)
    return y + c[:3]


def expanded_then_read(lib, y):
    e = lib.expand(y[1:], (2, 3))
    y[1].add_(1.0)
    return e * y


def expanded_twice(lib, y):
    e = lib.expand(lib.unsqueeze(y[0], 0), (2, 3))
    y[0, 1] = 4.0
    return e + lib.expand(y[1], (2, 3))


def expanded_copied(lib, y):
    e = lib.expand(y[0], (2, 3)) * 1.0
    e[0].mul_(2.0)
    return e * y


def transposed_twice(lib, y):
    v = lib.transpose(lib.transpose(y, (1, 0)), (1, 0))
    v[0].mul_(2.0)
    return y


def transposed_rows(lib, y):
    for row in lib.rows(lib.transpose(y, (1, 0))):
        row.mul_(row * 1.0)
    return y


def swapped_axes(lib, y):
    v = y.swapaxes(0, 1)
    y[0].add_(v[:, 1])
    return v


def property_t(lib, y):
    y.T[1].mul_(3.0)
    return y


def reshaped_in_three(lib, y):
    v = y.reshape((1, 2, 3))
    w = v.reshape((3, 2))
    w[1].mul_(2.0)
    v[0, 1].add_(1.0)
    return y * w.reshape((2, 3))


def viewed_as(lib, y):
    v = y.view_as(lib.zeros(3, 2))
    v[2].mul_(2.0)
    return y


def overlapping_parts(lib, y):
    a, b = y[:, :2], y[:, 1:]
    a.mul_(2.0)
    b.mul_(3.0)
    return a * b


def parts_of_parts(lib, y):
    a = y[:, :2]
    b = a[1:]
    a.mul_(2.0)
    b.add_(1.0)
    y.mul_(2.0)
    return a + b


def item_into_a_view(lib, y):
    v = y[0]
    v[1] = y[1, 1] * 2.0
    v[2:] = v[:1]
    return y


def item_by_mask(lib, y):
    v = y.reshape((6,))
    y[y > 1.6] = 0.5
    return v


def item_by_indices(lib, y):
    v = y[:, 0]
    y[[1, 0], [0, 2]] = 3.0
    return y * v.reshape((2, 1))


def row_by_mask_is_a_copy(lib, y):
    c = y[[1, 0]]
    c.mul_(2.0)
    return y * c


def stepped_backward(lib, y):
    v = y[:, ::2]
    v[1].mul_(v[0] * 1.0)
    return y


def item_with_none(lib, y):
    v = y[:, None]
    v[0, 0, 1] = 5.0
    return y


def detached_row_is_written(lib, y):
    d = lib.detach(y)[0]
    y[1].copy_(d)
    return y


def detached_view_after(lib, y):
    v = y[0]
    d = lib.detach(v)
    v.mul_(3.0)
    return y + d


def detached_scale(lib, y):
    y[0].mul_(lib.detach(y[1]) * 1.0)
    return y


def written_through_two_views(lib, y):
    flat, turned = y.reshape((6,)), lib.transpose(y, (1, 0))
    flat[1:3].mul_(2.0)
    turned[2].add_(1.0)
    flat[5:].mul_(3.0)
    return turned


def accumulated_maximum(lib, y):
    y[1].clamp_(1.0, 2.5)
    y[0].copy_(y[1] + y[0])
    return y


def filled_part(lib, y):
    y[:, 1:].fill_(2.0)
    y[0].mul_(y[1] * 1.0)
    return y


def zeroed_row_then_added(lib, y):
    v = y[0]
    v.zero_()
    v.add_(y[1])
    return y


def saved_by_tanh_of_a_view(lib, y):
    z = lib.tanh(y[0])
    y[1].mul_(2.0)
    return z * y


def power_of_a_row(lib, y):
    z = y[0] ** 2
    y[0].add_(1.0)
    return z + y


def result_is_a_view_of_a_result(lib, y):
    z = y * y
    v = z[0]
    z.add_(1.0)
    return v * y


def base_after_view(lib, y):
    v = y.reshape((3, 2))
    y.add_(1.0)
    return v


def base_through_view(lib, y):
    y.reshape((3, 2)).mul_(3.0)
    return y


def base_by_column(lib, y):
    y[:, 1].add_(2.0)
    return y


def steps(lib, y):
    v = y[:, ::2]
    v.mul_(y[:, 1:2] * 1.0)
    return y


def chained(lib, y):
    v = y.reshape((6,))[1:5].reshape((2, 2))
    v[1].mul_(5.0)
    return y


def chained_base(lib, y):
    v = y.reshape((6,))[1:5]
    w = v.reshape((2, 2))[:, 1]
    y.mul_(3.0)
    return w * v[::2]


def siblings(lib, y):
    a, b = y[0], y.reshape((6,))[1:4]
    a.mul_(3.0)
    return b * 1.0 + a


def transposed(lib, y):
    t = lib.transpose(y, (1, 0))
    t[0].add_(5.0)
    return y


def transposed_after(lib, y):
    t = lib.transpose(y, (1, 0))
    y.mul_(y * 1.0)
    return t


def transposed_then_copied(lib, y):
    c = lib.transpose(y, (1, 0)).reshape((6,))
    y.add_(100.0)
    return c


def change_of_a_copy(lib, y):
    c = lib.transpose(y, (1, 0)).reshape((6,))
    c.mul_(2.0)
    return c[:3] * y[0] + c[3:]


def diagonals(lib, y):
    d = lib.diagonal(y)
    y.mul_(4.0)
    return d


def diagonal_changed(lib, y):
    d = y[:, :2].reshape((2, 2))
    lib.diagonal(y).add_(10.0)
    return y * d[0, 0]


def expanded_after(lib, y):
    e = lib.expand(y[:, :1], (2, 3))
    y.mul_(3.0)
    return e


def new_dimension(lib, y):
    v = y[None, :, None]
    y[1].mul_(5.0)
    return v
