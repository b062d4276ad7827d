// How variables vary together: covariance and correlation.
#pragma once

#include <optional>

#include "expr/array.h"

namespace cuprum::ops {

struct CovarianceArgs {
  const Array* y = nullptr;         // more variables
  bool rowvar = true;               // variables are rows, else columns
  bool bias = false;                // divided by n, else by n - 1
  std::optional<double> ddof;       // divided by n - ddof
  const Array* fweights = nullptr;  // how often each observation was made
  const Array* aweights = nullptr;  // how much it counts
  std::optional<dtype> type;
};
/// The covariance matrix of variables.
Array cov(const Array& m, const CovarianceArgs& args = {});
/// Covariances divided by both standard deviations.
Array corrcoef(const Array& x, const Array* y = nullptr, bool rowvar = true,
               std::optional<dtype> type = std::nullopt);

}  // namespace cuprum::ops
