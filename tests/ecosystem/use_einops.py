"""einops: rearrangements that say what they mean."""

import einops
import numpy as np

IMAGES = np.random.default_rng(0).normal(size=(2, 6, 8, 3))


def transposes(xp):
    return einops.rearrange(xp.asarray(IMAGES), "b h w c -> b c h w")


def flattens(xp):
    return einops.rearrange(xp.asarray(IMAGES), "b h w c -> b (h w c)")


def patches(xp):
    return einops.rearrange(xp.asarray(IMAGES), "b (h p) (w q) c -> (b h w) (p q c)", p=3, q=4)


def pools(xp):
    x = xp.asarray(IMAGES)
    return (
        einops.reduce(x, "b (h 2) (w 2) c -> b h w c", "max"),
        einops.reduce(x, "b h w c -> b c", "mean"),
        einops.reduce(x, "b h w c -> c", "sum"),
    )


def repeats(xp):
    return einops.repeat(xp.asarray(IMAGES), "b h w c -> b (h 2) (w 2) c")


def stacks(xp):
    return einops.rearrange([xp.asarray(x) for x in IMAGES], "b h w c -> h (b w) c")


def packs(xp):
    packed, shapes = einops.pack([xp.asarray(IMAGES[0]), xp.asarray(IMAGES[1, :, :, 0])], "h w *")
    return packed, einops.unpack(packed, shapes, "h w *")


def products(xp):
    x = xp.asarray(IMAGES)
    return einops.einsum(x, x, "b h w c, b h w d -> b c d")


def shape_parsed(xp):
    shape = einops.parse_shape(xp.asarray(IMAGES), "b h w _")
    return shape["h"], shape["w"]


def by_the_standard(xp):
    from einops import array_api

    return array_api.rearrange(xp.asarray(IMAGES), "b h w c -> c (b h w)")
