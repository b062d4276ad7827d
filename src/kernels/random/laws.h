// Which number a continuous law draws, as expressions of the reader r and the parameters a, b and c: for
// every backend that has loops over them.
#pragma once

#include "kernels/random/continuous.h"

// clang-format off
/// Made of numbers of the ziggurats by arithmetic and roots, if the shapes of all gammas are 1 or above.
#define CUPRUM_ALGEBRAIC_LAWS(X)                                                                        \
  X(beta, random::beta(r, a, b))                                                                        \
  X(chisquare, random::chisquare<random::Modern>(r, a))                                                 \
  X(f, random::f<random::Modern>(r, a, b))                                                              \
  X(noncentral_chisquare, (b != b ? b : random::noncentral_chisquare<random::Modern>(r, a, b)))         \
  X(noncentral_f, random::noncentral_f<random::Modern>(r, a, b, c))                                     \
  X(standard_cauchy, random::standard_cauchy<random::Modern>(r))                                        \
  X(standard_t, random::standard_t<random::Modern>(r, a))                                               \
  X(standard_rayleigh, math::sqrt(2.0 * random::standard_exponential(r)))                               \
  X(wald, random::wald(r, a, b))

/// Through exponentials, logarithms and powers.
#define CUPRUM_TRANSCENDENTAL_LAWS(X)                                                                   \
  X(vonmises, random::vonmises(r, a, b, true))                                                          \
  X(pareto, math::expm1(random::standard_exponential(r) / a))                                           \
  X(weibull, (a == 0.0 ? 0.0 : math::pow(random::standard_exponential(r), 1. / a)))                     \
  X(power, math::pow(-math::expm1(-random::standard_exponential(r)), 1. / a))                           \
  X(standard_laplace, random::standard_laplace(r))                                                      \
  X(standard_gumbel, random::standard_gumbel(r))                                                        \
  X(standard_logistic, random::standard_logistic(r))                                                    \
  X(lognormal, math::exp(a + b * random::standard_normal(r)))
// clang-format on
