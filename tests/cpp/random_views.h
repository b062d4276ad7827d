// Random strided views with difficult values, and the exact comparison of two of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backend/cpu/threads.h"
#include "backend/reference/element.h"

namespace cuprum::testing {

using Rng = std::mt19937_64;

inline std::int64_t pick(Rng& rng, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(rng);
}

inline std::vector<dtype> all_dtypes() {
  std::vector<dtype> types;
  for (int t = 0; t < kDTypeCount; ++t) types.push_back(static_cast<dtype>(t));
  return types;
}

/// A view that owns its memory.
struct Owned : View {
  std::vector<std::byte> memory;
};

/// A view of this shape whose dimensions lie in random order in memory, with gaps and in both directions.
inline Owned random_layout(Rng& rng, dtype type, const Dims& shape, bool contiguous = false) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  std::vector<std::size_t> order(shape.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = order.size() - 1 - d;  // innermost first
  if (!contiguous && pick(rng, 0, 1)) std::shuffle(order.begin(), order.end(), rng);
  Owned view;
  view.type = type;
  view.shape = shape;
  view.strides = Dims(shape.size());
  std::int64_t extent = size, start = 0;
  for (std::size_t d : order) {
    const std::int64_t gap = contiguous ? 0 : size * std::max<std::int64_t>(0, pick(rng, -2, 2));
    view.strides[d] = extent + gap;
    extent = std::max(extent, view.strides[d] * shape[d]);
    if (!contiguous && shape[d] > 0 && pick(rng, 0, 3) == 0) {
      start += view.strides[d] * (shape[d] - 1);
      view.strides[d] = -view.strides[d];
    }
  }
  view.memory.resize(static_cast<std::size_t>(std::max<std::int64_t>(extent, 1)));
  view.data = view.memory.data() + start;
  return view;
}

/// A value of any dtype: small integers with many ties, now and then a special one.
inline Scalar random_value(Rng& rng, dtype type) {
  if (is_floating(type) || is_complex(type)) {
    static const double special[] = {
        0.0, -0.0, __builtin_inf(), -__builtin_inf(), __builtin_nan(""), -__builtin_nan("")};
    double part[2];
    for (double& x : part) {
      const std::int64_t kind = pick(rng, 0, 19);
      x = kind < 6    ? special[kind]
          : kind < 12 ? static_cast<double>(pick(rng, -3, 3))
                      : std::normal_distribution<>()(rng);
    }
    Scalar wide;
    wide.type = dtype::complex128;
    std::memcpy(wide.bytes, part, sizeof(part));
    return reference::cast(wide, type);
  }
  const std::int64_t wide = pick(rng, 0, 1) ? pick(rng, -4, 4) : static_cast<std::int64_t>(rng());
  return reference::cast(Scalar::of(dtype::int64, wide), type);
}

template <class F>
void fill(const View& view, F&& value) {
  reference::each(view.shape,
                  [&](const Dims& at) { reference::store(value(), reference::address(view, at)); });
}

inline Owned random_array(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape);
  fill(view, [&] { return random_value(rng, type); });
  return view;
}

inline Owned empty_like(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape);
  std::fill(view.memory.begin(), view.memory.end(), std::byte{0x5a});
  return view;
}

/// An independent view with the same layout and the same memory.
inline Owned copy_of(const Owned& view) {
  Owned copy = view;
  copy.data = copy.memory.data() + (view.data - view.memory.data());
  return copy;
}

/// What counts as the same: the bits; any two NaN too (which one arithmetic returns is the compiler's
/// choice); or zeros of any sign too (BLAS).
enum class Same { bits, any_nan, value };

inline bool is_same(const Scalar& a, const Scalar& b, Same same) {
  if (a == b || same == Same::bits) return a == b;
  const dtype part = real_type(a.type);
  for (std::size_t offset = 0; offset < itemsize(a.type); offset += itemsize(part)) {
    const Scalar x = reference::load(part, reinterpret_cast<const std::byte*>(a.bytes) + offset);
    const Scalar y = reference::load(part, reinterpret_cast<const std::byte*>(b.bytes) + offset);
    const bool equal = same == Same::value && reference::sort_key(x) == reference::sort_key(y);
    if (!(x == y) && !equal && !(reference::is_nan(x) && reference::is_nan(y))) return false;
  }
  return true;
}

inline void expect_same(const View& actual, const View& expected, const std::string& what,
                        Same same = Same::bits) {
  ASSERT_TRUE(actual.shape == expected.shape) << what;
  int shown = 0;
  reference::each(actual.shape, [&](const Dims& at) {
    const Scalar a = reference::load(actual.type, reference::address(actual, at));
    const Scalar b = reference::load(expected.type, reference::address(expected, at));
    if (!is_same(a, b, same) && shown++ < 3) {
      std::string place;
      for (std::int64_t i : at) place += std::to_string(i) + ",";
      ADD_FAILURE() << what << " at " << place << ": " << reference::cast(a, dtype::float64).as<double>()
                    << " instead of " << reference::cast(b, dtype::float64).as<double>();
    }
  });
}

/// Runs f with one and with three threads.
template <class F>
void with_threads(F&& f) {
  const int before = cpu::num_threads();
  for (int threads : {1, 3}) {
    cpu::set_num_threads(threads);
    f(threads);
  }
  cpu::set_num_threads(before);
}

}  // namespace cuprum::testing
