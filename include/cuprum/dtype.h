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

/// Bytes of one element, by type. (Within the function, the table would be written to the stack by every call.)
inline constexpr std::uint8_t kItemSizes[kDTypeCount] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
/// Bytes of one element.
constexpr std::size_t itemsize(dtype t) { return kItemSizes[static_cast<int>(t)]; }

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
