"""JAX: arrays of the one handed to the other."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_platforms", "cpu")
V = np.random.default_rng(0).normal(size=(4, 5)).astype("f4")


def by_dlpack(xp):
    return np.asarray(jnp.from_dlpack(xp.asarray(V)) * 2)


def as_jax(xp):
    return np.asarray(jnp.asarray(xp.asarray(V)))


def from_jax(xp):
    return xp.asarray(jnp.asarray(V)) + 1


def from_jax_by_dlpack(xp):
    return xp.from_dlpack(jnp.asarray(V)) * 2


def functions(xp):
    return np.asarray(jnp.sin(jnp.asarray(xp.asarray(V))))


def compiled(xp):
    return np.asarray(jax.jit(lambda x: x * 2)(xp.asarray(V)))


def compiled_on_jax_arrays(xp):
    return np.asarray(jax.jit(lambda x: x.sum(axis=0))(jnp.asarray(xp.asarray(V))))


def gradient(xp):
    return np.asarray(jax.grad(lambda x: (x**2).sum())(jnp.asarray(xp.asarray(V))))


def device_put(xp):
    return np.asarray(jax.device_put(xp.asarray(V)))


def trees(xp):
    return jax.tree.map(lambda x: x * 2, {"w": xp.asarray(V)})["w"]
