// Convolution and correlation of vectors.
#pragma once

#include <cstdint>
#include <string>

#include "expr/array.h"

namespace cuprum::ops {

/// Where the vectors overlap completely, as often as the longer one has elements, or wherever they overlap.
enum class Overlap : std::uint8_t { valid, same, full };
/// By NumPy's words, or its numbers.
Overlap parse_overlap(const char* function, const std::string& mode);
Overlap parse_overlap(const char* function, std::int64_t mode);

Array convolve(const Array& a, const Array& v, Overlap overlap = Overlap::full);
/// `v` is conjugated.
Array correlate(const Array& a, const Array& v, Overlap overlap = Overlap::valid);

}  // namespace cuprum::ops
