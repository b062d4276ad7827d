// Single elements: where they are, how one value becomes another, in which order they sort.
#pragma once

#include <cstring>
#include <tuple>

#include "backend/cpu/loops.h"
#include "core/user_op.h"
#include "runtime/program.h"

namespace cuprum::reference {

/// Calls f(coordinates) for every element of `shape` in C order.
template <class F>
void each(const Dims& shape, F&& f) {
  for (std::int64_t extent : shape) {
    if (extent == 0) return;
  }
  Dims at(shape.size());
  for (;;) {
    f(static_cast<const Dims&>(at));
    std::size_t d = shape.size();
    while (d > 0 && ++at[d - 1] == shape[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

inline std::byte* address(std::byte* data, const Dims& strides, const Dims& at) {
  for (std::size_t d = 0; d < at.size(); ++d) data += at[d] * strides[d];
  return data;
}
inline std::byte* address(const View& view, const Dims& at) { return address(view.data, view.strides, at); }

inline Dims head(const Dims& dims, std::size_t n) { return Dims(dims.begin(), dims.begin() + n); }
inline Dims tail(const Dims& dims, std::size_t n) { return Dims(dims.begin() + n, dims.end()); }
inline Dims joined(const Dims& a, const Dims& b) {
  Dims both = a;
  for (std::int64_t x : b) both.push_back(x);
  return both;
}

inline Scalar load(dtype type, const std::byte* from) {
  Scalar value;
  value.type = type;
  std::memcpy(value.bytes, from, itemsize(type));
  return value;
}
inline void store(const Scalar& value, std::byte* to) { std::memcpy(to, value.bytes, itemsize(value.type)); }

inline Scalar cast(const Scalar& value, dtype to) {
  if (value.type == to) return value;
  Scalar result;
  result.type = to;
  loops().cast[static_cast<int>(value.type)][static_cast<int>(to)](1, result.bytes, value.bytes, nullptr,
                                                                   nullptr);
  return result;
}

/// op(a, b, c) by the loop with this key; the result has dtype `out`.
inline Scalar apply(Op op, dtype key, dtype out, const Scalar& a, const Scalar& b = {},
                    const Scalar& c = {}) {
  Scalar result;
  result.type = out;
  const LoopFn loop =
      is_user_op(op) ? user_loop(op) : loops().loop[static_cast<int>(op)][static_cast<int>(key)];
  loop(1, result.bytes, a.bytes, b.bytes, c.bytes);
  return result;
}

/// A binary operation from one dtype to itself.
inline Scalar apply(Op op, const Scalar& a, const Scalar& b) { return apply(op, a.type, a.type, a, b); }

inline Scalar int_scalar(std::int64_t value) { return Scalar::of(dtype::int64, value); }

/// NumPy's order: NaN last; complex numbers first those without NaN, then R + nan j, nan + R j, nan + nan j,
/// each by the real part, then by the imaginary one. Zeros are equal whatever their signs.
using SortKey = std::tuple<bool, bool, double, double, std::int64_t, std::uint64_t>;

inline SortKey sort_key(const Scalar& value) {
  if (is_floating(value.type) || is_complex(value.type)) {
    const Scalar wide = cast(value, dtype::complex128);
    double part[2];
    std::memcpy(part, wide.bytes, sizeof(part));
    const bool re_nan = part[0] != part[0], im_nan = part[1] != part[1];
    return {re_nan, im_nan, re_nan ? 0 : part[0], im_nan ? 0 : part[1], 0, 0};
  }
  if (is_signed_integer(value.type)) {
    return {false, false, 0, 0, cast(value, dtype::int64).as<std::int64_t>(), 0};
  }
  return {false, false, 0, 0, 0, cast(value, dtype::uint64).as<std::uint64_t>()};
}

inline bool is_nan(const Scalar& value) {
  const SortKey key = sort_key(value);
  return std::get<0>(key) || std::get<1>(key);
}

}  // namespace cuprum::reference
