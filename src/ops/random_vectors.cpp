// Laws of vectors: their parameters as NumPy checks them. The host looks at those that are few, one row of them or one matrix.
#include <array>
#include <limits>
#include <string>

#include "core/common_shape.h"
#include "core/promotion.h"
#include "core/warning.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/linalg.h"
#include "ops/linalg_matrix.h"
#include "ops/logic.h"
#include "ops/manipulate.h"
#include "ops/random.h"
#include "ops/random_support.h"
#include "ops/reduce.h"
#include "ops/transfer.h"

namespace cuprum::ops {

namespace {

using namespace formula;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::vector<double> to_doubles(const Array& a) {
  std::vector<double> values(static_cast<std::size_t>(a.size()));
  copy_to_host(record_cast(a, dtype::float64), values.data());
  return values;
}

/// A parameter of real numbers as float64.
Array real_parameter(const char* law, const Array& a) {
  if (can_cast(a.type(), dtype::float64)) return record_cast(a, dtype::float64);
  throw TypeError(std::string("cuprum.random.") + law + ": Cannot cast array data from " + name(a.type()) +
                  " to float64 according to the rule 'safe'");
}

// -- Multinomial.

/// NumPy's compensated sum.
double kahan_sum(std::span<const double> values) {
  double total = 0, lost = 0;
  for (const double value : values) {
    const double y = value - lost, t = total + y;
    lost = (t - total) - y;
    total = t;
  }
  return total;
}

/// Probabilities of narrow floats may sum to more in float64 than in their own dtype.
[[noreturn]] void refuse_sum(const Array& pvals) {
  const std::string where = pvals.ndim() == 1 ? "[:-1]" : "[...,:-1]";
  const bool narrow = is_floating(pvals.type()) && pvals.type() != dtype::float64;
  if (!narrow || !to_truth(sum(pvals) < 1.0001)) refuse("multinomial", "sum(pvals" + where + ") > 1.0");
  refuse(
      "multinomial",
      "sum(pvals" + where +
          ".astype(np.float64)) > 1.0. The pvals array is cast to 64-bit floating point prior to checking "
          "the sum. Precision changes when casting may cause problems even if the sum of the original pvals "
          "is valid.");
}

/// Each row must leave something for its last one.
void check_probabilities(const Array& pvals) {
  const std::vector<double> values = to_doubles(pvals);
  for (const double p : values) {
    if (!(p >= 0 && p <= 1)) refuse("multinomial", "pvals < 0, pvals > 1 or pvals contains NaNs");
  }
  if (values.empty()) return;
  const std::size_t d = static_cast<std::size_t>(pvals.shape().back());
  for (std::size_t row = 0; row < values.size(); row += d) {
    if (kahan_sum(std::span(values).subspan(row, d - 1)) > 1.0 + 1e-12) refuse_sum(pvals);
  }
}

/// RandomState takes one row, which may be empty.
void check_outcomes(const Array& pvals, bool legacy) {
  if (legacy) {
    if (pvals.ndim() == 0) throw TypeError("cuprum.random.multinomial: pvals must be a 1-d sequence");
    if (pvals.ndim() != 1) refuse("multinomial", "pvals must be a 1-d sequence");
  } else if (pvals.ndim() == 0 || pvals.shape().back() == 0) {
    refuse("multinomial",
           "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.");
  }
}

/// One trial count for each row, none negative.
Array trials_of(const Value& n, Backend& backend) {
  const Parameter given = parameter_of("multinomial", n, 'i');
  if (given.array ? to_truth(any(*given.array < 0)) : given.integer < 0) refuse("multinomial", "n < 0");
  return given.array ? *given.array : full(Dims{}, Scalar::of(dtype::int64, given.integer), 'C', backend);
}

// -- Multivariate normal.

void check_normal(const Array& mean, const Array& cov) {
  constexpr const char* law = "multivariate_normal";
  if (is_complex(mean.type()) || is_complex(cov.type()))
    throw TypeError("cuprum.random.multivariate_normal: mean and cov must not be complex");
  if (mean.ndim() != 1) refuse(law, "mean must be 1 dimensional");
  if (cov.ndim() != 2 || cov.shape()[0] != cov.shape()[1])
    refuse(law, "cov must be 2 dimensional and square");
  if (mean.shape()[0] != cov.shape()[0]) refuse(law, "mean and cov must have same length");
}

/// What the caller wants to hear of a matrix that is no covariance.
void tell_validity(bool valid, std::string_view check_valid) {
  constexpr const char* text = "covariance is not symmetric positive-semidefinite.";
  if (check_valid != "warn" && check_valid != "raise")
    refuse("multivariate_normal", "check_valid must equal 'warn', 'raise', or 'ignore'");
  if (valid) return;
  if (check_valid == "raise") refuse("multivariate_normal", text);
  warn(text);
}

Array root_by_svd(const Array& cov, const NormalVectorArgs& args) {
  const SvdFactors factors = svd(cov);
  const Array &s = factors.s, &vh = factors.vh;
  if (args.check_valid != "ignore") {
    const Closeness closeness{Value::floating(args.tol), Value::floating(args.tol)};
    tell_validity(allclose(matmul(transpose(vh) * s, vh), cov, closeness), args.check_valid);
  }
  const Array roots = unary(Op::sqrt, s);
  return args.legacy ? expand_dims(roots, Dims{1}) * vh : transpose(factors.u * roots);
}

Array root_by_eigh(const Array& cov, const NormalVectorArgs& args) {
  const Eigen factors = eigh(cov);
  if (args.check_valid != "ignore")
    tell_validity(!to_truth(any(factors.values < -args.tol)), args.check_valid);
  return transpose(factors.vectors * unary(Op::sqrt, absolute(factors.values)));
}

/// A matrix R with R.T @ R == cov.
Array root_of(const Array& cov, const NormalVectorArgs& args) {
  if (args.method == "cholesky") return transpose(cholesky(cov));
  return args.method == "svd" ? root_by_svd(cov, args) : root_by_eigh(cov, args);
}

}  // namespace

Array multinomial(BitGenerator& g, const Value& n, const Array& pvals, const std::optional<Dims>& size,
                  bool legacy) {
  const Array shares = real_parameter("multinomial", pvals);
  check_outcomes(shares, legacy);
  check_probabilities(pvals);
  const Array trials = trials_of(n, pvals.backend());
  const std::int64_t d = shares.shape().back();
  Dims rows = shares.shape();
  rows.pop_back();
  const std::array shapes = {trials.shape(), rows, size.value_or(Dims{})};
  const Dims shape = common_shape("random.multinomial", shapes);
  if (size && shape != *size) {
    refuse("multinomial", "Output size " + to_string(*size) +
                              " is not compatible with broadcast dimensions of inputs " + to_string(shape) +
                              ".");
  }
  const Array each = broadcast_to(trials, shape), all_shares = broadcast_to(shares, with_last(shape, d));
  const std::array<const Array*, 2> in = {&each, &all_shares};
  return g.draw({legacy ? Law::legacy_multinomial : Law::multinomial, {}, {}}, in, dtype::int64,
                all_shares.shape(), shares.backend());
}

Array dirichlet(BitGenerator& g, const Array& alpha, const Dims& size, bool legacy) {
  const Array shares = real_parameter("dirichlet", alpha);
  if (shares.ndim() != 1) {
    const std::string text = "alpha must be one-dimensional, given shape " + to_string(shares.shape());
    if (shares.ndim() == 0) throw TypeError("cuprum.random.dirichlet: " + text);
    refuse("dirichlet", text);
  }
  if (legacy && to_truth(any(shares <= 0))) refuse("dirichlet", "alpha <= 0");
  if (to_truth(any(shares < 0))) refuse("dirichlet", "alpha < 0");
  const std::array<const Array*, 1> in = {&shares};
  return g.draw({legacy ? Law::legacy_dirichlet : Law::dirichlet, {}, {}}, in, dtype::float64,
                with_last(size, shares.size()), shares.backend());
}

void refuse_colors() {
  refuse("multivariate_hypergeometric",
         "colors must be a one-dimensional sequence of nonnegative integers not exceeding " +
             std::to_string(kLargest) + ".");
}

namespace {

/// How many balls there are.
std::int64_t check_colors(const Array& colors) {
  if (colors.ndim() != 1 || (colors.size() > 0 && !is_integer(colors.type()))) refuse_colors();
  if (colors.size() == 0) return 0;
  int128 total = 0;
  for (const std::int64_t count : to_integers(colors)) {
    if (count < 0) refuse_colors();  // or a uint64 that no int64 holds
    total += count;
  }
  if (total > kLargest) {
    refuse("multivariate_hypergeometric",
           "sum(colors) must not exceed the maximum value of a 64 bit signed integer (" +
               std::to_string(kLargest) + ")");
  }
  return static_cast<std::int64_t>(total);
}

}  // namespace

Array multivariate_hypergeometric(BitGenerator& g, const Array& colors, std::int64_t nsample,
                                  const Dims& size, std::string_view method) {
  constexpr const char* law = "multivariate_hypergeometric";
  const bool by_counting = method == "count";
  if (!by_counting && method != "marginals") refuse(law, "method must be \"count\" or \"marginals\".");
  if (nsample < 0) refuse(law, "nsample must be nonnegative.");
  const std::int64_t total = check_colors(colors);
  if (!by_counting && total >= 1000000000)
    refuse(law, "When method is \"marginals\", sum(colors) must be less than 1000000000.");
  if (by_counting && total > kLargest / 8)
    refuse(law, "When method is 'count', sum(colors) must not exceed " + std::to_string(kLargest / 8));
  if (nsample > total) refuse(law, "nsample > sum(colors)");
  const Array counts = record_cast(colors, dtype::int64);
  const std::array<const Array*, 1> in = {&counts};
  const LawParameters parameters = {static_cast<std::uint64_t>(nsample), by_counting, 0};
  return g.draw({Law::multivariate_hypergeometric, {}, {}, parameters}, in, dtype::int64,
                with_last(size, counts.size()), counts.backend());
}

Array multivariate_normal(BitGenerator& g, const Array& mean, const Array& cov,
                          const NormalVectorArgs& args) {
  if (args.method != "eigh" && args.method != "svd" && args.method != "cholesky")
    refuse("multivariate_normal", "method must be one of {'eigh', 'svd', 'cholesky'}");
  check_normal(mean, cov);
  const std::int64_t d = mean.shape()[0];
  DrawArgs draw;
  draw.size = with_last(args.size, d);
  draw.legacy = args.legacy;
  const Array numbers = draw_law(g, "standard_normal", {}, draw, mean.backend());
  // On the host: the signs of singular vectors and eigenvectors are LAPACK's, which NumPy's numbers depend on.
  const Array root = root_of(on_backend(record_cast(cov, dtype::float64), cpu_backend()), args);
  const Array rows = matmul(reshape(numbers, Dims{-1, d}), on_backend(root, mean.backend()));
  return reshape(record_cast(mean, dtype::float64) + rows, numbers.shape());
}

}  // namespace cuprum::ops
