// The element types of Cuprum arrays.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum {

/// Element type of an array. The order is fixed: tables are indexed by it.
enum class dtype : std::uint8_t {
  bool_,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
};

/// Number of element types.
inline constexpr int kDTypeCount = 15;

namespace detail {
/// The logarithm of each dtype's itemsize, three bits each: a number, as tables have no address in the code of a GPU.
inline constexpr std::uint64_t kLogItemSizes = [] {
  constexpr int logs[kDTypeCount] = {0, 0, 1, 2, 3, 0, 1, 2, 3, 1, 1, 2, 3, 3, 4};
  std::uint64_t packed = 0;
  for (int i = 0; i < kDTypeCount; ++i) packed |= static_cast<std::uint64_t>(logs[i]) << 3 * i;
  return packed;
}();
}  // namespace detail

/// Bytes of one element.
constexpr std::size_t itemsize(dtype t) {
  return std::size_t{1} << (detail::kLogItemSizes >> 3 * static_cast<int>(t) & 7);
}

/// NumPy's name of the type, such as "float32".
const char* name(dtype t);

constexpr bool is_bool(dtype t) { return t == dtype::bool_; }
constexpr bool is_signed_integer(dtype t) { return t >= dtype::int8 && t <= dtype::int64; }
constexpr bool is_unsigned_integer(dtype t) { return t >= dtype::uint8 && t <= dtype::uint64; }
constexpr bool is_integer(dtype t) { return t >= dtype::int8 && t <= dtype::uint64; }
constexpr bool is_floating(dtype t) { return t >= dtype::float16 && t <= dtype::float64; }
constexpr bool is_complex(dtype t) { return t >= dtype::complex64; }

/// float32 for complex64, float64 for complex128, else the type itself.
constexpr dtype real_type(dtype t) {
  return t == dtype::complex64 ? dtype::float32 : t == dtype::complex128 ? dtype::float64 : t;
}

}  // namespace cuprum
