// Random numbers: NumPy's laws, and NumPy's numbers.
//
//     cuprum::random::generator rng(42);            // numpy.random.default_rng(42)
//     cuprum::array x = rng.standard_normal({1000, 1000});
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/options.h"

namespace cuprum::ops {
class BitGenerator;
}

namespace cuprum::random {

/// The bit generators. The first five give NumPy's bits; philox4x32 is the fastest.
enum class bits { pcg64, pcg64dxsm, philox, sfc64, mt19937, xorwow, mrg32k3a, philox4x32 };

/// Of normal vectors.
struct multivariate_normal_options {
  by_name named = by_name();
  std::string check_valid =
      "warn";                  // a covariance that is none: "warn" (nobody, in C++), "raise" or "ignore"
  double tol = 1e-8;           // how far it may be from one
  std::string method = "svd";  // how it is factored: "svd", "eigh" or "cholesky"
};

/// numpy.random.Generator. A copy draws from the same stream. Parameters are numbers or arrays, which broadcast to `shape`; an empty
/// list of arguments for the shape is one number.
class generator {
 public:
  /// From entropy of the system.
  generator();
  /// From a seed, as numpy.random.default_rng(seed), or of another kind.
  explicit generator(std::uint64_t seed, bits kind = bits::pcg64);

  /// In [0, 1); float64 or float32.
  array random(const shape_type& shape = {}, dtype type = dtype::float64) const;
  array uniform(const operand& low, const operand& high, const shape_type& shape = {}) const;
  array standard_normal(const shape_type& shape = {}, dtype type = dtype::float64) const;
  array normal(const operand& loc, const operand& scale, const shape_type& shape = {}) const;
  /// Exponential numbers of mean 1.
  array standard_exponential(const shape_type& shape = {}, dtype type = dtype::float64) const;
  array exponential(const operand& scale, const shape_type& shape = {}) const;
  array gamma(const operand& shape_parameter, const operand& scale, const shape_type& shape = {}) const;
  array beta(const operand& a, const operand& b, const shape_type& shape = {}) const;
  /// Counts of a mean (Poisson).
  array poisson(const operand& mean, const shape_type& shape = {}) const;
  array binomial(const operand& n, const operand& p, const shape_type& shape = {}) const;
  // The other laws of NumPy's Generator, their parameters in its order.
  array standard_cauchy(const shape_type& shape = {}) const;
  array standard_t(const operand& df, const shape_type& shape = {}) const;
  array standard_gamma(const operand& shape_parameter, const shape_type& shape = {}) const;
  array chisquare(const operand& df, const shape_type& shape = {}) const;
  array noncentral_chisquare(const operand& df, const operand& nonc, const shape_type& shape = {}) const;
  array f(const operand& dfnum, const operand& dfden, const shape_type& shape = {}) const;
  array noncentral_f(const operand& dfnum, const operand& dfden, const operand& nonc,
                     const shape_type& shape = {}) const;
  array geometric(const operand& p, const shape_type& shape = {}) const;
  array gumbel(const operand& loc, const operand& scale, const shape_type& shape = {}) const;
  array hypergeometric(const operand& ngood, const operand& nbad, const operand& nsample,
                       const shape_type& shape = {}) const;
  array laplace(const operand& loc, const operand& scale, const shape_type& shape = {}) const;
  array logistic(const operand& loc, const operand& scale, const shape_type& shape = {}) const;
  array lognormal(const operand& mean, const operand& sigma, const shape_type& shape = {}) const;
  array logseries(const operand& p, const shape_type& shape = {}) const;
  array negative_binomial(const operand& n, const operand& p, const shape_type& shape = {}) const;
  array pareto(const operand& a, const shape_type& shape = {}) const;
  array power(const operand& a, const shape_type& shape = {}) const;
  array rayleigh(const operand& scale, const shape_type& shape = {}) const;
  array triangular(const operand& left, const operand& mode, const operand& right,
                   const shape_type& shape = {}) const;
  array vonmises(const operand& mu, const operand& kappa, const shape_type& shape = {}) const;
  array wald(const operand& mean, const operand& scale, const shape_type& shape = {}) const;
  array weibull(const operand& a, const shape_type& shape = {}) const;
  array zipf(const operand& a, const shape_type& shape = {}) const;
  /// Any law by the name of its method in numpy.random.Generator, with its parameters in order: "standard_t", "wald", "zipf", ...
  array law(std::string_view name, std::initializer_list<operand> parameters,
            const shape_type& shape = {}) const;

  // Laws of vectors: a row of numbers for each element of `shape`.
  /// How often each outcome comes among `n` trials, for rows of probabilities.
  array multinomial(const operand& n, const array& pvals, const shape_type& shape = {}) const;
  /// Shares that sum to one.
  array dirichlet(const array& alpha, const shape_type& shape = {}) const;
  /// Colors of `nsample` balls that are taken from an urn, by "marginals" or by "count".
  array multivariate_hypergeometric(const array& colors, std::int64_t nsample, const shape_type& shape = {},
                                    const std::string& method = "marginals") const;
  /// Normal vectors with a covariance.
  array multivariate_normal(const array& mean, const array& cov, const shape_type& shape = {},
                            const multivariate_normal_options& options = {}) const;

  /// In [low, high).
  array integers(std::int64_t low, std::int64_t high, const shape_type& shape = {},
                 dtype type = dtype::int64) const;
  /// 0, 1, ..., n - 1 in random order.
  array permutation(std::int64_t n) const;
  /// `a` with its slices along the first axis in random order.
  array permutation(const array& a) const;
  /// Puts the slices of an array along an axis in random order, in place.
  void shuffle(const array& a, std::int64_t axis = 0) const;
  /// A copy of `a` with the elements of each row of the axis in random order, row by row; without an axis, all of them.
  array permuted(const array& a, std::optional<std::int64_t> axis = std::nullopt) const;
  /// `count` of 0, 1, ..., n - 1, none twice.
  array choice(std::int64_t n, std::int64_t count) const;

 private:
  std::shared_ptr<ops::BitGenerator> bits_;
};

/// A generator of NumPy's numbers: of the system's entropy, or of a seed.
inline generator default_rng() { return generator(); }
inline generator default_rng(std::uint64_t seed) { return generator(seed); }

}  // namespace cuprum::random
