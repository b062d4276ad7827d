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
  laws();
}
