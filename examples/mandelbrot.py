"""Draws the Mandelbrot set in the terminal. 100 recorded operations become a handful of kernels."""

import cuprum as cp


def escape_times(width, height, iterations=40):
    c_re = cp.linspace(-2.2, 0.8, width)[cp.newaxis, :]
    c_im = cp.linspace(-1.2, 1.2, height)[:, cp.newaxis]
    z_re = z_im = cp.zeros((height, width))
    survived = cp.zeros((height, width), dtype=cp.int32)
    for _ in range(iterations):
        inside = z_re * z_re + z_im * z_im < 4.0
        survived += inside
        z_re, z_im = (
            cp.where(inside, z_re * z_re - z_im * z_im + c_re, z_re),
            cp.where(inside, 2.0 * z_re * z_im + c_im, z_im),
        )
    return survived


if __name__ == "__main__":
    shades = " .:-=+*#%@"
    for row in cp.asnumpy(escape_times(100, 36) * (len(shades) - 1) // 40):
        print("".join(shades[value] for value in row))
