"""Two streams, one timeline: a batch is uploaded and prepared on one stream, the other computes with the one before.

python -m cuprum profile examples/overlap.py
"""

import numpy as np

import cuprum as cp

BATCHES, ROWS, COLUMNS = 8, 400, 2000


def prepare(host):
    """A batch on the device, its columns standardised."""
    x = cp.asarray(host)
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)


def score(x, weights):
    """One number per row."""
    for _ in range(3):
        x = cp.evaluate(cp.tanh(x * weights))
    return cp.exp(-(x**2).sum(axis=1) / COLUMNS)


def main():
    random = np.random.default_rng(1)
    batches = random.standard_normal((BATCHES, ROWS, COLUMNS))
    weights = cp.asarray(random.standard_normal(COLUMNS))
    loading, computing = cp.cuda.Stream(), cp.cuda.Stream()
    scores = []
    for number, host in enumerate(batches):
        with loading, cp.profiler.time_range(f"load {number}"):
            batch = prepare(host)
        with computing, cp.profiler.time_range(f"score {number}"):
            scores.append(score(batch, weights))
    best = [float(s.max()) for s in scores]  # only here the host waits
    print("best scores:", " ".join(f"{value:.4f}" for value in best))


if __name__ == "__main__":
    main()
