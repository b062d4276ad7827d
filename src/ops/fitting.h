// Least squares with columns of norm one, and the polynomials that fit measured points best.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"

namespace cuprum::ops {

/// What a fit asks of its points; `prefix` stands before NumPy's words.
void check_points(const char* prefix, const Array& x, const Array& y);

struct Fit {
  Array c, residuals, rank, singular_values;
};
/// Least squares of left c = right, the columns of `left` divided by `norms`, to which the singular values belong.
Fit fit_columns(const Array& left, const Array& right, const Array& norms, double rcond);

struct PolyFit {
  Fit fit;
  double rcond;
  Array left, norms;  // of the equations: for the covariance
};
/// The polynomial of degree `deg` that lies closest to the points, which may have weights. `rcond` unset: the number of points
/// times epsilon.
PolyFit polyfit(const Array& x, const Array& y, std::int64_t deg, std::optional<double> rcond = std::nullopt,
                const Array* weights = nullptr);

/// The covariance of the coefficients; `scaled` by the residuals.
Array polyfit_covariance(const PolyFit& fit, bool scaled = true);

}  // namespace cuprum::ops
