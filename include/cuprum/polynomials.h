// Polynomials by their coefficients, the highest power first.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// The sum of two polynomials.
array polyadd(const array& a, const array& b);
/// The difference of two polynomials.
array polysub(const array& a, const array& b);
/// The product of two polynomials, without leading zeros.
array polymul(const array& a, const array& b);
struct polydiv_result {
  array quotient, remainder;
};
/// Quotient and remainder of the division of two polynomials.
polydiv_result polydiv(const array& u, const array& v);
/// The derivative of order m.
array polyder(const array& p, std::int64_t m = 1);
/// The integral of order m, with constants of integration that are zero.
array polyint(const array& p, std::int64_t m = 1);
/// The same with a constant for each integration, or one for all.
array polyint(const array& p, std::int64_t m, const array& k);
/// The polynomial at every element of x, by Horner's rule in one fused kernel.
array polyval(const array& p, const array& x);
/// The zeros of a polynomial: real where none of a real polynomial has an imaginary part, else complex.
array roots(const array& p);
/// The polynomial with these zeros, or the characteristic polynomial of a square matrix.
array poly(const array& zeros);

struct polyfit_options {
  by_name named = by_name();
  std::optional<double> rcond = {};  // smaller singular values, relative to the largest, count as zero
  std::optional<array> w = {};       // the weights of the points
};
/// The polynomial of degree `deg` that lies closest to the points, by least squares.
array polyfit(const array& x, const array& y, std::int64_t deg, const polyfit_options& options = {});
struct polyfit_result {
  array coefficients, residuals, rank, singular_values;
  double rcond = 0;
  array covariance;  // scaled by the residuals
};
/// The same with all that is known of the fit; there must be more points than coefficients.
polyfit_result polyfit_full(const array& x, const array& y, std::int64_t deg,
                            const polyfit_options& options = {});

}  // namespace cuprum
