"""The convolutional and the dense networks in JAX, compiled: `nets_jax.py`."""
from __future__ import annotations

import jax
import jax.numpy as jnp
from protocol import serve

KEYS = iter(jax.random.split(jax.random.key(0), 100))


def normal(*shape):
    return jax.random.normal(next(KEYS), shape) * 0.05


def dense(i, o):
    return normal(i, o), jnp.zeros(o)


def affine(p, x):
    return x @ p[0] + p[1]


def conv(w, x):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID")


def pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def lenet(p, x):
    x = pool(jax.nn.relu(conv(p["c1"], x)))
    x = pool(jax.nn.relu(conv(p["c2"], x))).reshape(len(x), -1)
    x = jax.nn.relu(affine(p["f1"], x))
    return affine(p["f3"], jax.nn.relu(affine(p["f2"], x)))


def mlp(p, x):
    x = jax.nn.relu(affine(p["f1"], x))
    return affine(p["f3"], jax.nn.relu(affine(p["f2"], x)))


def case(net, params, x, classes):
    def build():
        y = jax.random.randint(next(KEYS), (len(x),), 0, classes)

        def loss(p):
            return -jax.nn.log_softmax(net(p, x))[jnp.arange(len(x)), y].mean()

        @jax.jit
        def update(p, v):
            value, grads = jax.value_and_grad(loss)(p)
            v = jax.tree.map(lambda a, g: 0.9 * a + g, v, grads)
            return value, jax.tree.map(lambda a, b: a - 0.01 * b, p, v), v
        state = [params(), jax.tree.map(jnp.zeros_like, params())]

        def step():
            value, *state[:] = update(*state)
            return float(value)
        return step
    return build


serve({
    "lenet-b32": case(lenet, lambda: {"c1": normal(6, 1, 5, 5), "c2": normal(16, 6, 5, 5),
                                      "f1": dense(400, 120), "f2": dense(120, 84), "f3": dense(84, 10)},
                      normal(32, 1, 32, 32), 10),
    "mlp-b64": case(mlp, lambda: {"f1": dense(784, 512), "f2": dense(512, 512), "f3": dense(512, 10)},
                    normal(64, 784), 10),
})
