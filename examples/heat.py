"""Heat spreading over a plate: slices of one array, written in place, with NumPy's meaning."""

import cuprum as cp


def simulate(size, steps):
    plate = cp.zeros((size, size), dtype=cp.float32)
    plate[0, :] = 100.0  # the upper edge is hot and stays so
    for _ in range(steps):
        inner = plate[1:-1, 1:-1]
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        inner += 0.2 * (around - 4.0 * inner)
    return plate


if __name__ == "__main__":
    plate = simulate(500, 200)
    print("mean temperature by depth:")
    for depth in range(0, 50, 5):
        print(f"{depth:4d} {float(plate[depth].mean()):6.2f}")
