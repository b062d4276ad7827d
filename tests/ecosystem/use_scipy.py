"""SciPy: by its array API switch where that is on, else as any program calls it."""

import numpy as np
from scipy import (
    cluster,
    fft,
    integrate,
    interpolate,
    linalg,
    ndimage,
    optimize,
    signal,
    sparse,
    spatial,
    special,
    stats,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
V = RNG.normal(size=128)
T = np.linspace(0, 1, 128)
SPD = X.T @ X + 4 * np.eye(4)


def special_functions(xp):
    x = xp.asarray(V)
    return special.erf(x), special.expit(x), special.gammaln(xp.abs(x) + 1)


def logsumexp_and_softmax(xp):
    x = xp.asarray(X)
    return special.logsumexp(x, axis=1), special.softmax(x, axis=1)


def descriptive_statistics(xp):
    x = xp.asarray(V)
    return stats.skew(x), stats.kurtosis(x), stats.zscore(x)


def t_test(xp):
    result = stats.ttest_ind(xp.asarray(X[:, 0]), xp.asarray(X[:, 1]))
    return float(result.statistic), float(result.pvalue)


def correlation(xp):
    result = stats.pearsonr(xp.asarray(X[:, 0]), xp.asarray(X[:, 1]))
    return float(result.statistic), float(result.pvalue)


def ks_test(xp):
    result = stats.ks_2samp(xp.asarray(X[:, 0]), xp.asarray(X[:, 1]))
    return float(result.statistic)


def trimmed_mean(xp):
    return stats.tmean(xp.asarray(V), (-1, 1)), stats.sem(xp.asarray(V))


def describes(xp):
    result = stats.describe(xp.asarray(X))
    return result.mean, result.variance


def fast_fourier(xp):
    x = xp.asarray(V)
    return fft.fft(x), fft.irfft(fft.rfft(x)), fft.fftfreq(8)


def cosine_transform(xp):
    return fft.dct(xp.asarray(V))


def welch(xp):
    frequencies, power = signal.welch(xp.asarray(V), nperseg=64)
    return frequencies, power


def convolves(xp):
    return signal.convolve(xp.asarray(V), xp.ones(5) / 5, mode="same")


def fft_convolves(xp):
    return signal.fftconvolve(xp.asarray(V), xp.ones(9), mode="same")


def filters(xp):
    b, a = signal.butter(3, 0.2)
    return signal.filtfilt(xp.asarray(b), xp.asarray(a), xp.asarray(V))


def filters_by_host_coefficients(xp):
    b, a = signal.butter(3, 0.2)
    return signal.lfilter(b, a, xp.asarray(V))


def finds_peaks(xp):
    return signal.find_peaks(xp.asarray(V))[0]


def detrends(xp):
    return signal.detrend(xp.asarray(V))


def window(xp):
    return xp.asarray(V) * xp.asarray(signal.get_window("hann", 128))


def gaussian_filter(xp):
    return ndimage.gaussian_filter(xp.asarray(X), 1.0)


def labels(xp):
    return ndimage.label(xp.asarray((X > 0).astype("i4")))[0]


def solves(xp):
    return linalg.solve(xp.asarray(SPD), xp.asarray(np.ones(4)))


def factors(xp):
    return linalg.cholesky(xp.asarray(SPD)), linalg.svdvals(xp.asarray(X))


def matrix_exponential(xp):
    return linalg.expm(xp.asarray(SPD / 10))


def integrates(xp):
    x = xp.asarray(V)
    return integrate.trapezoid(x, dx=0.1), integrate.simpson(x, dx=0.1)


def cumulative_integral(xp):
    return integrate.cumulative_trapezoid(xp.asarray(V), dx=0.1)


def interpolates(xp):
    return interpolate.CubicSpline(xp.asarray(T), xp.asarray(V))(xp.asarray(T[:20] + 0.001))


def minimizes(xp):
    target = xp.asarray(X[0])

    def f(p):
        return float(((xp.asarray(p) - target) ** 2).sum())

    return np.round(optimize.minimize(f, np.zeros(4)).x, 4)


def least_squares(xp):
    t, y = xp.asarray(T), xp.asarray(2.0 * T + 1)

    def residuals(p):
        return p[0] * t + p[1] - y

    return np.round(optimize.least_squares(residuals, np.zeros(2)).x, 5)


def fits_a_curve(xp):
    def line(t, a, b):
        return a * t + b

    return np.round(optimize.curve_fit(line, xp.asarray(T), xp.asarray(2 * T + 1))[0], 5)


def finds_a_root(xp):
    return float(optimize.brentq(lambda x: float(xp.cos(xp.asarray(x)) - x), 0, 1))


def distances(xp):
    return spatial.distance.cdist(xp.asarray(X[:5]), xp.asarray(X[:6]))


def neighbours(xp):
    return spatial.KDTree(xp.asarray(X)).query(xp.asarray(X[:3]), k=2)[0]


def rotates(xp):
    rotation = spatial.transform.Rotation.from_euler("z", 90, degrees=True)
    return rotation.apply(np.asarray(xp.asarray(X[:, :3])))


def sparse_product(xp):
    matrix = sparse.random_array((20, 60), density=0.2, rng=np.random.default_rng(1)).tocsr()
    return matrix @ xp.asarray(X)


def makes_sparse(xp):
    return sparse.csr_array(xp.asarray((X > 0) * 1.0)).sum(axis=0)


def clusters(xp):
    return cluster.vq.whiten(xp.asarray(X))


def integrates_an_equation(xp):
    matrix = xp.asarray(-SPD / 10)

    def f(t, y):
        return xp.asarray(matrix @ xp.asarray(y))

    return integrate.solve_ivp(f, (0, 1), np.ones(4)).y[:, -1]
