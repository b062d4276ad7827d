// NumPy's documentation, call by call, in C++: prints the expression and what it gives. tests/consumer/check_calls.py
// evaluates the same expressions with NumPy and compares the texts.
#include <cuprum/cuprum.h>

#include <cmath>
#include <iostream>

namespace cp = cuprum;

namespace {

// The first argument is the expression in Python, the second its value in C++.
template <class T>
void show(const char* python, const T& value) {
  std::cout << "> " << python << '\n' << value << '\n';
}

void creation() {
  show("np.arange(10)", cp::arange(10));
  show("np.arange(0, 1, 0.25)", cp::arange(0.0, 1.0, 0.25));
  show("np.linspace(0, 1, 5)", cp::linspace(0.0, 1.0, 5));
  show("np.logspace(0, 3, 4)", cp::logspace(0.0, 3.0, 4));
  show("np.geomspace(1, 1000, 4)", cp::geomspace(1.0, 1000.0, 4));
  show("np.zeros((2, 3))", cp::zeros({2, 3}));
  show("np.full((2, 2), 7.5)", cp::full({2, 2}, 7.5));
  show("np.full(3, 7)", cp::full({3}, 7));
  show("np.full((2, 2), [1.5, 2])", cp::full({2, 2}, cp::array{1.5, 2.0}));
  show("np.full(2, 2.5, dtype='i4')", cp::full({2}, 2.5, cp::dtype::int32));
  show("np.full(2, 1j)", cp::full({2}, std::complex<double>(0, 1)));
  show("np.linalg.inv(np.eye(3))", cp::linalg::inv(cp::eye(3)));
  show("np.eye(3, k=1)", cp::eye(3, 3, 1));
  show("np.identity(2)", cp::identity(2));
  show("np.tri(3, 4, -1)", cp::tri(3, 4, -1));
  show("np.ones_like(np.arange(3))", cp::ones_like(cp::arange(3)));
  show("np.full_like(np.arange(3), 2, dtype='f4')",
       cp::full_like(cp::arange(3), 2, {.dtype = cp::dtype::float32}));
  show("np.meshgrid(np.arange(3), np.arange(2))[1]", cp::meshgrid({cp::arange(3), cp::arange(2)})[1]);
  show("np.array([[1, 2], [3, 4]])", cp::array{{1, 2}, {3, 4}});
  show("np.array([True, False])", cp::array{true, false});
}

void elementwise() {
  const cp::array x = cp::linspace(0.0, 1.0, 4), i = cp::arange(6).reshape({2, 3});
  show("np.exp(x)", cp::exp(x));
  show("np.sin(x) ** 2 + np.cos(x) ** 2", cp::power(cp::sin(x), 2) + cp::power(cp::cos(x), 2));
  show("np.where(i > 2, i, -i)", cp::where(i > 2, i, -i));
  show("np.clip(i, 1, 4)", cp::clip(i, 1, 4));
  show("i // 2 + i % 2", cp::floor_divide(i, 2) + i % 2);
  show("np.hypot(3.0, x)", cp::hypot(3.0, x));
  show("np.maximum(x, 0.5)", cp::maximum(x, 0.5));
  show("np.isnan(np.sqrt(x - 0.5))", cp::isnan(cp::sqrt(x - 0.5)));
  show("(1 + 2j) * x", std::complex<double>(1, 2) * x);
  show("np.left_shift(i, 2)", cp::left_shift(i, 2));
}

void reductions() {
  const cp::array m = cp::arange(12.0).reshape({3, 4}), y{3.0, std::nan(""), 1.0};
  show("m.sum()", cp::sum(m));
  show("m.sum(axis=0)", cp::sum(m, 0));
  show("m.mean(axis=1, keepdims=True)", cp::mean(m, {.axis = 1, .keepdims = true}));
  show("m.var(axis=0, ddof=1)", cp::var(m, {.axis = 0, .ddof = 1}));
  show("m.std()", cp::std(m));
  show("m.max(axis=(0, 1))", cp::max(m, {0, 1}));
  show("m.prod(axis=1)", cp::prod(m, 1));
  show("m.argmax(axis=1)", cp::argmax(m, 1));
  show("np.ptp(m, axis=0)", cp::ptp(m, 0));
  show("np.any(m > 10)", cp::any(m > 10));
  show("np.count_nonzero(m, axis=0)", cp::count_nonzero(m, 0));
  show("np.nansum(y)", cp::nansum(y));
  show("np.nanmax(y)", cp::nanmax(y));
  show("np.nanmean(y)", cp::nanmean(y));
  show("np.trace(m)", cp::trace(m));
  show("np.cumsum(m, axis=1)", cp::cumsum(m, 1));
  show("np.cumprod(np.arange(1, 6))", cp::cumprod(cp::arange(1, 6)));
  show("np.sum(m, where=m > 5, initial=100)", cp::sum(m, {.initial = 100.0, .where = m > 5}));
}

void shapes() {
  const cp::array i = cp::arange(6).reshape({2, 3});
  show("i.T", cp::transpose(i));
  show("i.ravel()", cp::ravel(i));
  show("np.vstack([i, i[0]])", cp::vstack({i, i(0)}));
  show("np.hstack([i, i[:, :1]])", cp::hstack({i, i(cp::slice(), cp::slice(0, 1))}));
  show("np.dstack([i, i])", cp::dstack({i, i}));
  show("np.column_stack([i[0], i[1]])", cp::column_stack({i(0), i(1)}));
  show("np.concatenate([i, i], axis=1)", cp::concatenate({i, i}, 1));
  show("np.tile(i, (2, 1))", cp::tile(i, {2, 1}));
  show("np.repeat(i, 2, axis=1)", cp::repeat(i, 2, 1));
  show("np.roll(i, 1, axis=1)", cp::roll(i, 1, 1));
  show("np.flip(i)", cp::flip(i));
  show("np.rot90(i)", cp::rot90(i));
  show("np.rot90(i, 3)", cp::rot90(i, 3));
  show("np.diag([1, 2, 3], k=1)", cp::diag(cp::array{1, 2, 3}, 1));
  show("np.tril(i)", cp::tril(i));
  show("np.resize(i, (3, 3))", cp::resize(i, {3, 3}));
  show("np.append(i, [7, 8])", cp::append(i, cp::array{7, 8}));
  show("np.broadcast_to(i[0], (2, 3))", cp::broadcast_to(i(0), {2, 3}));
  show("i[:, ::-1]", i(cp::slice(), cp::slice({}, {}, -1)));
  show("i[i > 2]", i(i > 2));
  show("i[[1, 0], [2, 1]]", i(cp::array{1, 0}, cp::array{2, 1}));
}

void searching() {
  const cp::array v{3, 1, 2, 3, 0};
  show("np.sort(v)", cp::sort(v));
  show("np.argsort(v, kind='stable')", cp::argsort(v));
  show("np.unique(v)", cp::unique(v));
  show("np.unique(v, return_counts=True)[1]", *cp::unique(v, {.return_counts = true}).counts);
  show("np.isin(v, [0, 3])", cp::isin(v, cp::array{0, 3}));
  show("np.searchsorted([1, 2, 3], v)", cp::searchsorted(cp::array{1, 2, 3}, v));
  show("np.searchsorted([1, 2, 3], 2, side='right')", cp::searchsorted(cp::array{1, 2, 3}, 2, true));
  show("np.digitize(2.5, [1, 2, 3])", cp::digitize(2.5, cp::array{1, 2, 3}));
  show("np.interp(2.5, [1, 2, 3], [10, 20, 40])", cp::interp(2.5, cp::array{1, 2, 3}, cp::array{10, 20, 40}));
  show("np.append([1, 2, 3], 4.5)", cp::append(cp::array{1, 2, 3}, 4.5));
  show("np.isin([1, 2, 3], 2)", cp::isin(cp::array{1, 2, 3}, 2));
  show("np.bincount(v)", cp::bincount(v));
  show("np.argwhere(v > 1)", cp::argwhere(v > 1));
  show("np.flatnonzero(v)", cp::flatnonzero(v));
  show("np.take(v, [0, 4])", cp::take(v, cp::array{0, 4}));
  show("np.compress([True, False, True], v)", cp::compress(cp::array{true, false, true}, v));
  show("np.extract(v > 1, v)", cp::extract(v > 1, v));
  show("np.choose([0, 1, 0], [[1, 2, 3], [4, 5, 6]])",
       cp::choose(cp::array{0, 1, 0}, {cp::array{1, 2, 3}, cp::array{4, 5, 6}}));
  show("np.interp(2.5, [1, 2, 3], [3, 2, 0])",
       cp::interp(cp::array(2.5), cp::array{1, 2, 3}, cp::array{3, 2, 0}));
  show("np.lexsort([[9, 4, 0, 4], [1, 5, 1, 4]])",
       cp::lexsort({cp::array{9, 4, 0, 4}, cp::array{1, 5, 1, 4}}));
}

void products() {
  const cp::array a{{2.0, 1.0}, {1.0, 3.0}}, b{3.0, 5.0};
  show("a @ b", cp::matmul(a, b));
  show("np.outer(b, b)", cp::outer(b, b));
  show("np.einsum('ij,j->i', a, b)", cp::einsum("ij,j->i", {a, b}));
  show("np.linalg.solve(a, b)", cp::linalg::solve(a, b));
  show("np.round(np.linalg.det(a), 12)", cp::round(cp::linalg::det(a), 12));
  show("np.linalg.norm(b)", cp::linalg::norm(b));
  show("np.round(np.linalg.eigvalsh(a), 6)", cp::round(cp::linalg::eigvalsh(a), 6));
  show("np.abs(np.fft.rfft([1.0, 0.0, 0.0, 0.0]))",
       cp::absolute(cp::fft::rfft(cp::array{1.0, 0.0, 0.0, 0.0})));
  show("np.random.default_rng(7).random(3)", cp::random::generator(7).random({3}));
}

void statistics() {
  const cp::array m = cp::arange(12.0).reshape({3, 4}), y{3.0, std::nan(""), 1.0}, v{3, 1, 2, 3, 0};
  show("np.median(m, axis=0)", cp::median(m, 0));
  show("np.nanmedian(y)", cp::nanmedian(y));
  show("np.quantile(m, 0.3, axis=1)", cp::quantile(m, 0.3, {.axis = 1}));
  show("np.quantile(v, [0.25, 0.75], method='weibull')",
       cp::quantile(v, cp::array{0.25, 0.75}, {.method = "weibull"}));
  show("np.percentile(m, 40)", cp::percentile(m, 40));
  show("np.nanquantile(y, 0.5)", cp::nanquantile(y, 0.5));
  show("np.nanpercentile(y, 25)", cp::nanpercentile(y, 25));
  show("np.average(m, axis=1, weights=[1, 2, 3, 4])",
       cp::average(m, {.axis = 1, .weights = cp::array{1, 2, 3, 4}}));
  show("np.cov(m)", cp::cov(m));
  show("np.corrcoef([0.0, 1.0, 2.0], [5.0, 3.0, 1.0])",
       cp::corrcoef(cp::array{0.0, 1.0, 2.0}, {.y = cp::array{5.0, 3.0, 1.0}}));
  show("np.histogram(v, bins=4)[0]", cp::histogram(v, 4).counts);
  show("np.histogram(v, bins=[0, 1, 4], density=True)[0]",
       cp::histogram(v, cp::array{0, 1, 4}, {.density = true}).counts);
  show("np.histogram_bin_edges(v, bins='fd')", cp::histogram_bin_edges(v, "fd"));
  show("np.histogram2d(v, v[::-1], bins=[2, 3])[0]", cp::histogram2d(v, cp::flip(v), {2, 3}).counts);
  show("np.histogramdd(m, bins=2)[0].sum(axis=(0, 1))", cp::sum(cp::histogramdd(m, {2}).counts, {0, 1}));
  show("np.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0])",
       cp::digitize(cp::array{0.2, 6.4, 3.0}, cp::array{0.0, 1.0, 2.5, 4.0}));
}

void calculus() {
  const cp::array i = cp::arange(6).reshape({2, 3}), v{3, 1, 2, 3, 0};
  show("np.diff(v)", cp::diff(v));
  show("np.diff(i, axis=0, append=i[:1])", cp::diff(i, 1, {.axis = 0, .append = i(cp::slice(0, 1))}));
  show("np.ediff1d(v, to_begin=-99)", cp::ediff1d(v, {.to_begin = cp::array(-99)}));
  show("np.gradient(v, 2)", cp::gradient(v, {2})[0]);
  show("np.gradient(i)[1]", cp::gradient(i)[1]);
  show("np.trapezoid(v, dx=0.5)", cp::trapezoid(v, {.dx = 0.5}));
  show("np.unwrap([0.0, 4.0, 8.0, 1.0])", cp::unwrap(cp::array{0.0, 4.0, 8.0, 1.0}));
  show("np.convolve(v, [0, 1, 0.5])", cp::convolve(v, cp::array{0.0, 1.0, 0.5}));
  show("np.correlate(v, [1, 2], mode='same')", cp::correlate(v, cp::array{1, 2}, "same"));
  show("np.hamming(4)", cp::hamming(4));
  show("np.kaiser(4, 14)", cp::kaiser(4, 14));
  show("np.i0([0.0, 1.0, 9.0])", cp::i0(cp::array{0.0, 1.0, 9.0}));
  show("np.sinc([0.0, 0.25])", cp::sinc(cp::array{0.0, 0.25}));
  show("np.angle([1j, -1], deg=True)",
       cp::angle(cp::array{std::complex<double>(0, 1), std::complex<double>(-1, 0)}, true));
  show("np.isclose(v, 3)", cp::isclose(v, 3));
  show("np.nan_to_num([np.nan, 1.0], nan=-1)", cp::nan_to_num(cp::array{std::nan(""), 1.0}, {.nan = -1}));
  show("np.divmod(v, 2)[1]", cp::divmod(v, 2).second);
  show("np.cumulative_sum(v, include_initial=True)", cp::cumulative_sum(v, {.include_initial = true}));
}

void editing() {
  const cp::array i = cp::arange(6).reshape({2, 3}), v{3, 1, 2, 3, 0};
  show("np.pad(v, (1, 2), 'reflect')", cp::pad(v, {1, 2}, {.mode = "reflect"}));
  show("np.pad(i, ((1, 0), (0, 2)), constant_values=9)",
       cp::pad(i, {{1, 0}, {0, 2}}, {.constant_values = 9}));
  show("np.delete(i, 1, axis=1)", cp::delete_(i, 1, 1));
  show("np.delete(v, slice(0, 4, 2))", cp::delete_(v, cp::slice(0, 4, 2)));
  show("np.insert(v, [1, 3], [7, 8])", cp::insert(v, cp::array{1, 3}, cp::array{7, 8}));
  show("np.trim_zeros([0, 0, 1, 2, 0])", cp::trim_zeros(cp::array{0, 0, 1, 2, 0}));
  show("np.block([[i, i], [np.zeros((1, 5), int), 7]])",
       cp::block({{i, i}, {cp::zeros({1, 5}, cp::dtype::int64), 7}}));
  show("np.hsplit(i, 3)[1]", cp::hsplit(i, 3)[1]);
  show("np.vander(v, 3)", cp::vander(v, 3));
  show("np.kron(np.eye(2), [1, 2])", cp::kron(cp::eye(2), cp::array{1, 2}));
  show("np.cross([1, 2, 3], [4, 5, 6])", cp::cross(cp::array{1, 2, 3}, cp::array{4, 5, 6}));
  show("np.vecdot(i, i)", cp::vecdot(i, i));
}

void positions_and_sets() {
  const cp::array i = cp::arange(6).reshape({2, 3}), v{3, 1, 2, 3, 0};
  show("np.indices((2, 2))", cp::indices({2, 2}));
  show("i[np.ix_([1, 0], [2, 0])]",
       i(cp::ix_({cp::array{1, 0}, cp::array{2, 0}})[0], cp::ix_({cp::array{1, 0}, cp::array{2, 0}})[1]));
  show("np.tril_indices(3)[1]", cp::tril_indices(3)[1]);
  show("np.unravel_index([1, 5], (2, 3))[1]", cp::unravel_index(cp::array{1, 5}, {2, 3})[1]);
  show("np.ravel_multi_index([[0, 1], [1, 2]], (2, 3))",
       cp::ravel_multi_index({cp::array{0, 1}, cp::array{1, 2}}, {2, 3}));
  show("np.select([v < 1, v > 2], [v, v * 10], -1)", cp::select({v<1, v> 2}, {v, v * 10}, -1));
  show("np.piecewise(v, [v < 2], [5, lambda x: -x])",
       cp::piecewise(v, {v < 2}, {5, [](const cp::array& x) { return -x; }}));
  show("np.fromfunction(lambda i, j: i * 2 + j, (2, 2))",
       cp::fromfunction([](const cp::array& r, const cp::array& c) { return r * 2 + c; }, {2, 2}));
  show("np.union1d(v, [7])", cp::union1d(v, cp::array{7}));
  show("np.intersect1d(v, [3, 2, 9])", cp::intersect1d(v, cp::array{3, 2, 9}));
  show("np.setdiff1d(v, [3])", cp::setdiff1d(v, cp::array{3}));
  show("np.setxor1d(v, [3, 8])", cp::setxor1d(v, cp::array{3, 8}));
  show("np.unique_counts(v).counts", cp::unique_counts(v).counts);
}

void polynomials_and_types() {
  const cp::array v{3, 1, 2, 3, 0}, p{1.0, -3.0, 2.0};
  show("np.polyadd([1, 2], v)", cp::polyadd(cp::array{1, 2}, v));
  show("np.polymul([1, 2], v)", cp::polymul(cp::array{1, 2}, v));
  show("np.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])[0]",
       cp::polydiv(cp::array{3.0, 5.0, 2.0}, cp::array{2.0, 1.0}).quotient);
  show("np.polyval([3, 0, 1], v)", cp::polyval(cp::array{3, 0, 1}, v));
  show("np.polyder(v)", cp::polyder(v));
  show("np.polyint(v)", cp::polyint(v));
  show("np.poly([1, 2])", cp::poly(cp::array{1, 2}));
  show("np.round(np.roots([1.0, -3.0, 2.0]), 9)", cp::round(cp::real(cp::roots(p)), 9));
  show("np.round(np.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1), 9)",
       cp::round(cp::polyfit(cp::array{0.0, 1.0, 2.0}, cp::array{1.0, 3.0, 5.0}, 1), 9));
  show("np.packbits(v)", cp::packbits(v));
  show("np.unpackbits(np.array([7], np.uint8), count=6)",
       cp::unpackbits(cp::array({7}, cp::dtype::uint8), {.count = 6}));
  show("np.promote_types('i4', 'f4')", cp::name(cp::promote_types(cp::dtype::int32, cp::dtype::float32)));
  show("np.finfo('f4').eps == 2.0 ** -23", cp::array(cp::finfo(cp::dtype::float32).eps == std::exp2(-23.0)));
  show("np.can_cast('f8', 'f4')", cp::array(cp::can_cast(cp::dtype::float64, cp::dtype::float32)));
}

void laws() {
  const auto rng = [] { return cp::random::generator(7); };
  show("np.random.default_rng(7).gumbel(0, 2, 3)", rng().gumbel(0, 2, {3}));
  show("np.random.default_rng(7).hypergeometric(10, 20, 15, 4)", rng().hypergeometric(10, 20, 15, {4}));
  show("np.random.default_rng(7).triangular(-1, 0, 2, 3)", rng().triangular(-1, 0, 2, {3}));
  show("np.random.default_rng(7).standard_t(3, 2)", rng().standard_t(3, {2}));
  show("np.random.default_rng(7).geometric(0.3, 4)", rng().geometric(0.3, {4}));
  show("np.random.default_rng(7).standard_cauchy(2)", rng().standard_cauchy({2}));
  show("np.random.default_rng(7).permuted(i, axis=1)", rng().permuted(cp::arange(6).reshape({2, 3}), 1));
  show("np.random.default_rng(7).permuted(i)", rng().permuted(cp::arange(6).reshape({2, 3})));
  const cp::array shares{0.2, 0.3, 0.5}, colors{4, 6, 2};
  show("np.random.default_rng(7).multinomial([5, 20], [0.2, 0.3, 0.5])",
       rng().multinomial(cp::array{5, 20}, shares));
  show("np.random.default_rng(7).dirichlet([0.2, 0.3, 0.5], 2)", rng().dirichlet(shares, {2}));
  show("np.random.default_rng(7).multivariate_hypergeometric([4, 6, 2], 5, 3)",
       rng().multivariate_hypergeometric(colors, 5, {3}));
  show("np.round(np.random.default_rng(7).multivariate_normal(b, a, 2, method='eigh'), 9)",
       cp::round(rng().multivariate_normal(cp::array{3.0, 5.0}, cp::array{{2.0, 1.0}, {1.0, 3.0}}, {2},
                                           {.method = "eigh"}),
                 9));
  const cp::array order = cp::arange(5);
  rng().shuffle(order);
  show("np.random.default_rng(7).permutation(5)", order);
}

}  // namespace

int main() {
  creation();
  elementwise();
  reductions();
  shapes();
  searching();
  products();
  statistics();
  calculus();
  editing();
  positions_and_sets();
  polynomials_and_types();
  laws();
}
