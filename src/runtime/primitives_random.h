// Random numbers: the primitive, and the laws that it draws from. Included by runtime/primitives.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "core/random_bits.h"

namespace cuprum {

// clang-format off
/// Name, dtype of the results (integers: any), parameters: r real, i integer.
/// Those that begin with `legacy_` are RandomState's. kernels/random has their meanings.
#define CUPRUM_LAWS(X)                                                                        \
  X(random, float64, "") X(random_f, float32, "")                                             \
  X(standard_normal, float64, "") X(standard_normal_f, float32, "")                           \
  X(standard_exponential, float64, "") X(standard_exponential_f, float32, "")                 \
  X(inverse_exponential, float64, "") X(inverse_exponential_f, float32, "")                   \
  X(standard_gamma, float64, "r") X(standard_gamma_f, float32, "r")                           \
  X(beta, float64, "rr") X(chisquare, float64, "r") X(f, float64, "rr")                       \
  X(noncentral_chisquare, float64, "rr") X(noncentral_f, float64, "rrr")                      \
  X(standard_cauchy, float64, "") X(standard_t, float64, "r") X(vonmises, float64, "rr")      \
  X(pareto, float64, "r") X(weibull, float64, "r") X(power, float64, "r")                     \
  X(standard_laplace, float64, "") X(standard_gumbel, float64, "")                            \
  X(standard_logistic, float64, "") X(lognormal, float64, "rr") X(standard_rayleigh, float64, "") \
  X(wald, float64, "rr") X(triangular, float64, "rrr")                                        \
  X(poisson, int64, "r") X(negative_binomial, int64, "rr") X(binomial, int64, "ir")           \
  X(geometric, int64, "r") X(zipf, int64, "r") X(logseries, int64, "r")                       \
  X(hypergeometric, int64, "iii")                                                             \
  X(legacy_normal, float64, "") X(legacy_exponential, float64, "")                            \
  X(legacy_gamma, float64, "r") X(legacy_beta, float64, "rr") X(legacy_chisquare, float64, "r") \
  X(legacy_f, float64, "rr") X(legacy_noncentral_chisquare, float64, "rr")                    \
  X(legacy_noncentral_f, float64, "rrr") X(legacy_cauchy, float64, "") X(legacy_t, float64, "r") \
  X(legacy_vonmises, float64, "rr") X(legacy_pareto, float64, "r") X(legacy_weibull, float64, "r") \
  X(legacy_power, float64, "r") X(legacy_lognormal, float64, "rr")                            \
  X(legacy_rayleigh, float64, "") X(legacy_wald, float64, "rr")                               \
  X(legacy_negative_binomial, int64, "rr") X(legacy_binomial, int64, "ir")                    \
  X(legacy_geometric, int64, "r") X(legacy_zipf, int64, "r") X(legacy_logseries, int64, "r")  \
  X(legacy_hypergeometric, int64, "iii")                                                      \
  X(integers, bool_, "ii") X(masked_integers, bool_, "ii")                                    \
  X(raw, uint64, "") X(half, uint32, "")                                                      \
  X(multinomial, int64, "") X(legacy_multinomial, int64, "") X(dirichlet, float64, "")        \
  X(legacy_dirichlet, float64, "") X(multivariate_hypergeometric, int64, "ii")                \
  X(shuffle, int64, "ii") X(sample, int64, "ii")
// clang-format on

#define CUPRUM_ENUMERATOR(name, type, parameters) name,
enum class Law : std::uint8_t { CUPRUM_LAWS(CUPRUM_ENUMERATOR) };
#undef CUPRUM_ENUMERATOR

/// Parameters as bits: of float64 or int64, by the law's signature.
using LawParameters = std::array<std::uint64_t, 3>;

/// in: the packed state, where `from` is null; then arrays of parameters, none or as many as the law has, of out[0]'s shape (float64
/// or int64, as the signature says). out[0] = numbers of the law in C order, dense; out[1], which may be left out = the packed state
/// behind them.
///
/// Laws of vectors take their arrays whole. multinomial: counts (...), probabilities (..., d) for out[0] (..., d). dirichlet: alpha
/// (d). multivariate_hypergeometric: colors (d); how many are taken, and whether by counting. shuffle: the positions 0..n-1 of
/// each row (..., n) in random order; the first position that is not moved any more, and whether a mask bounds the integers.
/// sample: out[0].size of `population` positions, none twice; the population, and whether in random order.
/// integers: the least, and how many more there are.
struct Draw {
  static constexpr bool several = true;

  Law law;
  BitKind kind;
  std::shared_ptr<const BitState> from;
  LawParameters parameters = {};
  bool scaled = false;  // loc + scale * x, for laws of float64
  double loc = 0.0, scale = 1.0;
};

}  // namespace cuprum
