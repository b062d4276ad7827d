// Creating arrays: filled, like another, evenly spaced, triangular. What can be recorded is recorded, so that
// `zeros(n) + x` or `tril(a) * 2` need no memory for their parts.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// `order` is 'C' or 'F'. Negative dimensions, too many of them and too many bytes throw ValueError.
Array empty(const Dims& shape, dtype type = dtype::float64, char order = 'C',
            Backend& backend = default_backend());
Array full(const Dims& shape, const Scalar& value, char order = 'C', Backend& backend = default_backend());
Array zeros(const Dims& shape, dtype type = dtype::float64, char order = 'C',
            Backend& backend = default_backend());
Array ones(const Dims& shape, dtype type = dtype::float64, char order = 'C',
           Backend& backend = default_backend());

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
Array arange(std::int64_t count, const Scalar& start, const Scalar& step, dtype type,
             Backend& backend = default_backend());
/// NumPy's length of arange(start, stop, step); throws ValueError for a zero step or a length over 63 bits.
std::int64_t arange_length(double start, double stop, double step);
Array arange(double start, double stop, double step = 1, dtype type = dtype::float64);
Array arange(std::int64_t start, std::int64_t stop, std::int64_t step = 1, dtype type = dtype::int64);

/// np.linspace along a new axis: start and stop broadcast. `type` is the dtype of the result.
struct Linspace {
  Array samples;
  Array step;  // 0-d, or of the broadcast shape of start and stop; NaN where it is undefined
};
Linspace linspace(const Value& start, const Value& stop, std::int64_t num, bool endpoint,
                  std::optional<dtype> type, std::int64_t axis = 0);
Array linspace(double start, double stop, std::int64_t num = 50, bool endpoint = true,
               dtype type = dtype::float64);

Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k = 0, dtype type = dtype::float64,
          char order = 'C', Backend& backend = default_backend());
/// True at and below the k-th diagonal.
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k = 0, dtype type = dtype::float64,
          Backend& backend = default_backend());
Array tril(const Array& a, std::int64_t k = 0);
Array triu(const Array& a, std::int64_t k = 0);

}  // namespace cuprum::ops
