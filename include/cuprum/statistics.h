// Statistics: quantiles and weighted means. Without axes they are those of all elements.
#pragma once

#include <string>

#include "cuprum/options.h"

namespace cuprum {

/// Of a median.
struct median_options {
  by_name named = by_name();
  axis_set axis = {};             // all
  std::optional<array> out = {};  // what receives the result
  bool overwrite_input = false;   // the array may be sorted where it is
  bool keepdims = false;          // reduced axes stay, with length one
};
/// The middle of the sorted elements, or the mean of the two middle ones; NaN where there is a NaN.
array median(const array& a, const median_options& options = {});
template <by_place Axes = axis_set>
array median(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return median(a, {.axis = axes, .keepdims = keepdims});
}
/// The median of the elements that are not NaN.
array nanmedian(const array& a, const median_options& options = {});
template <by_place Axes = axis_set>
array nanmedian(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nanmedian(a, {.axis = axes, .keepdims = keepdims});
}

/// Of a quantile.
struct quantile_options {
  by_name named = by_name();
  axis_set axis = {};                 // all
  std::optional<array> out = {};      // what receives the result
  bool overwrite_input = false;       // the array may be sorted where it is
  std::string method = "linear";      // what is taken between two elements, by NumPy's names
  bool keepdims = false;              // reduced axes stay, with length one
  std::optional<array> weights = {};  // with the method "inverted_cdf" alone
};
/// The values below which the fractions `q` of the elements lie; NaN where there is a NaN. The dimensions of `q` come first.
array quantile(const array& a, const operand& q, const quantile_options& options = {});
/// The values below which `q` percent of the elements lie.
array percentile(const array& a, const operand& q, const quantile_options& options = {});
/// The quantiles of the elements that are not NaN.
array nanquantile(const array& a, const operand& q, const quantile_options& options = {});
/// The percentiles of the elements that are not NaN.
array nanpercentile(const array& a, const operand& q, const quantile_options& options = {});

/// Of a weighted mean.
struct average_options {
  by_name named = by_name();
  axis_set axis = {};                 // all
  std::optional<array> weights = {};  // of every element, or along the axes
  bool keepdims = false;              // reduced axes stay, with length one
};
/// The weighted mean; ZeroDivisionError where weights sum to zero.
array average(const array& a, const average_options& options = {});

/// Of a covariance.
struct cov_options {
  by_name named = by_name();
  std::optional<array> y = {};              // more variables
  bool rowvar = true;                       // variables are rows, else columns
  bool bias = false;                        // divided by n, else by n - 1
  std::optional<double> ddof = {};          // divided by n - ddof
  std::optional<array> fweights = {};       // how often each observation was made
  std::optional<array> aweights = {};       // how much it counts
  std::optional<cuprum::dtype> dtype = {};  // what it computes in
};
/// The covariance matrix of variables.
array cov(const array& m, const cov_options& options = {});
/// The correlation coefficients of variables; `y`, `rowvar` and `dtype` alone of the options are looked at.
array corrcoef(const array& x, const cov_options& options = {});

}  // namespace cuprum
