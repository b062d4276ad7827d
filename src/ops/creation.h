// Creating arrays: filled, like another, evenly spaced, triangular. What can be recorded is recorded, so that
// `zeros(n) + x` or `tril(a) * 2` need no memory for their parts. Where they live, the caller says: nothing in
// src/ops asks for the current device.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// `order` is 'C' or 'F'. Negative dimensions, too many of them and too many bytes throw ValueError.
Array empty(const Dims& shape, dtype type, char order, Backend& backend);
Array full(const Dims& shape, const Scalar& value, char order, Backend& backend);
Array zeros(const Dims& shape, dtype type, char order, Backend& backend);
Array ones(const Dims& shape, dtype type, char order, Backend& backend);

/// With the shape, dtype and layout of `a` unless said otherwise; `order` is 'C', 'F', 'A' or 'K'.
struct Like {
  std::optional<dtype> type;
  char order = 'K';
  std::optional<Dims> shape;
};
Array empty_like(const Array& a, const Like& like = {});
/// Those of empty_like(a).
Dims strides_like(const Array& a);
/// `value` is converted to the dtype of the result.
Array full_like(const Array& a, const Scalar& value, const Like& like = {});
Array zeros_like(const Array& a, const Like& like = {});
Array ones_like(const Array& a, const Like& like = {});

/// start, start + step, ...: `count` values computed as NumPy's arange does in `type`. The dtypes of `start` and `step`
/// are those of the caller's arithmetic (int64, float64, ...), not of the result.
Array arange(std::int64_t count, const Scalar& start, const Scalar& step, dtype type, Backend& backend);
/// NumPy's length of arange(start, stop, step); throws ValueError for a zero step or a length over 63 bits.
std::int64_t arange_length(double start, double stop, double step);
/// float64, int64.
Array arange(double start, double stop, double step, Backend& backend);
Array arange(std::int64_t start, std::int64_t stop, std::int64_t step, Backend& backend);

/// np.linspace along a new axis: start and stop broadcast, arrays are on `backend`. `type` is the dtype of the result.
struct Linspace {
  Array samples;
  Array step;  // 0-d, or of the broadcast shape of start and stop; NaN where it is undefined
};
Linspace linspace(const Value& start, const Value& stop, std::int64_t num, bool endpoint,
                  std::optional<dtype> type, std::int64_t axis, Backend& backend);

Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type, char order, Backend& backend);
/// True at and below the k-th diagonal.
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type, Backend& backend);
Array tril(const Array& a, std::int64_t k = 0);
Array triu(const Array& a, std::int64_t k = 0);

}  // namespace cuprum::ops
