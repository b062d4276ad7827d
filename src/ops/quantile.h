// Medians and quantiles: sorted along the reduced axes, picked and interpolated in one recorded expression. With
// `overwrite_input` the array is sorted where it is, and no copy is made.
#pragma once

#include <optional>
#include <string>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

struct MedianArgs {
  std::optional<Dims> axes;  // unset: all
  const Array* out = nullptr;
  bool overwrite_input = false;
  bool keepdims = false;
};
/// The middle of the sorted elements, or the mean of the two middle ones; NaN where there is a NaN.
Array median(const Array& a, const MedianArgs& args = {});
/// Of the elements that are not NaN.
Array nanmedian(const Array& a, const MedianArgs& args = {});

struct QuantileArgs {
  std::optional<Dims> axes;  // unset: all
  const Array* out = nullptr;
  bool overwrite_input = false;
  std::string method = "linear";
  bool keepdims = false;
  const Array* weights = nullptr;  // with the method inverted_cdf alone
};
/// The values below which the fractions q of the elements lie; NaN where there is a NaN. The dimensions of `q` come first.
Array quantile(const Array& a, const Value& q, const QuantileArgs& args = {});
/// The same with `q` in percent.
Array percentile(const Array& a, const Value& q, const QuantileArgs& args = {});
/// Of the elements that are not NaN.
Array nanquantile(const Array& a, const Value& q, const QuantileArgs& args = {});
Array nanpercentile(const Array& a, const Value& q, const QuantileArgs& args = {});

}  // namespace cuprum::ops
