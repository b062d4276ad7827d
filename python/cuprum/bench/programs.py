"""Array programs as a user would write them, without a thought for any library: `xp` is numpy or cuprum.

Nothing here is tuned: no out=, no preallocated buffers, no special functions. Making them fast is the library's job.
"""

import math


def chain(xp, x):
    return xp.exp(xp.sin(x) * xp.cos(x))


def polynomial(xp, a, b):
    return 2 * a + 3 * b - a * b


def mean_square_error(xp, x, y):
    return ((x - y) ** 2).mean()


def normal_cdf(xp, d):
    """The cumulative normal distribution, by the polynomial of Abramowitz and Stegun (26.2.17)."""
    k = 1.0 / (1.0 + 0.2316419 * xp.abs(d))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = xp.exp(-0.5 * d * d) * (1.0 / math.sqrt(2.0 * math.pi)) * poly
    return xp.where(d > 0, 1.0 - tail, tail)


def black_scholes(xp, spot, strike, years, rate=0.02, volatility=0.3):
    """Prices of European call and put options."""
    root = volatility * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    discounted = strike * xp.exp(-rate * years)
    cdf1, cdf2 = normal_cdf(xp, d1), normal_cdf(xp, d2)
    call = spot * cdf1 - discounted * cdf2
    put = discounted * (1.0 - cdf2) - spot * (1.0 - cdf1)
    return call, put


def standardise(xp, table):
    """Columns with mean 0 and standard deviation 1."""
    return (table - table.mean(axis=0)) / table.std(axis=0)


def softmax(xp, table):
    """Rows that sum to 1."""
    e = xp.exp(table - table.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def log_softmax(xp, table):
    """The logarithm of the softmax of rows."""
    z = table - table.max(axis=1, keepdims=True)
    return z - xp.log(xp.exp(z).sum(axis=1, keepdims=True))


def layer_norm(xp, table, weight, bias):
    """Rows with mean 0 and variance 1, then scaled and moved."""
    centred = table - table.mean(axis=1, keepdims=True)
    return centred / xp.sqrt(table.var(axis=1, keepdims=True) + 1e-5) * weight + bias


def rms_norm(xp, table, weight):
    """Rows whose squares have the mean 1, then scaled."""
    return table / xp.sqrt((table * table).mean(axis=1, keepdims=True) + 1e-5) * weight


def standardise_rows(xp, table):
    """Rows with mean 0 and standard deviation 1."""
    return (table - table.mean(axis=1, keepdims=True)) / table.std(axis=1, keepdims=True)


def stencil(xp, b):
    """The mean of the four neighbours of every inner point."""
    return 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])


def heat(xp, plate, steps=20):
    """Heat spreading over a plate with fixed edges: explicit Euler steps, written in place."""
    plate = plate.copy()
    for _ in range(steps):
        inner = plate[1:-1, 1:-1]
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        inner += 0.1 * (around - 4.0 * inner)
    return plate


def mandelbrot(xp, re, im, iterations=30):
    """How many steps of z -> z*z + c each point survives."""
    c_re, c_im = re[xp.newaxis, :], im[:, xp.newaxis]
    z_re, z_im = xp.zeros_like(c_re + c_im), xp.zeros_like(c_re + c_im)
    survived = xp.zeros(z_re.shape, dtype=xp.int32)
    for _ in range(iterations):
        inside = z_re * z_re + z_im * z_im < 4.0
        survived = survived + inside
        next_re = z_re * z_re - z_im * z_im + c_re
        next_im = 2.0 * z_re * z_im + c_im
        z_re = xp.where(inside, next_re, z_re)
        z_im = xp.where(inside, next_im, z_im)
    return survived


def k_means(xp, points, centres, rounds=3):
    """Lloyd's algorithm; `points` has one column per coordinate, so that the distances are plain arithmetic."""
    k = centres.shape[0]
    for _ in range(rounds):
        difference = points[:, xp.newaxis, :] - centres[xp.newaxis, :, :]
        nearest = (difference * difference).sum(axis=2).argmin(axis=1)
        member = (nearest[:, xp.newaxis] == xp.arange(k)[xp.newaxis, :]).astype(points.dtype)
        centres = (member.T @ points) / member.sum(axis=0)[:, xp.newaxis]
    return centres


def monte_carlo(xp, seeds, steps=8):
    """The mean payoff of an Asian option: paths driven by a xorshift generator in plain integer arithmetic."""
    state = seeds
    path = xp.ones(seeds.shape, dtype=xp.float32)
    total = xp.zeros(seeds.shape, dtype=xp.float32)
    for _ in range(steps):
        state = state ^ (state << 13)
        state = state ^ (state >> 17)
        state = state ^ (state << 5)
        uniform = (state >> 8).astype(xp.float32) * (1.0 / 2**24)
        path = path * xp.exp(0.2 * (uniform - 0.5))
        total = total + path
    return xp.maximum(total / steps - 1.0, 0.0).mean()
